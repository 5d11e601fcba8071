#ifndef CC_ANALYSIS_AREA_FIT_FOREST_H
#define CC_ANALYSIS_AREA_FIT_FOREST_H

#include "model.h"

/* What could be otherwise in a forest; bench/area_models.c tries them. */
struct cc_area_forest_choice {
    size_t trees; /* 0: by the number of kernels */
    size_t least; /* kernels in a leaf */
    enum {
        CC_COLUMNS_USUAL,
        CC_COLUMNS_ALL,
        CC_COLUMNS_PLAIN
    } columns; /* all: what lines have; plain: no blocks */
    bool any_sign;
};
struct cc_area_forest_choice cc_area_forest_usual(const struct cc_area_kernel_measure *y);

/* A forest of the measure, on a log scale; choice NULL: the usual one. Cells "<N" take part: what kernels
 * like them have, at most N. */
int cc_area_fit_forest(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                       const struct cc_area_forest_choice *choice, struct cc_arena *arena,
                       struct cc_area_fit *ret, struct cc_err *err);

/* A penalised line of the measure on a log scale, over all metrics. */
int cc_area_fit_penalised(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                          struct cc_arena *arena, struct cc_area_fit *ret, struct cc_err *err);

/* Whether more of the metric cannot mean less of the measure: more of a unit, of loads, stores or memory does
 * not make a circuit smaller. */
bool cc_area_rises(enum cc_metric metric, const char *measure);

/* Whether a forest of the measure may split on the metric. */
bool cc_area_concerns(enum cc_metric metric, const char *measure);

#endif
