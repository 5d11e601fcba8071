/* Losses on their way to findings: what findings.c and uneven.c share. */
#ifndef CC_ANALYSIS_CONTENTION_GROUPS_H
#define CC_ANALYSIS_CONTENTION_GROUPS_H

#include "watch.h"

struct group {
    struct cc_finding out;
    uint64_t costliest; /* cycles of the loss that gave place and object their names */
    uint64_t cpus[WATCH_CPUS / 64];
    uint64_t line; /* of memory, 0: none or several */
    bool spin, folded;
    bool vague;       /* its object is a stack or a heap: not one thing */
    enum cc_cause in; /* what the library's function that it happens in stands for; CC_CAUSES: nothing */
    uint64_t pc;      /* what gave it its name, */
    uint32_t context;
    CC_VEC(uint32_t) losses;
};

struct grouping {
    struct cc_watch *w;
    struct cc_trace_reader *trace;
    const struct cc_findings_options *options;
    struct sites sites;
    struct cc_strmap by_key;
    CC_VEC(struct group) groups;
    struct cc_findings *out;
    uint64_t starting; /* cycles threads came later than the first */
    uint64_t skew;     /* of these, counted as start-up instead of what ends uneven became: */
    enum cc_cause skewed;
    unsigned data_nodes; /* nodes whose memory serves data */
};

static inline bool contention_is_lock(enum cc_cause cause)
{
    return cause < CC_CAUSES &&
           (cc_causes[cause].part == CC_PART_LOCKS || cc_causes[cause].part == CC_PART_BARRIERS);
}

void contention_fold(struct grouping *g, struct group *into, struct group *x);
/* Cycles that calls of libraries of that kind took by themselves, from the finding's function (gain.c). */
double contention_calls(struct grouping *g, const struct group *x, enum cc_cause cause);
/* Times as fast without the finding. */
double contention_gain(struct grouping *g, const struct group *x);
/* What locks guard moves with them. */
void contention_fold_guarded(struct grouping *g);
/* Whose doing it is that threads wait at barriers, if not the work's. */
void contention_barriers(struct grouping *g);
/* Why threads ended unevenly, if not because of their work. */
void contention_uneven(struct grouping *g);
/* What was lost when, and at which lines of the caches, by the causes that were found. */
void contention_views(struct grouping *g);

#endif
