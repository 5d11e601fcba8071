#include "folds.h"
#include "stats.h"

#include <math.h>

struct trial {
    const struct cc_area_kernels *k;
    const struct cc_area_kernel_measure *y;
    double confidence;
    struct cc_area_fit_point *points;
    double *widths;
    size_t n, covered, forests;
};

/* The measure as if the fold's kernels had not been measured. */
static struct cc_area_kernel_measure without(const struct trial *t, uint32_t fold)
{
    struct cc_area_kernel_measure m = *t->y;
    m.v = cc_alloc_array(t->k->n + 1, sizeof *m.v);
    m.below = cc_alloc_array(t->k->n + 1, sizeof *m.below);
    for (size_t i = 0; i < t->k->n; i++) {
        bool out = t->k->fold[i] == fold;
        m.v[i] = out ? NAN : t->y->v[i];
        m.below[i] = out || !t->y->below ? NAN : t->y->below[i];
    }
    return m;
}

static void estimate(struct trial *t, uint32_t fold, const struct cc_area_model_measure *model)
{
    double metrics[CC_VALUE_COUNT], plus = t->y->keeps_zeros;
    for (size_t i = 0; i < t->k->n; i++) {
        double y = t->y->v[i];
        if (t->k->fold[i] != fold || isnan(y))
            continue;
        memset(metrics, 0, sizeof metrics);
        for (size_t j = 0; j < t->k->nmetrics; j++)
            metrics[t->k->metric[j]] = t->k->x[i * t->k->nmetrics + j];
        struct cc_area_prediction e = cc_area_model_estimate(model, metrics, t->confidence);
        t->covered += e.low <= y && y <= e.high;
        t->widths[t->n] = (e.high + plus) / fmax(e.low + plus, 1e-9);
        t->points[t->n++] =
            (struct cc_area_fit_point){.kernel = t->k->names[i], .measured = y, .left_out = e.value};
    }
}

static double r2_of_log(const struct trial *t)
{
    double plus = t->y->keeps_zeros, mean = 0, rss = 0, tss = 0;
    for (size_t i = 0; i < t->n; i++)
        mean += log(t->points[i].measured + plus) / (double)t->n;
    for (size_t i = 0; i < t->n; i++) {
        double y = log(t->points[i].measured + plus), at = log(fmax(t->points[i].left_out + plus, 1e-9));
        rss += (y - at) * (y - at);
        tss += (y - mean) * (y - mean);
    }
    return 1 - rss / tss;
}

int cc_area_try_folds(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                      const struct cc_area_fit_options *options, double confidence, struct cc_arena *arena,
                      struct cc_area_trial *ret, struct cc_err *err)
{
    struct trial t = {.k = k, .y = y, .confidence = confidence};
    t.points = cc_alloc_array(k->n + 1, sizeof *t.points);
    t.widths = cc_alloc_array(k->n + 1, sizeof *t.widths);
    int rc = 0;
    for (uint32_t fold = 0; rc == 0 && fold < k->nfolds; fold++) {
        struct cc_arena scratch = {0};
        struct cc_area_fit fit;
        struct cc_area_kernel_measure m = without(&t, fold);
        rc = cc_area_fit_measure(k, &m, options, &scratch, &fit, err);
        if (rc == 0) {
            t.forests += fit.model.family == CC_FAMILY_FOREST;
            estimate(&t, fold, &fit.model);
        }
        free(m.v);
        free(m.below);
        cc_arena_fini(&scratch);
    }
    if (rc == 0)
        *ret = (struct cc_area_trial){.measure = cc_arena_strdup(arena, y->name),
                                      .kernels = t.n,
                                      .forests = t.forests,
                                      .r2 = r2_of_log(&t),
                                      .error = cc_area_error_summary(t.points, t.n, false, arena),
                                      .covered = (double)t.covered / (double)t.n,
                                      .width = cc_area_quantile(t.widths, t.n, 0.5)};
    free(t.points);
    free(t.widths);
    return rc;
}
