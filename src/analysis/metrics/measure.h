/* All metrics of one function that need nothing but its own tree. */
#ifndef CC_ANALYSIS_METRICS_MEASURE_H
#define CC_ANALYSIS_METRICS_MEASURE_H

#include "metrics.h"
#include "tree.h"

/* Fills everything of f but fan_in, information_flow, recursion and external calls, which need all functions.
 * Strings and lists are put into the arena, or borrowed from the tree. */
void cc_measure_function(const struct cc_tree *t, struct cc_arena *arena, struct cc_source_function *f);

/* Every loop of the function as if it were a function itself: name "f:12", what it takes from around it as
 * its parameters. Of several on one line the first, and no more than the first few hundred. */
void cc_measure_loops(const struct cc_tree *t, void (*each)(void *data, const struct cc_source_function *f),
                      void *data);

/* What a function of the C library means for hardware: CC_UNFIT_COUNT when nothing. */
enum cc_unfit cc_library_unfit(const char *name);
/* A library function that hardware tool chains know how to build. */
bool cc_library_known(const char *name);

#endif
