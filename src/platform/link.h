/* A transfer between two units of a chip: [link.FROM.TO]. */
#ifndef CC_PLATFORM_LINK_H
#define CC_PLATFORM_LINK_H

#include "../base/curve.h"
#include "platform.h"

struct cc_link {
    bool present;
    double latency, bandwidth; /* seconds, bytes per second (INFINITY: no limit) */
    struct cc_curve curve;     /* seconds over bytes, as measured; if it has points, only it counts */
};

/* [link.A.B], or [link.B.A] if that holds both ways; `present` is false if there is neither. A curve lies in
 * the arena. */
int cc_link_load(const struct cc_platform *p, const char *from, const char *to, struct cc_arena *a,
                 struct cc_link *ret, struct cc_err *err);
/* Below the curve's first point the time of that point; beyond the last its last stretch goes on, but never
 * falls. One point alone is a rate. */
double cc_link_seconds(const struct cc_link *l, double bytes);

/* The link to programmable logic, as "A.B" (.pl, .fpga), else the only one; NULL if there is none. */
const char *cc_link_to_logic(const struct cc_platform *p);

#endif
