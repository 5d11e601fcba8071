/* What functions that were put into a loop look at behind pointers, and somebody writes; for refuse.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_PEEKS_H
#define CC_ANALYSIS_LOOPS_GATE_PEEKS_H

#include "gate.h"

/* Why a loop is not free: a line of a function looks at what the loop, or a function that it calls, may write
 * (`a[i + 1] = next(&a[i])`), and has not as many loads as looks. NULL: there is none. */
const char *cc_peeks_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name);

/* Looks of the loop's own at elements that nothing in its text writes: they count only if a function that was
 * put into it, or may have been, does. in->source becomes a copy without the others. */
void cc_peeks_ask(struct gate_input *in);

#endif
