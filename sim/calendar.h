/* A shared resource as a calendar of busy intervals. Cores run a little ahead of each other, so requests do
 * not come in time order: a request takes the first gap that is long enough, at or after its own time,
 * instead of queueing behind everything booked so far. */
#ifndef CC_SIM_CALENDAR_H
#define CC_SIM_CALENDAR_H

#include <stdint.h>

struct cc_busy {
    uint64_t from, to;
};

struct cc_calendar {
    struct cc_busy *v; /* sorted, disjoint, never touching */
    uint32_t n, cap;
    uint64_t floor;          /* what lies before was forgotten and counts as busy */
    uint64_t busy;           /* cycles ever booked */
    const uint64_t *horizon; /* no request will come before this */
};

void cc_calendar_init(struct cc_calendar *c, const uint64_t *horizon);
void cc_calendar_fini(struct cc_calendar *c);
/* Books `length` cycles (not 0) in the first free gap from `t` on; returns when they start. */
uint64_t cc_calendar_book(struct cc_calendar *c, uint64_t t, uint64_t length);

#endif
