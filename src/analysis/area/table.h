/* A table of metrics, as `corecast area metrics --csv` writes it, in place of source files. */
#ifndef CC_ANALYSIS_AREA_TABLE_H
#define CC_ANALYSIS_AREA_TABLE_H

#include "model.h"

/* Every row is a function. Metrics that follow from others need not be there; if
 * the model needs one that is not there, that is an error. The set of metrics is that of the column
 * metric_set. */
int cc_area_table_load(const char *path, const struct cc_area_model *model, struct cc_sources **ret,
                       int *ret_metric_set, struct cc_err *err);

#endif
