#include "models.h"
#include "../../base/text.h"
#include "../../base/map.h"
#include "../../base/parallel.h"

#include <math.h>

struct building {
    const struct cc_samples *s;
    const struct cc_models_options *o;
    const struct cc_growth_search *search;
    struct cc_model *v;
    const uint32_t *same; /* of each model: the first with the same figures */
    uint32_t *all;
    size_t *place; /* of each thing among those of its kind */
};

static bool all_equal(const double *y, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (y[i] != y[0])
            return false;
    return true;
}

static void fit_some(struct cc_parallel *p, void *data)
{
    struct building *x = data;
    size_t i;
    while (cc_parallel_next(p, &i)) {
        struct cc_model *m = &x->v[i];
        const double *y = x->s->things.v[m->thing].y[m->figure];
        m->constant = all_equal(y, x->s->nruns);
        if (x->same[i] == i && cc_ranks_mine(x->o->ranks, i))
            cc_growth_fit(x->search, y, x->all, x->s->nruns, x->o->coverage,
                          x->place[m->thing] < x->o->pieces, &m->growth);
    }
}

/* Many figures are equal over all runs: one law does for them. */
static uint32_t *find_same(const struct cc_samples *s, const struct cc_models *m)
{
    uint32_t *same = cc_alloc_array(m->v.n + 1, sizeof *same);
    struct cc_map first = {0};
    for (uint32_t i = 0; i < m->v.n; i++) {
        const double *y = s->things.v[m->v.v[i].thing].y[m->v.v[i].figure];
        uint64_t hash = 1469598103934665603u, bits;
        for (size_t r = 0; r < s->nruns; r++) {
            memcpy(&bits, &y[r], sizeof bits);
            hash = (hash ^ bits ^ bits >> 29) * 1099511628211u;
        }
        bool new;
        uint64_t *at = cc_map_put(&first, hash, &new);
        if (new)
            *at = i;
        const struct cc_model *f = &m->v.v[*at];
        bool equal = memcmp(y, s->things.v[f->thing].y[f->figure], s->nruns * sizeof *y) == 0;
        same[i] = equal ? (uint32_t)*at : i;
    }
    cc_map_fini(&first);
    return same;
}

static size_t *places(const struct cc_samples *s)
{
    size_t *place = cc_alloc_array(s->things.n + 1, sizeof *place), count[CC_OFS] = {0};
    for (size_t i = 0; i < s->things.n; i++)
        place[i] = count[s->things.v[i].kind]++;
    return place;
}

static uint32_t *all_runs(const struct cc_samples *s)
{
    uint32_t *all = cc_alloc_array(s->nruns + 1, sizeof *all);
    for (uint32_t r = 0; r < s->nruns; r++)
        all[r] = r;
    return all;
}

static void list_models(const struct cc_samples *s, const struct cc_models_options *o, struct cc_models *m)
{
    for (uint32_t t = 0; t < s->things.n; t++)
        for (uint32_t f = 0; f < CC_FIGURES; f++)
            if (s->things.v[t].y[f] && (o->only < 0 || o->only == (int)s->things.v[t].kind))
                CC_VEC_PUSH(&m->v, (struct cc_model){.thing = t, .figure = f});
}

/* Every process has fitted its share: now all have all. */
static void exchange(struct cc_models *m, const struct cc_ranks *ranks)
{
    unsigned count = cc_ranks_count(ranks);
    for (unsigned from = 0; count > 1 && from < count; from++) {
        struct cc_buf own = {0};
        for (size_t i = from; i < m->v.n && from == cc_ranks_own(ranks); i += count)
            cc_buf_add(&own, &m->v.v[i].growth, sizeof m->v.v[i].growth);
        size_t size = own.n;
        CC_CLEANUP(cc_free_ptr) char *told = cc_ranks_tell(ranks, from, own.s, &size);
        for (size_t i = from, k = 0; i < m->v.n; i += count, k++)
            memcpy(&m->v.v[i].growth, told + k * sizeof m->v.v[i].growth, sizeof m->v.v[i].growth);
        cc_buf_fini(&own);
    }
}

void cc_models_build(const struct cc_samples *s, const struct cc_models_options *o, struct cc_models **ret)
{
    struct cc_models *m = cc_alloc(sizeof *m);
    m->s = s;
    list_models(s, o, m);
    CC_CLEANUP(cc_free_ptr) uint32_t *same = find_same(s, m), *all = all_runs(s);
    CC_CLEANUP(cc_free_ptr) size_t *place = places(s);
    struct cc_growth_search *search = cc_growth_search_new(&s->controls);
    struct building x = {s, o, search, m->v.v, same, all, place};
    cc_parallel_run(m->v.n, o->threads ? o->threads : cc_ranks_threads(o->ranks), fit_some, &x);
    exchange(m, o->ranks);
    for (size_t i = 0; i < m->v.n; i++)
        m->v.v[i].growth = m->v.v[same[i]].growth;
    cc_growth_search_free(search);
    *ret = m;
}

void cc_models_free(struct cc_models *m)
{
    if (!m)
        return;
    CC_VEC_FINI(&m->v);
    free(m);
}

/* --- runs left out --- */

struct checking {
    const struct cc_samples *s;
    const struct cc_models_options *o;
    const struct cc_growth_search *search;
    const struct cc_models *m;
    const size_t *place;
    double *error; /* [model * runs + run]; NAN: not known */
    bool *held;
};

static void check_some(struct cc_parallel *p, void *data)
{
    struct checking *x = data;
    const size_t n = x->s->nruns, k = x->s->controls.nvariables;
    CC_CLEANUP(cc_free_ptr) uint32_t *others = cc_alloc_array(n + 1, sizeof *others);
    size_t i;
    while (cc_parallel_next(p, &i)) {
        const struct cc_model *m = &x->m->v.v[i];
        const double *y = x->s->things.v[m->thing].y[m->figure];
        for (size_t out = 0; out < n; out++) {
            size_t left = 0;
            for (uint32_t r = 0; r < n; r++)
                if (r != out)
                    others[left++] = r;
            struct cc_growth g;
            cc_growth_fit(x->search, y, others, left, x->o->coverage, x->place[m->thing] < x->o->pieces, &g);
            double at = cc_growth_at(&g, &x->s->controls.x[out * k], &x->s->controls.category[out * k]);
            x->error[i * n + out] = fabs(at - y[out]) / fmax(fabs(y[out]), g.scale);
            x->held[i * n + out] = y[out] <= cc_growth_bound(&g, at);
        }
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t largest_run(const double *y, size_t n)
{
    size_t at = 0;
    for (size_t r = 1; r < n; r++)
        at = y[r] > y[at] ? r : at;
    return at;
}

/* Figures that never vary would flatter: they are left out. */
static void sum_up(const struct checking *x, struct cc_models_check *ret)
{
    const size_t n = x->s->nruns;
    CC_VEC(double) errors = {0};
    size_t held = 0, largest = 0, held_largest = 0;
    for (size_t i = 0; i < x->m->v.n; i++) {
        const struct cc_model *m = &x->m->v.v[i];
        size_t most = largest_run(x->s->things.v[m->thing].y[m->figure], n);
        for (size_t r = 0; r < n; r++) {
            double e = x->error[i * n + r];
            ret->tried++;
            if (isnan(e)) {
                ret->unknown++;
                continue;
            }
            CC_VEC_PUSH(&errors, e);
            ret->mean += e;
            held += x->held[i * n + r];
            largest += r == most;
            held_largest += r == most && x->held[i * n + r];
        }
    }
    if (errors.n) {
        qsort(errors.v, errors.n, sizeof *errors.v, by_size);
        ret->median = errors.v[errors.n / 2];
        ret->worst_tenth = errors.v[errors.n * 9 / 10];
        ret->mean /= (double)errors.n;
        ret->held = (double)held / (double)errors.n;
        ret->held_largest = largest ? (double)held_largest / (double)largest : NAN;
    }
    CC_VEC_FINI(&errors);
}

void cc_models_check(const struct cc_samples *s, const struct cc_models_options *o,
                     struct cc_models_check *ret)
{
    struct cc_models varying = {.s = s};
    struct cc_models all = {.s = s};
    list_models(s, o, &all);
    CC_CLEANUP(cc_free_ptr) uint32_t *same = find_same(s, &all);
    for (uint32_t i = 0; i < all.v.n; i++) {
        const struct cc_model *m = &all.v.v[i];
        if (same[i] == i && !all_equal(s->things.v[m->thing].y[m->figure], s->nruns))
            CC_VEC_PUSH(&varying.v, *m);
    }
    CC_CLEANUP(cc_free_ptr) size_t *place = places(s);
    CC_CLEANUP(cc_free_ptr) double *error = cc_alloc_array(varying.v.n * s->nruns + 1, sizeof *error);
    CC_CLEANUP(cc_free_ptr) bool *held = cc_alloc_array(varying.v.n * s->nruns + 1, sizeof *held);
    struct cc_growth_search *search = cc_growth_search_new(&s->controls);
    struct checking x = {s, o, search, &varying, place, error, held};
    cc_parallel_run(varying.v.n, o->threads, check_some, &x);
    *ret = (struct cc_models_check){0};
    sum_up(&x, ret);
    cc_growth_search_free(search);
    CC_VEC_FINI(&varying.v);
    CC_VEC_FINI(&all.v);
}
