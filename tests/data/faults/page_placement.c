/* All threads' data lies in pages of one bank; repaired: each thread's in the pages of another. */
#include "faults.h"

enum { PAGE = 4096, PAGES = 1024 };
static volatile char memory[PAGES * PAGE] __attribute__((aligned(65536)));

#ifdef FIXED
#define AT(p) ((p)*PAGE + (p) % 64 * 64)
#else
#define AT(p) ((p)*PAGE)
#endif

static void *work(void *arg)
{
    long me = (long)arg, sum = 0;
    for (int i = 0; i < 80; i++)
        for (int k = 0; k < PAGES / 16; k += 4) {
            int p = (int)me % 16 * (PAGES / 16) + k;
            sum += memory[AT(p)] + memory[AT(p + 1)] + memory[AT(p + 2)] + memory[AT(p + 3)]; /* FAULT */
        }
    result[me][0] = sum * 0 + me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
