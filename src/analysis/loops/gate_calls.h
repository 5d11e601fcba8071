/* For gate.c: reductions in functions that are called. */
#ifndef CC_ANALYSIS_LOOPS_GATE_CALLS_H
#define CC_ANALYSIS_LOOPS_GATE_CALLS_H

#include "gate.h"

/* Whether all that iterations were seen to need of each other is what such functions combine: these become
 * reductions, and no reason is left. */
bool cc_gate_called(const struct gate_input *in, struct cc_loop *l);

/* What a line combines with something another may set, or combine otherwise: where a pointer or a call leads
 * to it, by the name that the source has for it. */
const char *cc_gate_combined_otherwise(const struct cc_source_loop *s, unsigned line, unsigned *ret);

#endif
