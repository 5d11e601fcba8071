/* Integer expressions of C, as clauses use them. */
#ifndef CC_ANALYSIS_SCENARIO_EXPR_H
#define CC_ANALYSIS_SCENARIO_EXPR_H

#include "scenario.h"

/* `why` gets what is wrong when the result is false. sizeof knows C's basic types, as 64-bit Linux has them.
 */
bool cc_expr_eval(const char *text, const struct cc_clause_names *names, int64_t *ret, char why[static 128]);

#endif
