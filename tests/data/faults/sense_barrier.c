/* Threads meet at a flag that the last one turns, with uneven work before; repaired: even work. */
#include "faults.h"

static struct {
    atomic_int missing;
} __attribute__((aligned(LINE))) count;
static struct {
    atomic_int side;
} __attribute__((aligned(LINE))) flag;

static void meet(int *mine)
{
    *mine = !*mine;
    if (atomic_fetch_sub(&count.missing, 1) == 1) {
        atomic_store(&count.missing, nthreads);
        atomic_store(&flag.side, *mine);
        return;
    }
    while (atomic_load_explicit(&flag.side, memory_order_acquire) != *mine) /* FAULT */
        ;
}

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    int side = 0;
    meet(&side);
    for (int i = 0; i < 8; i++) {
#ifdef FIXED
        x = compute(x, (40000 + 8000 * (nthreads - 1)) / nthreads);
#else
        x = compute(x, (me + i) % nthreads == 0 ? 40000 : 8000);
#endif
        meet(&side);
    }
    result[me][0] = me;
    return NULL;
}

int main(int argc, char **argv)
{
    atomic_store(&count.missing, argc > 1 ? atoi(argv[1]) : 4);
    return run(argc, argv);
}
