/* Work in turns that are handed out by number; repaired: each thread has turns of its own. */
#include "faults.h"

static struct turns {
    atomic_uint next, serving;
} __attribute__((aligned(LINE))) turns[MOST];

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    struct turns *t = &turns[me];
#else
    struct turns *t = &turns[0];
#endif
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 150; i++) {
        unsigned mine = atomic_fetch_add(&t->next, 1);
        while (atomic_load(&t->serving) != mine) /* FAULT */
            ;
        x = compute(x, 200);
        result[me][0]++;
        atomic_fetch_add(&t->serving, 1);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
