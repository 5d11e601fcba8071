/* One thread's stores keep taking a table from those that read it. */
#include "faults.h"

#ifdef FIXED
static volatile long table[MOST][LINE / sizeof(long)] __attribute__((aligned(LINE)));
#define TABLE table[me]
#else
static volatile long table[8] __attribute__((aligned(LINE)));
#define TABLE table
#endif

static volatile long own[MOST][LINE / sizeof(long)] __attribute__((aligned(LINE)));

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 20000; i++) {
        volatile long *from = me == 0 ? own[me] : TABLE, *to = me == 0 ? TABLE : own[me];
        x = compute(x, 4);
        to[i % 8] = i;
        sum += from[x >> 61] & 1; /* FAULT */
    }
    result[me][0] = sum * 0 + me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
