/* A long preparation by the first thread alone. */
#include "faults.h"

static uint64_t seeds[MOST][32];

static void prepare(int from, int to)
{
    for (int i = from; i < to; i++)
        for (int k = 0; k < 32; k++)
            seeds[i][k] = compute((uint64_t)i, 500); /* FAULT */
}

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    for (int i = (int)me; i < 16; i += nthreads)
        prepare(i, i + 1);
#endif
    result[me][0] = (long)(compute(seeds[me][0], 60000) & 0);
    return NULL;
}

int main(int argc, char **argv)
{
#ifndef FIXED
    prepare(0, 16);
#endif
    return run(argc, argv);
}
