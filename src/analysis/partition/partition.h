/* Splitting a communication graph over processors: the best balance alone, and the smallest cut within a
 * tolerance of balance. See README.md. */
#ifndef CC_ANALYSIS_PARTITION_PARTITION_H
#define CC_ANALYSIS_PARTITION_PARTITION_H

#include "../../base/count.h"
#include "graph.h"
#include "scotch.h"

enum { CC_PARTITION_MAX_PARTS = 1024 };
#define CC_PARTITION_FREE SIZE_MAX

struct cc_partition_options {
    size_t parts;
    double tolerance;       /* 0.1: a part may carry up to 1.1 times the mean load */
    const size_t *pin;      /* one a node: its part or CC_PARTITION_FREE; NULL: all free */
    uint64_t budget;        /* search steps of each exact search, 0: the default */
    struct cc_count *count; /* of steps; may be NULL */
};

struct cc_partition {
    size_t parts, nodes;
    size_t *part;   /* of each node */
    uint64_t *load; /* of each part */
    uint64_t max_load;
    uint64_t limit;       /* what max_load had to stay within; the bound on balance for the load-only one */
    uint64_t cut;         /* bytes between parts, both directions */
    bool proven;          /* no better one exists */
    uint64_t steps;       /* taken by the exact search */
    const char *found_by; /* "exact search", "scotch", "scotch and moves", "load balance and moves" */
};

/* Balance only: the smallest largest load, blind to communication. */
int cc_partition_balance(const struct cc_graph *g, const struct cc_partition_options *o,
                         struct cc_partition *ret, struct cc_err *err);
/* Smallest cut among partitions whose parts carry at most max((1 + tolerance) x mean, best balance).
 * `balance` is the result of the above for the same graph and options. */
int cc_partition_cut(const struct cc_graph *g, const struct cc_partition_options *o,
                     const struct cc_partition *balance, struct cc_partition *ret, struct cc_err *err);
void cc_partition_fini(struct cc_partition *p);

/* Loads, cut and the largest load of a given assignment; fills ret->part from `part`. */
void cc_partition_measure(const struct cc_graph *g, const size_t *part, size_t parts,
                          struct cc_partition *ret);
/* Bytes from part to part, parts x parts, row = from; owned by the caller. */
uint64_t *cc_partition_traffic(const struct cc_graph *g, const struct cc_partition *p);

void cc_partition_csr_init(struct cc_csr *c, const struct cc_graph *g);
void cc_partition_csr_fini(struct cc_csr *c);

#endif
