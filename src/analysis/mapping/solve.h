/* What cc_map_solve hands on. */
#ifndef CC_ANALYSIS_MAPPING_SOLVE_H
#define CC_ANALYSIS_MAPPING_SOLVE_H

#include "model.h"

/* Fills quantiles and samples of the result and `better` of its alternatives: times uniform in their
 * intervals, the same draw for a task on the same unit in every mapping, orders kept. `x` has the energies of
 * the problem, not those of the objective. */
void cc_map_sample(const struct cc_map_problem *p, const struct model *x,
                   const struct cc_map_solve_options *o, struct cc_map_result *r);

#endif
