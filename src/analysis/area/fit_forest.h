#ifndef CC_ANALYSIS_AREA_FIT_FOREST_H
#define CC_ANALYSIS_AREA_FIT_FOREST_H

#include "model.h"

/* A forest of the measure, on a log scale. Cells "<N" take part: what kernels like them have, at most N. */
int cc_area_fit_forest(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                       struct cc_arena *arena, struct cc_area_fit *ret, struct cc_err *err);

#endif
