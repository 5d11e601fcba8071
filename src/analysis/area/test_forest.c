/* Forests: what they keep, what they refuse, and intervals that hold as often as they say. */
#include "fit_forest.h"
#include "folds.h"
#include "forest.h"
#include "table.h"
#include "../../base/text.h"
#include "../../base/rng.h"
#include "tap.h"

#include <unistd.h>

enum { COLUMNS = 4 };
static const enum cc_metric columns[COLUMNS] = {CC_M_mul_32, CC_M_loads, CC_M_ifs, CC_M_lines};

/* A circuit no line describes: units are shared once there is one, and loads only cost beside multipliers. */
static double truth(const double *x)
{
    return 200 + (x[0] > 0 ? 900 : 0) + (x[0] > 3 ? 40 * x[1] : 0) + 15 * x[2];
}

static double normal(struct cc_rng *r)
{
    return sqrt(-2 * log(1 - cc_rng_unit(r))) * cos(2 * M_PI * cc_rng_unit(r));
}

static struct cc_area_kernels *made_up(struct cc_rng *rng, size_t n, double noise)
{
    struct cc_area_kernels *k = cc_alloc(sizeof *k);
    k->n = k->ngroups = n;
    k->nmetrics = COLUMNS;
    memcpy(k->metric, columns, sizeof columns);
    k->names = cc_arena_alloc(&k->arena, n * sizeof *k->names);
    k->group = cc_arena_alloc(&k->arena, n * sizeof *k->group);
    k->fold = cc_arena_alloc(&k->arena, n * sizeof *k->fold);
    k->x = cc_arena_alloc(&k->arena, n * COLUMNS * sizeof *k->x);
    k->measures = cc_arena_alloc(&k->arena, sizeof *k->measures);
    k->nmeasures = 1;
    k->measures[0] = (struct cc_area_kernel_measure){.name = "lut", .unit = "LUTs"};
    k->measures[0].v = cc_arena_alloc(&k->arena, n * sizeof(double));
    k->measures[0].below = cc_arena_alloc(&k->arena, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "k%zu", i);
        k->names[i] = cc_arena_strdup(&k->arena, name);
        k->group[i] = (uint32_t)i;
        for (size_t j = 0; j < COLUMNS; j++)
            k->x[i * COLUMNS + j] = floor(10 * cc_rng_unit(rng)) * (j == 0 ? cc_rng_unit(rng) > 0.4 : 1);
        k->measures[0].v[i] = truth(k->x + i * COLUMNS) * exp(noise * normal(rng));
        k->measures[0].below[i] = NAN;
    }
    return k;
}

static void spread_out(const struct cc_area_kernels *k, size_t i, double m[CC_VALUE_COUNT])
{
    memset(m, 0, CC_METRIC_COUNT * sizeof *m);
    for (size_t j = 0; j < COLUMNS; j++)
        m[k->metric[j]] = k->x[i * COLUMNS + j];
}

/* --- trees --- */

static void test_trees(void)
{
    /* one column, a step between 4 and 5 */
    double x[10], y[10], at;
    bool zero[10] = {0}, rises[1] = {true};
    uint32_t rows[10];
    for (uint32_t i = 0; i < 10; i++) {
        x[i] = i;
        y[i] = i < 5 ? 1 : 3;
        zero[i] = i < 5;
        rows[i] = i;
    }
    struct cc_area_forest_data d = {10, 1, x, y, zero, rises};
    struct cc_area_forest_options how = {200, 1, 1};
    struct cc_arena arena = {0};
    struct cc_area_forest f;
    cc_area_forest_grow(&d, rows, 10, &how, &arena, &f);
    OK_NEAR(cc_area_forest_at(&f, (double[]){0}).value, 1, 1e-12, "pure leaves give the values back");
    OK_NEAR(cc_area_forest_at(&f, (double[]){9}).value, 3, 1e-12, "... on both sides of a step");
    OK_NEAR(cc_area_forest_at(&f, (double[]){2}).zeros, 1, 1e-12, "the share of zeros is that of the leaf");
    at = cc_area_forest_at(&f, (double[]){4.5}).value;
    OK(at > 1.2 && at < 2.8, "between the two, trees disagree (%.2f)", at);
    OK(cc_area_forest_at(&f, (double[]){4.5}).spread > 0.5, "... and their spread says so");
    how.least = 6;
    cc_area_forest_grow(&d, rows, 10, &how, &arena, &f);
    OK(f.nnodes == f.ntrees && cc_area_forest_at(&f, x).value == 2, "10 rows cannot be two leaves of 6");
    how.least = 1;
    for (int i = 0; i < 10; i++)
        y[i] = -y[i];
    cc_area_forest_grow(&d, rows, 10, &how, &arena, &f);
    OK(f.nnodes == f.ntrees, "a column that may only raise never lowers");
    rises[0] = false;
    cc_area_forest_grow(&d, rows, 10, &how, &arena, &f);
    OK_NEAR(cc_area_forest_at(&f, (double[]){9}).value, -3, 1e-12, "... unless it may");
    cc_arena_fini(&arena);
}

/* --- fits --- */

static void test_intervals(void)
{
    enum { TABLES = 12, KERNELS = 150, FRESH = 200 };
    struct cc_rng rng = {7};
    struct cc_err err = {0};
    size_t inside[2] = {0};
    static const double level[2] = {0.5, 0.9};
    double worst = 1;
    for (int t = 0; t < TABLES; t++) {
        struct cc_area_kernels *k = made_up(&rng, KERNELS, 0.2), *fresh = made_up(&rng, FRESH, 0.2);
        struct cc_area_fit fit;
        if (cc_area_fit_forest(k, &k->measures[0], NULL, &k->arena, &fit, &err) < 0)
            break;
        worst = fmin(worst, fit.model.r2_left_out);
        for (size_t i = 0; i < FRESH; i++) {
            double m[CC_VALUE_COUNT], y = fresh->measures[0].v[i];
            spread_out(fresh, i, m);
            for (int l = 0; l < 2; l++) {
                struct cc_area_prediction e = cc_area_model_estimate(&fit.model, m, level[l]);
                inside[l] += e.low <= y && y <= e.high;
            }
        }
        cc_area_kernels_free(k);
        cc_area_kernels_free(fresh);
    }
    double half = (double)inside[0] / (TABLES * FRESH), most = (double)inside[1] / (TABLES * FRESH);
    OK(fabs(half - 0.5) < 0.06, "50 %% intervals hold %.1f %% of new kernels", 100 * half);
    OK(fabs(most - 0.9) < 0.035, "90 %% intervals hold %.1f %%", 100 * most);
    OK(worst > 0.7, "left-out R2 at least %.2f in every table", worst);
}

static void test_families(void)
{
    struct cc_rng rng = {3};
    struct cc_err err = {0};
    struct cc_area_fit fit;
    struct cc_area_fit_options choose = {CC_TRANSFORM_AUTO, 0, CC_FAMILY_AUTO};
    struct cc_area_kernels *k = made_up(&rng, 200, 0.1);
    OK(cc_area_fit_measure(k, &k->measures[0], &choose, &k->arena, &fit, &err) == 0 && fit.model.forest,
       "a forest where no line describes the table");
    for (size_t i = 0; i < k->n; i++)
        k->measures[0].v[i] = 100 + 30 * k->x[i * COLUMNS] + 7 * k->x[i * COLUMNS + 1] + normal(&rng);
    OK(cc_area_fit_measure(k, &k->measures[0], &choose, &k->arena, &fit, &err) == 0 && !fit.model.forest &&
           fit.model.nterms == 2,
       "a line where one does");
    cc_area_kernels_free(k);
    k = made_up(&rng, 39, 0.1);
    OK(cc_area_fit_forest(k, &k->measures[0], NULL, &k->arena, &fit, &err) == -CC_EINPUT &&
           strstr(err.msg, "39 usable"),
       "too few kernels for a forest");
    cc_area_kernels_free(k);
}

/* Lines of known coefficients: they are found, though all metrics are in it; signs hold whatever the table
 * says. */
static void test_penalised(void)
{
    struct cc_rng rng = {19};
    struct cc_err err = {0};
    struct cc_area_fit fit;
    struct cc_area_kernels *k = made_up(&rng, 300, 0);
    for (size_t i = 0; i < k->n; i++) {
        const double *x = k->x + i * COLUMNS;
        k->measures[0].v[i] = 50 * pow(1 + x[1], 0.8) * pow(1 + x[2], -0.5) * exp(0.05 * normal(&rng));
    }
    OK(cc_area_fit_penalised(k, &k->measures[0], &k->arena, &fit, &err) == 0, "a penalised line");
    double loads = 0, ifs = 0, others = 0;
    for (size_t j = 0; j < fit.model.nterms; j++) {
        double c = fit.model.terms[j].coef;
        if (fit.model.terms[j].metric == CC_M_loads)
            loads = c;
        else if (fit.model.terms[j].metric == CC_M_ifs)
            ifs = c;
        else
            others = fmax(others, fabs(c));
    }
    OK_NEAR(loads, 0.8, 0.03, "loads to the power of 0.8");
    OK_NEAR(ifs, -0.5, 0.03, "ifs to that of -0.5: branches may save hardware");
    OK(others < 0.02, "nothing of the others (%.3f)", others);
    OK(fit.model.r2_left_out > 0.98, "left-out R2 %.3f", fit.model.r2_left_out);
    for (size_t i = 0; i < k->n; i++) /* a table in which loads save hardware */
        k->measures[0].v[i] = 50 * pow(1 + k->x[i * COLUMNS + 1], -0.8) * exp(0.05 * normal(&rng));
    cc_area_fit_penalised(k, &k->measures[0], &k->arena, &fit, &err);
    size_t negative = 0;
    for (size_t j = 0; j < fit.model.nterms; j++)
        negative += fit.model.terms[j].coef < 0 && cc_area_rises(fit.model.terms[j].metric, "lut");
    OK(negative == 0 && fit.model.r2_left_out < 0.1, "more loads are never less hardware, whatever it costs");
    OK(!cc_area_rises(CC_M_loads, "fmax_mhz") && !cc_area_rises(CC_M_lines, "lut"),
       "... but may be less speed");
    OK(cc_area_concerns(CC_M_unit_blocks, "DSPs") && !cc_area_concerns(CC_M_unit_blocks, "lut") &&
           cc_area_concerns(CC_M_mul_32, "lut"),
       "blocks of units are offered to DSP blocks alone");
    cc_area_kernels_free(k);
}

/* Half of the kernels are only known to be below a bound: without them, the model knows large ones alone. */
static void test_censored(void)
{
    struct cc_rng rng = {5};
    struct cc_err err = {0};
    struct cc_area_fit with, blind;
    struct cc_area_kernels *k = made_up(&rng, 300, 0.05);
    double *v = k->measures[0].v, above[2] = {0};
    size_t n = 0;
    for (size_t i = 0; i < k->n; i++) {
        if (v[i] < 1000) {
            k->measures[0].below[i] = 1000;
            v[i] = NAN;
        }
    }
    cc_area_fit_forest(k, &k->measures[0], NULL, &k->arena, &with, &err);
    struct cc_area_kernel_measure cut = k->measures[0];
    cut.below = NULL;
    cc_area_fit_forest(k, &cut, NULL, &k->arena, &blind, &err);
    for (size_t i = 0; i < k->n; i++) {
        double m[CC_VALUE_COUNT];
        if (!isnan(v[i]))
            continue;
        spread_out(k, i, m);
        above[0] += cc_area_model_estimate(&with.model, m, 0.9).value > 1050;
        above[1] += cc_area_model_estimate(&blind.model, m, 0.9).value > 1050;
        n++;
    }
    OK(n > 60 && with.npoints == k->n - n, "%zu kernels are censored", n);
    OK(above[0] < 0.1 * (double)n && above[1] > 0.5 * (double)n,
       "used as bounds, %g of them are estimated above it; left out, %g", above[0], above[1]);
    cc_area_kernels_free(k);
}

static void test_folds(void)
{
    struct cc_rng rng = {11};
    struct cc_err err = {0};
    struct cc_area_trial trial;
    struct cc_area_kernels *k = made_up(&rng, 150, 0.1);
    k->nfolds = 5;
    for (size_t i = 0; i < k->n; i++)
        k->fold[i] = (uint32_t)(i % 5);
    struct cc_area_fit_options how = {.family = CC_FAMILY_FOREST};
    OK(cc_area_try_folds(k, &k->measures[0], &how, 0.9, &k->arena, &trial, &err) == 0 &&
           trial.kernels == 150 && trial.forests == 5,
       "every kernel is estimated once");
    OK(trial.r2 > 0.8 && trial.error.median_abs < 0.2 && trial.covered > 0.8,
       "R2 %.2f, median error %.2f, %.2f covered", trial.r2, trial.error.median_abs, trial.covered);
    for (size_t i = 0; i < k->n; i++) /* measures that have nothing to do with the metrics */
        k->measures[0].v[i] = 100 * exp(normal(&rng));
    cc_area_try_folds(k, &k->measures[0], &how, 0.9, &k->arena, &trial, &err);
    OK(trial.r2 < 0.15, "nothing is learnt from noise (R2 %.2f)", trial.r2);
    OK(trial.covered > 0.8, "... and the intervals know (%.2f)", trial.covered);
    cc_area_kernels_free(k);
}

/* --- files --- */

static char *written(struct cc_area_kernels *k, struct cc_area_fit *fit, size_t *size)
{
    struct cc_err err = {0};
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    cc_area_fit_forest(k, &k->measures[0], NULL, &k->arena, fit, &err);
    struct cc_area_model m = {
        .made_by = "test", .tables = "t", .options = "o", .scope = "a scope", .metric_set = 1};
    m.measures = &fit->model;
    m.nmeasures = 1;
    cc_area_model_write(&m, out);
    fclose(out);
    return text;
}

static void test_file(void)
{
    struct cc_rng rng = {13};
    struct cc_err err = {0};
    struct cc_area_fit fit;
    size_t size = 0, differ = 0, crashes = 0;
    struct cc_area_kernels *k = made_up(&rng, 60, 0.2);
    char *text = written(k, &fit, &size);
    struct cc_area_model *m = NULL;
    OK(cc_area_model_parse("f", text, size, &m, &err) == 0 && m->measures[0].forest,
       "a forest is read back: %s", err.msg);
    OK(m && strcmp(m->scope, "a scope") == 0 && m->metric_set == 1, "with its scope and set of metrics");
    for (size_t i = 0; m && i < k->n; i++) {
        double x[CC_VALUE_COUNT];
        spread_out(k, i, x);
        struct cc_area_prediction a = cc_area_model_estimate(&fit.model, x, 0.9),
                                  b = cc_area_model_estimate(&m->measures[0], x, 0.9);
        differ +=
            a.value != b.value || fabs(a.low - b.low) > 1e-3 * a.low || fabs(a.high - b.high) > 1e-3 * a.high;
    }
    OK(m && differ == 0, "and estimates the same (%zu differ)", differ);
    cc_area_model_free(m);
    for (int i = 0; i < 3000; i++) {
        char *copy = cc_strndup(text, size);
        for (int hits = 1 + i % 3; hits > 0; hits--)
            copy[cc_rng_below(&rng, size)] = (char)(32 + cc_rng_below(&rng, 95));
        size_t len = i % 4 ? size : cc_rng_below(&rng, size);
        memset(&err, 0, sizeof err);
        if (cc_area_model_parse("f", copy, len, &m, &err) == 0) {
            double x[CC_VALUE_COUNT] = {0};
            crashes += isnan(cc_area_model_estimate(&m->measures[0], x, 0.9).value);
            cc_area_model_free(m);
        } else {
            crashes += !*err.msg;
        }
        free(copy);
    }
    OK(crashes == 0, "3000 damaged copies: an error or an estimate");
    free(text);
    cc_area_kernels_free(k);
}

static struct cc_area_kernels *load(const char *text, struct cc_area_kernels_options options,
                                    struct cc_err *err)
{
    char path[TAP_FOLDER];
    tap_file(path);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    const char *paths[] = {path};
    struct cc_strs files = {paths, 1, 0};
    struct cc_area_kernels *k = NULL;
    memset(err, 0, sizeof *err);
    cc_area_kernels_load(&files, &options, &k, err);
    unlink(path);
    return k;
}

static void test_tables(void)
{
    struct cc_err err;
    struct cc_area_kernels_options how = {.folds = "part"};
    struct cc_area_kernels *k = load("kernel,part,metric_set,mul_8,mul_16,mul_32,mul_64,lut,dsp\n"
                                     "a,x,2,1,2,3,4,10,<5\nb,y,2,0,0,7,0,many,1\nc,x,2,0,0,0,0,30,2\n",
                                     how, &err);
    OK(k && k->nmetrics == 6 && k->metric[4] == CC_M_int_mul && k->x[4] == 10 && k->x[10] == 7 &&
           k->metric[5] == CC_M_has_mul && k->x[5] == 1 && k->x[17] == 0,
       "a sum of metrics is made of its parts: %s", err.msg);
    OK(k && k->metric_set == 2 && k->nfolds == 2 && k->fold[0] == k->fold[2] && k->fold[0] != k->fold[1],
       "the set of metrics and the folds");
    OK(k && k->nmeasures == 2 && isnan(k->measures[0].v[1]) && k->measures[0].v[2] == 30,
       "one bad cell does not cost the column");
    OK(k && k->notes.n && strstr(k->notes.v[0], ":3: 'many' is no value of 'lut'"), "... and is named: %s",
       k && k->notes.n ? k->notes.v[0] : "");
    OK(k && k->measures[1].below[0] == 5 && isnan(k->measures[1].below[1]), "a bound is kept");
    cc_area_kernels_free(k);
    OK(!load("kernel,metric_set,add_32,lut\na,1,1,2\nb,2,1,2\n", (struct cc_area_kernels_options){0}, &err) &&
           strstr(err.msg, "metric sets 1 and 2"),
       "two sets of metrics in one table: %s", err.msg);
    OK(!load("kernel,add_32,lut\na,1,1\n", how, &err) && strstr(err.msg, "no column 'part'"), "no folds");
}

/* lut = 100 (1 + add_32) (1 + unroll): what a column that is no metric explains. */
static void test_inputs(void)
{
    struct cc_rng rng = {21};
    struct cc_err err;
    struct cc_buf table = {0};
    const char *names[] = {"unroll"};
    struct cc_area_kernels_options how = {.inputs = {names, 1, 0}};
    cc_buf_puts(&table, "kernel,add_32,unroll,lut\nodd,3,many,1\n");
    for (int i = 0; i < 80; i++) {
        double adds = (double)cc_rng_below(&rng, 40), unroll = (double)(UINT64_C(1) << cc_rng_below(&rng, 5));
        cc_buf_printf(&table, "k%d,%g,%g,%.6f\n", i, adds, unroll,
                      100 * (1 + adds) * (1 + unroll) * exp(0.02 * normal(&rng)));
    }
    struct cc_area_kernels *k = load(table.s, how, &err);
    OK(k && k->n == 80 && k->nmeasures == 1 && k->ninputs == 1 && k->nmetrics == 2,
       "an input is no measure: %s", err.msg);
    OK(k && k->notes.n && strstr(k->notes.v[0], ":2: 'many' is no value of 'unroll'"),
       "a bad cell is named: %s", k && k->notes.n ? k->notes.v[0] : "");
    struct cc_area_fit fit;
    cc_area_fit_penalised(k, &k->measures[0], &k->arena, &fit, &err);
    struct cc_area_model model = {
        .measures = &fit.model, .nmeasures = 1, .made_by = "", .tables = "", .options = ""};
    cc_area_model_take_inputs(&model, k);
    OK(model.ninputs == 1 && model.inputs[0].min == 1 && model.inputs[0].max == 16 &&
           model.inputs[0].value == 4,
       "it has the table's median (%g) and range", model.inputs[0].value);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cc_area_model_write(&model, out);
    fclose(out);
    struct cc_area_model *m = NULL;
    OK(cc_area_model_parse("f", text, size, &m, &err) == 0 && m->ninputs == 1, "a model keeps it: %s",
       err.msg);
    struct cc_source_function f = {0};
    double values[CC_VALUE_COUNT], own = 8;
    f.m[CC_M_add_32] = 9;
    cc_area_model_values(m, &f, values);
    OK_NEAR(cc_area_model_estimate(&m->measures[0], values, 0.9).value, 100 * 10 * 5, 150,
            "unroll 4 if nothing is said");
    f.inputs = &own;
    cc_area_model_values(m, &f, values);
    OK_NEAR(cc_area_model_estimate(&m->measures[0], values, 0.9).value, 100 * 10 * 9, 270,
            "its own of a table");
    cc_area_model_input(m, "unroll")->value = 64;
    cc_area_model_input(m, "unroll")->given = true;
    cc_area_model_values(m, &f, values);
    struct cc_area_prediction e = cc_area_model_estimate(&m->measures[0], values, 0.9);
    OK(e.outside && strcmp(e.outside_metric, "unroll") == 0, "64 is beyond the table and said to be");
    OK(!load("kernel,add_32,lut\na,1,1\n", how, &err) && strstr(err.msg, "no column 'unroll'"),
       "an input that is not there: %s", err.msg);
    names[0] = "add_32";
    OK(!load("kernel,add_32,lut\na,1,1\n", how, &err) && strstr(err.msg, "is a metric"),
       "a metric is none: %s", err.msg);
    cc_area_model_free(m);
    cc_arena_fini(&model.arena);
    free(text);
    cc_buf_fini(&table);
    cc_area_kernels_free(k);
}

int main(void)
{
    test_trees();
    test_intervals();
    test_families();
    test_penalised();
    test_censored();
    test_folds();
    test_file();
    test_tables();
    test_inputs();
    return TAP_DONE();
}
