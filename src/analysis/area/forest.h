/* Extremely randomised regression trees: every split is the best of one random threshold a metric, so that
 * the mean over many trees is smooth, and what a tree learnt is where kernels like this one lay. */
#ifndef CC_ANALYSIS_AREA_FOREST_H
#define CC_ANALYSIS_AREA_FOREST_H

#include "../../base/arena.h"

/* In preorder: the left child of a split is the next node. */
struct cc_area_node {
    int32_t feature;  /* of the left: x[feature] <= threshold; negative: a leaf */
    uint32_t right;   /* node */
    double threshold; /* a leaf: the mean of its kernels ... */
    double zeros;     /* ... and the share of them whose measure is 0 */
};

struct cc_area_forest {
    uint32_t *roots;
    size_t ntrees;
    struct cc_area_node *nodes;
    size_t nnodes;
};

/* What trees are grown from. */
struct cc_area_forest_data {
    size_t n, p;         /* rows and columns of x */
    const double *x;     /* p columns of n, none negative; thresholds are drawn in log(1 + x) */
    const double *y;     /* n */
    const bool *zero;    /* n: the measure is 0 */
    const bool *rises;   /* p: y does not fall with it; splits that say otherwise are refused */
    const bool *offered; /* p: columns that may split; NULL: all */
};

struct cc_area_forest_options {
    size_t trees, least; /* rows in a leaf */
    uint64_t seed;
};

/* Grows the trees on the given rows. Leaves, and thresholds where that moves no row, are rounded to five
 * digits. */
void cc_area_forest_grow(const struct cc_area_forest_data *d, const uint32_t *rows, size_t nrows,
                         const struct cc_area_forest_options *options, struct cc_arena *arena,
                         struct cc_area_forest *ret);

struct cc_area_forest_mean {
    double value;  /* mean over the trees */
    double spread; /* their standard deviation */
    double zeros;  /* share of kernels like this one whose measure is 0 */
};
struct cc_area_forest_mean cc_area_forest_at(const struct cc_area_forest *f, const double *x);

/* To five significant digits. */
double cc_area_round5(double v);

#endif
