/* Calibration: against refitting by another route, against tables whose coefficients are known, and against
 * bad input. */
#include "estimate.h"
#include "model.h"
#include "select.h"
#include "stats.h"
#include "../../base/rng.h"
#include "tap.h"

#include <unistd.h>

static char folder[TAP_FOLDER];

static double normal(struct cc_rng *r)
{
    return sqrt(-2 * log(1 - cc_rng_unit(r))) * cos(2 * M_PI * cc_rng_unit(r));
}

static void test_stats(void)
{
    /* Tables of Student's t, two-sided. */
    OK_NEAR(cc_area_student_quantile(0.95, 1), 12.7062047, 1e-6, "t, 1 degree of freedom");
    OK_NEAR(cc_area_student_quantile(0.95, 10), 2.22813885, 1e-7, "t, 10 degrees of freedom");
    OK_NEAR(cc_area_student_quantile(0.99, 30), 2.74999565, 1e-7, "t, 30 degrees of freedom");
    OK_NEAR(cc_area_student_quantile(0.95, 1e7), 1.95996, 1e-4, "t, nearly normal");
    double v[] = {3, 1, 2, 4};
    OK_NEAR(cc_area_quantile(v, 4, 0.5), 2.5, 0, "median between two");
    OK_NEAR(cc_area_quantile(v, 4, 1), 4, 0, "maximum");
}

/* --- selection against brute force --- */

struct data {
    size_t n, p;
    double *x, *y;
    uint32_t *group, *rows;
    struct cc_area_design design;
};

static struct data random_data(struct cc_rng *rng, size_t n, size_t p, size_t ngroups)
{
    struct data d = {.n = n, .p = p};
    d.x = cc_alloc_array(n * p, sizeof *d.x);
    d.y = cc_alloc_array(n, sizeof *d.y);
    d.group = cc_alloc_array(n, sizeof *d.group);
    d.rows = cc_alloc_array(n, sizeof *d.rows);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++)
            d.x[i * p + j] = floor(20 * cc_rng_unit(rng)) + (j ? 0.7 * d.x[i * p + j - 1] : 0);
        d.y[i] = 5 + 2 * d.x[i * p] - 3 * d.x[i * p + p - 1] + 4 * normal(rng);
        d.group[i] = ngroups ? (uint32_t)cc_rng_below(rng, ngroups) : (uint32_t)i;
        d.rows[i] = (uint32_t)i;
    }
    d.design = (struct cc_area_design){n, p, d.x, d.y, d.group};
    return d;
}

static void data_fini(struct data *d)
{
    free(d->x);
    free(d->y);
    free(d->group);
    free(d->rows);
}

/* Squared left-out error by leaving out and refitting. */
static double brute_error(const struct data *d, const uint32_t *terms, size_t k)
{
    double sum = 0, coef[64];
    uint32_t *rows = cc_alloc_array(d->n, sizeof *rows);
    for (uint32_t g = 0; g < d->n; g++) {
        size_t n = 0;
        for (size_t i = 0; i < d->n; i++)
            if (d->group[i] != g)
                rows[n++] = (uint32_t)i;
        if (n == d->n)
            continue;
        cc_area_select_fit(&d->design, rows, n, terms, k, coef);
        for (size_t i = 0; i < d->n; i++) {
            if (d->group[i] != g)
                continue;
            double e = d->y[i] - coef[0];
            for (size_t j = 0; j < k; j++)
                e -= coef[j + 1] * d->x[i * d->p + terms[j]];
            sum += e * e;
        }
    }
    free(rows);
    return sum;
}

static void test_selection(void)
{
    struct cc_rng rng = {42};
    double worst = 0;
    size_t found = 0, compared = 0;
    for (int round = 0; round < 30; round++) {
        struct data d = random_data(&rng, 24 + cc_rng_below(&rng, 20), 8, round % 2 ? 6 : 0);
        uint32_t terms[8];
        double errors[9];
        size_t k = cc_area_select_path(&d.design, d.rows, d.n, 6, terms, errors);
        for (size_t i = 0; i <= k; i++, compared++)
            worst = fmax(worst, fabs(errors[i] / brute_error(&d, terms, i) - 1));
        found += k >= 2 && terms[0] + terms[1] == 7 && (terms[0] == 0 || terms[0] == 7);
        data_fini(&d);
    }
    OK(worst < 1e-9, "left-out errors of %zu models agree with refitting (worst %.1e)", compared, worst);
    OK_U64(found, 30, "the two columns that matter come first, in all of 30 tables");
}

/* --- tables --- */

static const enum cc_metric used[] = {CC_M_add_32,     CC_M_mul_32, CC_M_loads,   CC_M_stores,
                                      CC_M_cyclomatic, CC_M_loops,  CC_M_logic,   CC_M_live_max,
                                      CC_M_statements, CC_M_calls,  CC_M_compare, CC_M_div_32};

/* Independent counts, and a measure 100 + 30 add_32 + 80 mul_32 + 6 live_max + noise, or the exponential
 * form. */
static struct cc_area_kernels *synthetic(struct cc_rng *rng, size_t n, double noise, bool log_scale,
                                         size_t ngroups)
{
    struct cc_area_kernels *k = cc_alloc(sizeof *k);
    k->n = n;
    k->nmetrics = CC_COUNT(used);
    memcpy(k->metric, used, sizeof used);
    k->ngroups = ngroups ? ngroups : n;
    k->names = cc_arena_alloc(&k->arena, n * sizeof *k->names);
    k->group = cc_arena_alloc(&k->arena, n * sizeof *k->group);
    k->x = cc_arena_alloc(&k->arena, n * k->nmetrics * sizeof *k->x);
    k->measures = cc_arena_alloc(&k->arena, sizeof *k->measures);
    k->measures[0] = (struct cc_area_kernel_measure){.name = "lut", .unit = "LUTs"};
    k->measures[0].v = cc_arena_alloc(&k->arena, n * sizeof(double));
    k->nmeasures = 1;
    for (size_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%zu", i);
        k->names[i] = cc_arena_strdup(&k->arena, name);
        k->group[i] = (uint32_t)(i % k->ngroups);
        double *x = k->x + i * k->nmetrics;
        for (size_t j = 0; j < k->nmetrics; j++)
            x[j] = (double)cc_rng_below(rng, 40);
        double e = noise * normal(rng);
        k->measures[0].v[i] = log_scale ? exp(3 + 0.8 * log1p(x[0]) + 0.5 * log1p(x[1]) + e)
                                        : 100 + 30 * x[0] + 80 * x[1] + 6 * x[7] + e;
    }
    return k;
}

static const struct cc_area_model_term *term(const struct cc_area_model_measure *m, enum cc_metric metric)
{
    for (size_t j = 0; j < m->nterms; j++)
        if (m->terms[j].metric == metric)
            return &m->terms[j];
    return NULL;
}

/* Many tables: how often are the true metrics chosen, how often do the intervals hold the truth? */
static void test_recovery(bool log_scale, double noise)
{
    static const struct {
        enum cc_metric metric;
        double linear, log;
    } truth[] = {{CC_M_add_32, 30, 0.8}, {CC_M_mul_32, 80, 0.5}, {CC_M_live_max, 6, 0}};
    struct cc_area_fit_options options = {log_scale ? CC_TRANSFORM_LOG : CC_TRANSFORM_LINEAR, 0};
    struct cc_rng rng = {log_scale ? 99 : 7};
    size_t tables = (size_t)tap_rounds(150), chosen = 0, wanted = 0, held = 0, covered = 0, points = 0,
           extra = 0;
    for (size_t r = 0; r < tables; r++) {
        struct cc_area_kernels *k = synthetic(&rng, 80, noise, log_scale, 0),
                               *fresh = synthetic(&rng, 20, noise, log_scale, 0);
        struct cc_area_fit fit;
        struct cc_err err = {0};
        if (cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) < 0)
            printf("# %s\n", err.msg);
        size_t hits = 0;
        for (size_t i = 0; i < CC_COUNT(truth); i++) {
            double value = log_scale ? truth[i].log : truth[i].linear;
            const struct cc_area_model_term *t = term(&fit.model, truth[i].metric);
            wanted += value != 0;
            if (value == 0 || !t)
                continue;
            hits++;
            held += fabs(t->coef - value) <= cc_area_student_quantile(0.95, fit.model.dof) * t->se;
        }
        chosen += hits;
        extra += fit.model.nterms - hits;
        for (size_t i = 0; i < fresh->n; i++, points++) {
            double m[CC_VALUE_COUNT] = {0};
            for (size_t j = 0; j < CC_COUNT(used); j++)
                m[used[j]] = fresh->x[i * fresh->nmetrics + j];
            struct cc_area_prediction e = cc_area_model_estimate(&fit.model, m, 0.9);
            covered += fresh->measures[0].v[i] >= e.low && fresh->measures[0].v[i] <= e.high;
        }
        cc_area_kernels_free(k);
        cc_area_kernels_free(fresh);
    }
    const char *scale = log_scale ? "log" : "linear";
    double coverage = (double)held / (double)chosen, prediction = (double)covered / (double)points;
    printf("# %s: %zu of %zu true terms chosen, %zu others in %zu tables, 95 %% intervals hold the truth in "
           "%.1f %%, "
           "90 %% intervals hold a new kernel in %.1f %%\n",
           scale, chosen, wanted, extra, tables, 100 * coverage, 100 * prediction);
    OK(chosen == wanted, "%s: every true term is chosen", scale);
    if (tables < 150) /* too few to tell how often */
        return;
    OK(coverage > 0.91 && coverage < 0.985,
       "%s: confidence intervals hold the true coefficients as often as they say", scale);
    OK(prediction > 0.88 && prediction < 0.96,
       "%s: prediction intervals hold new kernels as often as they say", scale);
    OK(extra < tables / 2, "%s: few terms that do not belong", scale);
}

/* Terms, ridge and standardisation of the model, refitted without a group by the normal equations. */
static double refit_without(const struct cc_area_kernels *k, const struct cc_area_model_measure *m,
                            uint32_t group, size_t row)
{
    size_t p = m->nterms + 1;
    double a[16][17] = {{0}};
    for (size_t i = 0; i < k->n; i++) {
        if (k->group[i] == group)
            continue;
        double z[16] = {1};
        for (size_t j = 1; j < p; j++)
            for (size_t c = 0; c < k->nmetrics; c++)
                if (k->metric[c] == m->terms[j - 1].metric)
                    z[j] = (k->x[i * k->nmetrics + c] - m->terms[j - 1].mean) / m->terms[j - 1].scale;
        for (size_t r = 0; r < p; r++) {
            for (size_t c = 0; c < p; c++)
                a[r][c] += z[r] * z[c];
            a[r][p] += z[r] * k->measures[0].v[i];
        }
    }
    for (size_t r = 1; r < p; r++)
        a[r][r] += m->ridge;
    for (size_t c = 0; c < p; c++) { /* Gauss and Jordan; the matrix is positive definite */
        double pivot = a[c][c];
        for (size_t j = 0; j <= p; j++)
            a[c][j] /= pivot;
        for (size_t r = 0; r < p; r++) {
            double factor = a[r][c];
            for (size_t j = 0; r != c && j <= p; j++)
                a[r][j] -= factor * a[c][j];
        }
    }
    double y = a[0][p];
    for (size_t j = 1; j < p; j++)
        for (size_t c = 0; c < k->nmetrics; c++)
            if (k->metric[c] == m->terms[j - 1].metric)
                y += a[j][p] * (k->x[row * k->nmetrics + c] - m->terms[j - 1].mean) / m->terms[j - 1].scale;
    return y;
}

static double worst_disagreement(const struct cc_area_kernels *k, const struct cc_area_fit *fit)
{
    double worst = 0;
    for (size_t i = 0; i < fit->npoints; i++) {
        double refitted = fmax(0, refit_without(k, &fit->model, k->group[i], i));
        worst = fmax(worst, fabs(fit->points[i].left_out_fixed - refitted) / (1 + refitted));
    }
    return worst;
}

static void test_left_out(void)
{
    struct cc_area_fit_options options = {CC_TRANSFORM_LINEAR, 0};
    struct cc_rng rng = {3};
    struct cc_err err = {0};
    struct cc_area_fit fit;
    struct cc_area_kernels *k = synthetic(&rng, 60, 100, false, 0);
    OK(cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == 0 && fit.model.ridge == 0,
       "a fit without ridge");
    double worst = worst_disagreement(k, &fit);
    OK(worst < 1e-9, "leave-one-out errors agree with refitting without each row (worst %.1e)", worst);
    cc_area_kernels_free(k);
    k = synthetic(&rng, 60, 100, false, 7);
    OK(cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == 0 && fit.model.groups == 7,
       "a fit by groups");
    worst = worst_disagreement(k, &fit);
    OK(worst < 1e-9, "leave-one-group-out errors agree with refitting (worst %.1e)", worst);
    cc_area_kernels_free(k);
    size_t ridged = 0;
    worst = 0;
    for (int r = 0; r < 40; r++) { /* two columns that differ little, and the difference matters a little */
        k = synthetic(&rng, 40, 60, false, 0);
        for (size_t i = 0; i < k->n; i++) {
            double *x = k->x + i * k->nmetrics;
            x[2] = 50 * x[1] + (double)cc_rng_below(&rng, 90);
            k->measures[0].v[i] += x[2] - 50 * x[1];
        }
        if (cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == 0 &&
            fit.model.ridge > 0) {
            ridged++;
            worst = fmax(worst, worst_disagreement(k, &fit));
        }
        cc_area_kernels_free(k);
    }
    OK(ridged > 0 && worst < 1e-8, "with ridge too (%zu collinear tables, worst %.1e)", ridged, worst);
}

static void test_refusals(void)
{
    struct cc_area_fit_options options = {CC_TRANSFORM_AUTO, 0};
    struct cc_rng rng = {5};
    struct cc_area_fit fit;
    struct cc_err err = {0};
    struct cc_area_kernels *k = synthetic(&rng, 9, 1, false, 0);
    OK(cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == -CC_EINPUT &&
           strstr(err.msg, "9 usable kernels, at least 10"),
       "too few kernels: %s", err.msg);
    cc_area_kernels_free(k);
    k = synthetic(&rng, 40, 1, false, 2);
    memset(&err, 0, sizeof err);
    OK(cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == -CC_EINPUT &&
           strstr(err.msg, "2 groups"),
       "too few groups");
    cc_area_kernels_free(k);
    k = synthetic(&rng, 40, 1, false, 0);
    for (size_t i = 0; i < k->n; i++)
        k->measures[0].v[i] = 7;
    memset(&err, 0, sizeof err);
    OK(cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == -CC_EINPUT &&
           strstr(err.msg, "every kernel"),
       "a measure that never changes");
    for (size_t i = 0; i < k->n; i++) { /* noise alone, from columns that say nothing */
        k->measures[0].v[i] = 100 + 10 * normal(&rng);
        for (size_t j = 0; j < k->nmetrics; j++)
            k->x[i * k->nmetrics + j] = 4;
    }
    OK(cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == 0 && fit.model.nterms == 0,
       "constant metrics");
    OK_NEAR(fit.model.log ? exp(fit.model.intercept) : fit.model.intercept, 100, 10, "... leave the mean");
    cc_area_kernels_free(k);
}

/* Outliers: one kernel far off must be named. */
static void test_outliers(void)
{
    struct cc_area_fit_options options = {CC_TRANSFORM_LINEAR, 0};
    struct cc_rng rng = {11};
    struct cc_area_kernels *k = synthetic(&rng, 60, 20, false, 0);
    struct cc_area_fit fit;
    struct cc_err err = {0};
    k->measures[0].v[17] += 400;
    OK(cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err) == 0,
       "a table with an outlier");
    OK(fit.points[17].flagged && fit.points[17].studentised > 5, "the outlier is flagged (%.1f)",
       fit.points[17].studentised);
    double sum = 0;
    for (size_t i = 0; i < fit.npoints; i++)
        sum += fit.points[i].leverage;
    OK_NEAR(sum, (double)fit.model.nterms + 1, 1e-9, "leverages add up to the number of coefficients");
    cc_area_kernels_free(k);
}

/* --- files --- */

static const char *write_file(const char *name, const char *text)
{
    static char path[TAP_FOLDER + 100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    fwrite(text, 1, strlen(text), f);
    fclose(f);
    return path;
}

static struct cc_area_kernels *load(const char *a, const char *b, struct cc_area_kernels_options options,
                                    struct cc_err *err)
{
    char first[TAP_FOLDER + 100], second[TAP_FOLDER + 100];
    snprintf(first, sizeof first, "%s", write_file("a.csv", a));
    if (b)
        snprintf(second, sizeof second, "%s", write_file("b.csv", b));
    const char *paths[] = {first, second};
    struct cc_strs files = {paths, b ? 2 : 1, 0};
    struct cc_area_kernels *k = NULL;
    memset(err, 0, sizeof *err);
    cc_area_kernels_load(&files, &options, &k, err);
    unlink(first);
    if (b)
        unlink(second);
    return k;
}

static void test_tables(void)
{
    struct cc_err err;
    struct cc_area_kernels_options plain = {0};
    struct cc_area_kernels *k =
        load("function,file,line,add_32,mul_32\na,x.c,1,3,4\nb,x.c,9,5,6\nc,x.c,20,7,8\ngone,x.c,30,1,1\n",
             "kernel,lut,power [mW],dsp,note\nb,50,<3,0,ok\na,40,2.5,1,ok\nother,1,1,1,ok\n"
             "gone,0,,0,ok\n",
             plain, &err);
    OK(k && k->n == 2 && k->nmetrics == 2 && k->nmeasures == 3, "two files are joined: %s", err.msg);
    OK(k && strcmp(k->names[1], "b") == 0 && k->x[2] == 5 && k->measures[0].v[1] == 50,
       "in the first one's order");
    OK(k && strcmp(k->measures[1].name, "power") == 0 && strcmp(k->measures[1].unit, "mW") == 0,
       "the unit of a column");
    OK(k && strcmp(k->measures[0].unit, "LUTs") == 0, "the usual unit");
    OK(k && isnan(k->measures[1].v[1]) && k->measures[1].censored == 1, "a censored cell is no value");
    OK(k && k->measures[2].v[1] == 0 && k->measures[2].keeps_zeros, "no DSP is a value");
    OK(k && k->notes.n >= 3 && strstr(k->notes.v[0], "2 kernels are not in every file"),
       "what was left out is told");
    cc_area_kernels_free(k);
    k = load("kernel,add_32,cycles\na,1,0\nb,2,NA\nc,3,9\n", NULL, plain, &err);
    OK(k && isnan(k->measures[0].v[0]) && isnan(k->measures[0].v[1]) && k->measures[0].zeros == 1,
       "cycles of 0 are missing");
    cc_area_kernels_free(k);
    k = load("kernel,add_32,cycles\na,1,0\n", NULL, (struct cc_area_kernels_options){.zeros = CC_ZEROS_KEEP},
             &err);
    OK(k && k->measures[0].v[0] == 0, "unless they are kept");
    cc_area_kernels_free(k);
    OK(!load("kernel,add_32,lut\na,1,2\na,1,3\n", NULL, plain, &err) && err.line == 3 &&
           strstr(err.msg, "twice"),
       "a kernel twice");
    OK(!load("kernel,add_32,lut\na,x,2\n", NULL, plain, &err) && err.line == 2, "a metric that is no number");
    OK(!load("add_32,lut\n1,2\n", NULL, plain, &err) && strstr(err.hint, "--key"), "no column of names");
    OK(!load("kernel,lut\na,2\n", NULL, plain, &err) && strstr(err.msg, "metric"), "no metrics");
    OK(!load("kernel,add_32\na,2\n", NULL, plain, &err) && strstr(err.msg, "measure"), "no measures");
    OK(!load("kernel,add_32,lut\na,1,2\n", "kernel,lut\na,2\n", plain, &err) &&
           strstr(err.msg, "appears twice"),
       "a column twice");
    OK(!load("kernel,add_32,lut\na,1,2\n", NULL, (struct cc_area_kernels_options){.group = "domain"}, &err),
       "no such group column");
}

/* Cells that say nothing are named, the rest of their rows stays; columns that could be meant twice. */
static void test_cells(void)
{
    struct cc_err err;
    struct cc_area_kernels_options plain = {0};
    struct cc_area_kernels *k;
    k = load("kernel,add_32,lut,ff\na,1,-2,4\nb,1,1e300,>5\nc,1,7,<-3\nd,1,7,6\n"
             "e,1,7,6\n",
             NULL, plain, &err);
    OK(k && isnan(k->measures[0].v[0]) && strstr(k->notes.v[0], ":2: '-2' is no value of 'lut'"),
       "a negative measure is named and left out");
    OK(k && isnan(k->measures[0].v[1]) && strstr(k->notes.v[1], ":3: '1e300' is no value of 'lut'"),
       "... and one beyond reason");
    OK(k && isnan(k->measures[1].v[1]) && strstr(k->notes.v[2], "'>5' is no value of 'ff'") &&
           strstr(k->notes.v[3], "'<-3' is no value"),
       "... and bounds that say nothing");
    OK(k && k->measures[0].v[2] == 7 && k->measures[1].v[0] == 4 && k->measures[1].censored == 0,
       "... the other cells of their rows stay");
    cc_area_kernels_free(k);
    k = load("kernel,add_32,lut,part\na,1,2,x\nb,1,2,y\nc,1,2,x\n", NULL,
             (struct cc_area_kernels_options){.group = "part", .folds = "part"}, &err);
    OK(k && k->nfolds == 2 && k->ngroups == 2 && k->fold[2] == 0 && k->group[1] == 1,
       "one column may be groups and folds");
    cc_area_kernels_free(k);
    OK(!load("kernel,kernel,add_32,lut\na,b,1,2\n", NULL, plain, &err) &&
           strstr(err.msg, "'kernel' appears twice"),
       "two columns of names");
    OK(!load("kernel;add_32;lut\na;1;2\n", NULL, plain, &err) && strstr(err.hint, "commas"),
       "columns that are separated otherwise");
}

/* Tables with damaged cells are refused, or give a model that estimates. */
static void test_damaged_tables(void)
{
    struct cc_rng rng = {77};
    struct cc_err err;
    size_t loaded = 0, fitted = 0, wrong = 0;
    for (int i = 0; i < 300; i++) {
        char text[2048] = "kernel,add_32,mul_32,loads,lut,dsp\n";
        for (int r = 0; r < 14; r++) {
            size_t n = strlen(text);
            snprintf(text + n, sizeof text - n, "k%d,%zu,%zu,%zu,%zu,%zu\n", r, cc_rng_below(&rng, 30),
                     cc_rng_below(&rng, 9), cc_rng_below(&rng, 30), 50 + cc_rng_below(&rng, 500),
                     cc_rng_below(&rng, 3));
        }
        for (size_t c = 1 + cc_rng_below(&rng, 4); c > 0; c--)
            text[20 + cc_rng_below(&rng, strlen(text) - 20)] = "0e9.-,\n<\"k"[cc_rng_below(&rng, 10)];
        struct cc_area_kernels *k = load(text, NULL, (struct cc_area_kernels_options){0}, &err);
        loaded += k != NULL;
        for (size_t m = 0; k && m < k->nmeasures; m++) {
            struct cc_area_fit_options options = {CC_TRANSFORM_AUTO, 0};
            struct cc_area_fit fit;
            double x[CC_VALUE_COUNT] = {0};
            memset(&err, 0, sizeof err);
            int rc = cc_area_fit_measure(k, &k->measures[m], &options, &k->arena, &fit, &err);
            if (rc < 0) {
                wrong += rc != -CC_EINPUT || !*err.msg;
                continue;
            }
            fitted++;
            struct cc_area_prediction p = cc_area_model_estimate(&fit.model, x, 0.9);
            wrong += !(p.low <= p.value && p.value <= p.high);
        }
        cc_area_kernels_free(k);
    }
    OK(loaded > 50 && fitted > 50 && wrong == 0, "damaged tables: %zu of 300 loaded, %zu models, %zu wrong",
       loaded, fitted, wrong);
}

static void damaged_models(const char *text, size_t size, const double *x, struct cc_rng *rng)
{
    struct cc_err err = {0};
    size_t parsed = 0, disordered = 0;
    for (int i = 0; i < 6000; i++) {
        char *copy = cc_strndup(text, size);
        for (size_t c = 1 + cc_rng_below(rng, 3); c > 0; c--)
            copy[cc_rng_below(rng, size)] = "0-9.e=[]\n ;xinf"[cc_rng_below(rng, 15)];
        struct cc_area_model *m = NULL;
        if (cc_area_model_parse("m", copy, i % 5 ? size : cc_rng_below(rng, size), &m, &err) == 0) {
            parsed++;
            struct cc_area_prediction b = cc_area_model_estimate(&m->measures[0], x, 0.9);
            disordered += b.low > b.high;
        }
        cc_area_model_free(m);
        free(copy);
    }
    OK_U64(disordered, 0, "no interval is upside down");
    OK(parsed > 100 && parsed < 5900, "damaged models are read or refused (%zu read)", parsed);
}

static void test_model_file(void)
{
    struct cc_area_fit_options options = {CC_TRANSFORM_LOG, 0};
    struct cc_rng rng = {21};
    struct cc_area_kernels *k = synthetic(&rng, 60, 0.1, true, 0);
    struct cc_area_fit fit;
    struct cc_err err = {0};
    cc_area_fit_measure(k, &k->measures[0], &options, &k->arena, &fit, &err);
    struct cc_area_model model = {
        .made_by = "test", .tables = "a; b # c.csv", .options = "", .measures = &fit.model, .nmeasures = 1};
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    cc_area_model_write(&model, f);
    fclose(f);
    struct cc_area_model *m = NULL;
    OK(cc_area_model_parse("m", text, size, &m, &err) == 0, "a model is read back: %s", err.msg);
    double x[CC_VALUE_COUNT] = {0};
    x[CC_M_add_32] = 12;
    x[CC_M_mul_32] = 3;
    struct cc_area_prediction a = cc_area_model_estimate(&fit.model, x, 0.9),
                              b = cc_area_model_estimate(&m->measures[0], x, 0.9);
    OK_NEAR(b.value, a.value, 1e-8 * a.value, "the same estimate");
    OK_NEAR(b.low, a.low, 1e-4 * a.low, "the same interval");
    OK(a.low < a.value && a.value < a.high && !a.outside, "within the calibrated range");
    struct cc_area_prediction wide = cc_area_model_estimate(&fit.model, x, 0.99);
    OK(wide.low < a.low && wide.high > a.high, "more confidence, wider interval");
    x[CC_M_add_32] = 400;
    b = cc_area_model_estimate(&m->measures[0], x, 0.9);
    OK(b.outside && b.outside_metric && strcmp(b.outside_metric, "add_32") == 0,
       "extrapolation is told, with the metric");
    cc_area_model_free(m);
    damaged_models(text, size, x, &rng);
    m = NULL;
    memset(&err, 0, sizeof err);
    OK(cc_area_model_parse("m", "[model]\nformat = corecast area model\nversion = 3\n", 48, &m, &err) < 0 &&
           strstr(err.msg, "version 3"),
       "a later version: %s", err.msg);
    free(text);
    cc_area_kernels_free(k);
}

/* The paper's edge detector: shares and the speed-ups they allow, one by one and together. */
static void test_speedups(void)
{
    static const double share[] = {70.59, 2.49, 5.14, 14.36, 2.68}, single[] = {3.40, 1.03, 1.05, 1.17, 1.03};
    static const double together[] = {3.40, 3.71, 4.59, 13.48, 21.10},
                        slices[] = {2265, 2720, 1143, 5599, 36617};
    static const double percent[] = {11.1, 13.3, 5.6, 27.3, 178.8},
                        summed[] = {11.1, 24.3, 29.9, 57.3, 236.1};
    struct cc_source_function functions[5] = {0};
    struct cc_sources sources = {0};
    struct cc_area_share shares[5];
    struct cc_area_capacity capacity = {"slices", 20480};
    struct cc_area_device device = {.name = "d", .capacities = &capacity, .n = 1};
    struct cc_area_model_term term1 = {CC_M_lines, "lines", 1, 0, 0, 1, 0, 1e6};
    double cov = 0;
    struct cc_area_model_measure measure = {
        .name = "slices", .unit = "slices", .nterms = 1, .terms = &term1, .cov = &cov, .kernels = 10};
    struct cc_area_model model = {.measures = &measure, .nmeasures = 1};
    for (size_t i = 0; i < 5; i++) {
        functions[i].name = (const char *[]){"gauss", "derivative", "magnitude", "suppress", "hysteresis"}[i];
        functions[i].m[CC_M_lines] = slices[i];
        shares[i] = (struct cc_area_share){functions[i].name, share[i] / 100};
        CC_VEC_PUSH(&sources.functions, functions[i]);
    }
    struct cc_area_shares all = {.v = shares, .n = 5};
    struct cc_area_estimate *e;
    struct cc_area_estimate_request rq = {
        .sources = &sources, .model = &model, .shares = &all, .device = &device, .confidence = 0.9};
    OK((e = cc_area_estimate_all(&rq)) != NULL, "estimates in source order");
    for (size_t i = 0; i < 5; i++) {
        OK_NEAR(e->rows[i].speedup, single[i], 0.006, "%s alone", functions[i].name);
        OK_NEAR(e->rows[i].cumulative, together[i], 0.006, "%s with those before", functions[i].name);
        OK_NEAR(e->rows[i].cells[0].share * 100, percent[i], 0.06, "%s of the device", functions[i].name);
        OK_NEAR(e->rows[i].cells[0].sum_share * 100, summed[i], 0.06, "%s and those before",
                functions[i].name);
    }
    OK(e->rows[3].fits && !e->rows[4].fits, "four fit together, the fifth does not");
    OK_NEAR(e->matched_share, 0.9526, 1e-9, "share of the run that was found");
    cc_area_estimate_free(e);
    rq.device = NULL;
    rq.hot = true;
    OK((e = cc_area_estimate_all(&rq)) != NULL, "estimates in hot order");
    OK(e->rows[0].f->m[CC_M_lines] == 2265 && e->rows[1].f->m[CC_M_lines] == 5599 &&
           e->rows[4].f->m[CC_M_lines] == 2720,
       "largest share first");
    OK(isnan(e->rows[0].cells[0].share) && e->rows[4].fits, "without a device nothing is said of it");
    cc_area_estimate_free(e);
    rq.hot = false;
    sources.functions.v[3].nunfit = 1; /* non_max_supp: 14.36 % */
    e = cc_area_estimate_all(&rq);
    OK(isnan(e->rows[3].cells[0].sum) && isnan(e->rows[3].cumulative) && e->rows[3].cells[0].e.value > 0,
       "what cannot be hardware has an estimate, but is in no sum");
    OK_NEAR(e->rows[4].cells[0].sum, e->rows[2].cells[0].sum + e->rows[4].cells[0].e.value, 1e-9,
            "... of area");
    OK_NEAR(e->rows[4].cumulative, 1 / (1 - (0.9526 - 0.1436)), 1e-6, "... nor of time");
    cc_area_estimate_free(e);
    CC_VEC_FINI(&sources.functions);
}

static void test_small_files(void)
{
    struct cc_err err = {0};
    struct cc_area_shares *s = NULL;
    OK(cc_area_shares_load(write_file("s.csv", "name,share\na,70.5%\nb,2.5\n"), &s, &err) == 0 &&
           s->v[0].share == 0.705 && s->v[1].share == 0.025,
       "shares in per cent");
    cc_area_shares_free(s);
    OK(cc_area_shares_load(write_file("s.csv", "function,share\na,0.5\nb,0.25\n"), &s, &err) == 0 &&
           s->v[0].share == 0.5,
       "shares of 1");
    cc_area_shares_free(s);
    OK(cc_area_shares_load(write_file("s.csv", "name,share\na,70\nb,70\n"), &s, &err) < 0 &&
           strstr(err.msg, "add up"),
       "more than the whole");
    memset(&err, 0, sizeof err);
    OK(cc_area_shares_load(write_file("s.csv", "name,share\na,many\n"), &s, &err) < 0 && err.line == 2,
       "a share that is no number");
    unlink(write_file("s.csv", ""));
    struct cc_area_device *d = NULL;
    OK(cc_area_device_load(write_file("d.ini", "[device]\nname = x\n[capacity]\nlut = 100\n"), &d, &err) ==
               0 &&
           cc_area_device_capacity(d, "LUT") == 100 && isnan(cc_area_device_capacity(d, "ff")),
       "a device");
    cc_area_device_free(d);
    memset(&err, 0, sizeof err);
    OK(cc_area_device_load(write_file("d.ini", "[device]\nname = x\n[capacity]\nlut = 0\n"), &d, &err) < 0 &&
           err.line == 4,
       "a capacity of 0");
    memset(&err, 0, sizeof err);
    OK(cc_area_device_load(write_file("d.ini", "[device]\nname = x\n"), &d, &err) < 0 &&
           strstr(err.msg, "capacity"),
       "no capacities");
    unlink(write_file("d.ini", ""));
}

int main(void)
{
    tap_folder(folder);
    test_stats();
    test_selection();
    test_recovery(false, 60);
    test_recovery(true, 0.15);
    test_left_out();
    test_refusals();
    test_outliers();
    test_tables();
    test_cells();
    test_damaged_tables();
    test_model_file();
    test_speedups();
    test_small_files();
    rmdir(folder);
    return TAP_DONE();
}
