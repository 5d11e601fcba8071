/* Figures that several processes (base/ranks.h) have read, each from its own share of the runs, put together.
 */
#ifndef CC_ANALYSIS_GROWTH_EXCHANGE_H
#define CC_ANALYSIS_GROWTH_EXCHANGE_H

#include "samples.h"
#include "../../base/ranks.h"

/* What the runs of one process were recorded with; NULL: not told. */
struct cc_samples_kind {
    const char *isa, *engine, *libs;
    bool unlike; /* they are not all of one kind */
};

/* Each process comes with the values of its own runs (cc_ranks_mine) and 0 for the others; afterwards all
 * have all, and things that only others have seen. The same file and line of a thing in all of them. */
void cc_samples_exchange(const struct cc_ranks *ranks, struct cc_samples *s, struct cc_samples_kind *kind);

#endif
