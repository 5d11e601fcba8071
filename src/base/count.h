/* How far a long piece of work is. Whoever works on it only counts, and may be given none at all (NULL);
 * whoever watches (base/progress.h) reads it from another thread. */
#ifndef CC_BASE_COUNT_H
#define CC_BASE_COUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cc_count {
    _Atomic uint64_t done, total; /* total 0: unknown */
    _Atomic bool at_most;         /* the work may well end before it has reached the total */
    _Atomic uint64_t above;       /* 1 + how far the best known is above the bound, in 1/10000; 0: unknown */
    _Atomic uint32_t phase;
};

static inline void cc_count_add(struct cc_count *c, uint64_t n)
{
    if (c)
        atomic_fetch_add_explicit(&c->done, n, memory_order_relaxed);
}

/* For one thread alone that counts itself: cheaper than to add. */
static inline void cc_count_set(struct cc_count *c, uint64_t done)
{
    if (c)
        atomic_store_explicit(&c->done, done, memory_order_relaxed);
}

/* More of the same work has turned up. */
static inline void cc_count_expect(struct cc_count *c, uint64_t more)
{
    if (c)
        atomic_fetch_add_explicit(&c->total, more, memory_order_relaxed);
}

/* Work of another kind begins: its steps take another time than those before. */
static inline void cc_count_phase(struct cc_count *c, uint64_t total, bool at_most)
{
    if (!c)
        return;
    atomic_store(&c->done, 0);
    atomic_store(&c->total, total);
    atomic_store(&c->at_most, at_most);
    atomic_store(&c->above, 0);
    atomic_fetch_add(&c->phase, 1);
}

/* `best` is known to be reached, and nothing below `bound` can be. */
static inline void cc_count_bounds(struct cc_count *c, double best, double bound)
{
    if (!c || !(bound > 0) || !(best < bound * 1e6))
        return;
    double above = best > bound ? best / bound - 1 : 0;
    atomic_store_explicit(&c->above, 1 + (uint64_t)(above * 1e4 + 0.5), memory_order_relaxed);
}

#endif
