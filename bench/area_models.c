/* How good forests made otherwise are on kernels they have not seen: area-models TABLE.csv [MEASURE…]
 * usual: as calibrate makes them. nested: size of leaves, columns and signs chosen for each fold among
 * kernels of the other folds (left-out R2), then tried on the fold: what choosing is worth, and what it
 * flatters. two parts: a forest says whether there is none, another, of kernels that have some, how many. */
#include "analysis/area/fit_forest.h"
#include "analysis/area/folds.h"

#include <math.h>
#include <stdio.h>

static const double confidence = 0.9;

enum how { USUAL, NESTED, PARTS_LIKELY, PARTS_MEAN, WAYS };
static const char *const names[] = {"usual", "nested", "two parts, likelier", "two parts, mean"};

struct models {
    struct cc_area_model_measure usual, nested, some; /* some: how many, of those that have any */
};

enum { TREES = 15 }; /* of a try: enough to tell choices apart that differ */
static const struct cc_area_forest_choice choices[] = {
    {.trees = TREES, .least = 2},
    {.trees = TREES, .least = 3},
    {.trees = TREES, .least = 5},
    {.trees = TREES, .least = 3, .columns = CC_COLUMNS_ALL},
    {.trees = TREES, .least = 3, .columns = CC_COLUMNS_PLAIN},
    {.trees = TREES, .least = 3, .any_sign = true},
};

static struct cc_area_forest_choice choose(const struct cc_area_kernels *k,
                                           const struct cc_area_kernel_measure *y)
{
    double most = -INFINITY;
    struct cc_area_forest_choice best = choices[0];
    for (size_t i = 0; i < CC_COUNT(choices); i++) {
        struct cc_arena scratch = {0};
        struct cc_area_fit fit;
        struct cc_err err = {0};
        if (cc_area_fit_forest(k, y, &choices[i], &scratch, &fit, &err) == 0 &&
            fit.model.r2_left_out > most) {
            most = fit.model.r2_left_out;
            best = choices[i];
        }
        cc_arena_fini(&scratch);
    }
    best.trees = 0;
    return best;
}

static bool same(const struct cc_area_forest_choice *a, const struct cc_area_forest_choice *b)
{
    return a->least == b->least && a->columns == b->columns && a->any_sign == b->any_sign;
}

static bool make(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                 const struct cc_area_forest_choice *choice, struct cc_arena *arena,
                 struct cc_area_model_measure *ret)
{
    struct cc_area_fit fit;
    struct cc_err err = {0};
    int rc = cc_area_fit_forest(k, y, choice, arena, &fit, &err);
    if (rc < 0)
        fprintf(stderr, "%s\n", err.msg);
    *ret = fit.model;
    return rc == 0;
}

static bool make_all(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                     struct cc_arena *arena, struct models *m)
{
    struct cc_area_forest_choice usual = cc_area_forest_usual(y), best = choose(k, y);
    bool ok = make(k, y, &usual, arena, &m->usual);
    m->nested = m->usual;
    if (ok && !same(&best, &usual))
        ok = make(k, y, &best, arena, &m->nested);
    if (!ok || !y->keeps_zeros)
        return ok;
    struct cc_area_kernel_measure some = *y;
    some.keeps_zeros = false;
    some.v = cc_alloc_array(k->n + 1, sizeof *some.v);
    for (size_t i = 0; i < k->n; i++)
        some.v[i] = y->v[i] > 0 ? y->v[i] : NAN;
    ok = make(k, &some, &usual, arena, &m->some);
    free(some.v);
    return ok;
}

static struct cc_area_prediction estimate(const struct models *m, enum how how, const double *metrics)
{
    struct cc_area_prediction one =
        cc_area_model_estimate(how == NESTED ? &m->nested : &m->usual, metrics, confidence);
    if (how < PARTS_LIKELY)
        return one;
    struct cc_area_prediction some = cc_area_model_estimate(&m->some, metrics, confidence);
    some.value =
        how == PARTS_LIKELY ? (one.zero > 0.5 ? 0 : some.value) : expm1((1 - one.zero) * log1p(some.value));
    some.low = one.zero > 1 - confidence ? 0 : some.low;
    some.high = one.zero > confidence ? 0 : some.high;
    return some;
}

static void try_fold(const struct cc_area_kernels *k, uint32_t fold, size_t ways, struct cc_area_trying *t)
{
    struct cc_arena scratch = {0};
    struct models models = {0};
    struct cc_area_kernel_measure m = cc_area_without_fold(t, fold);
    bool made = make_all(k, &m, &scratch, &models);
    for (size_t i = 0; made && i < k->n; i++) {
        double metrics[CC_VALUE_COUNT];
        if (k->fold[i] != fold || isnan(t->y->v[i]))
            continue;
        cc_area_kernel_values(k, i, metrics);
        for (size_t how = 0; how < ways; how++) {
            struct cc_area_prediction e = estimate(&models, (enum how)how, metrics);
            cc_area_trying_put(&t[how], i, &e);
        }
    }
    cc_area_without_fold_fini(&m);
    cc_arena_fini(&scratch);
}

static void try_measure(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y)
{
    struct cc_area_trying t[WAYS];
    struct cc_arena arena = {0};
    size_t ways = y->keeps_zeros ? WAYS : PARTS_LIKELY;
    for (size_t how = 0; how < ways; how++)
        cc_area_trying_init(&t[how], k, y);
    for (uint32_t fold = 0; fold < k->nfolds; fold++)
        try_fold(k, fold, ways, t);
    for (size_t how = 0; how < ways; how++) {
        struct cc_area_trial r = cc_area_trying_end(&t[how], &arena);
        printf("%-10s %-20s %14.1f %% %10.3f %10.1f %% %10.1f\n", y->name, names[how],
               100 * r.error.median_abs, r.r2, 100 * r.covered, r.width);
    }
    fflush(stdout);
    cc_arena_fini(&arena);
}

int main(int argc, char **argv)
{
    struct cc_err err = {0};
    struct cc_area_kernels *k;
    struct cc_area_kernels_options options = {.group = "family", .folds = "fold"};
    struct cc_strs files = {0};
    if (argc < 2)
        return 2;
    CC_VEC_PUSH(&files, argv[1]);
    if (cc_area_kernels_load(&files, &options, &k, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        return 3;
    }
    printf("%-10s %-20s %16s %10s %12s %10s\n", "measure", "forests", "median |error|", "r2 of log",
           "covered", "width");
    for (size_t i = 0; i < k->nmeasures; i++) {
        bool wanted = argc == 2 && k->measures[i].usual;
        for (int a = 2; a < argc; a++)
            wanted |= strcmp(argv[a], k->measures[i].name) == 0;
        if (wanted)
            try_measure(k, &k->measures[i]);
    }
    cc_strs_fini(&files);
    cc_area_kernels_free(k);
    return 0;
}
