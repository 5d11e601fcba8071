/* A sum that all threads add to by an exchange, with a pause after each that fails; repaired: each has its
 * own. */
#include "faults.h"

static struct {
    atomic_ulong sum;
} __attribute__((aligned(LINE))) total[MOST];

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
#ifdef FIXED
    long mine = me;
#else
    long mine = 0;
#endif
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 1000; i++) {
        x = compute(x, 40);
        add(&total[mine].sum, x | 1);
    }
    result[me][0] = x;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
