/* The clauses of a loop that may run in parallel: what each thread has for itself, what is combined. For
 * gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_CLAUSES_H
#define CC_ANALYSIS_LOOPS_GATE_CLAUSES_H

#include "gate.h"

/* Fills private, firstprivate, lastprivate and reductions, by the source alone or by what the run showed,
 * too. Whether all of them can be written down in a pragma. */
bool cc_gate_clauses(const struct gate_input *in, struct cc_loop *l, bool by_source);
/* Whether each thread has its own of that name, by private or lastprivate. */
bool cc_gate_has_clause(const struct cc_loop *l, const char *name);
/* Adds the counter to lastprivate where something behind the loop looks at it: the pragma makes it private.
 */
void cc_gate_counter_left(const struct gate_input *in, struct cc_loop *l);
/* The verdict that these clauses make of it. */
enum cc_verdict cc_gate_freed(const struct cc_loop *l);

#endif
