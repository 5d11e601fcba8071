/* What a loop has in common with functions that were put into it; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_SHARED_H
#define CC_ANALYSIS_LOOPS_GATE_SHARED_H

#include "gate.h"

/* Why a loop is not free: a variable of the program's that one of it and the functions it calls sets, and
 * another reads, and the loop's code has no load for it. NULL: there is none. */
const char *cc_shared_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name);

/* A function that the loop may call and that throws out of it to where its function is ready for that; NULL.
 */
const struct cc_loop_function *cc_shared_throws(const struct gate_input *in);

#endif
