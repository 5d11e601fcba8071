/* For gate.c: reductions in functions that are called. */
#ifndef CC_ANALYSIS_LOOPS_GATE_CALLS_H
#define CC_ANALYSIS_LOOPS_GATE_CALLS_H

#include "gate.h"

/* Whether all that iterations were seen to need of each other is what such functions combine: these become
 * reductions, and no reason is left. */
bool cc_gate_called(const struct gate_input *in, struct cc_loop *l);

/* What a line combines with something another may set, or combine otherwise: where a pointer or a call leads
 * to it, by the name that the source has for it. */
const char *cc_gate_combined_otherwise(const struct gate_input *in, const struct cc_loop_place *at,
                                       unsigned *ret);

/* What is said of a memcpy or its like of which the loop's code has no load, and that is not called; NULL:
 * there is none. */
const char *cc_gate_copied(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line);
/* The look at what calls hand back of an object, some of which the loop overwrites; NULL: none. */
const struct cc_source_given *cc_gate_given_looked(const struct gate_input *in,
                                                   const struct cc_judge_private *v);
/* The object of which every iteration assigns to one element by a call, and the last one's stays; NULL: it is
 * not so. */
const char *cc_gate_given_settled(const struct gate_input *in, const struct cc_judge_private *v);
/* What is said of an element that every iteration assigns to by a call, and the run did not see overwritten;
 * NULL: there is none. */
const char *cc_gate_given_fixed(const struct gate_input *in, unsigned *ret_line);
/* The line that overwrites what calls hand back of an object, and the loop never looks at; 0: none. */
unsigned cc_gate_given_result(const struct gate_input *in, const struct cc_judge_private *v);

/* A call that ran, but only outside the loop: what is there is a part of the source's loop. NULL: none. */
const char *cc_gate_left_out(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line);
/* Why it matters that stores of a line which assigns by way of calls ran outside the binary's loop; NULL: it
 * does not, or none did. */
const char *cc_gate_given_outside(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line);

#endif
