/* Between what the binary showed and what is said: the source is asked, variables get names, the sentence is
 * written. For loops.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_H
#define CC_ANALYSIS_LOOPS_GATE_H

#include "../aside.h"
#include "../copies.h"
#include "../group.h"
#include "../judge.h"
#include "../witness.h"

enum { CC_GATE_DEEP = 8 }; /* functions that call each other are followed so far */

struct gate_input {
    const struct cc_profile *p;
    const struct cc_source_loop *source; /* NULL: unknown */
    const struct cc_source_loops *sources;
    const struct groups *groups;
    const struct cc_witness *witness;
    struct cc_judge *judge;
    const struct cc_copies *copies;
    struct cc_asides *asides;
    const uint32_t *members; /* the binary's loops that it is */
    size_t nmembers;
    CC_VEC(struct cc_judge_private) privates;
    CC_VEC(struct cc_loop_update) counted;
    CC_VEC(struct cc_judge_rotation) rotating;
    bool floats;                          /* some register counts in floating point */
    CC_VEC(struct cc_loop_reason) unsure; /* unseen.h */
    bool searches;                        /* data has a say in when it ends */
    bool cold;                            /* some of its code did not run: a way out of it may be there */
    const char *unknown;                  /* why the binary says nothing; NULL: it does */
    bool joins;                           /* what the source's choices keep is each thread's own */
    const char *walk;                     /* what one thread goes from element to element by; NULL: none */
    const bool *turns;                    /* by statement of the body: it keeps its order; NULL: none does */
    struct cc_arena *arena;
};

/* Whether a loop of the binary is one of the statement's, or lies in one. */
bool cc_gate_has(const struct gate_input *in, uint32_t loop);

/* Whether a function of the profile calls one of the source: what that does is followed in memory then. */
bool cc_gate_calls(const struct cc_profile *p, uint32_t function, const struct cc_loop_function *g);

/* What is left to be asked where the binary has no reason against a loop. */
void cc_gate_ask(const struct gate_input *in, struct cc_loop *l);

/* instead.c: fill l->joined, l->turns and l->walked, if there are such; l has what the binary says. */
void cc_gate_join(const struct gate_input *in, struct cc_loop *l);
void cc_gate_turns(const struct gate_input *in, struct cc_loop *l);
void cc_gate_walk(const struct gate_input *in, struct cc_loop *l);
/* The loop by what the run showed alone, for one that the source proves too. l becomes that if it then has
 * fewer things to combine: elements of an array that iterations update, and of which the source does not say
 * that they are each iteration's own. */
struct cc_loop *cc_gate_shown(const struct gate_input *in, const struct cc_loop *l);
void cc_gate_prefer(struct cc_loop *l, struct cc_loop *shown);
void cc_loop_fini(struct cc_loop *x); /* loops.c */
/* The choice that keeps a variable, if each thread makes it for itself; NULL: none. */
const struct cc_source_choice *cc_gate_choice(const struct gate_input *in, const char *name);
/* Whether all statements that mention a variable keep their order. */
bool cc_gate_in_turn(const struct gate_input *in, const char *name);

/* l has the binary's verdict, reasons and reductions. */
void cc_loop_gate(const struct gate_input *in, struct cc_loop *l);

#endif
