/* A first plan (HEFT) and simulated annealing over options and order. */
#include "decode.h"
#include "../../base/rng.h"

#include <math.h>

static double mean_time(const struct model *x, size_t i)
{
    double sum = 0;
    for (size_t o = x->first[i]; o < x->first[i + 1]; o++)
        sum += x->time[o];
    return sum / (double)(x->first[i + 1] - x->first[i]);
}

static double mean_transfer(const struct model *x, size_t edge)
{
    double sum = 0;
    size_t n = 0;
    for (size_t u = 0; u < x->m; u++) {
        for (size_t v = 0; v < x->m; v++) {
            double t = model_transfer(x, edge, u, v);
            if (u != v && isfinite(t)) {
                sum += t;
                n++;
            }
        }
    }
    return n ? sum / (double)n : 0;
}

struct ranked {
    double rank;
    uint32_t task, depth;
};

static int higher_first(const void *a, const void *b)
{
    const struct ranked *p = a, *q = b;
    if (p->rank != q->rank)
        return p->rank > q->rank ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return (p->task > q->task) - (p->task < q->task);
}

static void rank_list(const struct model *x, uint32_t *list)
{
    struct ranked *r = cc_alloc_array(x->n, sizeof *r);
    double *rank = cc_alloc_array(x->n, sizeof *rank);
    for (size_t at = x->n; at-- > 0;) {
        uint32_t i = x->topo[at];
        for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++)
            rank[i] = fmax(rank[i], mean_transfer(x, x->succ[k].edge) + rank[x->succ[k].task]);
        rank[i] += mean_time(x, i);
        r[at] = (struct ranked){rank[i], i, (uint32_t)at};
    }
    qsort(r, x->n, sizeof *r, higher_first);
    for (size_t at = 0; at < x->n; at++)
        list[at] = r[at].task;
    free(rank);
    free(r);
}

/* When task i would end with option o, given what is placed. */
static double end_with(const struct decoder *d, const struct plan *p, size_t i, size_t o, double *ret_start)
{
    const struct model *x = d->x;
    double start = d->free_at[d->slot[x->unit[o]] + x->cores[o] - 1];
    for (size_t a = x->pred_first[i]; a < x->pred_first[i + 1]; a++) {
        uint32_t j = x->pred[a].task;
        start =
            fmax(start, p->finish[j] + model_transfer(x, x->pred[a].edge, x->unit[p->choice[j]], x->unit[o]));
    }
    *ret_start = start;
    return start + x->time[o];
}

void cc_mapping_heft(struct decoder *d, struct plan *p)
{
    const struct model *x = d->x;
    double used[CC_MAP_MAX_UNITS] = {0};
    rank_list(x, p->list);
    cc_mapping_decoder_reset(d);
    for (size_t at = 0; at < x->n; at++) {
        uint32_t i = p->list[at];
        size_t best = x->first[i];
        double best_score = INFINITY, best_start = 0;
        for (size_t o = x->first[i]; o < x->first[i + 1]; o++) {
            double start, end = end_with(d, p, i, o, &start);
            double score =
                x->pipeline ? x->load[o] : x->energy[o] + (x->weight > 0 ? x->weight * end : end * 1e-12);
            if (used[x->unit[o]] + x->memory[i] > x->unit_memory[x->unit[o]])
                score = score * 1e6 + 1e6;
            if (score < best_score) {
                best_score = score;
                best = o;
                best_start = start;
            }
        }
        if (!isfinite(best_score)) /* unreachable from its data whatever the unit: leave it to the cost */
            end_with(d, p, i, best, &best_start);
        used[x->unit[best]] += x->memory[i];
        p->choice[i] = best;
        p->start[i] = best_start;
        p->finish[i] = best_start + x->time[best];
        cc_mapping_decoder_occupy(d, x->unit[best], x->cores[best], best_start, p->finish[i], i);
    }
    cc_mapping_model_cost(d, p, false);
}

struct annealer {
    struct decoder *d;
    const struct model *x;
    struct cc_rng rng;
    struct plan *now, *best;
    uint32_t *at; /* place of each task in the list */
    uint32_t *critical;
    size_t ncritical;
};

static void find_critical(struct annealer *a)
{
    uint32_t last = 0;
    a->ncritical = 0;
    if (a->x->pipeline)
        return;
    for (uint32_t i = 1; i < a->x->n; i++)
        if (a->now->finish[i] > a->now->finish[last])
            last = i;
    for (uint32_t i = last; i != NO_TASK && a->ncritical < a->x->n; i = a->now->blocker[i])
        a->critical[a->ncritical++] = i;
}

static uint32_t pick_task(struct annealer *a)
{
    if (a->ncritical && cc_rng_below(&a->rng, 10))
        return a->critical[cc_rng_below(&a->rng, a->ncritical)];
    return (uint32_t)cc_rng_below(&a->rng, a->x->n);
}

static void shift(struct annealer *a, size_t from, size_t to)
{
    uint32_t task = a->now->list[from];
    for (; from < to; from++)
        a->at[a->now->list[from] = a->now->list[from + 1]] = (uint32_t)from;
    for (; from > to; from--)
        a->at[a->now->list[from] = a->now->list[from - 1]] = (uint32_t)from;
    a->now->list[to] = task;
    a->at[task] = (uint32_t)to;
}

/* Where in the list a task may go: after all it needs, before all that need it. */
static void range_of(const struct annealer *a, uint32_t i, size_t *lo, size_t *hi)
{
    const struct model *x = a->x;
    *lo = 0;
    *hi = x->n - 1;
    for (size_t k = x->pred_first[i]; k < x->pred_first[i + 1]; k++)
        *lo = CC_MAX(*lo, (size_t)a->at[x->pred[k].task] + 1);
    for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++)
        *hi = CC_MIN(*hi, (size_t)a->at[x->succ[k].task] - 1);
}

struct undo {
    uint32_t task;
    size_t choice, from;
};

static struct undo mutate(struct annealer *a)
{
    const struct model *x = a->x;
    uint32_t i = pick_task(a);
    struct undo u = {i, a->now->choice[i], a->at[i]};
    size_t options = x->first[i + 1] - x->first[i], what = cc_rng_below(&a->rng, 4);
    if (options > 1 && (what < 2 || x->pipeline)) {
        size_t o = x->first[i] + cc_rng_below(&a->rng, options - 1);
        a->now->choice[i] = o + (o >= u.choice);
    }
    if (what > 0 && !x->pipeline) {
        size_t lo, hi;
        range_of(a, i, &lo, &hi);
        /* near places matter most: a reach that is short more often than long */
        size_t reach = 1 + cc_rng_below(&a->rng, 1 + cc_rng_below(&a->rng, x->n));
        lo = u.from > reach ? CC_MAX(lo, u.from - reach) : lo;
        hi = CC_MIN(hi, u.from + reach);
        shift(a, u.from, lo + cc_rng_below(&a->rng, hi - lo + 1));
    }
    return u;
}

static double opening_heat(struct annealer *a)
{
    double sum = 0, base = a->now->cost;
    size_t n = 0;
    for (int k = 0; k < 50; k++) {
        struct undo u = mutate(a);
        double c = cc_mapping_model_cost(a->d, a->now, true);
        if (isfinite(c) && c > base && c < 2 * base) {
            sum += c - base;
            n++;
        }
        a->now->choice[u.task] = u.choice;
        shift(a, a->at[u.task], u.from);
    }
    a->now->cost = cc_mapping_model_cost(a->d, a->now, true);
    return n ? sum / (double)n : 0.05 * base;
}

static void keep_if_best(struct annealer *a)
{
    if (a->now->cost < a->best->cost && cc_mapping_model_overflow(a->x, a->now->choice) == 0 &&
        (a->x->pipeline || a->now->time <= a->x->deadline))
        cc_mapping_plan_copy(a->x, a->best, a->now);
}

void cc_mapping_anneal(struct decoder *d, struct plan *p, uint64_t seed, size_t steps, double heat)
{
    const struct model *x = d->x;
    struct annealer a = {.d = d,
                         .x = x,
                         .rng = {seed},
                         .now = cc_mapping_plan_new(x),
                         .best = p,
                         .at = cc_alloc_array(x->n, sizeof *a.at),
                         .critical = cc_alloc_array(x->n, sizeof *a.critical)};
    cc_mapping_plan_copy(x, a.now, p);
    for (size_t k = 0; k < x->n; k++)
        a.at[a.now->list[k]] = (uint32_t)k;
    cc_mapping_model_cost(d, a.now, true);
    find_critical(&a);
    heat *= opening_heat(&a);
    double floor = heat * 1e-2, cooling = pow(1e-2, 1.0 / (double)CC_MAX(steps, (size_t)1));
    double cost = a.now->cost;
    keep_if_best(&a);
    for (size_t k = 0; k < steps; k++) {
        struct undo u = mutate(&a);
        double c = cc_mapping_model_cost(d, a.now, true);
        if (c <= cost || cc_rng_unit(&a.rng) < exp((cost - c) / fmax(heat, floor))) {
            cost = c;
            keep_if_best(&a);
            find_critical(&a);
        } else {
            a.now->choice[u.task] = u.choice;
            shift(&a, a.at[u.task], u.from);
        }
        heat *= cooling;
        cc_count_add(d->count, 1);
    }
    cc_mapping_plan_free(a.now);
    free(a.at);
    free(a.critical);
}
