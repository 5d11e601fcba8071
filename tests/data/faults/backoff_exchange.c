/* A sum that all threads add to by an exchange, with a pause after each that fails; repaired: each adds up
 * its own, and to that of all once. */
#include "faults.h"

static struct {
    atomic_ulong sum;
} __attribute__((aligned(LINE))) total;

static __attribute__((noinline)) void add(atomic_ulong *to, unsigned long x)
{
    int pause = 4;
    unsigned long old = atomic_load(to);                       /* FAULT */
    while (!atomic_compare_exchange_weak(to, &old, old + x)) { /* FAULT */
        for (volatile int i = 0; i < pause; i++)
            ;
        pause *= pause < 128 ? 2 : 1;
    }
}

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me, mine = 0;
    for (int i = 0; i < 1000; i++) {
        x = compute(x, 40);
#ifdef FIXED
        mine += x | 1;
#else
        add(&total.sum, x | 1);
#endif
    }
    if (mine)
        add(&total.sum, mine);
    result[me][0] = x;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
