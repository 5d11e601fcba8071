#include "censored.h"
#include "fit_forest.h"
#include "forest.h"
#include "select.h"
#include "stats.h"

#include <lapacke.h>
#include <math.h>

enum {
    MIN_KERNELS = 10,
    MIN_GROUPS = 3,
    KERNELS_PER_TERM = 5,
    USUAL_TERMS = 15,
    MOST_TERMS = 50,
    FOLDS = 10
};

/* Belsley's rule of thumb for columns so alike that their coefficients run away: ridge from there on. */
static const double condition_limit = 30;

const double cc_interval_levels[CC_LEVEL_COUNT] = {0.5, 0.8, 0.9, 0.95, 0.99};
const double cc_error_quantiles[CC_ERROR_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

const char *const cc_family_names[] = {"linear", "forest", "penalised", "auto"};

struct fit {
    const struct cc_area_kernels *k;
    const struct cc_area_kernel_measure *measure;
    const struct cc_area_fit_options *options;
    struct cc_arena *arena;
    size_t n, p, ngroups, most;
    size_t measured;  /* rows that are not censored */
    uint32_t *kernel; /* row -> kernel */
    double *y;        /* measured, or the bound of a censored row */
    double *x, *t;    /* transformed metrics and measure: the design */
    double *bound;    /* of a censored row, in the scale of t; NaN: measured */
    double hidden;    /* variance that what is put in for censored rows does not show */
    uint32_t *group, *rows;
    bool log;
    struct cc_area_design design;
};

/* --- scales --- */

static double to_scale(const struct fit *f, double y)
{
    return !f->log ? y : f->measure->keeps_zeros ? log1p(y) : log(y);
}

static double from_scale(bool log, bool plus1, double t)
{
    if (log)
        t = plus1 ? expm1(fmin(t, 700)) : exp(fmin(t, 700)); /* stays finite */
    return fmax(0, t);
}

static double back(const struct fit *f, double t)
{
    return from_scale(f->log, f->measure->keeps_zeros, t);
}

static double metric_scale(bool log, double v)
{
    return log ? log1p(v) : v;
}

static void set_transform(struct fit *f, bool log)
{
    f->log = log;
    for (size_t i = 0; i < f->n; i++) {
        f->t[i] = to_scale(f, f->y[i]);
        f->bound[i] = isnan(f->bound[i]) ? NAN : f->t[i];
        for (size_t j = 0; j < f->p; j++)
            f->x[i * f->p + j] = /* few terms to be read: no indicators of what others count (constant) */
                cc_metric_is_presence(f->k->metric[j]) ? 0
                                                       : metric_scale(log, f->k->x[f->kernel[i] * f->p + j]);
    }
    f->design = (struct cc_area_design){f->n, f->p, f->x, f->t, f->group};
    bool sinks = log && !f->measure->keeps_zeros; /* a logarithm has no least value */
    if (f->measured < f->n)
        f->hidden = cc_area_fill_censored(&f->design, f->bound, f->most, sinks ? -INFINITY : 0, f->t);
}

/* An estimate of a censored row is wrong by what it is above the bound. */
static double error_at(const struct fit *f, size_t row, double t)
{
    return isnan(f->bound[row]) ? f->t[row] - t : fmin(0, f->bound[row] - t);
}

/* --- rows --- */

static void take_rows(struct fit *f)
{
    uint32_t *groups = cc_alloc_array(f->k->ngroups + 1, sizeof *groups);
    f->kernel = cc_alloc_array(f->k->n + 1, sizeof *f->kernel);
    f->group = cc_alloc_array(f->k->n + 1, sizeof *f->group);
    f->rows = cc_alloc_array(f->k->n + 1, sizeof *f->rows);
    f->y = cc_alloc_array(f->k->n + 1, sizeof *f->y);
    f->bound = cc_alloc_array(f->k->n + 1, sizeof *f->bound);
    for (size_t i = 0; i < f->k->n; i++) {
        double y = f->measure->v[i], bound = f->measure->below ? f->measure->below[i] : NAN;
        if (isnan(y) && isnan(bound))
            continue;
        uint32_t *g = &groups[f->k->group[i]];
        if (!*g)
            *g = (uint32_t)++f->ngroups;
        f->kernel[f->n] = (uint32_t)i;
        f->group[f->n] = *g - 1;
        f->rows[f->n] = (uint32_t)f->n;
        f->measured += !isnan(y);
        f->bound[f->n] = isnan(y) ? bound : NAN;
        f->y[f->n++] = isnan(y) ? bound : y;
    }
    free(groups);
    f->p = f->k->nmetrics;
    f->x = cc_alloc_array(f->n * f->p + 1, sizeof *f->x);
    f->t = cc_alloc_array(f->n + 1, sizeof *f->t);
}

static int check_rows(const struct fit *f, struct cc_err *err)
{
    const char *name = f->measure->name;
    double low = INFINITY, high = -INFINITY, squares = 0;
    double *sizes = cc_alloc_array(f->ngroups + 1, sizeof *sizes);
    for (size_t i = 0; i < f->n; i++) {
        low = isnan(f->bound[i]) ? fmin(low, f->y[i]) : low;
        high = isnan(f->bound[i]) ? fmax(high, f->y[i]) : high;
        sizes[f->group[i]]++;
    }
    for (size_t g = 0; g < f->ngroups; g++)
        squares += sizes[g] * sizes[g];
    free(sizes);
    if (f->measured < MIN_KERNELS)
        return cc_err_set(
            err, CC_EINPUT,
            "measure '%s': %zu usable kernels, at least %d are needed (%zu in the table; %zu without a "
            "number, %zu censored, %zu zeros)",
            name, f->measured, MIN_KERNELS, f->k->n, f->measure->missing, f->measure->censored,
            f->measure->zeros);
    if (f->ngroups < MIN_GROUPS)
        return cc_err_set(err, CC_EINPUT, "measure '%s': %zu groups, at least %d are needed", name,
                          f->ngroups, MIN_GROUPS);
    if (squares > 5e7)
        return cc_err_set(err, CC_EINPUT, "measure '%s': groups of too many kernels", name);
    if (low == high)
        return cc_err_set(err, CC_EINPUT, "measure '%s' is %g for every kernel: there is nothing to model",
                          name, low);
    return 0;
}

/* --- choice of the number of terms, by cross-validation of the whole selection --- */

struct curve {
    double *squared;  /* n rows of most + 1 numbers: squared error in the model's scale */
    double *relative; /* the same: |estimate - measured| / (|estimate| + |measured|) */
};

static double predict(const struct cc_area_design *d, size_t row, const uint32_t *terms, size_t k,
                      const double *coef)
{
    double v = coef[0];
    for (size_t j = 0; j < k; j++)
        v += coef[j + 1] * d->x[row * d->p + terms[j]];
    return v;
}

static size_t rows_without(const struct fit *f, const uint32_t *part, uint32_t which, uint32_t *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (part[f->group[i]] != which)
            rows[n++] = (uint32_t)i;
    return n;
}

static void try_fold(const struct fit *f, const uint32_t *fold, uint32_t which, struct curve *c)
{
    uint32_t *rows = cc_alloc_array(f->n + 1, sizeof *rows), terms[MOST_TERMS];
    double errors[MOST_TERMS + 1], coef[MOST_TERMS + 1] = {0};
    size_t n = rows_without(f, fold, which, rows);
    size_t most = CC_MIN(f->most, n > 3 ? n - 3 : 0);
    size_t len = cc_area_select_path(&f->design, rows, n, most, terms, errors), k = 0;
    for (size_t want = 0; want <= f->most; want++) {
        if (want <= len && cc_area_select_fit(&f->design, rows, n, terms, want, coef))
            k = want;
        else if (want <= len)
            cc_area_select_fit(&f->design, rows, n, terms, k, coef);
        for (size_t i = 0; i < f->n; i++) {
            if (fold[f->group[i]] != which)
                continue;
            double t = predict(&f->design, i, terms, k, coef), e = error_at(f, i, t);
            double y = back(f, t), sum = y + f->y[i];
            c->squared[i * (f->most + 1) + want] = e * e;
            c->relative[i * (f->most + 1) + want] = sum > 0 && e != 0 ? fabs(y - f->y[i]) / sum : 0;
        }
    }
    free(rows);
}

static double column_mean(const double *v, size_t n, size_t stride, size_t at)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += v[i * stride + at];
    return s / (double)n;
}

/* The smallest number of terms whose error is within one standard error of the best, the two compared kernel
 * by kernel. */
static size_t choose_size(const struct fit *f, const struct curve *c)
{
    size_t stride = f->most + 1, best = 0;
    for (size_t k = 1; k <= f->most; k++)
        if (column_mean(c->squared, f->n, stride, k) < column_mean(c->squared, f->n, stride, best))
            best = k;
    for (size_t k = 0; k < best; k++) {
        double sum = 0, squares = 0, n = (double)f->n;
        for (size_t i = 0; i < f->n; i++) {
            double d = c->squared[i * stride + k] - c->squared[i * stride + best];
            sum += d;
            squares += d * d;
        }
        double mean = sum / n, se = sqrt(fmax(0, squares / n - mean * mean) / (n - 1));
        if (mean <= se)
            return k;
    }
    return best;
}

/* How many terms; ret_misses: what each row's relative error is with so many. */
static size_t cross_validate(struct fit *f, double *ret_misses)
{
    struct curve c = {cc_alloc_array(f->n * (f->most + 1), sizeof(double)),
                      cc_alloc_array(f->n * (f->most + 1), sizeof(double))};
    uint32_t *fold = cc_alloc_array(f->ngroups + 1, sizeof *fold);
    size_t folds = CC_MIN((size_t)FOLDS, f->ngroups);
    cc_area_parts(f->ngroups, folds, fold);
    for (size_t i = 0; i < folds; i++)
        try_fold(f, fold, (uint32_t)i, &c);
    size_t k = choose_size(f, &c);
    for (size_t i = 0; i < f->n; i++)
        ret_misses[i] = c.relative[i * (f->most + 1) + k];
    free(c.squared);
    free(c.relative);
    free(fold);
    return k;
}

/* Whether the second misses less than the first, by more than one standard error of the difference. */
static bool clearly_less(const double *second, const double *first, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double d = first[i] - second[i];
        sum += d;
        squares += d * d;
    }
    double mean = sum / (double)n;
    return n > 1 && mean > sqrt(fmax(0, squares / (double)n - mean * mean) / (double)(n - 1));
}

/* Sizes and times spread over orders of magnitude: log, unless the plain scale is clearly better on kernels
 * left out. Leaves the scale set; returns the number of terms. */
static size_t choose_scale(struct fit *f)
{
    double *log = cc_alloc_array(f->n + 1, sizeof *log), *linear = cc_alloc_array(f->n + 1, sizeof *linear);
    enum cc_transform how = f->options->transform;
    set_transform(f, how != CC_TRANSFORM_LINEAR);
    size_t k = cross_validate(f, log);
    if (how == CC_TRANSFORM_AUTO) {
        set_transform(f, false);
        size_t plain = cross_validate(f, linear);
        if (clearly_less(linear, log, f->n))
            k = plain;
        else
            set_transform(f, true);
    }
    free(log);
    free(linear);
    return k;
}

/* --- the fit itself: ridge by singular values; ridge 0 is least squares --- */

struct solved {
    size_t n, k;
    double *z;          /* n x k, standardised */
    double *u, *s, *vt; /* its singular value decomposition */
    double *uty;        /* U'(t - mean) */
    double mean_t;
    double *fitted, *leverage;
};

static void standardise(const struct fit *f, const uint32_t *terms, struct solved *q,
                        struct cc_area_model_measure *m)
{
    for (size_t j = 0; j < q->k; j++) {
        struct cc_area_model_term *term = &m->terms[j];
        double sum = 0, squares = 0;
        term->min = INFINITY;
        term->max = -INFINITY;
        for (size_t i = 0; i < q->n; i++) {
            double raw = f->k->x[f->kernel[i] * f->p + terms[j]];
            sum += f->x[i * f->p + terms[j]];
            term->min = fmin(term->min, raw);
            term->max = fmax(term->max, raw);
        }
        term->metric = f->k->metric[terms[j]];
        term->name = cc_arena_strdup(f->arena, cc_area_column_name(f->k, terms[j]));
        term->mean = sum / (double)q->n;
        for (size_t i = 0; i < q->n; i++) {
            double d = f->x[i * f->p + terms[j]] - term->mean;
            squares += d * d;
        }
        term->scale = sqrt(squares / (double)q->n);
        for (size_t i = 0; i < q->n; i++)
            q->z[i * q->k + j] = (f->x[i * f->p + terms[j]] - term->mean) / term->scale;
    }
}

static int decompose(struct solved *q, const double *t, struct cc_err *err)
{
    for (size_t i = 0; i < q->n; i++)
        q->mean_t += t[i] / (double)q->n;
    if (q->k == 0)
        return 0;
    double *copy = cc_alloc_array(q->n * q->k, sizeof *copy);
    memcpy(copy, q->z, q->n * q->k * sizeof *copy);
    lapack_int k = (lapack_int)q->k;
    lapack_int rc =
        LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'S', (lapack_int)q->n, k, copy, k, q->s, q->u, k, q->vt, k);
    free(copy);
    if (rc != 0)
        return cc_err_set(err, CC_EBUG, "the singular value decomposition did not converge");
    for (size_t j = 0; j < q->k; j++)
        for (size_t i = 0; i < q->n; i++)
            q->uty[j] += q->u[i * q->k + j] * (t[i] - q->mean_t);
    return 0;
}

static double shrink(const struct solved *q, size_t j, double ridge)
{
    return q->s[j] > 0 ? q->s[j] * q->s[j] / (q->s[j] * q->s[j] + ridge) : 0;
}

static void fit_ridge(struct solved *q, double ridge)
{
    for (size_t i = 0; i < q->n; i++) {
        q->fitted[i] = q->mean_t;
        q->leverage[i] = 1 / (double)q->n;
        for (size_t j = 0; j < q->k; j++) {
            double u = q->u[i * q->k + j], w = shrink(q, j, ridge);
            q->fitted[i] += u * w * q->uty[j];
            q->leverage[i] += u * u * w;
        }
    }
}

static double hat(const struct solved *q, size_t a, size_t b, double ridge)
{
    double h = 1 / (double)q->n;
    for (size_t j = 0; j < q->k; j++)
        h += q->u[a * q->k + j] * q->u[b * q->k + j] * shrink(q, j, ridge);
    return h;
}

/* Errors of each row when its group is left out, without refitting: (I - H_GG) e = r_G. Exact for the same
 * terms, ridge and standardisation. False if a group determines the fit. */
static bool leave_out(const struct fit *f, const struct solved *q, double ridge, double *ret)
{
    uint32_t *members = cc_alloc_array(q->n + 1, sizeof *members);
    bool ok = true;
    for (uint32_t g = 0; ok && g < f->ngroups; g++) {
        size_t size = 0;
        for (size_t i = 0; i < q->n; i++)
            if (f->group[i] == g)
                members[size++] = (uint32_t)i;
        double *a = cc_alloc_array(size * size + 1, sizeof *a), *e = cc_alloc_array(size + 1, sizeof *e);
        lapack_int *pivot = cc_alloc_array(size + 1, sizeof *pivot);
        for (size_t i = 0; i < size; i++) {
            e[i] = f->t[members[i]] - q->fitted[members[i]];
            for (size_t k = 0; k < size; k++)
                a[i * size + k] = (i == k) - hat(q, members[i], members[k], ridge);
        }
        if (size == 1)
            ok = a[0] > 1e-9;
        if (size == 1)
            e[0] = ok ? e[0] / a[0] : 0;
        else
            ok = LAPACKE_dgesv(LAPACK_ROW_MAJOR, (lapack_int)size, 1, a, (lapack_int)size, pivot, e, 1) == 0;
        for (size_t i = 0; i < size; i++)
            ret[members[i]] = e[i];
        free(a);
        free(e);
        free(pivot);
    }
    free(members);
    return ok;
}

static double choose_ridge(const struct fit *f, struct solved *q, double condition)
{
    if (condition <= condition_limit)
        return 0;
    double *e = cc_alloc_array(q->n + 1, sizeof *e), best = 0, least = INFINITY;
    double top = q->s[0] * q->s[0];
    for (int step = -17; step <= 0; step++) {
        double ridge = step == -17 ? 0 : top * pow(10, step / 2.0), sum = 0;
        fit_ridge(q, ridge);
        if (!leave_out(f, q, ridge, e))
            continue;
        for (size_t i = 0; i < q->n; i++)
            sum += e[i] * e[i];
        if (sum < least) {
            least = sum;
            best = ridge;
        }
    }
    free(e);
    return best;
}

static void coefficients(const struct solved *q, double ridge, struct cc_area_model_measure *m)
{
    size_t k = q->k;
    double variance = 1 / (double)q->n;
    m->intercept = q->mean_t;
    for (size_t a = 0; a < k; a++) {
        double beta = 0;
        for (size_t j = 0; j < k; j++)
            if (q->s[j] > 0)
                beta += q->vt[j * k + a] * shrink(q, j, ridge) / q->s[j] * q->uty[j];
        for (size_t b = 0; b < k; b++)
            for (size_t j = 0; j < k; j++)
                if (q->s[j] > 0)
                    m->cov[a * k + b] +=
                        q->vt[j * k + a] * q->vt[j * k + b] * pow(shrink(q, j, ridge) / q->s[j], 2);
        struct cc_area_model_term *t = &m->terms[a];
        t->coef = beta / t->scale;
        t->se = m->sigma * sqrt(m->cov[a * k + a]) / t->scale;
        m->intercept -= t->coef * t->mean;
    }
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            variance += m->terms[a].mean / m->terms[a].scale * m->cov[a * k + b] * m->terms[b].mean /
                        m->terms[b].scale;
    m->intercept_se = m->sigma * sqrt(variance);
}

/* --- errors --- */

/* Repeats the choice of terms without each group: what a new kernel of another kind would meet. */
static void left_out_selection(const struct fit *f, size_t k, double *ret)
{
    uint32_t *rows = cc_alloc_array(f->n + 1, sizeof *rows),
             *identity = cc_alloc_array(f->ngroups + 1, sizeof *rows);
    for (size_t g = 0; g < f->ngroups; g++)
        identity[g] = (uint32_t)g;
    for (uint32_t g = 0; g < f->ngroups; g++) {
        uint32_t terms[MOST_TERMS];
        double errors[MOST_TERMS + 1], coef[MOST_TERMS + 1] = {0};
        size_t n = rows_without(f, identity, g, rows);
        size_t len = cc_area_select_path(&f->design, rows, n, CC_MIN(k, n > 3 ? n - 3 : 0), terms, errors);
        while (!cc_area_select_fit(&f->design, rows, n, terms, len, coef) && len > 0)
            len--;
        for (size_t i = 0; i < f->n; i++)
            if (f->group[i] == g)
                ret[i] = error_at(f, i, predict(&f->design, i, terms, len, coef));
    }
    free(rows);
    free(identity);
}

struct cc_error_summary cc_area_error_summary(const struct cc_area_fit_point *points, size_t n, bool fixed,
                                              struct cc_arena *arena)
{
    struct cc_error_summary s = {0};
    double *relative = cc_alloc_array(n + 1, sizeof *relative), *size = cc_alloc_array(n + 1, sizeof *size);
    double *factor = cc_alloc_array(n + 1, sizeof *factor);
    const char *worst = "";
    for (size_t i = 0; i < n; i++) {
        double y = points[i].measured, at = fixed ? points[i].left_out_fixed : points[i].left_out;
        if (y <= 0)
            continue;
        double e = (at - y) / y;
        s.mean_abs += fabs(e);
        if (fabs(e) > fabs(s.worst) || s.n == 0) {
            s.worst = e;
            worst = points[i].kernel;
        }
        factor[s.n] = at > 0 ? fmin(1e9, fmax(at / y, y / at)) : 1e9;
        size[s.n] = fabs(e);
        relative[s.n++] = e;
    }
    if (s.n)
        s.mean_abs /= (double)s.n;
    for (size_t q = 0; q < CC_ERROR_QUANTILES; q++)
        s.q[q] = cc_area_quantile(relative, s.n, cc_error_quantiles[q]);
    s.median_abs = cc_area_quantile(size, s.n, 0.5);
    s.factor = cc_area_quantile(factor, s.n, 0.5);
    s.worst_kernel = cc_arena_strdup(arena, worst);
    free(relative);
    free(size);
    free(factor);
    return s;
}

/* How many sigma * sqrt(1 + leverage) the interval reaches: Student's factor, or what the left-out kernels
 * needed where that is more. The latter knows of the choice of terms and of tails that are not normal. */
static void interval_factors(const struct fit *f, const struct solved *q, const double *errors,
                             struct cc_area_model_measure *m)
{
    double *u = cc_alloc_array(f->n + 1, sizeof *u);
    for (size_t i = 0; i < f->n; i++) {
        double h = fmin(q->leverage[i], 1 - 1e-9);
        u[i] = fabs(errors[i]) / (m->sigma * sqrt(1 + h / (1 - h)));
    }
    cc_area_quantile(u, f->n, 0.5); /* sorts */
    for (size_t l = 0; l < CC_LEVEL_COUNT; l++) {
        double p = cc_interval_levels[l];
        size_t rank = (size_t)ceil(p * (double)(f->n + 1));
        m->factor[l] = fmax(cc_area_student_quantile(p, m->dof), u[CC_MIN(rank, f->n) - 1]);
    }
    free(u);
}

static void points(const struct fit *f, const struct solved *q, const double *left_out, const double *fixed,
                   double rss, struct cc_area_fit *ret)
{
    const struct cc_area_model_measure *m = &ret->model;
    double p = (double)q->k + 1, n = (double)f->n;
    ret->points = cc_arena_alloc(f->arena, f->n * sizeof *ret->points);
    for (size_t i = 0; i < f->n; i++) {
        if (!isnan(f->bound[i]))
            continue;
        double h = fmin(q->leverage[i], 1 - 1e-9), r = f->t[i] - q->fitted[i];
        double others = m->dof > 1 ? fmax(0, rss - r * r / (1 - h)) / (m->dof - 1) : 0;
        struct cc_area_fit_point *pt = &ret->points[ret->npoints++];
        *pt = (struct cc_area_fit_point){.kernel = cc_arena_strdup(f->arena, f->k->names[f->kernel[i]]),
                                         .measured = f->y[i],
                                         .fitted = back(f, q->fitted[i]),
                                         .left_out = back(f, f->t[i] - left_out[i]),
                                         .left_out_fixed = back(f, f->t[i] - fixed[i]),
                                         .leverage = h,
                                         .studentised = others > 0 ? r / sqrt(others * (1 - h)) : 0,
                                         .cook = r * r * h / (p * m->sigma * m->sigma * (1 - h) * (1 - h))};
        pt->flagged = fabs(pt->studentised) > 3 || pt->cook > 1 || h > 3 * p / n;
    }
}

/* --- putting it together --- */

static void solved_alloc(struct solved *q, size_t n, size_t k)
{
    *q = (struct solved){.n = n, .k = k};
    q->z = cc_alloc_array(n * k + 1, sizeof *q->z);
    q->u = cc_alloc_array(n * k + 1, sizeof *q->u);
    q->s = cc_alloc_array(k + 1, sizeof *q->s);
    q->vt = cc_alloc_array(k * k + 1, sizeof *q->vt);
    q->uty = cc_alloc_array(k + 1, sizeof *q->uty);
    q->fitted = cc_alloc_array(n + 1, sizeof *q->fitted);
    q->leverage = cc_alloc_array(n + 1, sizeof *q->leverage);
}

static void solved_fini(struct solved *q)
{
    free(q->z);
    free(q->u);
    free(q->s);
    free(q->vt);
    free(q->uty);
    free(q->fitted);
    free(q->leverage);
}

static void judge(const struct fit *f, struct solved *q, size_t size, struct cc_area_fit *ret)
{
    struct cc_area_model_measure *m = &ret->model;
    double rss = 0, effective = 1, mean = 0, tss = 0, seen = 0, press = 0; /* tss, seen: of measured rows */
    double *errors = cc_alloc_array(f->n + 1, sizeof *errors),
           *fixed = cc_alloc_array(f->n + 1, sizeof *fixed);
    fit_ridge(q, m->ridge);
    for (size_t j = 0; j < q->k; j++)
        effective += shrink(q, j, m->ridge);
    for (size_t i = 0; i < f->n; i++)
        mean += isnan(f->bound[i]) ? f->t[i] / (double)f->measured : 0;
    for (size_t i = 0; i < f->n; i++) {
        double e = f->t[i] - q->fitted[i], d = f->t[i] - mean;
        rss += e * e;
        seen += isnan(f->bound[i]) ? e * e : 0;
        tss += isnan(f->bound[i]) ? d * d : 0;
        m->leverage_max = fmax(m->leverage_max, q->leverage[i]);
    }
    m->dof = fmax(1, (double)f->n - effective);
    m->sigma = fmax(sqrt((rss + f->hidden) / m->dof), 1e-12 * (1 + fabs(q->mean_t)));
    m->r2 = 1 - seen / tss;
    coefficients(q, m->ridge, m);
    leave_out(f, q, m->ridge, fixed);
    left_out_selection(f, size, errors);
    for (size_t i = 0; i < f->n; i++)
        press += isnan(f->bound[i]) ? errors[i] * errors[i] : 0;
    m->r2_left_out = 1 - press / tss;
    interval_factors(f, q, errors, m);
    points(f, q, errors, fixed, rss, ret);
    m->fixed = cc_area_error_summary(ret->points, ret->npoints, true, f->arena);
    m->left_out = cc_area_error_summary(ret->points, ret->npoints, false, f->arena);
    free(errors);
    free(fixed);
}

static int fit_terms(struct fit *f, size_t size, struct cc_area_fit *ret, struct cc_err *err)
{
    uint32_t terms[MOST_TERMS];
    double errors[MOST_TERMS + 1];
    struct cc_area_model_measure *m = &ret->model;
    size_t k = cc_area_select_path(&f->design, f->rows, f->n, size, terms, errors);
    *m = (struct cc_area_model_measure){.name = cc_arena_strdup(f->arena, f->measure->name),
                                        .unit = cc_arena_strdup(f->arena, f->measure->unit),
                                        .log = f->log,
                                        .plus1 = f->log && f->measure->keeps_zeros,
                                        .kernels = f->measured,
                                        .groups = f->ngroups,
                                        .nterms = k};
    m->terms = cc_arena_alloc(f->arena, (k + 1) * sizeof *m->terms);
    m->cov = cc_arena_alloc(f->arena, (k * k + 1) * sizeof *m->cov);
    struct solved q;
    solved_alloc(&q, f->n, k);
    standardise(f, terms, &q, m);
    int rc = decompose(&q, f->t, err);
    if (rc == 0) {
        m->condition = k && q.s[k - 1] > 0 ? q.s[0] / q.s[k - 1] : 1;
        m->ridge = k ? choose_ridge(f, &q, m->condition) : 0;
        judge(f, &q, size, ret);
    }
    solved_fini(&q);
    return rc;
}

static int fit_linear(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                      const struct cc_area_fit_options *options, struct cc_arena *arena,
                      struct cc_area_fit *ret, struct cc_err *err)
{
    struct fit f = {.k = k, .measure = y, .options = options, .arena = arena};
    take_rows(&f);
    memset(ret, 0, sizeof *ret);
    ret->dropped = k->n - f.n;
    int rc = check_rows(&f, err);
    if (rc == 0) {
        size_t limit =
            options->max_terms ? options->max_terms : CC_MIN(f.n / KERNELS_PER_TERM, (size_t)USUAL_TERMS);
        f.most = CC_MIN(CC_MIN(limit, (size_t)MOST_TERMS), CC_MIN(f.p, f.n - 3));
        size_t size = choose_scale(&f);
        rc = fit_terms(&f, size, ret, err);
    }
    free(f.kernel);
    free(f.group);
    free(f.rows);
    free(f.y);
    free(f.bound);
    free(f.x);
    free(f.t);
    return rc;
}

/* Symmetric, so that it judges both scales: |estimate - measured| / (estimate + measured) of a left-out
 * kernel; with 1 added to both where zeros are values, or nearly none would be as wrong as can be. */
static double misses(const struct cc_area_fit_point *p, bool zeros)
{
    double sum = p->left_out + p->measured + 2 * zeros;
    return sum > 0 ? fabs(p->left_out - p->measured) / sum : 0;
}

/* Whether the other clearly misses less. */
static bool better(const struct cc_area_fit *other, const struct cc_area_fit *first, bool zeros)
{
    size_t n = 0;
    double *a = cc_alloc_array(other->npoints + 1, sizeof *a);
    double *b = cc_alloc_array(other->npoints + 1, sizeof *b);
    for (size_t i = 0, k = 0; i < other->npoints; i++) {
        while (k < first->npoints && strcmp(first->points[k].kernel, other->points[i].kernel) != 0)
            k++;
        if (k == first->npoints)
            break;
        a[n] = misses(&other->points[i], zeros);
        b[n++] = misses(&first->points[k], zeros);
    }
    bool yes = clearly_less(a, b, n);
    free(a);
    free(b);
    return yes;
}

int cc_area_fit_measure(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                        const struct cc_area_fit_options *options, struct cc_arena *arena,
                        struct cc_area_fit *ret, struct cc_err *err)
{
    if (options->family == CC_FAMILY_FOREST)
        return cc_area_fit_forest(k, y, NULL, arena, ret, err);
    if (options->family == CC_FAMILY_PENALISED)
        return cc_area_fit_penalised(k, y, arena, ret, err);
    int rc = fit_linear(k, y, options, arena, ret, err);
    if (rc < 0 || options->family == CC_FAMILY_LINEAR || options->transform == CC_TRANSFORM_LINEAR)
        return rc;
    struct cc_area_fit other;
    struct cc_err few = {0};
    if (cc_area_fit_penalised(k, y, arena, &other, &few) == 0 && better(&other, ret, y->keeps_zeros))
        *ret = other;
    if (cc_area_fit_forest(k, y, NULL, arena, &other, &few) == 0 && better(&other, ret, y->keeps_zeros))
        *ret = other;
    return 0;
}

/* --- use --- */

static double factor_at(const struct cc_area_model_measure *m, double confidence)
{
    size_t i = 0;
    while (i + 2 < CC_LEVEL_COUNT && cc_interval_levels[i + 1] < confidence)
        i++;
    double share = (confidence - cc_interval_levels[i]) / (cc_interval_levels[i + 1] - cc_interval_levels[i]);
    return m->factor[i] + share * (m->factor[i + 1] - m->factor[i]);
}

static struct cc_area_prediction forest_estimate(const struct cc_area_model_measure *m, const double *metrics,
                                                 double confidence)
{
    struct cc_area_forest_mean at = cc_area_forest_at(m->forest, metrics);
    double half = factor_at(m, confidence) * (m->sigma + at.spread);
    struct cc_area_prediction e = {.value = from_scale(true, m->plus1, at.value),
                                   .low = from_scale(true, m->plus1, at.value - half),
                                   .high = from_scale(true, m->plus1, at.value + half),
                                   .zero = m->plus1 ? at.zeros : NAN};
    for (size_t j = 0; j < m->nterms && !e.outside; j++) {
        const struct cc_area_model_term *t = &m->terms[j];
        e.outside = metrics[t->metric] < t->min || metrics[t->metric] > t->max;
        e.outside_metric = e.outside ? t->name : NULL;
    }
    return e;
}

struct cc_area_prediction cc_area_model_estimate(const struct cc_area_model_measure *m,
                                                 const double metrics[CC_VALUE_COUNT], double confidence)
{
    if (m->forest)
        return forest_estimate(m, metrics, confidence);
    struct cc_area_prediction e = {.leverage = 1 / (double)m->kernels, .zero = NAN};
    double t = m->intercept;
    for (size_t a = 0; a < m->nterms; a++) {
        const struct cc_area_model_term *term = &m->terms[a];
        double raw = metrics[term->metric], za = (metric_scale(m->log, raw) - term->mean) / term->scale;
        t += term->coef * metric_scale(m->log, raw);
        if ((raw < term->min || raw > term->max) && !e.outside_metric)
            e.outside_metric = term->name;
        for (size_t b = 0; b < m->nterms; b++) {
            const struct cc_area_model_term *other = &m->terms[b];
            double zb = (metric_scale(m->log, metrics[other->metric]) - other->mean) / other->scale;
            e.leverage += za * m->cov[a * m->nterms + b] * zb;
        }
    }
    double half = factor_at(m, confidence) * m->sigma * sqrt(1 + e.leverage);
    e.value = from_scale(m->log, m->plus1, t);
    e.low = from_scale(m->log, m->plus1, t - half);
    e.high = from_scale(m->log, m->plus1, t + half);
    e.outside = e.outside_metric || e.leverage > m->leverage_max;
    return e;
}
