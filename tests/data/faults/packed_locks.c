/* Each thread has a lock of its own, but they lie side by side; repaired: a line for each. */
#include "faults.h"

#ifdef FIXED
enum { APART = LINE / 8 };
#else
enum { APART = 1 };
#endif
static struct cell {
    atomic_int busy;
    int count;
} cells[(MOST + 1) * LINE / 8] __attribute__((aligned(LINE)));

static void *work(void *arg)
{
    long me = (long)arg;
    struct cell *c = &cells[me * APART + LINE / 16];
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 2500; i++) {
        while (atomic_exchange(&c->busy, 1)) /* FAULT */
            ;
        c->count++;                /* FAULT */
        atomic_store(&c->busy, 0); /* FAULT */
        for (int k = 0; k < 6; k++) {
            x = mix(x) ^ x >> 29;
            __asm__ volatile("" : "+r"(x));
        }
    }
    result[me][0] = c->count;
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
