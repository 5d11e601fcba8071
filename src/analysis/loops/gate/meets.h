/* Iterations that meet, by the source, where the binary's do not: a compiler makes one iteration of several,
 * or several loops of one. For gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_MEETS_H
#define CC_ANALYSIS_LOOPS_GATE_MEETS_H

#include "gate.h"

/* Why iterations may meet at an element of the array, though the run showed none that did; NULL: they do not.
 */
const char *cc_gate_meets(const struct gate_input *in, const struct cc_source_array *a, unsigned *ret_line);
/* The same of what is assigned to by way of calls. */
const char *cc_gate_given_meets(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line);
/* Whether the last iteration need not write the one element, or the scratch, that some do: what is to stay is
 * then another's. */
bool cc_gate_is_left(const struct gate_input *in, const char *file, const struct cc_source_array *a);

#endif
