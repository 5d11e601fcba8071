/* Choice of variables for a linear model by forward steps, each judged by its error on left-out groups. */
#ifndef CC_ANALYSIS_AREA_SELECT_H
#define CC_ANALYSIS_AREA_SELECT_H

#include "../../base/base.h"

struct cc_area_design {
    size_t n, p;
    const double *x;       /* n rows of p */
    const double *y;       /* n */
    const uint32_t *group; /* n, any labels below n: rows of one group are left out together */
};

/* Adds, one by one, the column that lowers the squared leave-one-group-out error of the least-squares fit
 * (with intercept) most (or raises it least: what is of no use now may be, once its stand-ins are gone), up
 * to `most` columns; then takes them away again, each time the one whose loss costs least. The terms come in
 * the opposite order of that, so that the first k are the survivors of size k; errors[k] is their left-out
 * error. Returns how many. rows: which rows take part. */
size_t cc_area_select_path(const struct cc_area_design *d, const uint32_t *rows, size_t nrows, size_t most,
                           uint32_t *ret_terms, double *ret_errors);

/* Least squares on the given rows and terms: coef[0] is the intercept. False if the columns are dependent. */
bool cc_area_select_fit(const struct cc_area_design *d, const uint32_t *rows, size_t nrows,
                        const uint32_t *terms, size_t k, double *ret_coef);

#endif
