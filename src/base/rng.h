/* A small generator with a fixed seed: the same numbers on every machine, for searches, sampling and tests.
 */
#ifndef CC_BASE_RNG_H
#define CC_BASE_RNG_H

#include "base.h"

struct cc_rng {
    uint64_t state;
};

/* splitmix64: passes BigCrush, any seed is good. */
static inline uint64_t cc_rng_next(struct cc_rng *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static inline double cc_rng_unit(struct cc_rng *r)
{
    return (double)(cc_rng_next(r) >> 11) * 0x1p-53;
}

/* Uniform in [0, n), n > 0. */
static inline size_t cc_rng_below(struct cc_rng *r, size_t n)
{
    return (size_t)(((unsigned __int128)cc_rng_next(r) * n) >> 64);
}

#endif
