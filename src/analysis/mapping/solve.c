#include "solve.h"
#include "decode.h"

#include <math.h>

enum {
    EXACT_TASKS = 48,      /* no exact search beyond, unless told */
    EXACT_STEPS = 8000000, /* of effort 1 */
    ANNEAL_STEPS = 20000,  /* small problems */
    SMALL_RUNS = 9,
    MAX_FRONT = 200,
};
#define ANNEAL_WORK 1.2e9    /* tasks and edges visited while annealing, effort 1 */
#define NEIGHBOUR_WORK 1.5e8 /* and while looking for runners-up */

struct solver {
    const struct cc_map_problem *p;
    const struct cc_map_solve_options *o;
    struct model x;
    double *energy, *edge_energy; /* of the problem; the model's are zero when time alone counts */
    struct decoder *d;
    uint64_t steps;
    enum cc_map_objective objective; /* the model's, now */
};

static size_t anneal_steps(const struct solver *s)
{
    double work = (double)(s->x.n + s->x.nedges + 1);
    double steps = fmin(fmax(ANNEAL_STEPS, 1200.0 * (double)s->x.n), ANNEAL_WORK / work);
    return (size_t)fmax(100, steps * s->o->effort);
}

/* Everything on one unit, each task with its quickest option there; false where a task cannot go. */
static bool on_one_unit(const struct solver *s, struct plan *p, size_t unit)
{
    const struct model *x = &s->x;
    for (size_t i = 0; i < x->n; i++) {
        size_t best = SIZE_MAX;
        for (size_t o = x->first[i]; o < x->first[i + 1]; o++)
            if (x->unit[o] == unit && (best == SIZE_MAX || x->time[o] < x->time[best]))
                best = o;
        if (best == SIZE_MAX)
            return false;
        p->choice[i] = best;
    }
    return true;
}

static void start(struct solver *s, struct pool *pool, bool one_unit)
{
    struct plan *p = cc_mapping_plan_new(&s->x);
    cc_mapping_heft(s->d, p);
    cc_mapping_pool_offer(&s->x, pool, p);
    for (size_t u = 0; one_unit && u < s->x.m; u++) {
        if (!on_one_unit(s, p, u))
            continue;
        cc_mapping_model_cost(s->d, p, false);
        cc_mapping_pool_offer(&s->x, pool, p);
    }
    /* small problems cost little: several runs, some of which forget where they started */
    static const double heats[] = {0.5, 0.2, 1};
    size_t runs = s->x.n <= CC_SEQUENCE_MAX ? SMALL_RUNS : 1;
    cc_count_phase(s->d->count, runs * anneal_steps(s), false);
    for (size_t k = 0; k < runs; k++) {
        if (pool->n)
            cc_mapping_plan_copy(&s->x, p, pool->v[0]);
        cc_mapping_anneal(s->d, p, 1 + k, anneal_steps(s), heats[k % CC_COUNT(heats)]);
        cc_mapping_pool_offer(&s->x, pool, p);
    }
    cc_mapping_plan_free(p);
}

static bool small_enough(const struct solver *s)
{
    size_t most = s->o->exact_tasks ? s->o->exact_tasks : EXACT_TASKS;
    if (s->x.n > CC_MIN(most, (size_t)CC_SEQUENCE_MAX))
        return false;
    for (size_t u = 0; u < s->x.m; u++)
        if (s->x.unit_cores[u] > CC_SEQUENCE_CORES)
            return false;
    return true;
}

/* Fills the pool with the best plans; true if they are proven to be. */
static bool fill(struct solver *s, struct pool *pool, double effort)
{
    if (!small_enough(s))
        return false;
    uint64_t steps = 0, most = (uint64_t)(EXACT_STEPS * effort) + 1;
    cc_count_phase(s->d->count, most, true);
    if (s->d->count && pool->n) { /* one who watches wants to know how good what is known is */
        s->d->bound = cc_mapping_lower_bound(&s->x, pool->v[0]->cost);
        cc_count_bounds(s->d->count, pool->v[0]->cost, s->d->bound);
    }
    bool ended = cc_mapping_search(s->d, pool, most, &steps);
    s->steps += steps;
    return ended;
}

/* One option changed: candidates for the runners-up. */
static void offer_neighbours(struct solver *s, struct pool *pool)
{
    const struct model *x = &s->x;
    struct plan *p = cc_mapping_plan_new(x);
    cc_mapping_plan_copy(x, p, pool->v[0]);
    double work = 0;
    for (size_t i = 0; i < x->n && work < NEIGHBOUR_WORK; i++) {
        size_t keep = p->choice[i];
        for (size_t o = x->first[i]; o < x->first[i + 1]; o++) {
            if (o == keep)
                continue;
            p->choice[i] = o;
            cc_mapping_model_cost(s->d, p, false);
            cc_mapping_pool_offer(x, pool, p);
            work += (double)(x->n + x->nedges);
        }
        p->choice[i] = keep;
    }
    cc_mapping_plan_free(p);
}

static struct pool new_pool(size_t cap)
{
    return (struct pool){.cap = cap, .v = cc_alloc_array(cap, sizeof(struct plan *))};
}

static void set_objective(struct solver *s, enum cc_map_objective objective, double deadline)
{
    struct model *x = &s->x;
    bool energy = objective == CC_MAP_ENERGY;
    s->objective = objective;
    for (size_t i = 0; i < x->noptions; i++)
        x->energy[i] = energy ? s->energy[i] : 0;
    for (size_t e = 0; e < x->nedges; e++)
        x->edge_energy[e] = energy ? s->edge_energy[e] : 0;
    x->energetic = energy;
    x->pipeline = objective == CC_MAP_THROUGHPUT;
    x->weight = energy ? s->p->idle_power : 1;
    x->deadline = deadline;
}

static bool energy_known(const struct cc_map_problem *p)
{
    for (size_t i = 0; i < p->tasks.n; i++)
        for (size_t k = 0; k < p->tasks.v[i].options.n; k++)
            if (isnan(p->tasks.v[i].options.v[k].energy))
                return false;
    return true;
}

static int need_energy(const struct cc_map_problem *p, struct cc_err *err)
{
    for (size_t i = 0; i < p->tasks.n; i++) {
        for (size_t k = 0; k < p->tasks.v[i].options.n; k++) {
            const struct cc_map_option *o = &p->tasks.v[i].options.v[k];
            if (!isnan(o->energy))
                continue;
            const char *unit = p->units.v[o->unit].name;
            int rc = cc_err_at(err, CC_EINPUT, p->path, p->tasks.v[i].line,
                               "nothing tells the energy of task '%.80s' on unit '%.40s'", p->tasks.v[i].name,
                               unit);
            cc_err_hint(err, "give 'power' in [unit.%.40s] of the platform or 'energy.%.40s' in the task",
                        unit, unit);
            return rc;
        }
    }
    return 0;
}

/* Times with every option at the given end of its interval. */
static double *times_at(const struct solver *s, bool high)
{
    double *t = cc_alloc_array(s->x.noptions, sizeof *t);
    for (size_t i = 0; i < s->x.n; i++)
        for (size_t k = 0; k < s->p->tasks.v[i].options.n; k++) {
            const struct cc_map_option *o = &s->p->tasks.v[i].options.v[k];
            t[s->x.first[i] + k] = high ? o->high : o->low;
        }
    return t;
}

/* A plan whose order was of no account (pipelines, energy without a deadline) gets a good one. */
static void settle_order(struct solver *s, struct plan *p)
{
    struct plan *ranked = cc_mapping_plan_new(&s->x);
    enum cc_map_objective objective = s->objective;
    double deadline = s->x.deadline;
    struct cc_count *count = s->d->count;
    s->d->count = NULL; /* short, and no part of what is counted */
    set_objective(s, CC_MAP_LATENCY, INFINITY);
    cc_mapping_decode(s->d, p, NULL);
    cc_mapping_heft(s->d, ranked);
    memcpy(ranked->choice, p->choice, s->x.n * sizeof *p->choice);
    if (cc_mapping_decode(s->d, ranked, NULL) < p->time)
        memcpy(p->list, ranked->list, s->x.n * sizeof *p->list);
    cc_mapping_decode(s->d, p, NULL);
    if (small_enough(s)) {
        uint64_t steps = 0;
        cc_mapping_sequence(s->d, p, p->time, &steps, 100000);
    }
    cc_mapping_plan_sort(&s->x, p);
    cc_mapping_decode(s->d, p, NULL);
    cc_mapping_plan_free(ranked);
    set_objective(s, objective, deadline);
    s->d->count = count;
}

static void to_solution(struct solver *s, const struct plan *from, struct cc_map_solution *to)
{
    const struct model *x = &s->x;
    struct plan *p = cc_mapping_plan_new(x);
    cc_mapping_plan_copy(x, p, from);
    settle_order(s, p);
    *to = (struct cc_map_solution){.tasks = cc_alloc_array(x->n, sizeof *to->tasks),
                                   .order = cc_alloc_array(x->n, sizeof *to->order),
                                   .time = p->time,
                                   .period = cc_mapping_model_period(x, p->choice),
                                   .better = NAN};
    for (size_t i = 0; i < x->n; i++) {
        to->tasks[i] = (struct cc_map_placed){p->choice[i] - x->first[i], p->start[i], p->finish[i]};
        to->order[i] = p->list[i];
    }
    to->energy = s->p->idle_power * p->time;
    for (size_t i = 0; i < x->n; i++) {
        to->energy += s->energy[p->choice[i]];
        for (size_t k = x->succ_first[i]; k < x->succ_first[i + 1]; k++)
            if (x->unit[p->choice[i]] != x->unit[p->choice[x->succ[k].task]])
                to->energy += s->edge_energy[x->succ[k].edge];
    }
    if (!energy_known(s->p))
        to->energy = NAN;
    CC_CLEANUP(cc_free_ptr) double *low = times_at(s, false);
    CC_CLEANUP(cc_free_ptr) double *high = times_at(s, true);
    to->low = cc_mapping_decode(s->d, p, low);
    to->high = cc_mapping_decode(s->d, p, high);
    cc_mapping_plan_free(p);
}

/* Points of the front: least energy, then least energy among faster ones, and so on until nothing is faster.
 */
static int pareto(struct solver *s, struct cc_map_result *r, struct cc_err *err)
{
    double deadline = s->o->deadline;
    CC_VEC(struct cc_map_solution) front = {0};
    r->proven = true;
    while (front.n < MAX_FRONT) {
        struct pool pool = new_pool(1);
        set_objective(s, CC_MAP_ENERGY, deadline);
        start(s, &pool, true);
        r->proven = fill(s, &pool, s->o->effort) && r->proven;
        if (pool.n == 0) {
            cc_mapping_pool_fini(&pool);
            break;
        }
        struct cc_map_solution found;
        to_solution(s, pool.v[0], &found);
        cc_mapping_pool_fini(&pool);
        deadline = found.time * (1 - 1e-6);
        if (front.n && found.energy <= front.v[front.n - 1].energy * (1 + 1e-9)) { /* as frugal and faster */
            free(front.v[front.n - 1].tasks);
            free(front.v[--front.n].order);
        }
        CC_VEC_PUSH(&front, found);
    }
    if (front.n == 0)
        return cc_err_set(err, CC_EINPUT, "no mapping satisfies the memories and the deadline");
    for (size_t a = 0, b = front.n - 1; a < b; a++, b--) {
        struct cc_map_solution keep = front.v[a];
        front.v[a] = front.v[b];
        front.v[b] = keep;
    }
    r->best = front.v;
    r->nbest = front.n;
    set_objective(s, CC_MAP_LATENCY, INFINITY);
    r->lower_bound = r->proven ? r->best[0].time : cc_mapping_lower_bound(&s->x, r->best[0].time);
    return 0;
}

static int infeasible(struct solver *s, struct cc_err *err)
{
    if (!isfinite(s->o->deadline)) {
        double need = 0, have = 0;
        for (size_t i = 0; i < s->x.n; i++)
            need += s->x.memory[i];
        for (size_t u = 0; u < s->x.m; u++)
            have += s->x.unit_memory[u];
        return cc_err_at(
            err, CC_EINPUT, s->p->path, 0,
            "no mapping found that fits the units' memories: tasks need %.0f bytes, units have %.0f", need,
            have);
    }
    struct cc_map_solve_options o = *s->o;
    struct cc_map_result fastest;
    o.objective = CC_MAP_LATENCY;
    o.deadline = INFINITY;
    o.alternatives = 0;
    int rc = cc_map_solve(s->p, &o, &fastest, err);
    if (rc < 0)
        return rc;
    double second = s->p->clock_second;
    rc = cc_err_at(err, CC_ETHRESHOLD, s->p->path, 0,
                   "no mapping found that ends by %g %s; the fastest takes %g %s", s->o->deadline / second,
                   s->p->clock, fastest.best[0].time / second, s->p->clock);
    cc_map_result_fini(&fastest);
    return rc;
}

static double value_of(const struct solver *s, const struct cc_map_solution *m)
{
    return s->objective == CC_MAP_THROUGHPUT ? m->period
           : s->objective == CC_MAP_ENERGY   ? m->energy
                                             : m->time;
}

static void solution_fini(struct cc_map_solution *s)
{
    free(s->tasks);
    free(s->order);
}

/* The next best mappings. Where the best is not proven, one of them may turn out to be better: then it is the
 * best. */
static void runners_up(struct solver *s, const struct plan *best, struct cc_map_result *r)
{
    struct pool more = new_pool(s->o->alternatives + 1);
    cc_mapping_pool_offer(&s->x, &more, best);
    offer_neighbours(s, &more);
    r->alternatives_proven = r->proven && fill(s, &more, s->o->effort / 4);
    struct cc_map_solution *all = cc_alloc_array(more.n + 1, sizeof *all);
    size_t n = 1;
    all[0] = r->best[0];
    for (size_t i = 0; i < more.n; i++) {
        struct cc_map_solution next;
        if (memcmp(more.v[i]->choice, best->choice, s->x.n * sizeof *best->choice) == 0)
            continue;
        to_solution(s, more.v[i], &next);
        size_t at = n++;
        for (; at > (size_t)r->proven && value_of(s, &all[at - 1]) > value_of(s, &next); at--)
            all[at] = all[at - 1];
        all[at] = next;
    }
    r->best[0] = all[0];
    r->nalternatives = CC_MIN(n - 1, s->o->alternatives);
    r->alternatives = cc_alloc_array(r->nalternatives, sizeof *all);
    memcpy(r->alternatives, all + 1, r->nalternatives * sizeof *all);
    for (size_t i = 1 + r->nalternatives; i < n; i++)
        solution_fini(&all[i]);
    free(all);
    cc_mapping_pool_fini(&more);
}

static int one_objective(struct solver *s, struct cc_map_result *r, struct cc_err *err)
{
    set_objective(s, s->o->objective, s->o->deadline);
    struct pool pool = new_pool(1);
    start(s, &pool, true);
    r->proven = fill(s, &pool, s->o->effort);
    if (pool.n == 0) {
        cc_mapping_pool_fini(&pool);
        return infeasible(s, err);
    }
    double cost = pool.v[0]->cost;
    r->lower_bound = r->proven ? cost : cc_mapping_lower_bound(&s->x, cost);
    r->best = cc_alloc(sizeof *r->best);
    r->nbest = 1;
    to_solution(s, pool.v[0], r->best);
    if (s->o->alternatives)
        runners_up(s, pool.v[0], r);
    cc_mapping_pool_fini(&pool);
    return 0;
}

int cc_map_solve(const struct cc_map_problem *p, const struct cc_map_solve_options *o,
                 struct cc_map_result *ret, struct cc_err *err)
{
    *ret = (struct cc_map_result){0};
    struct solver s = {.p = p, .o = o};
    int rc = 0;
    if (o->objective == CC_MAP_ENERGY || o->objective == CC_MAP_PARETO)
        rc = need_energy(p, err);
    if (rc == 0)
        rc = cc_mapping_model_init(&s.x, p, o->plan, err);
    if (rc < 0)
        return rc;
    s.energy = cc_alloc_array(s.x.noptions, sizeof *s.energy);
    s.edge_energy = cc_alloc_array(s.x.nedges, sizeof *s.edge_energy);
    memcpy(s.energy, s.x.energy, s.x.noptions * sizeof *s.energy);
    if (s.x.nedges)
        memcpy(s.edge_energy, s.x.edge_energy, s.x.nedges * sizeof *s.edge_energy);
    s.d = cc_mapping_decoder_new(&s.x);
    s.d->count = o->count;
    rc = o->objective == CC_MAP_PARETO ? pareto(&s, ret, err) : one_objective(&s, ret, err);
    ret->steps = s.steps;
    if (rc == 0) {
        memcpy(s.x.energy, s.energy, s.x.noptions * sizeof *s.energy);
        if (s.x.nedges)
            memcpy(s.x.edge_energy, s.edge_energy, s.x.nedges * sizeof *s.edge_energy);
        cc_map_sample(p, &s.x, o, ret);
    } else {
        cc_map_result_fini(ret);
    }
    cc_mapping_decoder_free(s.d);
    free(s.energy);
    free(s.edge_energy);
    cc_mapping_model_fini(&s.x);
    return rc;
}

void cc_map_result_fini(struct cc_map_result *r)
{
    for (size_t i = 0; i < r->nbest; i++)
        solution_fini(&r->best[i]);
    for (size_t i = 0; i < r->nalternatives; i++)
        solution_fini(&r->alternatives[i]);
    free(r->best);
    free(r->alternatives);
    *r = (struct cc_map_result){0};
}
