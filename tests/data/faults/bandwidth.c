/* Each thread streams over more than its caches hold; repaired: it uses a block often before it goes on. */
#include "faults.h"

enum { BYTES = 1 << 18, BLOCK = 1 << 11, ROUNDS = 4 };
static volatile char stream[MOST][BYTES] __attribute__((aligned(4096)));

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
#ifdef FIXED
    for (int i = 0; i < BYTES; i += BLOCK)
        for (int r = 0; r < ROUNDS; r++)
            for (int k = 0; k < BLOCK; k += 64)
                sum += ++stream[me][i % (BLOCK * 2) + k];
#else
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < BYTES; i += 64)
            sum += ++stream[me][i]; /* FAULT */
#endif
    result[me][0] = sum * 0 + me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
