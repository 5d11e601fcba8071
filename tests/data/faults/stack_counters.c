/* Counters of the threads side by side in an array on the stack of the one that starts them. */
#include "faults.h"

static volatile int *counters;

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    int own = 0;
#endif
    for (int i = 0; i < 4000; i++) {
#ifdef FIXED
        own += (int)(compute((uint64_t)i, 3) & 1);
#else
        counters[me] += (int)(compute((uint64_t)i, 3) & 1); /* FAULT */
#endif
    }
#ifdef FIXED
    counters[me] = own;
#endif
    result[me][0] = counters[me];
    return NULL;
}

int main(int argc, char **argv)
{
    int v[argc > 1 ? atoi(argv[1]) : 4];
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        v[i] = 0;
    counters = v;
    return run(argc, argv);
}
