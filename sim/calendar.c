#include "calendar.h"

#include <stdlib.h>
#include <string.h>

/* 8 MiB of bits, 67 million cycles, are reached only by write buffers of thousands of slots. */
enum { FIRST_WORDS = 64, MAX_WORDS = 1 << 20, SHORT = 32 };

void cc_calendar_init(struct cc_calendar *c, const uint64_t *horizon)
{
    memset(c, 0, sizeof *c);
    c->horizon = horizon;
}

void cc_calendar_fini(struct cc_calendar *c)
{
    free(c->bits);
    memset(c, 0, sizeof *c);
}

static inline uint64_t word_at(const struct cc_calendar *c, uint64_t w)
{
    return w - c->base < c->words ? c->bits[w & (c->words - 1)] : 0;
}

/* Everything before word `base` is forgotten: its place in the ring serves the future. */
static void forget(struct cc_calendar *c, uint64_t base)
{
    uint64_t n = base - c->base;
    if (n >= c->words)
        memset(c->bits, 0, c->words * sizeof *c->bits);
    else
        for (uint64_t w = c->base; w < base; w++)
            c->bits[w & (c->words - 1)] = 0;
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
        uint64_t *bits = calloc(want, sizeof *bits);
        if (!bits)
            abort();
        for (uint64_t w = c->base; w < c->base + c->words; w++)
            bits[w & (want - 1)] = c->bits[w & (c->words - 1)];
        free(c->bits);
        c->bits = bits;
        c->words = want;
    }
    if (last - c->base >= c->words)
        forget(c, last - c->words / 2);
}

/* The first cycle from t on that is busy (or free, with `flip` all ones), `limit` if that is before it. */
static uint64_t next(const struct cc_calendar *c, uint64_t t, uint64_t flip, uint64_t limit)
{
    for (uint64_t w = t / 64; t < limit; t = ++w * 64) {
        uint64_t bits = (word_at(c, w) ^ flip) >> t % 64;
        if (bits) {
            t += (unsigned)__builtin_ctzll(bits);
            break;
        }
    }
    return t < limit ? t : limit;
}

/* Gap by gap, for lengths beyond SHORT. */
static uint64_t first_gap(const struct cc_calendar *c, uint64_t t, uint64_t length)
{
    for (;;) {
        t = next(c, t, UINT64_MAX, UINT64_MAX);
        uint64_t end = next(c, t, 0, t + length);
        if (end == t + length)
            return t;
        t = end;
    }
}

/* 64 cycles at a time: bit i of `starts` is set if cycles i to i + length - 1 of them are free. */
static uint64_t first_short_gap(const struct cc_calendar *c, uint64_t t, unsigned length)
{
    for (;; t += 64 - length + 1) {
        unsigned shift = t % 64;
        uint64_t bits = word_at(c, t / 64) >> shift;
        if (shift)
            bits |= word_at(c, t / 64 + 1) << (64 - shift);
        uint64_t starts = ~bits;
        for (unsigned n = 1; n < length && starts;) {
            unsigned step = n < length - n ? n : length - n;
            starts &= starts >> step;
            n += step;
        }
        if (starts)
            return t + (unsigned)__builtin_ctzll(starts);
    }
}

uint64_t cc_calendar_search(struct cc_calendar *c, uint64_t t, uint64_t length)
{
    if (t < c->base * 64)
        t = c->base * 64;
    c->busy += length;
    t = length <= SHORT ? first_short_gap(c, t, (unsigned)length) : first_gap(c, t, length);
    uint64_t w = t / 64, last = (t + length - 1) / 64;
    if (last - c->base >= c->words)
        make_room(c, w, last);
    for (uint64_t from = t, end = t + length; w <= last; w++, from = w * 64) {
        uint64_t upto = end - w * 64 >= 64 ? UINT64_MAX : ((uint64_t)1 << (end - w * 64)) - 1;
        c->bits[w & (c->words - 1)] |= upto & (UINT64_MAX << from % 64);
    }
    return t;
}
