/* Cells "<N" in lines: what is put in for them in closed form, and coefficients of made-up tables that are
 * known. */
#include "censored.h"
#include "fit_forest.h"
#include "../../base/rng.h"
#include "tap.h"

#include <math.h>

static double normal(struct cc_rng *r)
{
    return sqrt(-2 * log(1 - cc_rng_unit(r))) * cos(2 * M_PI * cc_rng_unit(r));
}

static void test_mean_below(void)
{
    double variance;
    OK_NEAR(cc_area_mean_below(5, 2, 5, &variance), 5 - 2 * sqrt(2 / M_PI), 1e-12, "a half normal's mean");
    OK_NEAR(variance, 4 * (1 - 2 / M_PI), 1e-12, "... and variance");
    OK_NEAR(cc_area_mean_below(5, 2, 5 + 2 * 9, &variance), 5, 1e-12, "a bound far above says nothing");
    OK_NEAR(variance, 4, 1e-9, "... and takes no variance away");
    double near = cc_area_mean_below(0, 1, -29.999999, &variance), near_variance = variance;
    double far = cc_area_mean_below(0, 1, -30.000001, &variance);
    OK_NEAR(far - near, 0, 1e-4, "far below the mean, the series goes on where the formula ends");
    OK_NEAR(variance / near_variance, 1, 0.01, "... and so does the variance");
    OK(isfinite(cc_area_mean_below(1e6, 1e-3, 0, &variance)) && variance >= 0, "absurd bounds stay finite");
}

/* Tobin's likelihood of y = a + b x, log sigma: the maximum by a search over a grid that halves. */
static double likelihood(const struct cc_area_design *d, const double *bound, const double *p)
{
    double sum = 0, sigma = exp(p[2]);
    for (size_t i = 0; i < d->n; i++) {
        double at = p[0] + p[1] * d->x[i];
        if (isnan(bound[i]))
            sum += -p[2] - pow((d->y[i] - at) / sigma, 2) / 2;
        else
            sum += log(fmax(0.5 * erfc(-(bound[i] - at) / sigma / M_SQRT2), 1e-300));
    }
    return sum;
}

static void climb(const struct cc_area_design *d, const double *bound, double *p)
{
    for (double step = 1; step > 1e-6;) {
        double best = likelihood(d, bound, p), from[3] = {p[0], p[1], p[2]};
        bool moved = false;
        for (int c = 0; c < 27; c++) {
            double q[3] = {from[0] + step * (c % 3 - 1), from[1] + step * (c / 3 % 3 - 1),
                           from[2] + step * (c / 9 - 1)};
            double l = likelihood(d, bound, q);
            if (l > best) {
                best = l;
                memcpy(p, q, sizeof q);
                moved = true;
            }
        }
        step = moved ? step : step / 2;
    }
}

static void test_likelihood(void)
{
    enum { N = 200, ROUNDS = 10 };
    struct cc_rng rng = {17};
    double worst = 0, off = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double x[N], y[N], bound[N], coef[2], p[3] = {0};
        uint32_t rows[N], term = 0;
        struct cc_area_design d = {N, 1, x, y, rows};
        for (uint32_t i = 0; i < N; i++) {
            rows[i] = i;
            x[i] = 4 * cc_rng_unit(&rng);
            y[i] = 1 + 2 * x[i] + normal(&rng);
            bound[i] = y[i] < 4 ? 4 : NAN;
        }
        cc_area_fill_censored(&d, bound, 1, -INFINITY, y);
        cc_area_select_fit(&d, rows, N, &term, 1, coef);
        climb(&d, bound, p);
        worst = fmax(worst, fmax(fabs(coef[0] - p[0]), fabs(coef[1] - p[1])));
        off += (coef[1] - 2) / ROUNDS;
    }
    OK(worst < 0.02, "lines are those of the greatest likelihood, by search (worst %.4f)", worst);
    OK(fabs(off) < 0.1, "... and no steeper or flatter than the truth (%.3f)", off);
}

/* log y = 3 + 0.8 log(1 + adders) + 0.5 log(1 + multipliers) + noise; all below 600 are only known to be so.
 */
static struct cc_area_kernels *made_up(struct cc_rng *rng, size_t n, bool zeros)
{
    static const enum cc_metric used[] = {CC_M_add_32, CC_M_mul_32, CC_M_loads, CC_M_logic};
    struct cc_area_kernels *k = cc_alloc(sizeof *k);
    k->n = k->ngroups = n;
    k->nmetrics = CC_COUNT(used);
    memcpy(k->metric, used, sizeof used);
    k->names = cc_arena_alloc(&k->arena, n * sizeof *k->names);
    k->group = cc_arena_alloc(&k->arena, n * sizeof *k->group);
    k->x = cc_arena_alloc(&k->arena, n * k->nmetrics * sizeof *k->x);
    k->measures = cc_arena_alloc(&k->arena, sizeof *k->measures);
    k->measures[0] = (struct cc_area_kernel_measure){.name = "lut", .unit = "LUTs", .keeps_zeros = zeros};
    k->measures[0].v = cc_arena_alloc(&k->arena, n * sizeof(double));
    k->measures[0].below = cc_arena_alloc(&k->arena, n * sizeof(double));
    k->nmeasures = 1;
    for (size_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%zu", i);
        k->names[i] = cc_arena_strdup(&k->arena, name);
        k->group[i] = (uint32_t)i;
        double *x = k->x + i * k->nmetrics;
        for (size_t j = 0; j < k->nmetrics; j++)
            x[j] = (double)cc_rng_below(rng, 40);
        double y = exp(3 + 0.8 * log1p(x[0]) + 0.5 * log1p(x[1]) + 0.6 * normal(rng)) - zeros;
        k->measures[0].v[i] = y < 600 ? NAN : y;
        k->measures[0].below[i] = y < 600 ? 600 : NAN;
    }
    return k;
}

static double slope(const struct cc_area_model_measure *m)
{
    for (size_t j = 0; j < m->nterms; j++)
        if (m->terms[j].metric == CC_M_add_32)
            return m->terms[j].coef;
    return 0;
}

static void test_family(enum cc_family family, bool zeros, double close)
{
    enum { TABLES = 20, N = 150 };
    struct cc_area_fit_options how = {.transform = CC_TRANSFORM_LOG, .family = family};
    struct cc_rng rng = {family + 3};
    struct cc_err err = {0};
    double used = 0, blind = 0;
    size_t points = 0, measured = 0;
    for (int t = 0; t < TABLES; t++) {
        struct cc_area_fit fit;
        struct cc_area_kernels *k = made_up(&rng, N, zeros);
        cc_area_fit_measure(k, &k->measures[0], &how, &k->arena, &fit, &err);
        used += slope(&fit.model) / TABLES;
        points += fit.npoints;
        for (size_t i = 0; i < k->n; i++)
            measured += !isnan(k->measures[0].v[i]);
        k->measures[0].below = NULL;
        cc_area_fit_measure(k, &k->measures[0], &how, &k->arena, &fit, &err);
        blind += slope(&fit.model) / TABLES;
        cc_area_kernels_free(k);
    }
    OK(fabs(used - 0.8) < close && blind < 0.55,
       "%s%s: with bounds the exponent of 0.8 is %.3f, without those kernels %.3f", cc_family_names[family],
       zeros ? ", zeros kept" : "", used, blind);
    OK_U64(points, measured, "... and errors are told of kernels that were measured");
}

/* Both scales come out when they are the truth; where neither is clearly better it is the logarithm. */
static void test_scale(void)
{
    struct cc_rng rng = {77};
    struct cc_err err = {0};
    size_t log = 0, plain = 0, unclear = 0;
    for (int t = 0; t < 10; t++) {
        struct cc_area_fit fit;
        struct cc_area_fit_options how = {.family = CC_FAMILY_LINEAR};
        struct cc_area_kernels *k = made_up(&rng, 60, false);
        double *v = k->measures[0].v;
        k->measures[0].below = NULL;
        for (size_t i = 0; i < k->n; i++)
            v[i] = exp(3 + log1p(k->x[i * 4]) + 0.5 * normal(&rng));
        cc_area_fit_measure(k, &k->measures[0], &how, &k->arena, &fit, &err);
        log += fit.model.log;
        for (size_t i = 0; i < k->n; i++)
            v[i] = 1000 + 20 * k->x[i * 4] + 10 * normal(&rng);
        cc_area_fit_measure(k, &k->measures[0], &how, &k->arena, &fit, &err);
        plain += !fit.model.log;
        for (size_t i = 0; i < k->n; i++)
            v[i] = exp(5 + 0.3 * normal(&rng)); /* says nothing of either */
        cc_area_fit_measure(k, &k->measures[0], &how, &k->arena, &fit, &err);
        unclear += fit.model.log;
        cc_area_kernels_free(k);
    }
    OK(log == 10 && plain == 10, "the true scale is found: log %zu of 10, plain %zu of 10", log, plain);
    OK(unclear >= 9, "... and where nothing tells it is the logarithm (%zu of 10)", unclear);
}

int main(void)
{
    test_mean_below();
    test_likelihood();
    test_family(CC_FAMILY_LINEAR, false, 0.05);
    test_family(CC_FAMILY_LINEAR, true, 0.05);
    test_family(CC_FAMILY_PENALISED, false, 0.2); /* shrunk on purpose */
    test_scale();
    return TAP_DONE();
}
