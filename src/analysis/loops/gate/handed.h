/* Which functions a loop may hand something to that is not an iteration's own, by which parameters. */
#ifndef CC_ANALYSIS_LOOPS_GATE_HANDED_H
#define CC_ANALYSIS_LOOPS_GATE_HANDED_H

#include "gate.h"

/* By function of the source: parameters that may lead to what is not declared in the loop, or in a function
 * that it calls; a bit each, all bits where that is not known. To be freed, and so are ret_reached's (NULL:
 * nobody asks), whether the loop may call it, or what it calls does. */
uint32_t *cc_handed_find(const struct gate_input *in, bool **ret_reached);
/* The same, but for elements of an array of records that only one iteration mentions (`step(&ps[i])`): what
 * lies in those is its own, not what they lead to. */
uint32_t *cc_handed_beyond(const struct gate_input *in);

#endif
