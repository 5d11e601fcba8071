#include "stats.h"
#include "../../base/rng.h"

#include <math.h>

/* Continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double f = d;
    for (int i = 1; i < 1000; i++) {
        double m = i, up = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + up * d;
        c = 1 + up / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        double down = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + down * d;
        c = 1 + down / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return f;
}

static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x > 0;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double cc_area_student_quantile(double p, double dof)
{
    double low = 0, high = 1;
    /* P(|T| <= t) = 1 - I_{dof / (dof + t^2)}(dof / 2, 1 / 2) */
    while (1 - incomplete_beta(dof / 2, 0.5, dof / (dof + high * high)) < p && high < 1e12)
        high *= 2;
    for (int i = 0; i < 200; i++) {
        double t = (low + high) / 2;
        if (1 - incomplete_beta(dof / 2, 0.5, dof / (dof + t * t)) < p)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cc_area_quantile(double *v, size_t n, double p)
{
    if (n == 0)
        return NAN;
    qsort(v, n, sizeof *v, ascending);
    double at = p * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[n - 1];
}

void cc_area_parts(size_t n, size_t parts, uint32_t *ret)
{
    uint32_t *shuffled = cc_alloc_array(n + 1, sizeof *shuffled);
    struct cc_rng rng = {1};
    for (size_t i = 0; i < n; i++) {
        size_t at = cc_rng_below(&rng, i + 1);
        shuffled[i] = shuffled[at];
        shuffled[at] = (uint32_t)i;
    }
    for (size_t i = 0; i < n; i++)
        ret[shuffled[i]] = (uint32_t)(i % parts);
    free(shuffled);
}
