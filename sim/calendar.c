#include "calendar.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAP = 64, MAX_CAP = 8192 };

void cc_calendar_init(struct cc_calendar *c, const uint64_t *horizon)
{
    memset(c, 0, sizeof *c);
    c->horizon = horizon;
}

void cc_calendar_fini(struct cc_calendar *c)
{
    free(c->v);
    memset(c, 0, sizeof *c);
}

/* Drops what ended before the horizon; beyond MAX_CAP intervals, the older half as well, which then counts as
 * busy throughout. */
static void make_room(struct cc_calendar *c)
{
    uint32_t drop = 0;
    while (drop < c->n && c->v[drop].to <= *c->horizon)
        drop++;
    int few = drop == 0 || drop < c->n / 4;
    if (few && c->cap < MAX_CAP) {
        c->cap = c->cap ? c->cap * 2 : FIRST_CAP;
        struct cc_busy *v = realloc(c->v, c->cap * sizeof *v);
        if (!v)
            abort();
        c->v = v;
        return;
    }
    if (few)
        drop = c->n / 2;
    c->floor = c->v[drop - 1].to;
    c->n -= drop;
    memmove(c->v, c->v + drop, c->n * sizeof *c->v);
}

static void insert(struct cc_calendar *c, uint32_t at, uint64_t from, uint64_t to)
{
    int left = at > 0 && c->v[at - 1].to == from;
    int right = at < c->n && c->v[at].from == to;
    if (left && right) {
        c->v[at - 1].to = c->v[at].to;
        c->n--;
        memmove(c->v + at, c->v + at + 1, (c->n - at) * sizeof *c->v);
    } else if (left) {
        c->v[at - 1].to = to;
    } else if (right) {
        c->v[at].from = from;
    } else {
        if (c->n == c->cap) {
            uint32_t before = c->n;
            make_room(c);
            uint32_t dropped = before - c->n;
            at = at > dropped ? at - dropped : 0;
        }
        memmove(c->v + at + 1, c->v + at, (c->n - at) * sizeof *c->v);
        c->v[at] = (struct cc_busy){from, to};
        c->n++;
    }
}

uint64_t cc_calendar_book(struct cc_calendar *c, uint64_t t, uint64_t length)
{
    if (t < c->floor)
        t = c->floor;
    c->busy += length;
    uint32_t lo = 0, hi = c->n;
    if (c->n && c->v[c->n - 1].to <= t) {
        lo = c->n; /* the usual case: after everything booked */
    } else {
        while (lo < hi) { /* first interval that ends after t */
            uint32_t mid = (lo + hi) / 2;
            if (c->v[mid].to <= t)
                lo = mid + 1;
            else
                hi = mid;
        }
    }
    for (; lo < c->n && c->v[lo].from < t + length; lo++)
        t = c->v[lo].to > t ? c->v[lo].to : t;
    insert(c, lo, t, t + length);
    return t;
}
