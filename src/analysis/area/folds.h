/* Calibrating without a part of the kernels and estimating them: what a model is worth on kernels it has not
 * seen, choice of metrics, family and intervals included. */
#ifndef CC_ANALYSIS_AREA_FOLDS_H
#define CC_ANALYSIS_AREA_FOLDS_H

#include "model.h"

struct cc_area_trial {
    const char *measure;
    size_t kernels, forests; /* estimated; folds whose model was a forest */
    double r2;               /* of log(measure), or log(1 + measure) where zeros are values */
    struct cc_error_summary error;
    double covered; /* share of kernels inside their interval */
    double width;   /* median of its upper over its lower end, 1 added to both where zeros are values */
};

/* The folds are those of the column k->fold. */
int cc_area_try_folds(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                      const struct cc_area_fit_options *options, double confidence, struct cc_arena *arena,
                      struct cc_area_trial *ret, struct cc_err *err);

/* The same step by step, for models that are made otherwise. */
struct cc_area_trying {
    const struct cc_area_kernels *k;
    const struct cc_area_kernel_measure *y;
    struct cc_area_fit_point *points;
    double *widths;
    size_t n, covered, forests;
};
void cc_area_trying_init(struct cc_area_trying *t, const struct cc_area_kernels *k,
                         const struct cc_area_kernel_measure *y);
/* The measure as if the fold's kernels had not been measured; freed by the other. */
struct cc_area_kernel_measure cc_area_without_fold(const struct cc_area_trying *t, uint32_t fold);
void cc_area_without_fold_fini(struct cc_area_kernel_measure *m);
/* A row of k as a model takes it. */
void cc_area_kernel_values(const struct cc_area_kernels *k, size_t row, double ret[CC_VALUE_COUNT]);
/* What was estimated of a kernel that has a measure. */
void cc_area_trying_put(struct cc_area_trying *t, size_t row, const struct cc_area_prediction *e);
struct cc_area_trial cc_area_trying_end(struct cc_area_trying *t, struct cc_arena *arena);

#endif
