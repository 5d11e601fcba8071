/* Integer expressions of C, as clauses use them. */
#ifndef CC_ANALYSIS_SCENARIO_EXPR_H
#define CC_ANALYSIS_SCENARIO_EXPR_H

#include "../../base/err.h"

/* `why` gets what is wrong when the result is false. omp_get_num_procs(), omp_get_max_threads() and
 * omp_get_num_threads() are `processors`. */
bool cc_expr_eval(const char *text, int64_t processors, int64_t *ret, char why[static 128]);

#endif
