/* Forests of randomised trees as models of a measure: errors from kernels left out, intervals by conformal
 * calibration. */
#include "fit_forest.h"
#include "forest.h"
#include "stats.h"
#include "../../base/parallel.h"

#include <math.h>

enum {
    LEAST_TREES = 60,
    MOST_TREES = 200,
    LEAST = 3,
    LEAST_ZEROS = 2,
    PARTS = 10,
    MIN_KERNELS = 40,
    MIN_GROUPS = 10
};

struct fit {
    const struct cc_area_kernels *k;
    const struct cc_area_kernel_measure *measure;
    const struct cc_area_forest_choice *choice;
    struct cc_arena *arena;
    size_t n, ngroups;
    uint32_t *kernel, *group; /* row -> kernel, group */
    double *x, *t;            /* metrics, a column each; the measure in the model's scale */
    double *rows;             /* the same metrics, a row a kernel */
    double *bound;            /* of a censored row, in the same scale; NaN: measured */
    bool *zero, *rises;
    bool *offered;  /* columns the trees may split on */
    uint32_t *part; /* row -> the part it is left out with */
    struct cc_area_forest_mean *left_out;
    struct cc_area_forest_data data;
    struct cc_area_forest_options how;
};

static double to_scale(const struct fit *f, double y)
{
    return f->measure->keeps_zeros ? log1p(y) : log(y);
}

static double back(const struct fit *f, double t)
{
    t = f->measure->keeps_zeros ? expm1(fmin(t, 700)) : exp(fmin(t, 700));
    return fmax(0, t);
}

static bool never_falls(enum cc_metric m)
{
    return (m >= CC_M_add_8 && m <= CC_M_compare_float) || (m >= CC_M_fadd_32 && m <= CC_M_math_64) ||
           (m >= CC_M_loads && m <= CC_M_memories) || m == CC_M_array_bits || m == CC_M_local_arrays ||
           cc_metric_parts(m, &(size_t){0});
}

/* Sizes and times: what a metric of that kind can only add to. */
static bool is_amount(const char *measure)
{
    static const char *const not [] = {"fmax", "frequency", "period", "clock", "delay", "slack"};
    for (size_t i = 0; i < CC_COUNT(not ); i++)
        if (strstr(measure, not [i]))
            return false;
    return true;
}

bool cc_area_rises(enum cc_metric metric, const char *measure)
{
    return is_amount(measure) && never_falls(metric);
}

/* Trees tell none from some by a threshold: indicators of that are for lines, and in the way of better splits
 * (R2 of LUTs 0.775 without them, 0.771 with). What units take of DSP blocks is the physics of that measure;
 * to a forest of another it is a coarse copy of the operations, and in the way of them. */
bool cc_area_concerns(enum cc_metric metric, const char *measure)
{
    if (cc_metric_is_presence(metric))
        return false;
    return !cc_metric_of_blocks(metric) || strcasestr(measure, "dsp") || strcasestr(measure, "multiplier");
}

struct cc_area_forest_choice cc_area_forest_usual(const struct cc_area_kernel_measure *y)
{
    /* measures with zeros are small counts that repeat: leaves may be purer */
    return (struct cc_area_forest_choice){.least = y->keeps_zeros ? LEAST_ZEROS : LEAST};
}

static bool offers(const struct cc_area_forest_choice *c, enum cc_metric metric, const char *measure)
{
    if (c->columns == CC_COLUMNS_ALL)
        return true;
    return cc_area_concerns(metric, measure) &&
           (c->columns == CC_COLUMNS_USUAL || !cc_metric_of_blocks(metric));
}

static void add_row(struct fit *f, size_t kernel, uint32_t group)
{
    size_t row = f->n++, p = f->k->nmetrics;
    double y = f->measure->v[kernel], most = f->measure->below ? f->measure->below[kernel] : NAN;
    f->kernel[row] = (uint32_t)kernel;
    f->group[row] = group;
    f->t[row] = isnan(y) ? NAN : to_scale(f, y);
    f->bound[row] = isnan(y) ? to_scale(f, most) : NAN;
    f->zero[row] = y == 0;
    memcpy(f->rows + row * p, f->k->x + kernel * p, p * sizeof *f->rows);
}

static void take_rows(struct fit *f)
{
    size_t n = f->k->n, p = f->k->nmetrics;
    uint32_t *groups = cc_alloc_array(f->k->ngroups + 1, sizeof *groups);
    f->kernel = cc_alloc_array(n + 1, sizeof *f->kernel);
    f->group = cc_alloc_array(n + 1, sizeof *f->group);
    f->part = cc_alloc_array(n + 1, sizeof *f->part);
    f->t = cc_alloc_array(n + 1, sizeof *f->t);
    f->bound = cc_alloc_array(n + 1, sizeof *f->bound);
    f->zero = cc_alloc_array(n + 1, sizeof *f->zero);
    f->left_out = cc_alloc_array(n + 1, sizeof *f->left_out);
    f->rows = cc_alloc_array(n * p + 1, sizeof *f->rows);
    f->x = cc_alloc_array(n * p + 1, sizeof *f->x);
    f->rises = cc_alloc_array(p + 1, sizeof *f->rises);
    f->offered = cc_alloc_array(p + 1, sizeof *f->offered);
    for (size_t i = 0; i < n; i++) {
        bool censored = f->measure->below && !isnan(f->measure->below[i]);
        if (isnan(f->measure->v[i]) && !censored)
            continue;
        uint32_t *g = &groups[f->k->group[i]];
        if (!*g)
            *g = (uint32_t)++f->ngroups;
        add_row(f, i, *g - 1);
    }
    free(groups);
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < p; j++)
            f->x[j * f->n + i] = f->rows[i * p + j];
    for (size_t j = 0; j < p; j++) {
        f->rises[j] = !f->choice->any_sign && cc_area_rises(f->k->metric[j], f->measure->name);
        f->offered[j] = offers(f->choice, f->k->metric[j], f->measure->name);
    }
    f->data = (struct cc_area_forest_data){f->n, p, f->x, f->t, f->zero, f->rises, f->offered};
    size_t trees = CC_MIN(CC_MAX(f->n / 4, (size_t)LEAST_TREES), (size_t)MOST_TREES);
    f->how =
        (struct cc_area_forest_options){f->choice->trees ? f->choice->trees : trees, f->choice->least, 1};
}

static void fini(struct fit *f)
{
    free(f->kernel);
    free(f->group);
    free(f->part);
    free(f->t);
    free(f->bound);
    free(f->zero);
    free(f->left_out);
    free(f->x);
    free(f->rows);
    free(f->rises);
    free(f->offered);
}

static int check_rows(const struct fit *f, struct cc_err *err)
{
    size_t measured = 0;
    for (size_t i = 0; i < f->n; i++)
        measured += isnan(f->bound[i]);
    if (measured < MIN_KERNELS || f->ngroups < MIN_GROUPS)
        return cc_err_set(err, CC_EINPUT,
                          "measure '%s': %zu usable kernels in %zu groups, a forest needs %d in %d",
                          f->measure->name, measured, f->ngroups, MIN_KERNELS, MIN_GROUPS);
    return 0;
}

/* --- growing --- */

/* Rows of other parts; part PARTS: all. Censored ones take part once they have been given a value. */
static size_t rows_without(const struct fit *f, uint32_t part, uint32_t *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (f->part[i] != part && !isnan(f->t[i]))
            rows[n++] = (uint32_t)i;
    return n;
}

static void leave_out_part(struct cc_parallel *p, void *arg)
{
    struct fit *f = arg;
    uint32_t *rows = cc_alloc_array(f->n + 1, sizeof *rows);
    size_t part;
    while (cc_parallel_next(p, &part)) {
        struct cc_arena arena = {0};
        struct cc_area_forest forest;
        size_t n = rows_without(f, (uint32_t)part, rows);
        cc_area_forest_grow(&f->data, rows, n, &f->how, &arena, &forest);
        for (size_t i = 0; i < f->n; i++)
            if (f->part[i] == part)
                f->left_out[i] = cc_area_forest_at(&forest, f->rows + i * f->data.p);
        cc_arena_fini(&arena);
    }
    free(rows);
}

static void leave_out(struct fit *f)
{
    uint32_t *parts = cc_alloc_array(f->ngroups + 1, sizeof *parts);
    cc_area_parts(f->ngroups, PARTS, parts);
    for (size_t i = 0; i < f->n; i++)
        f->part[i] = parts[f->group[i]];
    free(parts);
    cc_parallel_run(PARTS, 0, leave_out_part, f);
}

/* "<5": what kernels like it have, but no more than the bound. False if there is none. */
static bool fill_censored(struct fit *f)
{
    bool some = false;
    for (size_t i = 0; i < f->n; i++) {
        if (isnan(f->bound[i]))
            continue;
        f->t[i] = fmin(f->left_out[i].value, f->bound[i]);
        some = true;
    }
    return some;
}

/* --- judging --- */

/* An estimate for a censored kernel is wrong by what it is above the bound. */
static double error_of(const struct fit *f, size_t i)
{
    double at = f->left_out[i].value;
    if (isnan(f->bound[i]))
        return f->t[i] - at;
    return fmin(0, f->bound[i] - at);
}

/* The rank makes the share of new kernels inside at least the level, whatever the errors look like, as far as
 * they come from where the table's do. */
static void conformal_factors(const struct fit *f, struct cc_area_model_measure *m)
{
    double *u = cc_alloc_array(f->n + 1, sizeof *u), sum = 0;
    for (size_t i = 0; i < f->n; i++)
        sum += f->left_out[i].spread;
    m->sigma = fmax(0.5 * sum / (double)f->n, 1e-9); /* half the mean: trees that agree are not certain */
    for (size_t i = 0; i < f->n; i++)
        u[i] = fabs(error_of(f, i)) / (m->sigma + f->left_out[i].spread);
    cc_area_quantile(u, f->n, 0.5); /* sorts */
    for (size_t l = 0; l < CC_LEVEL_COUNT; l++) {
        size_t rank = (size_t)ceil(cc_interval_levels[l] * (double)(f->n + 1));
        m->factor[l] = u[CC_MIN(rank, f->n) - 1];
    }
    free(u);
}

static void put_points(const struct fit *f, struct cc_area_fit *ret)
{
    struct cc_area_model_measure *m = &ret->model;
    double mean = 0, press = 0, rss = 0, tss = 0, n = 0;
    ret->points = cc_arena_alloc(f->arena, (f->n + 1) * sizeof *ret->points);
    for (size_t i = 0; i < f->n; i++) {
        mean += isnan(f->bound[i]) ? f->t[i] : 0;
        n += isnan(f->bound[i]);
    }
    mean /= n;
    for (size_t i = 0; i < f->n; i++) {
        if (!isnan(f->bound[i]))
            continue;
        double fitted = cc_area_forest_at(m->forest, f->rows + i * f->data.p).value;
        double left = f->left_out[i].value, t = f->t[i];
        press += (t - left) * (t - left);
        rss += (t - fitted) * (t - fitted);
        tss += (t - mean) * (t - mean);
        ret->points[ret->npoints++] = (struct cc_area_fit_point){
            .kernel = cc_arena_strdup(f->arena, f->k->names[f->kernel[i]]),
            .measured = f->measure->v[f->kernel[i]],
            .fitted = back(f, fitted),
            .left_out = back(f, left),
            .left_out_fixed = back(f, left),
        };
    }
    m->kernels = ret->npoints;
    m->r2 = 1 - rss / tss;
    m->r2_left_out = 1 - press / tss;
}

/* --- what is kept --- */

struct used {
    double splits, min, max;
};

static int more_used(const void *a, const void *b)
{
    const struct cc_area_model_term *x = a, *y = b;
    if (x->coef != y->coef)
        return x->coef < y->coef ? 1 : -1;
    return (x->metric > y->metric) - (x->metric < y->metric);
}

/* The metrics that split, with the share of kernels that pass them, and their range in the table. Splits name
 * the metric from here on, not the column. */
static void keep_terms(const struct fit *f, struct cc_area_model_measure *m)
{
    struct used *used = cc_alloc_array(f->data.p + 1, sizeof *used);
    double splits = 0;
    for (size_t i = 0; i < m->forest->nnodes; i++) {
        struct cc_area_node *node = &m->forest->nodes[i];
        if (node->feature < 0)
            continue;
        used[node->feature].splits++;
        splits++;
        node->feature = (int32_t)f->k->metric[node->feature];
    }
    m->terms = cc_arena_alloc(f->arena, (f->data.p + 1) * sizeof *m->terms);
    for (size_t j = 0; j < f->data.p; j++) {
        if (used[j].splits == 0)
            continue;
        struct cc_area_model_term *t = &m->terms[m->nterms++];
        *t = (struct cc_area_model_term){.metric = f->k->metric[j], .coef = used[j].splits / splits};
        t->name = cc_arena_strdup(f->arena, cc_area_column_name(f->k, j));
        t->min = INFINITY;
        t->max = -INFINITY;
        for (size_t i = 0; i < f->n; i++) {
            t->min = fmin(t->min, f->rows[i * f->data.p + j]);
            t->max = fmax(t->max, f->rows[i * f->data.p + j]);
        }
    }
    qsort(m->terms, m->nterms, sizeof *m->terms, more_used);
    free(used);
}

int cc_area_fit_forest(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                       const struct cc_area_forest_choice *choice, struct cc_arena *arena,
                       struct cc_area_fit *ret, struct cc_err *err)
{
    struct cc_area_forest_choice usual = cc_area_forest_usual(y);
    struct fit f = {.k = k, .measure = y, .choice = choice ? choice : &usual, .arena = arena};
    memset(ret, 0, sizeof *ret);
    take_rows(&f);
    ret->dropped = k->n - f.n;
    int rc = check_rows(&f, err);
    if (rc == 0) {
        struct cc_area_model_measure *m = &ret->model;
        leave_out(&f);
        if (fill_censored(&f))
            leave_out(&f);
        *m = (struct cc_area_model_measure){.name = cc_arena_strdup(arena, y->name),
                                            .unit = cc_arena_strdup(arena, y->unit),
                                            .family = CC_FAMILY_FOREST,
                                            .log = true,
                                            .plus1 = y->keeps_zeros,
                                            .groups = f.ngroups};
        m->forest = cc_arena_alloc(arena, sizeof *m->forest);
        uint32_t *rows = cc_alloc_array(f.n + 1, sizeof *rows);
        size_t n = rows_without(&f, PARTS, rows);
        cc_area_forest_grow(&f.data, rows, n, &f.how, arena, m->forest);
        free(rows);
        put_points(&f, ret);
        conformal_factors(&f, m);
        keep_terms(&f, m);
        m->left_out = m->fixed = cc_area_error_summary(ret->points, ret->npoints, false, arena);
    }
    fini(&f);
    return rc;
}
