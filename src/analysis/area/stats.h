/* The little statistics the fits need. */
#ifndef CC_ANALYSIS_AREA_STATS_H
#define CC_ANALYSIS_AREA_STATS_H

#include "../../base/base.h"

/* P(|T| <= t) = p for Student's t with dof degrees of freedom; p in (0, 1). */
double cc_area_student_quantile(double p, double dof);
/* Linear between order statistics (type 7); sorts v. NaN when n is 0. */
double cc_area_quantile(double *v, size_t n, double p);

/* Deals n things into parts of equal size, always in the same way: ret[i] below `parts`. */
void cc_area_parts(size_t n, size_t parts, uint32_t *ret);

#endif
