/* Every step counts into one variable. */
#include "faults.h"

static atomic_long counter __attribute__((aligned(LINE)));

static void *work(void *arg)
{
    long me = (long)arg;
    for (int i = 0; i < 20000; i++) {
        compute((uint64_t)i, 2);
#ifdef FIXED
        result[me][0]++;
#else
        atomic_fetch_add(&counter, 1); /* FAULT */
#endif
    }
#ifndef FIXED
    result[me][0] = 20000;
#endif
    (void)counter;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
