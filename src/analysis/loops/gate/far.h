/* What a sample does not show: iterations that were not followed. For gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_FAR_H
#define CC_ANALYSIS_LOOPS_GATE_FAR_H

#include "gate.h"

/* Whether all iterations of some invocation were followed, as far as the counts tell: of the others, if they
 * were, it was four or more. */
bool cc_far_whole(const struct gate_input *in);
/* Of a loop that was not followed as a whole: a line that accesses, by another name than the line which
 * writes (*ret_write) and in the same object, what that one gets to in a later iteration; 0: none. */
unsigned cc_far_meets(const struct gate_input *in, const char *file, unsigned *ret_write);
/* Why iterations that were not followed may write elements which those that were do not tell of; NULL: they
 * do not. */
const char *cc_far_rows(const struct gate_input *in, const struct cc_source_array *a);

#endif
