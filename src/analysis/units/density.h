/* The density of a sum of independent times, each uniform in its interval: the convolution of the boxes,
 * piece by piece a polynomial. Kept exactly (to rounding) as long as the pieces are few enough; a longer sum
 * is smoother than doubles can tell apart, so neighbouring pieces are then joined, with the error that adds
 * kept. */
#ifndef CC_ANALYSIS_UNITS_DENSITY_H
#define CC_ANALYSIS_UNITS_DENSITY_H

#include "units.h"

struct cc_density;

/* Intervals must be finite with low <= high. One with low = high only shifts the sum. */
int cc_density_sum(const struct cc_interval *v, size_t n, struct cc_density **ret, struct cc_err *err);
void cc_density_free(struct cc_density *d);

struct cc_interval cc_density_support(const struct cc_density *d);
/* Where the density is largest: a plateau when one interval is wider than all others together, else one
 * point. */
struct cc_interval cc_density_mode(const struct cc_density *d);
double cc_density_at(const struct cc_density *d, double x);    /* INFINITY at a sum that is certain */
double cc_density_below(const struct cc_density *d, double x); /* probability of at most x */
double cc_density_between(const struct cc_density *d, double a, double b);
/* The narrowest interval of this probability (0 to 1). The density is symmetric, so its middle is the mean.
 */
struct cc_interval cc_density_interval(const struct cc_density *d, double probability);
/* 0: exact to rounding; else the error of the joined pieces, relative to the largest density. */
double cc_density_error(const struct cc_density *d);

/* Piece i: a polynomial in (x - from), lowest coefficient first. A certain sum has no pieces. */
struct cc_piece {
    double from, to;
    size_t ncoefficients;
    double coefficients[32];
};
size_t cc_density_pieces(const struct cc_density *d);
void cc_density_piece(const struct cc_density *d, size_t i, struct cc_piece *ret);

#endif
