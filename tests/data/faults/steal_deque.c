/* All threads take tasks from the top of one list, by compare and swap; repaired: each has a list, and takes
 * several at a time. */
#include "faults.h"

enum { TASKS = 800 }; /* of each thread */
static struct deque {
    _Atomic long top;
    long bottom;
} __attribute__((aligned(LINE))) deque[MOST];

#ifdef FIXED
enum { AT_ONCE = 20 };
#else
enum { AT_ONCE = 1 };
#endif

static long steal(struct deque *d)
{
    long at = atomic_load(&d->top); /* FAULT */
    while (at < d->bottom)
        if (atomic_compare_exchange_weak(&d->top, &at, at + AT_ONCE)) /* FAULT */
            return at;
    return -1;
}

static void *work(void *arg)
{
    long me = (long)arg;
#ifdef FIXED
    struct deque *d = &deque[me];
#else
    struct deque *d = &deque[0];
#endif
    uint64_t x = (uint64_t)me;
    while (steal(d) >= 0)
        for (int i = 0; i < AT_ONCE; i++) {
            x = compute(x, 24);
            result[me][0]++;
        }
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    for (int i = 0; i < n; i++)
        deque[i].bottom = TASKS;
#ifndef FIXED
    deque[0].bottom = (long)n * TASKS;
#endif
    return run(argc, argv);
}
