/* Whether every copy of a loop's body has the loads that the source has: for lines.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_COPIES_H
#define CC_ANALYSIS_LOOPS_GATE_COPIES_H

#include "gate.h"

/* A value that nobody looks at but after the loop, a compiler computes in the last copy of an unrolled body
 * alone, or in the loop for what is left over. Whether none of that has happened to what a line reads: each
 * copy has so many of the loads that are asked for (its loops are not looked at). look: what the line looks
 * at by way of calls; NULL: it reads arrays. once: the loop looks there but at one element in each iteration,
 * so that no copy has a load for another. */
bool cc_copies_read(const struct gate_input *in, const struct cc_witness_query *loads, const char *look,
                    size_t times, bool once);

/* Whether a line with several stores has fewer than the source: one of them was never made. */
bool cc_copies_short_of(const struct gate_input *in, const char *file, unsigned line);

#endif
