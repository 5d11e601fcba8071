/* For gate.c: what functions that were put into the loop store. */
#ifndef CC_ANALYSIS_LOOPS_GATE_STORE_H
#define CC_ANALYSIS_LOOPS_GATE_STORE_H

#include "gate.h"

/* What is said of a loop that hands something from outside to a function which stores there, if the loop's
 * code has no such store: the compiler keeps it in registers. NULL: there is none. */
const char *cc_gate_store_lost(const struct gate_input *in, unsigned *ret_line);
/* The same of a loop that hands on a reference to what has no name (`acc &&t = acc();`) and is overwritten by
 * each iteration. */
const char *cc_gate_store_left(const struct gate_input *in, unsigned *ret_line);
/* Whether each iteration first hands the array to a function that was really called, and only then reads it:
 * no compiler keeps its elements in registers over the call, so loads that are gone were put together with
 * others behind it. */
bool cc_gate_handed_first(const struct gate_input *in, const struct cc_source_array *a);

/* The function that writes there if some condition holds, and sets nothing in its place if it does not; NULL:
 * none. An iteration that goes that way has what the one before left. */
const struct cc_loop_function *cc_gate_store_maybe(const struct gate_input *in,
                                                   const struct cc_loop_place *at, bool settled);

#endif
