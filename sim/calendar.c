#include "calendar.h"

#include <string.h>

/* 8 MiB of bits, 67 million cycles, are reached only by write buffers of thousands of slots. */
enum { FIRST_WORDS = 64, MAX_WORDS = 1 << 20 };

void cc_calendar_init(struct cc_calendar *c, const uint64_t *horizon)
{
    memset(c, 0, sizeof *c);
    c->horizon = horizon;
}

void cc_calendar_fini(struct cc_calendar *c)
{
    cc_pool_free(c->pool, c->bits, c->words, sizeof *c->bits);
    memset(c, 0, sizeof *c);
}

/* Everything before word `base` is forgotten: its place in the ring serves the future. */
static void forget(struct cc_calendar *c, uint64_t base)
{
    uint64_t n = base - c->base;
    if (n < c->words)
        for (uint64_t w = c->base; w < base; w++)
            c->bits[w & (c->words - 1)] = 0;
    else if (c->words)
        memset(c->bits, 0, c->words * sizeof *c->bits);
    c->base = base;
}

/* The ring is to hold words from `first` (with what the horizon still allows before it) to `last`. What does
 * not fit the largest ring counts as busy. */
static void make_room(struct cc_calendar *c, uint64_t first, uint64_t last)
{
    uint64_t old = *c->horizon / 64 < first ? *c->horizon / 64 : first, want = FIRST_WORDS;
    if (old > c->base)
        forget(c, old);
    if (last - c->base < c->words)
        return;
    while (want <= last - c->base && want < MAX_WORDS)
        want *= 2;
    if (want > c->words) {
        uint64_t *bits = cc_pool_alloc(c->pool, want, sizeof *bits);
        for (uint64_t w = c->base; w < c->base + c->words; w++)
            bits[w & (want - 1)] = c->bits[w & (c->words - 1)];
        cc_pool_free(c->pool, c->bits, c->words, sizeof *bits);
        c->bits = bits;
        c->words = want;
    }
    if (last - c->base >= c->words)
        forget(c, last - c->words / 2);
}

/* The lowest `n` set bits of `bits`, which has more. */
static uint64_t lowest(uint64_t bits, uint64_t n)
{
    uint64_t rest = bits;
    for (; n; n--)
        rest &= rest - 1;
    return bits & ~rest;
}

uint64_t cc_calendar_search(struct cc_calendar *c, uint64_t t, uint64_t length)
{
    if (t < c->base * 64)
        t = c->base * 64;
    c->busy += length;
    for (uint64_t first = t / 64, w = first, left = length;; w++) {
        if (w - c->base >= c->words)
            make_room(c, first, w);
        uint64_t *word = &c->bits[w & (c->words - 1)];
        uint64_t free_bits = ~*word & (w == first ? UINT64_MAX << t % 64 : UINT64_MAX);
        uint64_t n = (unsigned)__builtin_popcountll(free_bits);
        if (n > left)
            free_bits = lowest(free_bits, left);
        *word |= free_bits;
        if (n >= left)
            return (w + 1) * 64 - (unsigned)__builtin_clzll(free_bits) - length;
        left -= n;
    }
}
