/* Who waits spins on a place of its own; repaired: a lock each. */
#include "faults.h"
struct slot {
    atomic_int go;
} __attribute__((aligned(LINE)));
static struct {
    atomic_uint tail;
    struct slot slot[MOST];
} __attribute__((aligned(LINE))) lock[MOST];
static __attribute__((noinline)) unsigned enter(long l)
{
    unsigned my = atomic_fetch_add(&lock[l].tail, 1) % MOST;
    while (!atomic_load_explicit(&lock[l].slot[my].go, memory_order_acquire)) /* FAULT */
        ;
    atomic_store_explicit(&lock[l].slot[my].go, 0, memory_order_relaxed);
    return my;
}
static __attribute__((noinline)) void leave(long l, unsigned my)
{
    atomic_store_explicit(&lock[l].slot[(my + 1) % MOST].go, 1, memory_order_release);
}
static void *work(void *arg)
{
    long me = (long)arg, mine = 0;
#ifdef FIXED
    mine = me;
#endif
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 150; i++) {
        unsigned my = enter(mine);
        x = compute(x, 100);
        result[me][0]++;
        leave(mine, my);
        x = compute(x, 50);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < MOST; i++)
        atomic_store(&lock[i].slot[0].go, 1);
    return run(argc, argv);
}
