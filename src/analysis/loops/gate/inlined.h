/* Functions whose code the compiler put into a loop; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_INLINED_H
#define CC_ANALYSIS_LOOPS_GATE_INLINED_H

#include "gate.h"

/* Why a loop is not free, by what functions do that were put into it: one that keeps something from call to
 * call, and of which the loop's code does not read that from memory, so that it is in a register, as if the
 * loop's own; or a value that goes from one iteration to the next in a register, by code whose source is not
 * known to keep nothing (a lambda). NULL: nothing. */
const char *cc_inlined_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name);
/* Whether a value goes from iteration to iteration in a register, other than what the library's functions
 * look up of their objects. */
bool cc_inlined_hands_on(const struct gate_input *in);
/* Whether a file is of the language's own library. What its functions keep lies in objects and variables that
 * the loop hands them, and of these the source tells. */
bool cc_gate_of_language(const char *file);

#endif
