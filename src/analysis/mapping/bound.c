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
}

void cc_mapping_bounder_fini(struct bounder *b)
{
    free(b->ready);
    free(b->done);
    free(b->tail);
    free(b->scratch);
}

#define EACH_OPTION(bits, o, base)                                                                \
    for (uint64_t rest_ = (bits); rest_ && ((o) = (base) + (size_t)__builtin_ctzll(rest_), true); \
         rest_ &= rest_ - 1)

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
    }
    return true;
}

/* Sum over tasks of the cheapest load under the weights; adds what that puts on each unit to `used`. */
static double cheapest(const struct bounder *b, const uint64_t *options, double *used)
{
    const struct model *x = b->x;
    double sum = 0;
    size_t o;
    for (size_t i = 0; i < x->n; i++) {
        double least = INFINITY;
        size_t where = 0;
        EACH_OPTION(options[i], o, x->first[i])
        {
            double cost = b->lambda[x->unit[o]] * x->load[o];
            if (cost < least) {
                least = cost;
                where = o;
            }
        }
        sum += least;
        used[x->unit[where]] += x->load[where];
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
        least = fmin(least, b->lambda[x->unit[o]] * x->load[o]);
        uint64_t keep = options[i];
        EACH_OPTION(options[i], o, x->first[i])
        if (b->gap + b->lambda[x->unit[o]] * x->load[o] - least > b->room * 1e-9)
            keep &= ~(UINT64_C(1) << (o - x->first[i]));
        if (keep != options[i])
            *changed = true;
        options[i] = keep;
        if (!keep)
            return false;
    }
    return true;
}

/* All tasks together must fit into the units' windows. For any weights of the units, the sum over tasks of
 * the cheapest weighted load may not exceed the weighted windows; good weights are found by multiplicative
 * steps. */
static bool volume_fits(struct bounder *b, uint64_t *options, const struct units *s, double limit,
                        size_t steps, bool *changed)
{
    const struct model *x = b->x;
    double window[CC_MAP_MAX_UNITS] = {0}, best[CC_MAP_MAX_UNITS], best_gap = -INFINITY, best_room = 1;
    for (size_t u = 0; u < x->m; u++)
        if (s->possible >> u & 1)
            window[u] = fmax(0, limit - s->head[u] - s->tail[u]);
    for (size_t k = 0; k < steps; k++) {
        double used[CC_MAP_MAX_UNITS] = {0}, room = 0;
        double gap = cheapest(b, options, used);
        for (size_t u = 0; u < x->m; u++)
            room += b->lambda[u] * window[u];
        if ((gap - room) / room > best_gap / best_room || k == 0) {
            best_gap = gap - room;
            best_room = room;
            memcpy(best, b->lambda, x->m * sizeof *best);
        }
        if (gap > room * (1 + 1e-9))
            return false;
        for (size_t u = 0; u < x->m; u++) {
            if (window[u] > 0)
                b->lambda[u] *= exp(0.5 / sqrt(1.0 + (double)k) * (used[u] / window[u] - 1));
            b->lambda[u] = fmin(fmax(b->lambda[u], 1e-9), 1e9);
        }
    }
    memcpy(b->lambda, best, x->m * sizeof *best);
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
    return true;
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
