/* The tree of calling contexts of each thread, and the calls on its time line. */
#ifndef CC_ANALYSIS_CALLTREE_CALLTREE_H
#define CC_ANALYSIS_CALLTREE_CALLTREE_H

#include "../comm/comm.h"

struct cc_calltree_row {
    uint32_t context;
    uint32_t depth; /* 0: a thread's root */
    size_t parent;  /* row; SIZE_MAX for a root */
    size_t hidden;  /* children the filter left out */
    uint64_t hidden_inclusive;
};

/* Rows in pre-order: a row's children follow it, most inclusive instructions first. */
struct cc_calltree {
    struct cc_calltree_row *rows;
    size_t n;
    uint64_t total; /* instructions of the run */
};

/* min_share: of the run's instructions, inclusive. top: children of one node. focus: only the matching
 * functions, what they call, and the way to them. */
int cc_calltree_build(const struct cc_profile *p, const struct cc_filter *filter, struct cc_calltree **ret,
                      struct cc_err *err);
void cc_calltree_free(struct cc_calltree *t);

struct cc_timeline_box {
    uint32_t context; /* or region */
    uint32_t thread;
    uint32_t depth;         /* boxes around it */
    uint64_t start, length; /* instructions; start counts from the run's beginning */
    size_t parent;          /* box; SIZE_MAX: none */
};

/* The calls of the time line, by thread and start; at most `cap`, the longest. Free the array. */
size_t cc_timeline(const struct cc_profile *p, size_t cap, struct cc_timeline_box **ret);
/* The same of the times in regions, inside a box of region 0 for each thread. Of one frame: those that began
 * in it. */
size_t cc_timeline_regions(const struct cc_profile *p, const struct cc_filter *filter, size_t cap,
                           struct cc_timeline_box **ret);

/* Keeps the boxes to be drawn and returns how many: a call inside another of the same context is left out,
 * and so is what has `rows` boxes around it. Parents and depths are those among the kept. */
size_t cc_timeline_fold(struct cc_timeline_box *boxes, size_t n, uint32_t rows);

struct cc_timeline_arrow {
    size_t from, to; /* boxes; SIZE_MAX: <input> and the like, or <output> */
    uint64_t bytes;
    const char *special; /* the name of the end that is no box; the graph's */
};

/* Streams between contexts or regions as arrows between their longest boxes, heaviest first. A context
 * without a box is represented by the nearest caller with one. Free the array. */
size_t cc_timeline_arrows(const struct cc_profile *p, const struct cc_comm *streams,
                          const struct cc_timeline_box *boxes, size_t n, struct cc_timeline_arrow **ret);

#endif
