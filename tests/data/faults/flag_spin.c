/* Each thread waits, asking again and again, until the one before it has done its part; repaired: the parts
 * do not depend on each other. */
#include "faults.h"

static struct {
    _Atomic long upto;
} __attribute__((aligned(LINE))) progress[MOST];

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    for (long i = 1; i <= 3; i++) {
#ifndef FIXED
        if (me > 0)
            while (atomic_load_explicit(&progress[me - 1].upto, memory_order_acquire) < i) /* FAULT */
                ;
#endif
        x = compute(x, 4000);
        atomic_store_explicit(&progress[me].upto, i, memory_order_release);
    }
    result[me][0] = (long)(x & 0) + me;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
