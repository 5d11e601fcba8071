/* Loops that the source alone proves free, whatever the compiler made of them; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_PROOF_H
#define CC_ANALYSIS_LOOPS_GATE_PROOF_H

#include "gate.h"

enum cc_proof {
    CC_PROOF_NONE,
    CC_PROOF_NAMES, /* as far as what has two names is not one thing: where the binary loads and stores all of
                       it, the run has shown what meets */
    CC_PROOF_WHOLE, /* as far as rows are as long as they were declared */
    CC_PROOF_TIGHT, /* for sure */
};

/* A function of the C and mathematical libraries that takes numbers and gives one, and keeps nothing. */
bool cc_gate_is_number(const char *symbol);
/* A variable whose address is passed on. */
bool cc_gate_is_passed(const struct cc_source_variable *v);
/* Whether the source says of each name of a place ("a / b") what becomes of it: a variable that only its name
 * can change. */
bool cc_gate_is_scalar(const struct cc_source_loop *s, const char *place);
/* The same, and no pointer leads to one of them: it is as a register. */
bool cc_gate_is_register(const struct cc_source_loop *s, const char *place);
/* Whether it is what the loop, a `for` over a range, counts with. */
bool cc_gate_is_range(const struct cc_source_loop *s, const char *name);
enum cc_proof cc_gate_proof(const struct gate_input *in);
/* Whether the run showed a variable of the loop's own go over to another iteration: each has a new one, but
 * one that is read before it is set finds what the last one left in its place. */
bool cc_gate_goes_over(const struct gate_input *in, const struct cc_loop *l);
/* Whether all that the loop does with an array is to write one element of it, whatever other names there are.
 */
bool cc_gate_settles(const struct gate_input *in, const struct cc_source_array *a);
/* Takes away the reasons that are but an array which the source only ever combines with something, at one
 * line: a reduction, although the binary's code for it may leave values in registers that a function could
 * look at, by all that is known of it. */
void cc_gate_combine(const struct gate_input *in, struct cc_loop *l);
/* Whether the one is called otherwise than the other: by another variable, or as another pointer in one. */
bool cc_gate_other_name(const struct cc_source_array *a, const struct cc_source_array *b);
/* An array whose elements are combined, and looked at by nobody. */
const char *cc_gate_combined(const struct cc_source_array *a);
/* Why another name may be the array's own as well, where the loop's code has no load in any line that reads
 * it, or no store in one that writes it; NULL: not so. */
const char *cc_gate_alias(const struct gate_input *in, const struct cc_loop *l,
                          const struct cc_source_array *a, unsigned *ret_line);

/* Whether a `restrict` keeps its promise, as far as was seen: what is loaded in its lines lies in no object
 * that the loop writes by another name. */
/* Of a proof by names: whether the run showed that no two of them that matter lead to one thing. */
bool cc_gate_names_apart(const struct gate_input *in, const char *file);
bool cc_gate_alone(const struct gate_input *in, const struct cc_source_array *a, const char *file);

#endif
