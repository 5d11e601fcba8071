/* An array of small structures from malloc, one for each thread, several in a cache line; repaired: a line
 * each. */
#include "faults.h"

struct account {
    long balance, moves;
#ifdef FIXED
} __attribute__((aligned(LINE)));
#else
};
#endif
static struct account *accounts;

static void *work(void *arg)
{
    long me = (long)arg;
    volatile struct account *a = &accounts[me];
    for (int i = 0; i < 6000; i++) {
        a->balance += (long)compute((uint64_t)i, 12) & 15; /* FAULT */
        a->moves++;                                        /* FAULT */
    }
    result[me][0] = a->moves;
    return NULL;
}

int main(int argc, char **argv)
{
    accounts = malloc(MOST * sizeof *accounts + LINE);
    accounts = (struct account *)(((uintptr_t)accounts + LINE - 1) / LINE * LINE);
    for (int i = 0; i < MOST; i++)
        accounts[i] = (struct account){0};
    return run(argc, argv);
}
