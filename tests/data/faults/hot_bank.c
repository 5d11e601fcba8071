/* Lines far apart that all lie in one memory bank of those that serve data; repaired: lines over all banks.
 */
#include "faults.h"

enum { LINES = 512, STRIDE = 4096 };
static volatile char table[LINES * STRIDE] __attribute__((aligned(4096)));

#ifdef FIXED
#define AT(k) ((k) * (STRIDE + 64) % (LINES * STRIDE))
#else
#define AT(k) ((k)*STRIDE)
#endif

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    for (int i = 0; i < 60; i++)
        for (int k = (int)me * 8; k < LINES; k += 8) {
            sum += table[AT(k)] + table[AT(k + 1)] + table[AT(k + 2)] + table[AT(k + 3)]; /* FAULT */
        }
    result[me][0] = sum + me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
