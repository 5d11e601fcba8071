/* Cells "<N": kernels known to have less than N. */
#ifndef CC_ANALYSIS_AREA_CENSORED_H
#define CC_ANALYSIS_AREA_CENSORED_H

#include "select.h"

/* Mean of a normal value of which only this is known: it is below the bound. */
double cc_area_mean_below(double mean, double sigma, double bound, double *ret_variance);

/* The line through measured and censored rows that makes both likely (Tobin's, by expectation and
 * maximisation): rows with a bound get what it expects of them in y, which must be d->y; bound NaN: measured.
 * All in the scale of the model, which ends at `least`. Returns the sum of the variances that those
 * expectations hide. */
double cc_area_fill_censored(const struct cc_area_design *d, const double *bound, size_t most_terms,
                             double least, double *y);

#endif
