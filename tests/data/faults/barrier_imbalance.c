/* The first thread has all the work between two barriers. */
#include "faults.h"

static pthread_barrier_t gate __attribute__((aligned(LINE)));
static atomic_int ready;

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    while (!atomic_load(&ready))
        ;
    for (int i = 0; i < 3; i++) {
#ifdef FIXED
        x = compute(x, 400000 / nthreads);
#else
        if (me == 0)
            x = compute(x, 400000);
#endif
        pthread_barrier_wait(&gate); /* FAULT */
    }
    result[me][0] = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_barrier_init(&gate, NULL, argc > 1 ? (unsigned)atoi(argv[1]) : 4);
    atomic_store(&ready, 1);
    return run(argc, argv);
}
