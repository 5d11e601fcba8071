#include "folds.h"
#include "stats.h"

#include <math.h>

void cc_area_trying_init(struct cc_area_trying *t, const struct cc_area_kernels *k,
                         const struct cc_area_kernel_measure *y)
{
    *t = (struct cc_area_trying){.k = k, .y = y};
    t->points = cc_alloc_array(k->n + 1, sizeof *t->points);
    t->widths = cc_alloc_array(k->n + 1, sizeof *t->widths);
}

struct cc_area_kernel_measure cc_area_without_fold(const struct cc_area_trying *t, uint32_t fold)
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

void cc_area_without_fold_fini(struct cc_area_kernel_measure *m)
{
    free(m->v);
    free(m->below);
}

void cc_area_kernel_values(const struct cc_area_kernels *k, size_t row, double ret[CC_VALUE_COUNT])
{
    memset(ret, 0, CC_VALUE_COUNT * sizeof *ret);
    for (size_t j = 0; j < k->nmetrics; j++)
        ret[k->metric[j]] = k->x[row * k->nmetrics + j];
}

void cc_area_trying_put(struct cc_area_trying *t, size_t row, const struct cc_area_prediction *e)
{
    double y = t->y->v[row], plus = t->y->keeps_zeros;
    t->covered += e->low <= y && y <= e->high;
    t->widths[t->n] = (e->high + plus) / fmax(e->low + plus, 1e-9);
    t->points[t->n++] =
        (struct cc_area_fit_point){.kernel = t->k->names[row], .measured = y, .left_out = e->value};
}

static double r2_of_log(const struct cc_area_trying *t)
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

struct cc_area_trial cc_area_trying_end(struct cc_area_trying *t, struct cc_arena *arena)
{
    struct cc_area_trial r = {.measure = cc_arena_strdup(arena, t->y->name),
                              .kernels = t->n,
                              .forests = t->forests,
                              .r2 = r2_of_log(t),
                              .error = cc_area_error_summary(t->points, t->n, false, arena),
                              .covered = (double)t->covered / (double)t->n,
                              .width = cc_area_quantile(t->widths, t->n, 0.5)};
    free(t->points);
    free(t->widths);
    return r;
}

static void estimate(struct cc_area_trying *t, uint32_t fold, const struct cc_area_model_measure *model,
                     double confidence)
{
    double metrics[CC_VALUE_COUNT];
    for (size_t i = 0; i < t->k->n; i++) {
        if (t->k->fold[i] != fold || isnan(t->y->v[i]))
            continue;
        cc_area_kernel_values(t->k, i, metrics);
        struct cc_area_prediction e = cc_area_model_estimate(model, metrics, confidence);
        cc_area_trying_put(t, i, &e);
    }
}

int cc_area_try_folds(const struct cc_area_kernels *k, const struct cc_area_kernel_measure *y,
                      const struct cc_area_fit_options *options, double confidence, struct cc_arena *arena,
                      struct cc_area_trial *ret, struct cc_err *err)
{
    struct cc_area_trying t;
    cc_area_trying_init(&t, k, y);
    int rc = 0;
    for (uint32_t fold = 0; rc == 0 && fold < k->nfolds; fold++) {
        struct cc_arena scratch = {0};
        struct cc_area_fit fit;
        struct cc_area_kernel_measure m = cc_area_without_fold(&t, fold);
        rc = cc_area_fit_measure(k, &m, options, &scratch, &fit, err);
        if (rc == 0) {
            t.forests += fit.model.family == CC_FAMILY_FOREST;
            estimate(&t, fold, &fit.model, confidence);
        }
        cc_area_without_fold_fini(&m);
        cc_arena_fini(&scratch);
    }
    struct cc_area_trial r = cc_area_trying_end(&t, arena);
    if (rc == 0)
        *ret = r;
    return rc;
}
