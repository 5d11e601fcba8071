/* Code that goes to another unit of the chip, and loops that are shared out among the cores beside it. */
#ifndef CC_ANALYSIS_EXPLORE_MIXED_H
#define CC_ANALYSIS_EXPLORE_MIXED_H

#include "choose.h"
#include "../area/cut.h"

enum { CC_MIXED_KERNELS = 16 }; /* at most: every set of them is looked at */

struct cc_mixed_problem {
    const struct cc_cut_problem *cut; /* of one unit; at most CC_MIXED_KERNELS kernels */
    uint64_t able;                    /* kernels that may go there */
    size_t most;                      /* of them in a set */
    const unsigned *effort;           /* by kernel: lines of code that have to be moved */
    struct cc_choose_problem loops;   /* gains in seconds; its lines are what all may take together, */
    bool any_effort;                  /* but for kernels, if nobody set a budget */
    const uint64_t *apart;            /* by loop: kernels that it cannot stay beside */
    size_t most_tries;                /* choices of loops; 0: a usual number */
};

struct cc_mixed_answer {
    uint64_t set;
    bool *taken;  /* by loop, the caller's */
    double time;  /* seconds of the cut, less what the loops gain */
    double bound; /* no choice takes less */
    bool proven;  /* time is the bound */
};

/* Of choices that are equally fast, one with fewer kernels. */
void cc_mixed(const struct cc_mixed_problem *p, struct cc_mixed_answer *ret);

#endif
