/* The one place that speaks to libscotch. Results depend on nothing but the arguments: the generator is reset
 * to `seed` before each call and Scotch is told to be deterministic. */
#ifndef CC_ANALYSIS_PARTITION_SCOTCH_H
#define CC_ANALYSIS_PARTITION_SCOTCH_H

#include "../../base/err.h"

/* Undirected, without self edges; every edge stands in both its ends' lists. */
struct cc_csr {
    size_t n;
    uint64_t *weight;   /* n */
    size_t *start;      /* n + 1 */
    uint32_t *adjacent; /* start[n] */
    uint64_t *bytes;    /* start[n] */
};

/* Splits into `parts` with loads within about (1 + imbalance) of the mean and a small cut. fixed[i] is the
 * part of node i or -1. */
int cc_scotch_split(const struct cc_csr *g, size_t parts, double imbalance, const int *fixed, int seed,
                    size_t *part, struct cc_err *err);
/* Places the nodes of g on those of `target` (a network: its weights are 1), keeping what talks much close
 * together. Several nodes may land on one place. */
int cc_scotch_place(const struct cc_csr *g, const struct cc_csr *target, int seed, size_t *place,
                    struct cc_err *err);

#endif
