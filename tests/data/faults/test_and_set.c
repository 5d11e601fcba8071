/* A lock that everybody hammers; repaired: each thread has its own. */
#include "faults.h"

static struct {
    atomic_int held;
} __attribute__((aligned(LINE))) lock[MOST];

static __attribute__((noinline)) void take(long mine)
{
    while (atomic_exchange(&lock[mine].held, 1)) /* FAULT */
        ;
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
    for (int i = 0; i < 400; i++) {
        take(mine);
        x = compute(x, 120);
        result[me][0]++;
        atomic_store(&lock[mine].held, 0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
