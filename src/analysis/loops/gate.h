/* Between what the binary showed and what is said: the source is asked, variables get names, the sentence is
 * written. For loops.c. */
#ifndef CC_ANALYSIS_LOOPS_GATE_H
#define CC_ANALYSIS_LOOPS_GATE_H

#include "group.h"
#include "judge.h"
#include "witness.h"

struct gate_input {
    const struct cc_profile *p;
    const struct cc_source_loop *source; /* NULL: unknown */
    const struct cc_source_loops *sources;
    const struct groups *groups;
    const struct cc_witness *witness;
    struct cc_judge *judge;
    const uint32_t *members; /* the binary's loops that it is */
    size_t nmembers;
    CC_VEC(struct cc_judge_private) privates;
    CC_VEC(struct cc_loop_update) counted;
    CC_VEC(struct cc_loop_reason) unsure; /* unseen.h */
    bool searches;                        /* data has a say in when it ends */
    const char *unknown;                  /* why the binary says nothing; NULL: it does */
    bool joins;                           /* what the source's choices keep is each thread's own */
    struct cc_arena *arena;
};

/* l has the binary's verdict, reasons and reductions. */
void cc_loop_gate(const struct gate_input *in, struct cc_loop *l);

#endif
