/* A lock that is tested, then taken, with a pause that doubles; repaired: a lock each. */
#include "faults.h"

static struct {
    atomic_int held;
    long n;
} __attribute__((aligned(LINE))) lock[MOST];

static __attribute__((noinline)) void enter(long l)
{
    for (int wait = 8;; wait = wait < 512 ? wait * 2 : wait) {
        if (!atomic_load_explicit(&lock[l].held, memory_order_relaxed) && /* FAULT */
            !atomic_exchange(&lock[l].held, 1))                           /* FAULT */
            return;
        for (volatile int i = 0; i < wait; i++) /* FAULT */
            ;
    }
}

static void *work(void *arg)
{
    long me = (long)arg, mine = 0;
#ifdef FIXED
    mine = me;
#endif
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 150; i++) {
        enter(mine);
        x = compute(x, 120);
        lock[mine].n++;
        atomic_store_explicit(&lock[mine].held, 0, memory_order_release);
        x = compute(x, 60);
    }
    result[me][0] = (long)x;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
