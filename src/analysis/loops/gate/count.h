/* Proofs that rest on how often loops turned: `a[t[i]]` of a constant table, `a[i % 160]`; for loops.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_COUNT_H
#define CC_ANALYSIS_LOOPS_GATE_COUNT_H

#include "gate.h"

/* Goes through all elements that the source accesses in as many iterations as the run had at most. If no two
 * of them meet at an element of an array (or none looks at what others combine), in->source becomes a copy
 * that says so. */
void cc_gate_count(struct gate_input *in);

/* A container for whose elements iterations would need each other if the input made the loop turn more often:
 * `v[i + 64] = v[i]`; NULL: none. */
const char *cc_gate_needed_later(const struct gate_input *in, const struct cc_loop *l);
/* An array for whose elements iterations did need each other, by the source alone: a compiler may have made
 * one of these. NULL: none. */
const struct cc_source_array *cc_gate_needed(const struct gate_input *in);

#endif
