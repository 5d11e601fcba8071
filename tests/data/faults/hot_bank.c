/* Lines far apart that all lie in one memory bank of those that serve data; repaired: lines over all banks
 * (-DFIXED), or, where one bank is all there is, lines that are used for all rounds at once (-DFIXED=2). */
#include "faults.h"

enum { LINES = 768, STRIDE = 4096, ROUNDS = 60 };
static volatile uint8_t table[LINES * (STRIDE + 64)] __attribute__((aligned(4096)));

#ifdef FIXED
#define AT(k) ((k) * (STRIDE + 64))
#else
#define AT(k) ((k)*STRIDE)
#endif
#if !defined FIXED || FIXED == 1
#define TOGETHER 0
#else
#define TOGETHER 1
#endif

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t sum = 0;
    for (int i = 0; i < (TOGETHER ? 1 : ROUNDS); i++)
        for (int k = 0; k < LINES; k += 8) {
            const volatile uint8_t *t = &table[AT((k + (int)me * 9) % (LINES - 8))];
            int x = t[AT(0)] + t[AT(1)] + t[AT(2)] + t[AT(3)]    /* FAULT */
                    + t[AT(4)] + t[AT(5)] + t[AT(6)] + t[AT(7)]; /* FAULT */
            for (int r = 0; r < (TOGETHER ? ROUNDS : 1); r++)
                sum += compute((uint64_t)x, nthreads * nthreads / 4 + 2);
        }
    result[me][0] = (long)sum;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
