/* A link, port or bank: its calendar, and for each core the calendar it would have if that core were alone.
 * What a request waits beyond its own core's bookings is lost to other cores. With one core both are the
 * same. */
#ifndef CC_SIM_RESOURCE_H
#define CC_SIM_RESOURCE_H

#include "calendar.h"

struct cc_resource {
    struct cc_calendar all;
    struct cc_calendar *own; /* [core]; made when first used, never with one core */
    unsigned cores;
};

void cc_resource_init(struct cc_resource *r, unsigned cores, const uint64_t *horizon, struct cc_pool *pool);
void cc_resource_fini(struct cc_resource *r);
void cc_resource_share(struct cc_resource *r);

/* As cc_calendar_book; adds to *lost what other cores are to blame for. */
static inline uint64_t cc_resource_book(struct cc_resource *r, unsigned core, uint64_t t, uint64_t length,
                                        uint64_t *lost)
{
    uint64_t start = cc_calendar_book(&r->all, t, length);
    if (r->cores > 1) {
        if (!r->own)
            cc_resource_share(r);
        uint64_t alone = cc_calendar_book(&r->own[core], t, length);
        *lost += start > alone ? start - alone : 0;
    }
    return start;
}

#endif
