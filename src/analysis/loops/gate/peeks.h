/* What functions that were put into a loop look at behind pointers, and somebody writes; for refuse.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_PEEKS_H
#define CC_ANALYSIS_LOOPS_GATE_PEEKS_H

#include "gate.h"

/* Why a loop is not free: a line of a function looks at what the loop, or a function that it calls, may write
 * (`a[i + 1] = next(&a[i])`), and has not as many loads as looks. NULL: there is none. */
const char *cc_peeks_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name);

#endif
