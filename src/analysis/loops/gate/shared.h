/* What a loop has in common with functions that were put into it; for gate.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_SHARED_H
#define CC_ANALYSIS_LOOPS_GATE_SHARED_H

#include "gate.h"

/* Why a loop is not free: a variable of the program's that one of it and the functions it calls sets, and
 * another reads, and the loop's code has no load for it. NULL: there is none. */
const char *cc_shared_refusal(const struct gate_input *in, unsigned *ret_line, const char **ret_name);

/* The same of one that a clause gives each thread for itself, and a function that the loop may call looks for
 * by its name: it would find the one that all threads share. */
const char *cc_shared_beside(const struct gate_input *in, const struct cc_loop *l, unsigned *ret_line,
                             const char **ret_name);

/* The same of one that every iteration sets by way of a function, whatever the binary has of that. */
const char *cc_shared_set(const struct gate_input *in, unsigned *ret_line, const char **ret_name);

struct cc_reached { /* functions that the loop may run, as far as names tell */
    const struct gate_input *in;
    CC_VEC(const struct cc_loop_function *) v;
};
void cc_shared_reach(const struct gate_input *in, struct cc_reached *ret);

/* Whether it runs as a function of its own: its accesses are in memory then. */
bool cc_shared_runs(const struct gate_input *in, const struct cc_loop_function *g);

/* A function that the loop may call and that throws out of it to where its function is ready for that; NULL.
 */
const struct cc_loop_function *cc_shared_throws(const struct gate_input *in);
/* Whether the loop, or what it calls, may jump out of it (longjmp) to where it began outside. */
bool cc_shared_jumps(const struct gate_input *in);
/* Whether a call's symbol is that of a function of C. */
bool cc_shared_is_call(const char *symbol, const char *name);

#endif
