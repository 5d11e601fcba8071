/* For gate.c: elements that share a word. */
#ifndef CC_ANALYSIS_LOOPS_GATE_BITS_H
#define CC_ANALYSIS_LOOPS_GATE_BITS_H

#include "gate.h"

/* The line in which the loop, or something that it calls there, sets an element of a std::vector<bool> or
 * std::bitset that is not an iteration's own; 0: none. */
unsigned cc_gate_sets_bits(const struct gate_input *in);
/* What is said of it; NULL: nothing. */
const char *cc_gate_bits(const struct gate_input *in, unsigned *ret_line);

#endif
