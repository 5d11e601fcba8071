/* A shared resource as a calendar of busy cycles. Cores run a little ahead of each other, so requests do
 * not come in time order: a request takes the first free cycles at or after its own time, instead of queueing
 * behind everything booked so far. They need not be together: a core that ran ahead leaves gaps too short
 * for anybody, and what they add up to would be lost. */
#ifndef CC_SIM_CALENDAR_H
#define CC_SIM_CALENDAR_H

#include "pool.h"

struct cc_calendar {
    uint64_t *bits;          /* a ring: cycle t is bit t % 64 of word t / 64 % words; set: busy */
    uint64_t base;           /* the first word (a time over 64) held; what lies before counts as busy */
    uint64_t words;          /* a power of two, or 0: nothing booked yet. What lies behind them is free */
    uint64_t busy;           /* cycles ever booked */
    const uint64_t *horizon; /* no request will come before this */
    struct cc_pool *pool;    /* of its memory; NULL: the C library's */
};

void cc_calendar_init(struct cc_calendar *c, const uint64_t *horizon);
void cc_calendar_fini(struct cc_calendar *c);
/* The same as cc_calendar_book, the long way. */
uint64_t cc_calendar_search(struct cc_calendar *c, uint64_t t, uint64_t length);

/* Books the first `length` (not 0) free cycles from `t` on; returns the time of the last less those that
 * lead up to it: when it would have started, had nothing come between. */
static inline uint64_t cc_calendar_book(struct cc_calendar *c, uint64_t t, uint64_t length)
{
    uint64_t w = t / 64;
    if (length < 64 && w >= c->base &&
        w + 1 - c->base < c->words) { /* the usual case: free, and in the ring */
        uint64_t *here = &c->bits[w & (c->words - 1)], *next = &c->bits[(w + 1) & (c->words - 1)];
        uint64_t want = ((uint64_t)1 << length) - 1;
        uint64_t low = want << t % 64, high = want >> 1 >> (63 - t % 64);
        if (!((*here & low) | (*next & high))) {
            *here |= low;
            *next |= high;
            c->busy += length;
            return t;
        }
    }
    return cc_calendar_search(c, t, length);
}

#endif
