/* A spin lock that is read until it is free; whoever is near gets it. Repaired: each thread has its own. */
#include "faults.h"

static struct {
    atomic_int latch;
} __attribute__((aligned(LINE))) lock[MOST];

static __attribute__((noinline)) void enter(atomic_int *latch)
{
    for (;;) {
        while (atomic_load_explicit(latch, memory_order_relaxed)) /* FAULT */
            ;
        int open = 0;
        if (atomic_compare_exchange_strong(latch, &open, 1))
            return;
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
    for (int i = 0; i < 200; i++) {
        enter(&lock[mine].latch);
        x = compute(x, 300);
        result[me][0]++;
        atomic_store_explicit(&lock[mine].latch, 0, memory_order_release);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
