/* In every round each thread streams over more than its caches hold; repaired: all rounds of an element are
 * done while it is there. */
#include "faults.h"

enum { BYTES = 5 << 15, ROUNDS = 80 };
static volatile uint8_t stream[MOST][BYTES] __attribute__((aligned(4096)));

static inline uint8_t step(uint8_t x, int round)
{
    x = (uint8_t)(x * 5 + round);
    __asm__ volatile("" : "+r"(x)); /* so that rounds stay rounds */
    return x;
}

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    for (int i = 0; i < BYTES; i += 64) {
        uint8_t x = stream[me][i];
        for (int r = 0; r < ROUNDS; r++)
            x = step(x, r);
        stream[me][i] = x;
    }
#else
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < BYTES; i += 64)
            stream[me][i] = step(stream[me][i], r); /* FAULT */
#endif
    for (int i = 0; i < BYTES; i += 4096)
        result[me][0] += stream[me][i];
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
