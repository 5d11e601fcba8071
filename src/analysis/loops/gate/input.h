/* What a verdict rests on that another input may change; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_INPUT_H
#define CC_ANALYSIS_LOOPS_GATE_INPUT_H

#include "gate.h"

/* Of a loop that is free: what the run alone tells and the source does not, to go on after "with this input,
 * which "; NULL: nothing. proved: by the source, what it calls included. */
const char *cc_gate_input(const struct gate_input *in, const struct cc_loop *l, bool proved);

#endif
