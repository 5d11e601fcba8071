/* What the searches of this room share. */
#ifndef CC_ANALYSIS_PARTITION_INTERNAL_H
#define CC_ANALYSIS_PARTITION_INTERNAL_H

#include "partition.h"

/* A partition in the making. */
struct split {
    const struct cc_csr *g;
    const size_t *pin; /* never NULL */
    size_t parts;
    uint64_t limit; /* no part above this */
    size_t *part;
    uint64_t *load;
    struct cc_count *count; /* may be NULL */
};

bool cc_partition_split_fits(const struct split *s);
uint64_t cc_partition_split_cut(const struct split *s);
void cc_partition_split_loads(struct split *s); /* from part[] */

/* Fiduccia-Mattheyses passes over any number of parts: moves (through states that are too full, if need be)
 * until no pass helps. Only states within the limit are kept; false if there is none. */
bool cc_partition_split_refine(struct split *s);

/* Branch and bound: improves on `best` (a feasible cut, UINT64_MAX if none) and writes s->part when it does.
 * Returns whether the search ended, i.e. the result is proven; *steps counts. */
bool cc_partition_split_exact(struct split *s, uint64_t *best, uint64_t budget, uint64_t *steps);

/* The same for balance: minimises the largest load. */
bool cc_partition_balance_exact(struct split *s, uint64_t *best, uint64_t bound, uint64_t budget,
                                uint64_t *steps);

#endif
