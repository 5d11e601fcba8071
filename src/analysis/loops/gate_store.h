/* For gate.c: what functions that were put into the loop store. */
#ifndef CC_ANALYSIS_LOOPS_GATE_STORE_H
#define CC_ANALYSIS_LOOPS_GATE_STORE_H

#include "gate.h"

/* What is said of a loop that hands something from outside to a function which stores there, if the loop's
 * code has no such store: the compiler keeps it in registers. NULL: there is none. */
const char *cc_gate_store_lost(const struct gate_input *in, unsigned *ret_line);

#endif
