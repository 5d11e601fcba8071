/* In every round each thread reads what another one has just written; repaired: what it wrote itself. */
#include "faults.h"

enum { WORDS = 256 };
static long page[MOST][WORDS] __attribute__((aligned(LINE)));

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    for (int r = 0; r < 60; r++) {
#ifdef FIXED
        long from = me;
#else
        long from = (me + 1) % nthreads;
#endif
        for (int i = 0; i < WORDS; i += 4)
            ((volatile long *)page[me])[i] = r + (long)(compute((uint64_t)i, 4) & 0);
        for (int i = 0; i < WORDS; i += 4)
            sum += ((volatile long *)page[from])[i] & (long)(compute((uint64_t)i, 8) & 0); /* FAULT */
    }
    result[me][0] = me + sum * 0;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
