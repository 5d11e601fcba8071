/* All metrics of one function that need nothing but its own tree. */
#ifndef CC_ANALYSIS_METRICS_MEASURE_H
#define CC_ANALYSIS_METRICS_MEASURE_H

#include "metrics.h"
#include "tree.h"

/* Fills everything of f but fan_in, information_flow, recursion and external calls, which need all functions.
 * Strings and lists are put into the arena, or borrowed from the tree. */
void cc_measure_function(const struct cc_tree *t, struct cc_arena *arena, struct cc_source_function *f);

/* What a function of the C library means for hardware: CC_UNFIT_COUNT when nothing. */
enum cc_unfit cc_library_unfit(const char *name);
/* A library function that hardware tool chains know how to build. */
bool cc_library_known(const char *name);

#endif
