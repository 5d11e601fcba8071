/* The hierarchical task graph of a run: every task with its children, in the order they ran, segmented so
 * that the leaves tile the time line. Prologues and interstices are the `gap` in front of a child, the
 * epilogue is what a task's length leaves after its last child, so that no leaf needs a node of its own. */
#ifndef CC_ANALYSIS_HTG_HTG_H
#define CC_ANALYSIS_HTG_HTG_H

#include "../../base/err.h"
#include "../../base/map.h"
#include "../locality/pace.h"
#include "../../profile/line_trace.h"
#include "../../profile/tasks.h"

/* Nodes lie in the order tasks began; a node's children start at the next index. Equal neighbours (same name,
 * gap, length, counters and subtree) are one node with a repeat count. */
struct cc_htg_node {
    uint64_t gap; /* ticks between the previous sibling's end, or the parent's start, and this start */
    uint64_t len; /* ticks from start to end, children included */
    uint32_t name;
    uint32_t next;   /* index just past the subtree: the next sibling, or the parent's end */
    uint32_t repeat; /* how many such tasks in a row, each with its gap; at least 1 */
    uint32_t unused;
};

struct cc_htg {
    const char *path, *clock;
    double ticks_per_second;   /* 0: unknown */
    struct cc_htg_node *nodes; /* [0] is the whole run, with the name nnames */
    size_t nnodes;
    uint64_t tasks;     /* with repeats, the whole not counted */
    const char **names; /* nnames + 1 of them; the last is "<run>" */
    size_t nnames;
    const char **counters; /* as in struct cc_tasks */
    size_t ncounters;
    const struct cc_tasks_burden *burdens;
    size_t nburdens;
    const struct cc_tasks_copies *copies; /* what each copy of the co-runs took, by name, then busy */
    size_t ncopies;
    const char *incomplete; /* as in struct cc_tasks */
    const char **warnings;
    size_t nwarnings;
    /* of a recording made with --locality, else NULL: what the thread touched, and what its code costs. Equal
     * neighbours are then nodes of their own, for they touch different lines. */
    struct cc_line_trace *lines;
    struct cc_pace *pace;
    bool threaded; /* the code is what gcc makes for OpenMP's threads: it computes its share of static loops
                      itself */
};

/* Tasks of these names that follow each other, in the order of their places, get a task around them. */
struct cc_htg_group {
    const char *name;
    const char *const *members;
    const uint32_t *places; /* of each member, from 1; two may have the same */
    size_t n;
    uint32_t times; /* that tasks of one place may follow each other; 0: once */
};

struct cc_htg_options {
    bool any_thread; /* take the thread that has the first event */
    uint32_t thread;
    bool partial; /* accept a trace that says it is incomplete */
    bool plain;   /* leave the trace of lines out: equal neighbours are then one node again */
    const struct cc_htg_group *groups; /* of profiles */
    size_t ngroups;
};

/* A profile's task trace, or a CSV file of lines name,start,end[,thread][,counts] in any order (see
 * corecast-predict(1)). */
int cc_htg_load(const char *path, const struct cc_htg_options *o, struct cc_htg **ret, struct cc_err *err);
int cc_htg_parse_csv(const char *path, const char *text, size_t size, const struct cc_htg_options *o,
                     struct cc_htg **ret, struct cc_err *err);
void cc_htg_free(struct cc_htg *h);

static inline bool cc_htg_leaf(const struct cc_htg *h, size_t node)
{
    return h->nodes[node].next == node + 1;
}

/* How much counter c rose in the gap before a node, and in its epilogue (the whole task, for a leaf). */
uint64_t cc_htg_gap_count(const struct cc_htg *h, size_t node, size_t c);
uint64_t cc_htg_tail_count(const struct cc_htg *h, size_t node, size_t c);
/* Bytes of memory the graph holds. */
size_t cc_htg_memory(const struct cc_htg *h);

/* --- the call-tree profile --- */

struct cc_htg_profile_row {
    uint32_t name;
    size_t parent; /* SIZE_MAX: none */
    unsigned depth;
    uint64_t calls, cumulative, self; /* ticks, all calls together */
};

/* One row for every call path, parents before their children, children in order of their first call. Owned.
 */
size_t cc_htg_profile(const struct cc_htg *h, struct cc_htg_profile_row **ret);

#endif
