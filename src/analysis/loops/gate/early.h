/* Loads that an iteration has made for a later one. */
#ifndef CC_ANALYSIS_LOOPS_GATE_EARLY_H
#define CC_ANALYSIS_LOOPS_GATE_EARLY_H

#include "gate.h"
#include "../witness.h"

/* Loads of a line that the iteration before has made for it, of a loop inside this one. */
size_t cc_early_inside(const struct gate_input *in, unsigned line, const struct cc_witness_query *of);
/* The same of this loop or of one inside it: where the loop writes what they are of, they show nothing of who
 * writes it soon after it is used. */
size_t cc_early_loads(const struct gate_input *in, unsigned line, const struct cc_witness_query *of);

#endif
