#include "censored.h"

#include <math.h>

enum { MOST_TERMS = 50, ROUNDS = 200 };

double cc_area_mean_below(double mean, double sigma, double bound, double *ret_variance)
{
    double z = (bound - mean) / sigma;
    double hazard = z < -30 ? -z - 1 / z : /* where both underflow: the first terms of the series */
                        exp(-z * z / 2) / sqrt(2 * M_PI) / (0.5 * erfc(-z / M_SQRT2));
    *ret_variance =
        z < -30 ? sigma * sigma / (z * z) : sigma * sigma * fmax(0, 1 - z * hazard - hazard * hazard);
    return mean - sigma * hazard;
}

static double line_at(const struct cc_area_design *d, size_t row, const uint32_t *terms, size_t k,
                      const double *coef)
{
    double v = coef[0];
    for (size_t j = 0; j < k; j++)
        v += coef[j + 1] * d->x[row * d->p + terms[j]];
    return v;
}

/* The metrics of the line: those of the least left-out error while a censored row has its bound. */
static size_t choose_terms(const struct cc_area_design *d, const uint32_t *rows, size_t most, uint32_t *terms)
{
    double errors[MOST_TERMS + 1];
    size_t k = cc_area_select_path(d, rows, d->n, CC_MIN(most, (size_t)MOST_TERMS), terms, errors), best = 0;
    for (size_t i = 1; i <= k; i++)
        best = errors[i] < errors[best] ? i : best;
    return best;
}

double cc_area_fill_censored(const struct cc_area_design *d, const double *bound, size_t most_terms,
                             double least, double *y)
{
    uint32_t *rows = cc_alloc_array(d->n + 1, sizeof *rows), terms[MOST_TERMS];
    double coef[MOST_TERMS + 1] = {0}, hidden = 0, sigma = 0;
    for (size_t i = 0; i < d->n; i++) {
        rows[i] = (uint32_t)i;
        y[i] = isnan(bound[i]) ? y[i] : bound[i];
    }
    size_t k = choose_terms(d, rows, most_terms, terms);
    for (int round = 0; round < ROUNDS; round++) {
        double squares = hidden, moved = 0;
        if (!cc_area_select_fit(d, rows, d->n, terms, k, coef))
            break;
        for (size_t i = 0; i < d->n; i++)
            squares += pow(y[i] - line_at(d, i, terms, k, coef), 2);
        sigma = fmax(sqrt(squares / (double)CC_MAX(d->n - CC_MIN(d->n, k + 1), (size_t)1)), 1e-9);
        hidden = 0;
        for (size_t i = 0; i < d->n; i++) {
            double variance, was = y[i];
            if (isnan(bound[i]))
                continue;
            y[i] = fmax(least, cc_area_mean_below(line_at(d, i, terms, k, coef), sigma, bound[i], &variance));
            hidden += variance;
            moved = fmax(moved, fabs(y[i] - was));
        }
        if (moved < 1e-4 * sigma)
            break;
    }
    free(rows);
    return hidden;
}
