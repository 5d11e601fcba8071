/* What a loop looks at by way of a function of the program (`in.at(x, y)`): for refuse.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_ACCESSOR_H
#define CC_ANALYSIS_LOOPS_GATE_ACCESSOR_H

#include "gate.h"

/* Whether the looks of a line, at something that the loop does not assign to by that name, have their loads
 * in the lines of the functions that hand it out: a compiler that makes one load of two calls says of none
 * where it stood. Only where what goes on to the next iteration in registers is used in other lines. */
bool cc_accessor_looked(const struct gate_input *in, unsigned line);

#endif
