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

#endif
