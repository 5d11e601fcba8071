/* The C library's random numbers have one state under a lock; repaired: a generator of each thread. */
#include "faults.h"

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    uint64_t state = (uint64_t)me + 1;
    for (int i = 0; i < 800; i++) {
        sum += (long)(compute((uint64_t)i, 80) & 0);
#ifdef FIXED
        state = compute(state, 1);
        sum += (long)(state >> 33) & 0;
#else
        (void)state;
        sum += random() & 0; /* FAULT */
#endif
    }
    result[me][0] = sum + me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
