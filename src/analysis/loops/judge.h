/* What the binary's facts say of one of its loops. */
#ifndef CC_ANALYSIS_LOOPS_JUDGE_H
#define CC_ANALYSIS_LOOPS_JUDGE_H

#include "copies.h"

struct cc_judge; /* of a profile */

struct cc_judge_private { /* a variable that iterations write for themselves */
    const char *variable; /* NULL: unknown */
    enum cc_dependence_area area;
    struct cc_loop_place first, second;
    bool unsure; /* nobody saw whether it is read afterwards */
    bool frame;  /* at a fixed place of the frame of the loop's own function */
    bool here;   /* in the frame of such a function, an element say */
    bool partly; /* what an iteration before the last wrote was left */
    uint64_t count;
};

struct cc_judge_rotation {
    struct cc_loop_place at; /* uses a value that the iteration before has loaded for it */
    uint64_t from;           /* the instruction that left it in a register */
    bool kept; /* which only ever has what one place in memory holds, and the loop was not seen to write that
                */
};

struct cc_judgement {
    CC_VEC(struct cc_loop_reason) reasons; /* that forbid running iterations at once */
    CC_VEC(struct cc_loop_reduction) reductions;
    CC_VEC(struct cc_loop_update) updates;
    CC_VEC(struct cc_judge_private) privates;
    CC_VEC(struct cc_loop_update) counted; /* variables of its own frame that go on by the same each time */
    CC_VEC(struct cc_judge_rotation) rotating;
    /* what flows through a place that its iterations also change where they find it, and nobody saw how */
    CC_VEC(struct cc_loop_reason) unsure;
    bool floats;         /* some register counts in floating point */
    bool searches;       /* data that it does not write has a say in when it ends */
    bool cold;           /* some of its code did not run: a way out of it may be there */
    const char *unknown; /* why nothing can be said; NULL: something can */
};

/* What it is made from lives longer. */
struct cc_judge *cc_judge_new(const struct cc_profile *p, const struct cc_copies *copies);
void cc_judge_free(struct cc_judge *j);
/* source: that will be asked too; NULL: there is none */
void cc_judge_loop(struct cc_judge *j, uint32_t loop, const struct cc_source_loop *source,
                   struct cc_judgement *ret);
void cc_judgement_fini(struct cc_judgement *x);
/* Library functions that move or look at the caller's data and keep nothing. */
bool cc_call_moves_data(const char *call);

#endif
