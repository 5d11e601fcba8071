/* Functions whose code the compiler put into a loop; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_INLINED_H
#define CC_ANALYSIS_LOOPS_INLINED_H

#include "gate.h"

/* A function that the loop calls in the source, that keeps something from call to call, and of which the
 * loop's code does not read that from memory: then it is in a register, as if the loop's own. NULL: none. */
const struct cc_loop_function *cc_inlined_state(const struct gate_input *in, unsigned *ret_line);

#endif
