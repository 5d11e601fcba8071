/* Which functions of a program become hardware: the set with the least time among those that fit the budget.
 */
#ifndef CC_ANALYSIS_AREA_CUT_H
#define CC_ANALYSIS_AREA_CUT_H

#include "../../base/arena.h"

/* A place in the call tree: a candidate called from a place of its parent. What runs there, and below up to
 * the next candidates, is its. Node 0 is the rest of the program. */
struct cc_cut_node {
    uint32_t parent; /* an earlier node; that of node 0 is of no use */
    uint32_t kernel; /* of no use in node 0 */
    double time;     /* seconds in software */
    double calls;
};

struct cc_cut_edge { /* data that one place writes and another reads */
    uint32_t from, to;
    double bytes;
};

struct cc_cut_problem {
    size_t nkernels, nmeasures;
    const double *area;   /* nkernels rows of nmeasures */
    const double *budget; /* nmeasures */
    const struct cc_cut_node *nodes;
    size_t nnodes;
    const struct cc_cut_edge *edges;
    size_t nedges;
    double byte_seconds, call_seconds; /* of a byte over the bus, of a call from software into hardware */
    double gain;                       /* hardware is so many times as fast; INFINITY: it takes no time */
    /* Instead of the gain, one a kernel: seconds of a call in hardware with all it calls; NULL: none */
    const double *kernel_seconds;
};

enum { CC_CUT_MOST = 63 };

/* Seconds with the kernels of the set (bit k) in hardware: a place is in hardware if a kernel on its path is,
 * itself or above; data between the two sides goes over the bus, and so does each call. */
double cc_cut_time(const struct cc_cut_problem *p, uint64_t set);
/* Calls from software into the kernel as hardware, with the set. */
double cc_cut_calls(const struct cc_cut_problem *p, uint64_t set, uint32_t kernel);
bool cc_cut_fits(const struct cc_cut_problem *p, uint64_t set);

struct cc_cut {
    uint64_t set;
    double time;
    bool proven;     /* no other set is faster */
    uint64_t judged; /* partial sets looked at */
};

/* Branch and bound. Of sets that are equally fast, one with the fewest kernels. At most CC_CUT_MOST kernels;
 * after `most` partial sets (0: a million) the best so far is returned, not proven. */
struct cc_cut cc_cut_solve(const struct cc_cut_problem *p, uint64_t most);

#endif
