#include "model.h"

#include <math.h>

static void *take(struct model *x, size_t n, size_t size)
{
    return cc_arena_alloc(&x->arena, (n ? n : 1) * size);
}

static double planned(const struct cc_map_option *o, enum cc_map_plan plan)
{
    return plan == CC_MAP_WORST ? o->high : plan == CC_MAP_BEST ? o->low : (o->low + o->high) / 2;
}

static void flatten_options(struct model *x, const struct cc_map_problem *p, enum cc_map_plan plan)
{
    x->first = take(x, x->n + 1, sizeof *x->first);
    for (size_t i = 0; i < x->n; i++)
        x->first[i + 1] = x->first[i] + p->tasks.v[i].options.n;
    x->noptions = x->first[x->n];
    x->unit = take(x, x->noptions, sizeof *x->unit);
    x->cores = take(x, x->noptions, sizeof *x->cores);
    x->time = take(x, x->noptions, sizeof *x->time);
    x->energy = take(x, x->noptions, sizeof *x->energy);
    x->load = take(x, x->noptions, sizeof *x->load);
    x->memory = take(x, x->n, sizeof *x->memory);
    for (size_t i = 0; i < x->n; i++) {
        x->memory[i] = p->tasks.v[i].memory;
        for (size_t k = 0; k < p->tasks.v[i].options.n; k++) {
            const struct cc_map_option *o = &p->tasks.v[i].options.v[k];
            size_t at = x->first[i] + k;
            x->unit[at] = (uint32_t)o->unit;
            x->cores[at] = (uint32_t)o->cores;
            x->time[at] = planned(o, plan);
            x->energy[at] = isnan(o->energy) ? 0 : o->energy;
            x->load[at] = x->time[at] * (double)o->cores / (double)p->units.v[o->unit].cores;
        }
    }
}

static void flatten_edges(struct model *x, const struct cc_map_problem *p)
{
    size_t n = x->n, *into = take(x, n + 1, sizeof *into), *out = take(x, n + 1, sizeof *out);
    x->pred_first = take(x, n + 1, sizeof *x->pred_first);
    x->succ_first = take(x, n + 1, sizeof *x->succ_first);
    x->pred = take(x, x->nedges, sizeof *x->pred);
    x->succ = take(x, x->nedges, sizeof *x->succ);
    for (size_t e = 0; e < x->nedges; e++) {
        into[p->edges.v[e].to]++;
        out[p->edges.v[e].from]++;
    }
    for (size_t i = 0; i < n; i++) {
        x->pred_first[i + 1] = x->pred_first[i] + into[i];
        x->succ_first[i + 1] = x->succ_first[i] + out[i];
        into[i] = x->pred_first[i];
        out[i] = x->succ_first[i];
    }
    for (size_t e = 0; e < x->nedges; e++) {
        const struct cc_map_edge *edge = &p->edges.v[e];
        x->pred[into[edge->to]++] = (struct arc){(uint32_t)edge->from, (uint32_t)e};
        x->succ[out[edge->from]++] = (struct arc){(uint32_t)edge->to, (uint32_t)e};
    }
}

/* Direct links where there are some, else the quickest way over others, stored and sent on. */
static void fill_transfers(struct model *x, const struct cc_map_problem *p)
{
    size_t m = x->m;
    bool complete = true;
    for (size_t u = 0; u < m; u++)
        for (size_t v = 0; v < m; v++)
            complete = complete && (u == v || p->links[u * m + v].present);
    x->transfer = take(x, x->nedges * m * m, sizeof *x->transfer);
    x->edge_energy = take(x, x->nedges, sizeof *x->edge_energy);
    for (size_t e = 0; e < x->nedges; e++) {
        double *t = &x->transfer[e * m * m];
        x->edge_energy[e] = p->edges.v[e].bytes * p->byte_energy;
        for (size_t u = 0; u < m; u++)
            for (size_t v = 0; v < m; v++)
                t[u * m + v] = u == v ? 0
                               : p->links[u * m + v].present
                                   ? cc_link_seconds(&p->links[u * m + v], p->edges.v[e].bytes)
                                   : INFINITY;
        for (size_t k = 0; k < m && !complete; k++)
            for (size_t u = 0; u < m; u++)
                for (size_t v = 0; v < m; v++)
                    if (!p->links[u * m + v].present)
                        t[u * m + v] = fmin(t[u * m + v], t[u * m + k] + t[k * m + v]);
    }
}

/* Names one cycle in the message. */
static int report_cycle(const struct model *x, const struct cc_map_problem *p, const size_t *left,
                        struct cc_err *err)
{
    size_t at = 0;
    while (left[at] == 0)
        at++;
    size_t *seen = cc_alloc_array(x->n, sizeof *seen), step = 0;
    while (!seen[at]) { /* every task left has a predecessor that is left */
        seen[at] = ++step;
        size_t k = x->pred_first[at];
        while (left[x->pred[k].task] == 0)
            k++;
        at = x->pred[k].task;
    }
    char way[400];
    size_t used = (size_t)snprintf(way, sizeof way, "'%.60s'", p->tasks.v[at].name), start = at, shown = 0;
    do {
        size_t k = x->pred_first[at];
        while (left[x->pred[k].task] == 0)
            k++;
        at = x->pred[k].task;
        if (used < sizeof way - 80 && shown++ < 5)
            used += (size_t)snprintf(way + used, sizeof way - used, " after '%.40s'", p->tasks.v[at].name);
    } while (at != start);
    free(seen);
    return cc_err_at(err, CC_EINPUT, p->path, p->tasks.v[start].line,
                     "tasks wait for each other in a circle: %s", way);
}

static int sort_topologically(struct model *x, const struct cc_map_problem *p, struct cc_err *err)
{
    size_t *left = cc_alloc_array(x->n, sizeof *left), head = 0, tail = 0;
    x->topo = take(x, x->n, sizeof *x->topo);
    for (size_t i = 0; i < x->n; i++) {
        left[i] = x->pred_first[i + 1] - x->pred_first[i];
        if (left[i] == 0)
            x->topo[tail++] = (uint32_t)i;
    }
    while (head < tail) {
        size_t i = x->topo[head++];
        for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++)
            if (--left[x->succ[k].task] == 0)
                x->topo[tail++] = x->succ[k].task;
    }
    int rc = tail == x->n ? 0 : report_cycle(x, p, left, err);
    free(left);
    return rc;
}

static bool same_options(const struct model *x, size_t i, size_t u, size_t v)
{
    size_t on_u = 0, matched = 0, on_v = 0;
    for (size_t a = x->first[i]; a < x->first[i + 1]; a++) {
        on_u += x->unit[a] == u;
        on_v += x->unit[a] == v;
        for (size_t b = x->first[i]; x->unit[a] == u && b < x->first[i + 1]; b++)
            matched += x->unit[b] == v && x->cores[a] == x->cores[b] && x->time[a] == x->time[b] &&
                       x->energy[a] == x->energy[b];
    }
    return on_u == on_v && matched == on_u;
}

static bool same_unit(const struct model *x, size_t u, size_t v)
{
    if (x->unit_cores[u] != x->unit_cores[v] || x->unit_memory[u] != x->unit_memory[v])
        return false;
    for (size_t i = 0; i < x->n; i++)
        if (!same_options(x, i, u, v))
            return false;
    for (size_t e = 0; e < x->nedges; e++) {
        if (model_transfer(x, e, u, v) != model_transfer(x, e, v, u))
            return false;
        for (size_t w = 0; w < x->m; w++)
            if (w != u && w != v &&
                (model_transfer(x, e, u, w) != model_transfer(x, e, v, w) ||
                 model_transfer(x, e, w, u) != model_transfer(x, e, w, v)))
                return false;
    }
    return true;
}

static void find_twins(struct model *x)
{
    x->twin = take(x, x->m, sizeof *x->twin);
    for (size_t u = 0; u < x->m; u++) {
        x->twin[u] = (uint32_t)u;
        for (size_t v = 0; v < u && x->twin[u] == u; v++)
            if (x->twin[v] == v && same_unit(x, u, v))
                x->twin[u] = (uint32_t)v;
    }
}

int cc_mapping_model_init(struct model *x, const struct cc_map_problem *p, enum cc_map_plan plan,
                          struct cc_err *err)
{
    *x = (struct model){
        .n = p->tasks.n, .m = p->units.n, .nedges = p->edges.n, .weight = 1, .deadline = INFINITY};
    flatten_options(x, p, plan);
    flatten_edges(x, p);
    int rc = sort_topologically(x, p, err);
    if (rc < 0) {
        cc_mapping_model_fini(x);
        return rc;
    }
    x->unit_memory = take(x, x->m, sizeof *x->unit_memory);
    x->unit_cores = take(x, x->m, sizeof *x->unit_cores);
    for (size_t u = 0; u < x->m; u++) {
        x->unit_memory[u] = p->units.v[u].memory;
        x->unit_cores[u] = (uint32_t)p->units.v[u].cores;
    }
    fill_transfers(x, p);
    find_twins(x);
    return 0;
}

void cc_mapping_model_fini(struct model *x)
{
    cc_arena_fini(&x->arena);
    *x = (struct model){0};
}

struct plan *cc_mapping_plan_new(const struct model *x)
{
    struct plan *p = cc_alloc(sizeof *p);
    p->choice = cc_alloc_array(x->n, sizeof *p->choice);
    p->list = cc_alloc_array(x->n, sizeof *p->list);
    p->start = cc_alloc_array(x->n, sizeof *p->start);
    p->finish = cc_alloc_array(x->n, sizeof *p->finish);
    p->blocker = cc_alloc_array(x->n, sizeof *p->blocker);
    p->time = p->cost = INFINITY;
    return p;
}

void cc_mapping_plan_free(struct plan *p)
{
    if (!p)
        return;
    free(p->choice);
    free(p->list);
    free(p->start);
    free(p->finish);
    free(p->blocker);
    free(p);
}

void cc_mapping_plan_copy(const struct model *x, struct plan *to, const struct plan *from)
{
    memcpy(to->choice, from->choice, x->n * sizeof *to->choice);
    memcpy(to->list, from->list, x->n * sizeof *to->list);
    memcpy(to->start, from->start, x->n * sizeof *to->start);
    memcpy(to->finish, from->finish, x->n * sizeof *to->finish);
    memcpy(to->blocker, from->blocker, x->n * sizeof *to->blocker);
    to->time = from->time;
    to->cost = from->cost;
}

double cc_mapping_model_energy(const struct model *x, const size_t *choice)
{
    double sum = 0;
    for (size_t i = 0; i < x->n; i++) {
        sum += x->energy[choice[i]];
        for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++)
            if (x->unit[choice[i]] != x->unit[choice[x->succ[k].task]])
                sum += x->edge_energy[x->succ[k].edge];
    }
    return sum;
}

/* The slowest of: any task (it does not overlap itself), any unit's work spread over its cores, any pair of
 * units' transfers in one direction. */
double cc_mapping_model_period(const struct model *x, const size_t *choice)
{
    double worst = 0, loads[CC_MAP_MAX_UNITS] = {0};
    double *pair = cc_alloc_array(x->m * x->m, sizeof *pair);
    for (size_t i = 0; i < x->n; i++) {
        size_t u = x->unit[choice[i]];
        loads[u] += x->load[choice[i]];
        worst = fmax(worst, fmax(loads[u], x->time[choice[i]]));
        for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++) {
            size_t v = x->unit[choice[x->succ[k].task]];
            pair[u * x->m + v] += model_transfer(x, x->succ[k].edge, u, v);
            worst = fmax(worst, pair[u * x->m + v]);
        }
    }
    free(pair);
    return worst;
}

double cc_mapping_model_overflow(const struct model *x, const size_t *choice)
{
    double used[CC_MAP_MAX_UNITS] = {0}, over = 0;
    for (size_t i = 0; i < x->n; i++)
        used[x->unit[choice[i]]] += x->memory[i];
    for (size_t u = 0; u < x->m; u++)
        over += fmax(0, used[u] - x->unit_memory[u]);
    return over;
}
