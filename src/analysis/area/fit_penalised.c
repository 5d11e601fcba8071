/* Penalised lines: all metrics at once, kept small (elastic net), with signs that physics gives; the whole
 * path from no metric to nearly least squares is tried on kernels left out. */
#include "censored.h"
#include "fit_forest.h"
#include "stats.h"

#include <math.h>

enum { STEPS = 40, PARTS = 10, SWEEPS = 300, FILLS = 10, MIN_KERNELS = 20, MIN_GROUPS = 5 };

static const double mix = 0.5;       /* of absolute values in the penalty; the rest are squares */
static const double smallest = 1e-3; /* penalty at the end of the path, over that at its start */

struct fit {
    const struct cc_area_kernels *k;
    const struct cc_area_kernel_measure *measure;
    struct cc_arena *arena;
    size_t n, p, ngroups, measured;
    uint32_t *kernel, *part;
    double *x, *t; /* n rows of log(1 + metric); the measure in the model's scale, NaN: not known yet */
    double *bound; /* of a censored row, in the same scale; NaN: measured */
    bool *rises;
};

/* One path: coefficients of each step in the scale of x, intercept first. */
struct path {
    double *coef;                     /* STEPS rows of p + 1 */
    double *mean, *spread, *gram, *g; /* p; gram p x p; g: correlation with what is left */
    double *b;                        /* standardised */
};

static double to_scale(const struct fit *f, double y)
{
    return f->measure->keeps_zeros ? log1p(y) : log(y);
}

static double back(const struct fit *f, double t)
{
    return fmax(0, f->measure->keeps_zeros ? expm1(fmin(t, 700)) : exp(fmin(t, 700)));
}

static void take_rows(struct fit *f)
{
    size_t n = f->k->n;
    uint32_t *groups = cc_alloc_array(f->k->ngroups + 1, sizeof *groups), *group, *parts;
    group = cc_alloc_array(n + 1, sizeof *group);
    f->p = f->k->nmetrics;
    f->kernel = cc_alloc_array(n + 1, sizeof *f->kernel);
    f->part = cc_alloc_array(n + 1, sizeof *f->part);
    f->x = cc_alloc_array(n * f->p + 1, sizeof *f->x);
    f->t = cc_alloc_array(n + 1, sizeof *f->t);
    f->bound = cc_alloc_array(n + 1, sizeof *f->bound);
    f->rises = cc_alloc_array(f->p + 1, sizeof *f->rises);
    for (size_t i = 0; i < n; i++) {
        double y = f->measure->v[i], bound = f->measure->below ? f->measure->below[i] : NAN;
        if (isnan(y) && isnan(bound))
            continue;
        uint32_t *g = &groups[f->k->group[i]];
        if (!*g)
            *g = (uint32_t)++f->ngroups;
        for (size_t j = 0; j < f->p; j++)
            f->x[f->n * f->p + j] = log1p(f->k->x[i * f->p + j]);
        f->kernel[f->n] = (uint32_t)i;
        group[f->n] = *g - 1;
        f->measured += !isnan(y);
        f->bound[f->n] = isnan(y) ? to_scale(f, bound) : NAN;
        f->t[f->n++] = isnan(y) ? NAN : to_scale(f, y);
    }
    for (size_t j = 0; j < f->p; j++)
        f->rises[j] = cc_area_rises(f->k->metric[j], f->measure->name);
    parts = cc_alloc_array(f->ngroups + 1, sizeof *parts);
    cc_area_parts(f->ngroups, PARTS, parts);
    for (size_t i = 0; i < f->n; i++)
        f->part[i] = parts[group[i]];
    free(groups);
    free(group);
    free(parts);
}

static void fini(struct fit *f)
{
    free(f->kernel);
    free(f->part);
    free(f->x);
    free(f->t);
    free(f->bound);
    free(f->rises);
}

/* --- a path --- */

static void path_init(struct path *w, size_t p)
{
    w->coef = cc_alloc_array(STEPS * (p + 1), sizeof *w->coef);
    w->mean = cc_alloc_array(p + 1, sizeof *w->mean);
    w->spread = cc_alloc_array(p + 1, sizeof *w->spread);
    w->gram = cc_alloc_array(p * p + 1, sizeof *w->gram);
    w->g = cc_alloc_array(p + 1, sizeof *w->g);
    w->b = cc_alloc_array(p + 1, sizeof *w->b);
}

static void path_fini(struct path *w)
{
    free(w->coef);
    free(w->mean);
    free(w->spread);
    free(w->gram);
    free(w->g);
    free(w->b);
}

static bool taken(const struct fit *f, size_t row, uint32_t left_out)
{
    return f->part[row] != left_out && !isnan(f->t[row]);
}

/* Correlations of the rows outside the part, standardised; returns the mean of t. */
static double correlate(const struct fit *f, uint32_t part, struct path *w)
{
    size_t p = f->p;
    double n = 0, mean_t = 0, *z = cc_alloc_array(p + 1, sizeof *z);
    memset(w->gram, 0, p * p * sizeof *w->gram);
    for (size_t j = 0; j < p; j++)
        w->mean[j] = w->spread[j] = w->g[j] = w->b[j] = 0;
    for (size_t i = 0; i < f->n; i++) {
        bool in = taken(f, i, part);
        n += in;
        mean_t += in ? f->t[i] : 0;
        for (size_t j = 0; j < p && in; j++)
            w->mean[j] += f->x[i * p + j];
    }
    mean_t /= n;
    for (size_t j = 0; j < p; j++)
        w->mean[j] /= n;
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < p && taken(f, i, part); j++)
            w->spread[j] += (f->x[i * p + j] - w->mean[j]) * (f->x[i * p + j] - w->mean[j]) / n;
    for (size_t j = 0; j < p; j++)
        w->spread[j] = w->spread[j] > 1e-12 ? sqrt(w->spread[j]) : 0;
    for (size_t i = 0; i < f->n; i++) {
        if (!taken(f, i, part))
            continue;
        for (size_t j = 0; j < p; j++)
            z[j] = w->spread[j] > 0 ? (f->x[i * p + j] - w->mean[j]) / w->spread[j] : 0;
        for (size_t j = 0; j < p; j++) {
            w->g[j] += z[j] * (f->t[i] - mean_t) / n;
            for (size_t k = 0; k < p; k++)
                w->gram[j * p + k] += z[j] * z[k] / n;
        }
    }
    free(z);
    return mean_t;
}

/* Coordinate descent to the least penalised squares; g is kept up to date with b. */
static void descend(const struct fit *f, double penalty, struct path *w)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0;
        for (size_t j = 0; j < f->p; j++) {
            if (w->spread[j] <= 0)
                continue;
            double r = w->g[j] + w->b[j], cut = penalty * mix;
            double b = (r > cut ? r - cut : r < -cut ? r + cut : 0) / (1 + penalty * (1 - mix));
            b = f->rises[j] ? fmax(0, b) : b;
            double d = b - w->b[j];
            if (d == 0)
                continue;
            w->b[j] = b;
            for (size_t k = 0; k < f->p; k++)
                w->g[k] -= d * w->gram[j * f->p + k];
            moved = fmax(moved, fabs(d));
        }
        if (moved < 1e-5)
            return;
    }
}

static void follow(const struct fit *f, uint32_t part, struct path *w)
{
    double mean_t = correlate(f, part, w), most = 0;
    for (size_t j = 0; j < f->p; j++)
        most = fmax(most, fabs(w->g[j]) / mix);
    for (int s = 0; s < STEPS; s++) {
        double *coef = w->coef + (size_t)s * (f->p + 1);
        descend(f, most * pow(smallest, (double)s / (STEPS - 1)), w);
        coef[0] = mean_t;
        for (size_t j = 0; j < f->p; j++) {
            coef[j + 1] = w->spread[j] > 0 ? w->b[j] / w->spread[j] : 0;
            coef[0] -= coef[j + 1] * w->mean[j];
        }
    }
}

static double at(const struct fit *f, const double *coef, size_t row)
{
    double v = coef[0];
    for (size_t j = 0; j < f->p; j++)
        v += coef[j + 1] * f->x[row * f->p + j];
    return v;
}

/* --- choice of the step, and what kernels left out say of it --- */

/* An estimate of a censored row is wrong by what it is above the bound. */
static double error_at(const struct fit *f, size_t row, double t)
{
    return isnan(f->bound[row]) ? f->t[row] - t : fmin(0, f->bound[row] - t);
}

static int choose_step(const struct fit *f, struct path *w, double *left_out)
{
    double *tried = cc_alloc_array(f->n * STEPS + 1, sizeof *tried), errors[STEPS] = {0};
    int best = 0;
    for (uint32_t part = 0; part < PARTS; part++) {
        follow(f, part, w);
        for (size_t i = 0; i < f->n; i++)
            for (int s = 0; s < STEPS && f->part[i] == part; s++)
                tried[i * STEPS + (size_t)s] = at(f, w->coef + (size_t)s * (f->p + 1), i);
    }
    for (int s = 0; s < STEPS; s++) {
        for (size_t i = 0; i < f->n; i++)
            errors[s] += pow(error_at(f, i, tried[i * STEPS + (size_t)s]), 2);
        best = errors[s] < errors[best] ? s : best;
    }
    for (size_t i = 0; i < f->n; i++)
        left_out[i] = tried[i * STEPS + (size_t)best];
    free(tried);
    return best;
}

/* "<5": what a line made without the row expects of it, knowing that it is below the bound. */
static void fill_censored(struct fit *f, const double *left_out)
{
    double squares = 0, variance;
    for (size_t i = 0; i < f->n; i++)
        squares += isnan(f->bound[i]) ? pow(f->t[i] - left_out[i], 2) : 0;
    double sigma = fmax(sqrt(squares / (double)f->measured), 1e-9);
    for (size_t i = 0; i < f->n; i++) {
        if (isnan(f->bound[i]))
            continue;
        double t = cc_area_mean_below(left_out[i], sigma, f->bound[i], &variance);
        f->t[i] = f->measure->keeps_zeros ? fmax(0, t) : t;
    }
}

static void keep_terms(const struct fit *f, const double *coef, struct cc_area_model_measure *m)
{
    m->intercept = coef[0];
    m->terms = cc_arena_alloc(f->arena, (f->p + 1) * sizeof *m->terms);
    for (size_t j = 0; j < f->p; j++) {
        if (coef[j + 1] == 0)
            continue;
        struct cc_area_model_term *t = &m->terms[m->nterms++];
        *t = (struct cc_area_model_term){.metric = f->k->metric[j], .coef = coef[j + 1], .scale = 1};
        t->name = cc_arena_strdup(f->arena, cc_area_column_name(f->k, j));
        t->min = INFINITY;
        t->max = -INFINITY;
        for (size_t i = 0; i < f->n; i++) {
            double raw = f->k->x[f->kernel[i] * f->p + j];
            t->min = fmin(t->min, raw);
            t->max = fmax(t->max, raw);
        }
    }
    m->cov = cc_arena_alloc(f->arena, (m->nterms * m->nterms + 1) * sizeof *m->cov);
}

static void put_points(const struct fit *f, const double *coef, const double *left_out,
                       struct cc_area_fit *ret)
{
    struct cc_area_model_measure *m = &ret->model;
    double mean = 0, tss = 0, rss = 0, press = 0, n = (double)f->measured;
    ret->points = cc_arena_alloc(f->arena, (f->n + 1) * sizeof *ret->points);
    for (size_t i = 0; i < f->n; i++)
        mean += isnan(f->bound[i]) ? f->t[i] / n : 0;
    for (size_t i = 0; i < f->n; i++) {
        if (!isnan(f->bound[i]))
            continue;
        double fitted = at(f, coef, i);
        tss += (f->t[i] - mean) * (f->t[i] - mean);
        rss += (f->t[i] - fitted) * (f->t[i] - fitted);
        press += (f->t[i] - left_out[i]) * (f->t[i] - left_out[i]);
        ret->points[ret->npoints++] =
            (struct cc_area_fit_point){.kernel = cc_arena_strdup(f->arena, f->k->names[f->kernel[i]]),
                                       .measured = f->measure->v[f->kernel[i]],
                                       .fitted = back(f, fitted),
                                       .left_out = back(f, left_out[i]),
                                       .left_out_fixed = back(f, left_out[i])};
    }
    m->r2 = 1 - rss / tss;
    m->r2_left_out = 1 - press / tss;
    m->sigma = fmax(sqrt(press / n), 1e-9);
    m->left_out = m->fixed = cc_area_error_summary(ret->points, ret->npoints, false, f->arena);
}

static void conformal_factors(const struct fit *f, const double *left_out, struct cc_area_model_measure *m)
{
    double *u = cc_alloc_array(f->n + 1, sizeof *u), n = (double)f->n;
    for (size_t i = 0; i < f->n; i++)
        u[i] = fabs(error_at(f, i, left_out[i]));
    cc_area_quantile(u, f->n, 0.5); /* sorts */
    for (size_t l = 0; l < CC_LEVEL_COUNT; l++) {
        size_t rank = (size_t)ceil(cc_interval_levels[l] * (n + 1));
        m->factor[l] = u[CC_MIN(rank, f->n) - 1] / (m->sigma * sqrt(1 + 1 / (double)m->kernels));
    }
    free(u);
}

int cc_area_fit_penalised(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                          struct cc_arena *arena, struct cc_area_fit *ret, struct cc_err *err)
{
    struct fit f = {.k = k, .measure = y, .arena = arena};
    memset(ret, 0, sizeof *ret);
    take_rows(&f);
    ret->dropped = k->n - f.n;
    int rc = 0;
    if (f.measured < MIN_KERNELS || f.ngroups < MIN_GROUPS)
        rc = cc_err_set(err, CC_EINPUT,
                        "measure '%s': %zu usable kernels in %zu groups, a penalised line needs %d in %d",
                        y->name, f.measured, f.ngroups, MIN_KERNELS, MIN_GROUPS);
    if (rc == 0) {
        struct path w;
        double *left_out = cc_alloc_array(f.n + 1, sizeof *left_out);
        path_init(&w, f.p);
        int step = choose_step(&f, &w, left_out);
        for (int i = 0; i < FILLS && f.measured < f.n; i++) {
            fill_censored(&f, left_out);
            step = choose_step(&f, &w, left_out);
        }
        follow(&f, PARTS, &w);
        const double *coef = w.coef + (size_t)step * (f.p + 1);
        ret->model = (struct cc_area_model_measure){.name = cc_arena_strdup(arena, y->name),
                                                    .unit = cc_arena_strdup(arena, y->unit),
                                                    .family = CC_FAMILY_PENALISED,
                                                    .log = true,
                                                    .plus1 = y->keeps_zeros,
                                                    .kernels = f.measured,
                                                    .groups = f.ngroups,
                                                    .condition = 1,
                                                    .leverage_max = 1};
        keep_terms(&f, coef, &ret->model);
        ret->model.dof = fmax(1, (double)f.measured - (double)ret->model.nterms - 1);
        put_points(&f, coef, left_out, ret);
        conformal_factors(&f, left_out, &ret->model);
        path_fini(&w);
        free(left_out);
    }
    fini(&f);
    return rc;
}
