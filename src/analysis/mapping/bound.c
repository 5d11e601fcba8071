#include "bound.h"

#include <math.h>

enum { ROUNDS = 4 };

void cc_mapping_bounder_init(struct bounder *b, const struct model *x)
{
    *b = (struct bounder){.x = x,
                          .ready = cc_alloc_array(x->n * x->m, sizeof *b->ready),
                          .done = cc_alloc_array(x->n * x->m, sizeof *b->done),
                          .tail = cc_alloc_array(x->n * x->m, sizeof *b->tail),
                          .scratch = cc_alloc_array(x->n, sizeof *b->scratch)};
    for (size_t o = 0; o < x->noptions; o++)
        b->energetic = b->energetic || x->energy[o] > 0;
    for (size_t e = 0; e < x->nedges; e++)
        b->energetic = b->energetic || x->edge_energy[e] > 0;
    for (size_t u = 0; u < x->m; u++)
        b->lambda[u] = 1;
    b->weight = cc_alloc_array(x->n, sizeof *b->weight);
    b->longest = cc_alloc_array(x->n, sizeof *b->longest);
    b->least_way = cc_alloc_array(x->nedges, sizeof *b->least_way);
    b->chosen = cc_alloc_array(x->n, sizeof *b->chosen);
    b->from = cc_alloc_array(x->n, sizeof *b->from);
    for (size_t k = 0; k < CC_MAPPING_WAYS; k++)
        b->way[k].task = cc_alloc_array(x->n, sizeof *b->way[k].task);
    for (size_t i = 0; i < x->n && x->n <= CC_SEQUENCE_MAX && !x->pipeline; i++)
        for (size_t o = x->first[i] + 1; o < x->first[i + 1]; o++)
            b->trade = b->trade || x->unit[o] == x->unit[o - 1];
    cc_mapping_bound_packing_init(b);
}

void cc_mapping_bounder_fini(struct bounder *b)
{
    free(b->ready);
    free(b->done);
    free(b->tail);
    free(b->scratch);
    free(b->weight);
    free(b->longest);
    free(b->least_way);
    free(b->chosen);
    free(b->from);
    for (size_t k = 0; k < CC_MAPPING_WAYS; k++)
        free(b->way[k].task);
    cc_mapping_packing_free(b->packing);
    free(b->lag);
}

uint64_t cc_mapping_bound_units(const struct model *x, size_t task, uint64_t options)
{
    uint64_t units = 0;
    size_t o;
    EACH_OPTION(options, o, x->first[task])
    units |= UINT64_C(1) << x->unit[o];
    return units;
}

static void forward(struct bounder *b, const uint64_t *options)
{
    const struct model *x = b->x;
    size_t m = x->m, o;
    for (size_t at = 0; at < x->n; at++) {
        size_t i = x->topo[at];
        double *ready = &b->ready[i * m], *done = &b->done[i * m];
        for (size_t u = 0; u < m; u++) {
            ready[u] = -1;
            done[u] = INFINITY;
        }
        EACH_OPTION(options[i], o, x->first[i])
        {
            size_t u = x->unit[o];
            if (ready[u] < 0) {
                ready[u] = 0;
                for (size_t a = x->pred_first[i]; a < x->pred_first[i + 1]; a++) {
                    const double *from = &b->done[x->pred[a].task * m];
                    const double *way = &x->transfer[x->pred[a].edge * m * m + u];
                    double soonest = INFINITY;
                    for (size_t v = 0; v < m; v++)
                        soonest = fmin(soonest, from[v] + way[v * m]);
                    ready[u] = fmax(ready[u], soonest);
                }
            }
            done[u] = fmin(done[u], ready[u] + x->time[o]);
        }
    }
}

static void backward(struct bounder *b, const uint64_t *options)
{
    const struct model *x = b->x;
    size_t m = x->m, o;
    for (size_t at = x->n; at-- > 0;) {
        size_t i = x->topo[at];
        double *tail = &b->tail[i * m];
        for (size_t u = 0; u < m; u++) {
            tail[u] = 0;
            if (isinf(b->done[i * m + u]))
                continue;
            for (size_t a = x->succ_first[i]; a < x->succ_first[i + 1]; a++) {
                size_t j = x->succ[a].task;
                const double *way = &x->transfer[(x->succ[a].edge * m + u) * m];
                double least = INFINITY;
                EACH_OPTION(options[j], o, x->first[j])
                least = fmin(least, way[x->unit[o]] + x->time[o] + b->tail[j * m + x->unit[o]]);
                tail[u] = fmax(tail[u], least);
            }
        }
    }
}

/* Per unit: what is already bound to it, and the window in which anything on it must run. */
struct units {
    double load[CC_MAP_MAX_UNITS], memory[CC_MAP_MAX_UNITS];
    double head[CC_MAP_MAX_UNITS], tail[CC_MAP_MAX_UNITS];             /* smallest among what may run there */
    double fixed_head[CC_MAP_MAX_UNITS], fixed_tail[CC_MAP_MAX_UNITS]; /* smallest among what must */
    uint64_t possible;
};

static void gather(const struct bounder *b, const uint64_t *options, struct units *s)
{
    const struct model *x = b->x;
    size_t m = x->m, o;
    *s = (struct units){0};
    for (size_t u = 0; u < m; u++)
        s->head[u] = s->tail[u] = s->fixed_head[u] = s->fixed_tail[u] = INFINITY;
    for (size_t i = 0; i < x->n; i++) {
        uint64_t units = 0;
        double least = INFINITY;
        EACH_OPTION(options[i], o, x->first[i])
        {
            size_t u = x->unit[o];
            units |= UINT64_C(1) << u;
            least = fmin(least, x->load[o]);
            s->head[u] = fmin(s->head[u], x->pipeline ? 0 : b->ready[i * m + u]);
            s->tail[u] = fmin(s->tail[u], x->pipeline ? 0 : b->tail[i * m + u]);
        }
        s->possible |= units;
        if (units & (units - 1))
            continue;
        size_t u = (size_t)__builtin_ctzll(units);
        s->load[u] += least;
        s->memory[u] += x->memory[i];
        s->fixed_head[u] = fmin(s->fixed_head[u], x->pipeline ? 0 : b->ready[i * m + u]);
        s->fixed_tail[u] = fmin(s->fixed_tail[u], x->pipeline ? 0 : b->tail[i * m + u]);
    }
}

/* Options that are too late on their own, or do not fit beside what is bound to their unit. */
static bool drop_options(struct bounder *b, uint64_t *options, const struct units *s, double limit,
                         bool *changed)
{
    const struct model *x = b->x;
    size_t m = x->m, o;
    for (size_t i = 0; i < x->n; i++) {
        uint64_t units = cc_mapping_bound_units(x, i, options[i]), keep = options[i];
        bool bound = (units & (units - 1)) == 0;
        EACH_OPTION(options[i], o, x->first[i])
        {
            size_t u = x->unit[o];
            double head = x->pipeline ? 0 : b->ready[i * m + u], tail = x->pipeline ? 0 : b->tail[i * m + u];
            bool fits = head + x->time[o] + tail <= limit &&
                        (bound || s->memory[u] + x->memory[i] <= x->unit_memory[u]);
            if (!bound && isfinite(s->fixed_head[u]))
                fits = fits && fmin(head, s->fixed_head[u]) + s->load[u] + x->load[o] +
                                       fmin(tail, s->fixed_tail[u]) <=
                                   limit;
            if (!fits)
                keep &= ~(UINT64_C(1) << (o - x->first[i]));
        }
        if (keep != options[i])
            *changed = true;
        options[i] = keep;
        if (!keep)
            return false;
    }
    return true;
}

/* Tasks bound to more than half of a unit's cores run one after the other. */
static bool alone_fit(struct bounder *b, const uint64_t *options, size_t u, double limit)
{
    const struct model *x = b->x;
    size_t n = 0, o;
    for (size_t i = 0; i < x->n; i++) {
        double least = INFINITY;
        bool wide = true;
        EACH_OPTION(options[i], o, x->first[i])
        {
            wide = wide && x->unit[o] == u && 2 * x->cores[o] > x->unit_cores[u];
            least = fmin(least, x->time[o]);
        }
        if (wide)
            b->scratch[n++] = (struct unit_task){b->ready[i * x->m + u], least, b->tail[i * x->m + u]};
    }
    return n < 2 || cc_mapping_unit_bound(b->scratch, n, limit) <= limit;
}

static bool units_fit(struct bounder *b, const uint64_t *options, const struct units *s, double limit)
{
    const struct model *x = b->x;
    size_t m = x->m, o;
    for (size_t u = 0; u < m; u++) {
        if (s->memory[u] > x->unit_memory[u])
            return false;
        if (x->pipeline) {
            if (s->load[u] > limit)
                return false;
            continue;
        }
        if (x->n > CC_SEQUENCE_MAX) { /* the sets below cost the square of the tasks */
            if (isfinite(s->fixed_head[u]) && s->fixed_head[u] + s->load[u] + s->fixed_tail[u] > limit)
                return false;
            continue;
        }
        size_t n = 0;
        for (size_t i = 0; i < x->n; i++) {
            if (cc_mapping_bound_units(x, i, options[i]) != UINT64_C(1) << u)
                continue;
            double least = INFINITY;
            EACH_OPTION(options[i], o, x->first[i])
            least = fmin(least, x->load[o]);
            b->scratch[n++] = (struct unit_task){b->ready[i * m + u], least, b->tail[i * m + u]};
        }
        if (n > 1 && cc_mapping_unit_bound(b->scratch, n, limit) > limit)
            return false;
        if (x->unit_cores[u] > 2 && !alone_fit(b, options, u, limit))
            return false;
    }
    return true;
}

double cc_mapping_bound_weighed(const struct bounder *b, size_t task, size_t o)
{
    return b->lambda[b->x->unit[o]] * b->x->load[o] + b->weight[task] * b->x->time[o];
}

/* Sum over tasks of the cheapest option under the weights; adds its load to `used` of its unit. */
static double cheapest(const struct bounder *b, const uint64_t *options, double *used)
{
    const struct model *x = b->x;
    double sum = 0;
    size_t o;
    for (size_t i = 0; i < x->n; i++) {
        double least = INFINITY;
        EACH_OPTION(options[i], o, x->first[i])
        {
            double cost = cc_mapping_bound_weighed(b, i, o);
            if (cost < least) {
                least = cost;
                b->chosen[i] = o;
            }
        }
        sum += least;
        used[x->unit[b->chosen[i]]] += x->load[b->chosen[i]];
    }
    return sum;
}

/* Drops options whose extra cost under the weights breaks the balance; false if a task has none left. */
static bool drop_costly(const struct bounder *b, uint64_t *options, bool *changed)
{
    const struct model *x = b->x;
    size_t o;
    for (size_t i = 0; i < x->n; i++) {
        double least = INFINITY;
        EACH_OPTION(options[i], o, x->first[i])
        least = fmin(least, cc_mapping_bound_weighed(b, i, o));
        uint64_t keep = options[i];
        EACH_OPTION(options[i], o, x->first[i])
        if (b->gap + cc_mapping_bound_weighed(b, i, o) - least > b->room * 1e-9)
            keep &= ~(UINT64_C(1) << (o - x->first[i]));
        if (keep != options[i])
            *changed = true;
        options[i] = keep;
        if (!keep)
            return false;
    }
    return true;
}

/* --- ways --- */

/* The least that each edge's transfer takes with the options left. */
static void find_least_ways(struct bounder *b, const uint64_t *options)
{
    const struct model *x = b->x;
    for (size_t i = 0; i < x->n; i++) {
        uint64_t from = cc_mapping_bound_units(x, i, options[i]);
        for (size_t a = x->succ_first[i]; a < x->succ_first[i + 1]; a++) {
            uint64_t to = cc_mapping_bound_units(x, x->succ[a].task, options[x->succ[a].task]);
            double least = INFINITY;
            for (size_t u = 0; u < x->m; u++)
                for (size_t v = 0; v < x->m; v++)
                    if (from >> u & 1 && to >> v & 1)
                        least = fmin(least, model_transfer(x, x->succ[a].edge, u, v));
            b->least_way[x->succ[a].edge] = least;
        }
    }
}

/* The time that a way's transfers leave of the limit. */
static double room_of(const struct bounder *b, const struct way *w, double limit)
{
    const struct model *x = b->x;
    for (size_t k = 0; k + 1 < w->n; k++) {
        double most = 0; /* of several edges between the two */
        for (size_t a = x->succ_first[w->task[k]]; a < x->succ_first[w->task[k] + 1]; a++)
            if (x->succ[a].task == w->task[k + 1])
                most = fmax(most, b->least_way[x->succ[a].edge]);
        limit -= most;
    }
    return limit;
}

/* The longest way with the options chosen last: its length, and its last task. */
static double longest_way(struct bounder *b, size_t *ret_last)
{
    const struct model *x = b->x;
    double most = -1;
    for (size_t at = 0; at < x->n; at++) {
        size_t i = x->topo[at];
        double start = 0;
        b->from[i] = SIZE_MAX;
        for (size_t a = x->pred_first[i]; a < x->pred_first[i + 1]; a++) {
            double t = b->longest[x->pred[a].task] + b->least_way[x->pred[a].edge];
            if (t > start || b->from[i] == SIZE_MAX) {
                start = t;
                b->from[i] = x->pred[a].task;
            }
        }
        b->longest[i] = start + x->time[b->chosen[i]];
        if (b->longest[i] > most) {
            most = b->longest[i];
            *ret_last = i;
        }
    }
    return most;
}

static bool same_way(const struct way *w, const uint32_t *task, size_t n)
{
    return w->n == n && memcmp(w->task, task, n * sizeof *task) == 0;
}

/* Takes the way that ends at `last` in, in the place of the one that weighs least. */
static void add_way(struct bounder *b, size_t last, double mu, double limit)
{
    uint32_t task[CC_SEQUENCE_MAX];
    size_t n = 0, at = 0;
    for (size_t i = last; i != SIZE_MAX; i = b->from[i])
        n++;
    size_t k = n;
    for (size_t i = last; i != SIZE_MAX; i = b->from[i])
        task[--k] = (uint32_t)i;
    for (size_t w = 0; w < b->nways; w++)
        if (same_way(&b->way[w], task, n))
            return;
    if (b->nways < CC_MAPPING_WAYS)
        at = b->nways++;
    for (size_t w = 0; at < b->nways - 1 && w < b->nways; w++)
        at = b->way[w].mu < b->way[at].mu ? w : at;
    memcpy(b->way[at].task, task, n * sizeof *task);
    b->way[at].n = n;
    b->way[at].mu = mu;
    b->way[at].room = room_of(b, &b->way[at], limit);
}

static void weigh_tasks(struct bounder *b)
{
    memset(b->weight, 0, b->x->n * sizeof *b->weight);
    for (size_t w = 0; w < b->nways; w++)
        for (size_t k = 0; k < b->way[w].n; k++)
            b->weight[b->way[w].task[k]] += b->way[w].mu;
}

/* A step of the weights of ways: those that are longer than there is room for weigh more. */
static void step_ways(struct bounder *b, double step, double room, double limit)
{
    size_t last = 0;
    if (longest_way(b, &last) > limit)
        add_way(b, last, 0.1 * room / limit, limit);
    for (size_t w = 0; w < b->nways; w++) {
        double length = 0;
        for (size_t k = 0; k < b->way[w].n; k++)
            length += b->x->time[b->chosen[b->way[w].task[k]]];
        b->way[w].mu *= exp(step * (length / b->way[w].room - 1));
        b->way[w].mu = fmin(fmax(b->way[w].mu, 1e-9), 1e9);
    }
    weigh_tasks(b);
}

/* --- volume and ways together --- */

/* Weights that gave the best bound so far. */
struct weights {
    double lambda[CC_MAP_MAX_UNITS], mu[CC_MAPPING_WAYS];
    size_t nways;
};

static void keep_weights(const struct bounder *b, struct weights *w)
{
    memcpy(w->lambda, b->lambda, sizeof w->lambda);
    w->nways = b->nways;
    for (size_t k = 0; k < b->nways; k++)
        w->mu[k] = b->way[k].mu;
}

/* Ways that came later had no weight then. */
static void restore_weights(struct bounder *b, const struct weights *w)
{
    memcpy(b->lambda, w->lambda, sizeof w->lambda);
    for (size_t k = 0; k < b->nways; k++)
        b->way[k].mu = k < w->nways ? w->mu[k] : 1e-9;
    weigh_tasks(b);
}

static bool ways_have_room(struct bounder *b, const uint64_t *options, double limit)
{
    if (!b->trade)
        return true;
    find_least_ways(b, options);
    for (size_t w = 0; w < b->nways; w++) {
        b->way[w].room = room_of(b, &b->way[w], limit);
        if (b->way[w].room <= 0)
            return false;
    }
    weigh_tasks(b);
    return true;
}

/* All tasks together must fit into the units' windows, and those of each way into the limit. For any weights
 * of the units and ways, the sum over tasks of the cheapest weighted option may not exceed the weighted
 * windows and limits; good weights are found by multiplicative steps. */
static bool volume_fits(struct bounder *b, uint64_t *options, const struct units *s, double limit,
                        size_t steps, bool *changed)
{
    const struct model *x = b->x;
    double window[CC_MAP_MAX_UNITS] = {0}, best_gap = -INFINITY, best_room = 1;
    struct weights best;
    if (!ways_have_room(b, options, limit))
        return false;
    for (size_t u = 0; u < x->m; u++)
        if (s->possible >> u & 1)
            window[u] = fmax(0, limit - s->head[u] - s->tail[u]);
    for (size_t k = 0; k < steps; k++) {
        double used[CC_MAP_MAX_UNITS] = {0}, room = 0, step = 0.5 / sqrt(1.0 + (double)k);
        double gap = cheapest(b, options, used);
        for (size_t u = 0; u < x->m; u++)
            room += b->lambda[u] * window[u];
        for (size_t w = 0; w < b->nways; w++)
            room += b->way[w].mu * b->way[w].room;
        if ((gap - room) / room > best_gap / best_room || k == 0) {
            best_gap = gap - room;
            best_room = room;
            keep_weights(b, &best);
        }
        if (gap > room * (1 + 1e-9))
            return false;
        for (size_t u = 0; u < x->m; u++) {
            if (window[u] > 0)
                b->lambda[u] *= exp(step * (used[u] / window[u] - 1));
            b->lambda[u] = fmin(fmax(b->lambda[u], 1e-9), 1e9);
        }
        if (b->trade)
            step_ways(b, step, room, limit);
    }
    restore_weights(b, &best);
    b->gap = best_gap;
    b->room = best_room;
    return drop_costly(b, options, changed);
}

/* Transfers between tasks bound to two units, in one direction, must fit into the period. */
static bool pairs_fit(const struct bounder *b, const uint64_t *options, double limit)
{
    const struct model *x = b->x;
    double *pair = cc_alloc_array(x->m * x->m, sizeof *pair);
    bool fits = true;
    for (size_t i = 0; i < x->n && fits; i++) {
        uint64_t from = cc_mapping_bound_units(x, i, options[i]);
        if (from & (from - 1))
            continue;
        for (size_t a = x->succ_first[i]; a < x->succ_first[i + 1] && fits; a++) {
            uint64_t to = cc_mapping_bound_units(x, x->succ[a].task, options[x->succ[a].task]);
            if (to & (to - 1))
                continue;
            size_t u = (size_t)__builtin_ctzll(from), v = (size_t)__builtin_ctzll(to);
            pair[u * x->m + v] += model_transfer(x, x->succ[a].edge, u, v);
            fits = pair[u * x->m + v] <= limit;
        }
    }
    free(pair);
    return fits;
}

bool cc_mapping_bound_filter(struct bounder *b, uint64_t *options, double limit, bool thorough)
{
    struct units s;
    for (int round = 0; round < ROUNDS; round++) {
        bool changed = false;
        if (!b->x->pipeline) {
            forward(b, options);
            backward(b, options);
        }
        gather(b, options, &s);
        if (!drop_options(b, options, &s, limit, &changed))
            return false;
        if (changed)
            continue;
        if (!units_fit(b, options, &s, limit) || (b->x->pipeline && !pairs_fit(b, options, limit)))
            return false;
        if (isfinite(limit) && !volume_fits(b, options, &s, limit, thorough ? 100 : 4, &changed))
            return false;
        if (!changed)
            break;
    }
    return cc_mapping_bound_packs(b, options, limit);
}

double cc_mapping_bound_energy(const struct bounder *b, const uint64_t *options)
{
    const struct model *x = b->x;
    if (!b->energetic)
        return 0;
    double sum = 0;
    size_t o;
    for (size_t i = 0; i < x->n; i++) {
        double least = INFINITY;
        EACH_OPTION(options[i], o, x->first[i])
        least = fmin(least, x->energy[o]);
        sum += least;
        uint64_t units = cc_mapping_bound_units(x, i, options[i]);
        for (size_t a = x->succ_first[i]; a < x->succ_first[i + 1]; a++)
            if (!(units & cc_mapping_bound_units(x, x->succ[a].task, options[x->succ[a].task])))
                sum += x->edge_energy[x->succ[a].edge];
    }
    return sum;
}
