#include "select.h"

#include <lapacke.h>
#include <math.h>

/* A column of which less than this share is not already said by the chosen ones (a variance inflation above
 * 2500) adds nothing but coefficients that cancel each other. */
static const double collinear = 0.02;
static const double constant = 1e-9;  /* the same, for what varies about the mean */
static const double saturated = 1e-9; /* 1 - leverage below it: the group is fitted by itself alone */

struct path {
    size_t n, p;
    double *c;    /* p candidate columns of n, orthogonal to what was chosen; NULL-ed by `dead` */
    double *norm; /* of the columns, about their means */
    bool *dead;
    double *y, *r;   /* what is to be explained; residual */
    uint32_t *order; /* rows sorted by group */
    uint32_t *start; /* first of each group in order, and n */
    size_t ngroups;
    double **m; /* (I - H_GG)^-1 of each group, row by row */
    double *work;
};

static double dot(const double *a, const double *b, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Columns are stored in the order of the groups, so that a group is a contiguous piece of each. */
static void sort_rows(struct path *s, const struct cc_area_design *d, const uint32_t *rows)
{
    uint64_t *keys = cc_alloc_array(s->n + 1, sizeof *keys);
    for (size_t i = 0; i < s->n; i++)
        keys[i] = (uint64_t)d->group[rows[i]] << 32 | rows[i];
    qsort(keys, s->n, sizeof *keys, by_key);
    s->order = cc_alloc_array(s->n + 1, sizeof *s->order);
    s->start = cc_alloc_array(s->n + 1, sizeof *s->start);
    for (size_t i = 0; i < s->n; i++) {
        s->order[i] = (uint32_t)keys[i];
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32)
            s->start[s->ngroups++] = (uint32_t)i;
    }
    s->start[s->ngroups] = (uint32_t)s->n;
    free(keys);
}

/* a = M q for one group. */
static void apply(const struct path *s, size_t g, const double *q, double *a)
{
    size_t size = s->start[g + 1] - s->start[g];
    for (size_t i = 0; i < size; i++)
        a[i] = dot(s->m[g] + i * size, q, size);
}

/* Squared left-out error with the unit column q added; infinite when a group would have to fit itself. */
static double error_with(const struct path *s, const double *q)
{
    double along = dot(q, s->r, s->n), sum = 0;
    double *a = s->work, *e = s->work + s->n;
    for (size_t g = 0; g < s->ngroups; g++) {
        size_t at = s->start[g], size = s->start[g + 1] - at;
        double *rest = s->work + 2 * s->n;
        for (size_t i = 0; i < size; i++)
            rest[i] = s->r[at + i] - q[at + i] * along;
        apply(s, g, q + at, a);
        double left = 1 - dot(q + at, a, size);
        if (left < saturated)
            return INFINITY;
        apply(s, g, rest, e);
        double back = dot(a, rest, size) / left;
        for (size_t i = 0; i < size; i++)
            sum += (e[i] + a[i] * back) * (e[i] + a[i] * back);
    }
    return sum;
}

static double current_error(const struct path *s)
{
    double sum = 0;
    for (size_t g = 0; g < s->ngroups; g++) {
        size_t at = s->start[g], size = s->start[g + 1] - at;
        apply(s, g, s->r + at, s->work);
        sum += dot(s->work, s->work, size);
    }
    return sum;
}

/* q joins the model: residual, group inverses (Sherman and Morrison) and the other candidates follow; those
 * of which less than `least` is left are dead. */
static void adopt(struct path *s, const double *q, double least)
{
    double along = dot(q, s->r, s->n);
    for (size_t i = 0; i < s->n; i++)
        s->r[i] -= q[i] * along;
    for (size_t g = 0; g < s->ngroups; g++) {
        size_t at = s->start[g], size = s->start[g + 1] - at;
        double *a = s->work;
        apply(s, g, q + at, a);
        double left = 1 - dot(q + at, a, size);
        for (size_t i = 0; i < size; i++)
            for (size_t k = 0; k < size; k++)
                s->m[g][i * size + k] += a[i] * a[k] / left;
    }
    for (size_t j = 0; j < s->p; j++) {
        double *c = s->c + j * s->n;
        if (s->dead[j] || c == q)
            continue;
        for (int twice = 0; twice < 2; twice++) { /* the second pass removes what rounding left */
            double part = dot(q, c, s->n);
            for (size_t i = 0; i < s->n; i++)
                c[i] -= q[i] * part;
        }
        s->dead[j] = sqrt(dot(c, c, s->n)) <= least * s->norm[j];
    }
}

static void load_columns(struct path *s, const struct cc_area_design *d)
{
    s->c = cc_alloc_array(s->n * s->p + 1, sizeof *s->c);
    s->r = cc_alloc_array(s->n + 1, sizeof *s->r);
    s->y = cc_alloc_array(s->n + 1, sizeof *s->y);
    s->norm = cc_alloc_array(s->p + 1, sizeof *s->norm);
    s->dead = cc_alloc_array(s->p + 1, sizeof *s->dead);
    s->work = cc_alloc_array(3 * s->n + 3, sizeof *s->work);
    for (size_t i = 0; i < s->n; i++) {
        s->r[i] = s->y[i] = d->y[s->order[i]];
        for (size_t j = 0; j < s->p; j++)
            s->c[j * s->n + i] = d->x[s->order[i] * d->p + j];
    }
    for (size_t j = 0; j < s->p; j++) {
        s->norm[j] = sqrt(dot(s->c + j * s->n, s->c + j * s->n, s->n));
        s->dead[j] = s->norm[j] == 0;
    }
    s->m = cc_alloc_array(s->ngroups + 1, sizeof *s->m);
    for (size_t g = 0; g < s->ngroups; g++) {
        size_t size = s->start[g + 1] - s->start[g];
        s->m[g] = cc_alloc_array(size * size, sizeof(double));
        for (size_t i = 0; i < size; i++)
            s->m[g][i * size + i] = 1;
    }
}

static void path_fini(struct path *s)
{
    for (size_t g = 0; g < s->ngroups; g++)
        free(s->m[g]);
    free(s->m);
    free(s->c);
    free(s->r);
    free(s->y);
    free(s->norm);
    free(s->dead);
    free(s->work);
    free(s->order);
    free(s->start);
}

static void adopt_intercept(struct path *s)
{
    double *ones = cc_alloc_array(s->n + 1, sizeof *ones);
    for (size_t i = 0; i < s->n; i++)
        ones[i] = 1 / sqrt((double)s->n);
    adopt(s, ones, constant);
    for (size_t j = 0; j < s->p; j++) /* from here on, what varies about the mean */
        s->norm[j] = sqrt(dot(s->c + j * s->n, s->c + j * s->n, s->n));
    free(ones);
}

/* --- backward: the order in which the chosen columns matter --- */

/* Squared left-out error without the direction q that only one column brings. */
static double error_without(const struct path *s, const double *q)
{
    double along = dot(q, s->y, s->n), sum = 0;
    double *a = s->work, *e = s->work + s->n, *rest = s->work + 2 * s->n;
    for (size_t g = 0; g < s->ngroups; g++) {
        size_t at = s->start[g], size = s->start[g + 1] - at;
        for (size_t i = 0; i < size; i++)
            rest[i] = s->r[at + i] + q[at + i] * along;
        apply(s, g, q + at, a);
        apply(s, g, rest, e);
        double back = dot(a, rest, size) / (1 + dot(q + at, a, size));
        for (size_t i = 0; i < size; i++)
            sum += (e[i] - a[i] * back) * (e[i] - a[i] * back);
    }
    return sum;
}

static void give_up(struct path *s, const double *q)
{
    double along = dot(q, s->y, s->n);
    for (size_t i = 0; i < s->n; i++)
        s->r[i] += q[i] * along;
    for (size_t g = 0; g < s->ngroups; g++) {
        size_t at = s->start[g], size = s->start[g + 1] - at;
        double *a = s->work;
        apply(s, g, q + at, a);
        double more = 1 + dot(q + at, a, size);
        for (size_t i = 0; i < size; i++)
            for (size_t k = 0; k < size; k++)
                s->m[g][i * size + k] -= a[i] * a[k] / more;
    }
}

/* For each of the k columns the unit vector orthogonal to the intercept and all the others: the columns of
 * Q R^-T, normalised. q: n x k, column by column. False if the columns are dependent. */
static bool own_directions(const struct path *s, const struct cc_area_design *d, const uint32_t *terms,
                           size_t k, double *q)
{
    lapack_int n = (lapack_int)s->n, cols = (lapack_int)k + 1;
    double *a = cc_alloc_array(s->n * (k + 1), sizeof *a), *tau = cc_alloc_array(k + 1, sizeof *tau);
    double *r = cc_alloc_array((k + 1) * (k + 1), sizeof *r);
    for (size_t i = 0; i < s->n; i++) {
        a[i] = 1;
        for (size_t j = 0; j < k; j++)
            a[(j + 1) * s->n + i] = d->x[s->order[i] * d->p + terms[j]] / s->norm[terms[j]];
    }
    bool ok = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, cols, a, n, tau) == 0;
    for (size_t j = 0; j <= k; j++)
        for (size_t i = 0; i <= j; i++)
            r[j * (k + 1) + i] = a[j * s->n + i];
    ok = ok && LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', cols, r, cols) == 0 &&
         LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, cols, cols, a, n, tau) == 0;
    for (size_t j = 1; ok && j <= k; j++) {
        double *out = q + (j - 1) * s->n, norm;
        memset(out, 0, s->n * sizeof *out);
        for (size_t c = j; c <= k; c++) /* row j of R^-1 */
            for (size_t i = 0; i < s->n; i++)
                out[i] += a[c * s->n + i] * r[c * (k + 1) + j];
        norm = sqrt(dot(out, out, s->n));
        for (size_t i = 0; i < s->n; i++)
            out[i] /= norm;
        ok = isfinite(norm) && norm > 0;
    }
    free(a);
    free(tau);
    free(r);
    return ok;
}

/* Takes the columns away one by one, each time the one whose loss costs least, and puts them into the
 * opposite order: a column that only stood in for a better one that came later goes to the end. */
static void prune(struct path *s, const struct cc_area_design *d, size_t k, uint32_t *terms, double *errors)
{
    double *q = cc_alloc_array(s->n * k + 1, sizeof *q);
    for (; k > 0 && own_directions(s, d, terms, k, q); k--) {
        size_t least = 0;
        double error = INFINITY;
        for (size_t j = 0; j < k; j++) {
            double e = error_without(s, q + j * s->n);
            if (e < error) {
                error = e;
                least = j;
            }
        }
        give_up(s, q + least * s->n);
        uint32_t gone = terms[least];
        memmove(terms + least, terms + least + 1, (k - 1 - least) * sizeof *terms);
        terms[k - 1] = gone;
        errors[k - 1] = error;
    }
    free(q);
}

size_t cc_area_select_path(const struct cc_area_design *d, const uint32_t *rows, size_t nrows, size_t most,
                           uint32_t *ret_terms, double *ret_errors)
{
    struct path s = {.n = nrows, .p = d->p};
    sort_rows(&s, d, rows);
    load_columns(&s, d);
    adopt_intercept(&s);
    ret_errors[0] = current_error(&s);
    size_t k = 0;
    double *unit = cc_alloc_array(s.n + 1, sizeof *unit);
    while (k < most) {
        size_t best = SIZE_MAX;
        double least = INFINITY;
        for (size_t j = 0; j < s.p; j++) {
            if (s.dead[j])
                continue;
            const double *c = s.c + j * s.n;
            double norm = sqrt(dot(c, c, s.n));
            for (size_t i = 0; i < s.n; i++)
                unit[i] = c[i] / norm;
            double e = error_with(&s, unit);
            if (e < least) {
                least = e;
                best = j;
            }
        }
        if (best == SIZE_MAX)
            break;
        double *c = s.c + best * s.n, norm = sqrt(dot(c, c, s.n));
        for (size_t i = 0; i < s.n; i++)
            unit[i] = c[i] / norm;
        s.dead[best] = true;
        adopt(&s, unit, collinear);
        ret_terms[k++] = (uint32_t)best;
        ret_errors[k] = least;
    }
    free(unit);
    prune(&s, d, k, ret_terms, ret_errors);
    path_fini(&s);
    return k;
}

bool cc_area_select_fit(const struct cc_area_design *d, const uint32_t *rows, size_t nrows,
                        const uint32_t *terms, size_t k, double *ret_coef)
{
    size_t cols = k + 1;
    if (nrows < cols)
        return false;
    double *a = cc_alloc_array(nrows * cols, sizeof *a), *b = cc_alloc_array(nrows, sizeof *b);
    double *scale = cc_alloc_array(cols, sizeof *scale);
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < nrows; i++)
            scale[j + 1] = fmax(scale[j + 1], fabs(d->x[rows[i] * d->p + terms[j]]));
    for (size_t i = 0; i < nrows; i++) {
        a[i * cols] = 1;
        b[i] = d->y[rows[i]];
        for (size_t j = 0; j < k; j++)
            a[i * cols + j + 1] = scale[j + 1] > 0 ? d->x[rows[i] * d->p + terms[j]] / scale[j + 1] : 0;
    }
    lapack_int rank = 0, *pivot = cc_alloc_array(cols, sizeof *pivot);
    lapack_int rc = LAPACKE_dgelsy(LAPACK_ROW_MAJOR, (lapack_int)nrows, (lapack_int)cols, 1, a,
                                   (lapack_int)cols, b, 1, pivot, 1e-12, &rank);
    for (size_t j = 0; j < cols; j++)
        ret_coef[j] = j && scale[j] > 0 ? b[j] / scale[j] : b[j];
    free(a);
    free(b);
    free(scale);
    free(pivot);
    return rc == 0 && rank == (lapack_int)cols;
}
