/* A function's own instructions by the loops of its code they were executed in, and the same of each calling
 * context: loops as frames of a call tree. */
#ifndef CC_ANALYSIS_LOOPS_OWN_H
#define CC_ANALYSIS_LOOPS_OWN_H

#include "loops.h"
#include "../lines/lines.h"

/* A loop of the source, inside the loops around it in the same function. */
struct cc_loop_path {
    uint32_t parent;  /* index, a lower one; CC_NONE: no loop is around it */
    uint32_t group;   /* for own.c */
    const char *id;   /* as in struct cc_loop */
    const char *file; /* NULL: unknown */
    unsigned line;    /* 0: unknown */
    uint64_t times;   /* the loop was entered, also elsewhere */
};

struct cc_loop_share {
    uint32_t context, path; /* path CC_NONE: in no loop */
    uint64_t instructions;  /* its own: neither called nor of loops inside it */
};

struct cc_loop_own {
    CC_VEC(struct cc_loop_path) paths;
    struct cc_line_sums *lines; /* by function and path, which is their part: exact */
    /* by context, none is 0. They add up to each context's own instructions and over all contexts to each
     * loop's; in between, contexts of one function have their loops in the same proportion. */
    CC_VEC(struct cc_loop_share) shares;
    bool estimated; /* a function with loops has several contexts */
    struct cc_arena arena;
};

/* sources: as for cc_loops_analyse. An error without loops or without the code that ran. */
int cc_loop_own(const struct cc_profile *p, const struct cc_source_loops *sources, struct cc_loop_own **ret,
                struct cc_err *err);
void cc_loop_own_free(struct cc_loop_own *o);

#endif
