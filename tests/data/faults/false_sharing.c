/* Counters of all threads in one line. */
#include "faults.h"

#ifdef FIXED
static volatile long hits[MOST][LINE / sizeof(long)] __attribute__((aligned(LINE)));
#define HITS(i) hits[i][0]
#else
static volatile long hits[MOST] __attribute__((aligned(LINE)));
#define HITS(i) hits[i]
#endif

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 20000; i++) {
        x = compute(x, 3);
        HITS(me) += (long)(x >> 60); /* FAULT */
    }
    result[me][0] = HITS(me);
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
