/* Code of a region that every thread runs, but which goes over what its own iterations left it: a buffer of
 * its own that it adds to what all share. Recorded once, with all of it. Inside the room only. */
#ifndef CC_ANALYSIS_PREDICT_PORTION_H
#define CC_ANALYSIS_PREDICT_PORTION_H

#include "plan.h"

struct portions;

/* NULL: there are none. By lines that iterations wrote, no code that every thread runs had written before,
 * and such code reads: without a barrier between, when nobody else may, or on the stack and with a lock. */
struct portions *cc_portions_new(const struct local *l, const struct cc_predict_plan *p,
                                 const struct bound *bounds);
void cc_portions_free(struct portions *p);
/* Its number; SIZE_MAX: all of the piece is every thread's. */
size_t cc_portion_find(const struct portions *p, uint32_t node, enum piece_kind kind);
/* How much of it a thread runs that had those iterations for which ran_by[node] is `mark`: 1 is all; and the
 * stretch of so much that has most of what they left, from there on. */
double cc_portion_share(const struct portions *p, size_t number, const uint16_t *ran_by, uint16_t mark,
                        double *ret_from);
/* Of a line whose bytes were written `rounds` times each, in the mean, that part which holds something of a
 * thread that had `own` of the stores. Written once, as much as it stored; written again and again, all. */
double cc_portion_line(double own, double rounds);

#endif
