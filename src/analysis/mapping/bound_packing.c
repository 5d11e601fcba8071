/* The tasks that are bound to units have to be placed on their cores: first those of each unit on its own,
 * which is quick and tells most, then all of them together, with the least times between those that need each
 * other. */
#include "bound.h"

#include <math.h>

/* Steps after which a set counts as fitting. Any value proves the same; these took the least time on random
 * problems. */
enum { PACKING_STEPS = 1000, JOINT_STEPS = 200 };

static double *lags_from(const struct bounder *b, size_t from, size_t unit)
{
    return &b->lag[(from * b->x->m + unit) * b->x->n * b->x->m];
}

/* The earliest start of task i on unit u if what it needs ends as `done` has it; < 0 if it needs none of
 * that. */
static double lag_of(const struct model *x, const double *done, size_t i, size_t u)
{
    double start = -1;
    for (size_t a = x->pred_first[i]; a < x->pred_first[i + 1]; a++) {
        const double *before = &done[x->pred[a].task * x->m];
        double soonest = INFINITY;
        if (before[0] < 0)
            continue;
        for (size_t v = 0; v < x->m; v++)
            soonest = fmin(soonest, before[v] + model_transfer(x, x->pred[a].edge, v, u));
        start = fmax(start, soonest);
    }
    return start;
}

/* The least time between the end of `from` on `unit` and the start of each task that needs it, over
 * everything in between wherever it runs. */
static void find_lags(struct bounder *b, size_t from, size_t unit)
{
    const struct model *x = b->x;
    size_t m = x->m;
    double *done = b->done, *lag = lags_from(b, from, unit); /* done: < 0 for what does not need `from` */
    for (size_t i = 0; i < x->n * m; i++)
        done[i] = lag[i] = -1;
    for (size_t u = 0; u < m; u++)
        done[from * m + u] = u == unit ? 0 : INFINITY;
    for (size_t at = 0; at < x->n; at++) {
        size_t i = x->topo[at];
        if (i == from || lag_of(x, done, i, 0) < 0)
            continue;
        for (size_t u = 0; u < m; u++) {
            lag[i * m + u] = lag_of(x, done, i, u);
            done[i * m + u] = INFINITY;
        }
        for (size_t o = x->first[i]; o < x->first[i + 1]; o++)
            done[i * m + x->unit[o]] = fmin(done[i * m + x->unit[o]], lag[i * m + x->unit[o]] + x->time[o]);
    }
}

void cc_mapping_bound_packing_init(struct bounder *b)
{
    const struct model *x = b->x;
    size_t most = 0;
    for (size_t u = 0; u < x->m; u++)
        most = CC_MAX(most, (size_t)x->unit_cores[u]);
    if (most < 2 || most > CC_PACKING_CORES || x->n > CC_SEQUENCE_MAX || x->m > CC_PACKING_UNITS ||
        x->pipeline)
        return;
    b->packing = cc_mapping_packing_new(x->unit_cores, x->m);
    b->lag = cc_alloc_array(x->n * x->m * x->n * x->m, sizeof *b->lag);
    for (size_t i = 0; i < x->n; i++)
        for (size_t u = 0; u < x->m; u++)
            find_lags(b, i, u);
}

/* What there is no room for becomes one way with the best of all. */
static void add_mode(struct packing_task *t, uint32_t cores, double time)
{
    struct packing_mode *last = &t->mode[CC_PACKING_MODES - 1];
    if (t->nmodes < CC_PACKING_MODES)
        t->mode[t->nmodes++] = (struct packing_mode){cores, time};
    else
        *last = (struct packing_mode){CC_MIN(last->cores, cores), fmin(last->time, time)};
}

/* Task tasks[at], which is bound to its unit, after those before it. */
static void fill_packing(struct bounder *b, const uint64_t *options, const uint32_t *tasks, size_t at)
{
    const struct model *x = b->x;
    size_t i = tasks[at], o, u = x->unit[x->first[i] + (size_t)__builtin_ctzll(options[i])];
    struct packing_task *t = cc_mapping_packing_task(b->packing, at);
    *t = (struct packing_task){
        .unit = u, .head = b->ready[i * x->m + u], .tail = b->tail[i * x->m + u], .area = INFINITY};
    EACH_OPTION(options[i], o, x->first[i])
    {
        add_mode(t, x->cores[o], x->time[o]);
        t->area = fmin(t->area, x->time[o] * x->cores[o]);
    }
    for (size_t k = 0; k < at; k++) {
        size_t j = tasks[k], v = cc_mapping_packing_task(b->packing, k)->unit;
        double lag = lags_from(b, j, v)[i * x->m + u];
        if (lag >= 0)
            cc_mapping_packing_after(b->packing, at, k, lag);
    }
}

/* Whether the tasks bound to units (all units if SIZE_MAX) can be placed there. */
static bool bound_pack(struct bounder *b, const uint64_t *options, size_t unit, double limit, uint64_t budget)
{
    const struct model *x = b->x;
    uint32_t tasks[CC_SEQUENCE_MAX];
    size_t n = 0;
    for (size_t at = 0; at < x->n; at++) {
        uint32_t i = x->topo[at];
        uint64_t units = cc_mapping_bound_units(x, i, options[i]);
        if (unit == SIZE_MAX ? (units & (units - 1)) == 0 : units == UINT64_C(1) << unit)
            tasks[n++] = i;
    }
    for (size_t k = 0; k < n; k++)
        fill_packing(b, options, tasks, k);
    return n < 2 || cc_mapping_packs(b->packing, n, limit, budget, &b->packing_steps);
}

bool cc_mapping_bound_packs(struct bounder *b, const uint64_t *options, double limit)
{
    for (size_t u = 0; u < b->x->m && b->packing; u++)
        if (!bound_pack(b, options, u, limit, PACKING_STEPS))
            return false;
    return !b->packing || bound_pack(b, options, SIZE_MAX, limit, JOINT_STEPS);
}
