/* Branch and bound over assignments; the order of a complete assignment is found by cc_mapping_sequence. */
#include "bound.h"

#include <math.h>

/* How much the mean of the raised bounds and the work of a task count beside the lowest raised bound. Any
 * value proves the same; these needed the fewest steps on random problems. */
#define PICK_SUM 1.0
#define PICK_LOAD 0.1

struct search {
    struct decoder *d;
    const struct model *x;
    struct bounder b;
    struct pool *pool;
    struct plan *leaf;
    uint64_t *levels; /* sets of options, one row of n a depth */
    uint64_t *steps, budget;
    bool out;
};

static bool same_choice(const struct model *x, const struct plan *a, const struct plan *b)
{
    return memcmp(a->choice, b->choice, x->n * sizeof *a->choice) == 0;
}

bool cc_mapping_pool_offer(const struct model *x, struct pool *pool, const struct plan *p)
{
    if (!(p->cost < INFINITY))
        return false;
    size_t at = pool->n;
    for (size_t i = 0; i < pool->n; i++)
        if (same_choice(x, pool->v[i], p))
            at = i;
    if (at < pool->n) {
        if (p->cost >= pool->v[at]->cost)
            return false;
    } else if (pool->n < pool->cap) {
        pool->v[pool->n++] = cc_mapping_plan_new(x);
    } else if (p->cost < pool->v[pool->n - 1]->cost) {
        at = pool->n - 1;
    } else {
        return false;
    }
    struct plan *slot = pool->v[at];
    cc_mapping_plan_copy(x, slot, p);
    for (; at > 0 && pool->v[at - 1]->cost > slot->cost; at--)
        pool->v[at] = pool->v[at - 1];
    pool->v[at] = slot;
    return true;
}

double cc_mapping_pool_limit(const struct pool *pool)
{
    return pool->n < pool->cap ? INFINITY : pool->v[pool->n - 1]->cost;
}

void cc_mapping_pool_fini(struct pool *pool)
{
    for (size_t i = 0; i < pool->n; i++)
        cc_mapping_plan_free(pool->v[i]);
    free(pool->v);
    *pool = (struct pool){0};
}

/* By when a schedule must end to be of use, given the energy it costs at least. */
static double time_limit(const struct search *s, double energy)
{
    const struct model *x = s->x;
    double upper = cc_mapping_pool_limit(s->pool);
    upper -= fabs(upper) * MAP_EPSILON;
    if (x->pipeline)
        return upper;
    double limit = x->deadline * (1 + 1e-12);
    if (isfinite(upper)) {
        if (x->weight > 0)
            limit = fmin(limit, (upper - energy) / x->weight);
        else if (energy > upper)
            limit = -1;
    }
    return limit;
}

static void leaf(struct search *s, const uint64_t *options)
{
    const struct model *x = s->x;
    struct plan *p = s->leaf;
    for (size_t i = 0; i < x->n; i++)
        p->choice[i] = x->first[i] + (size_t)__builtin_ctzll(options[i]);
    memcpy(p->list, x->topo, x->n * sizeof *p->list);
    if (!x->pipeline && (x->weight > 0 || isfinite(x->deadline))) {
        double limit = time_limit(s, cc_mapping_model_energy(x, p->choice));
        int found = cc_mapping_sequence(s->d, p, limit + fabs(limit) * 1e-12, s->steps, s->budget);
        if (found < 0)
            s->out = true;
        if (found <= 0)
            return;
    }
    cc_mapping_model_cost(s->d, p, false);
    cc_mapping_pool_offer(x, s->pool, p);
    if (s->pool->n)
        cc_count_bounds(s->d->count, s->pool->v[0]->cost, s->d->bound);
}

/* The undecided task whose best option raises the bounds most: on the time along its path, or on the volume
 * of all tasks. */
static size_t pick(const struct search *s, const uint64_t *options, double limit)
{
    const struct model *x = s->x;
    const struct bounder *b = &s->b;
    size_t best = SIZE_MAX;
    double best_score = -1;
    bool volume = isfinite(limit) && b->room > 0;
    for (size_t at = 0; at < x->n; at++) {
        size_t i = x->topo[at];
        if ((options[i] & (options[i] - 1)) == 0)
            continue;
        double least = INFINITY, smallest = INFINITY, lowest = INFINITY, sum = 0;
        for (uint64_t rest = options[i]; rest; rest &= rest - 1) {
            size_t o = x->first[i] + (size_t)__builtin_ctzll(rest);
            least = fmin(least, cc_mapping_bound_weighed(b, i, o));
            smallest = fmin(smallest, x->load[o]);
        }
        for (uint64_t rest = options[i]; rest; rest &= rest - 1) {
            size_t o = x->first[i] + (size_t)__builtin_ctzll(rest);
            double raised =
                x->pipeline ? x->load[o]
                            : b->ready[i * x->m + x->unit[o]] + x->time[o] + b->tail[i * x->m + x->unit[o]];
            if (volume)
                raised = fmax(raised,
                              limit * (1 + (b->gap + cc_mapping_bound_weighed(b, i, o) - least) / b->room));
            lowest = fmin(lowest, raised);
            sum += raised;
        }
        double score =
            lowest + PICK_SUM * sum / (double)__builtin_popcountll(options[i]) + PICK_LOAD * smallest;
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

/* A unit that is the same as an earlier one, no decision on the way here having named either, leads to
 * nothing new: swapping the two turns each mapping of the one branch into one of the other. That the options
 * left differ between them does not matter: the filter drops only what is in no mapping worth having, and so
 * do we. */
static bool redundant(const struct search *s, uint64_t named, size_t unit)
{
    const struct model *x = s->x;
    for (size_t v = 0; v < unit && !(named >> unit & 1); v++)
        if (x->twin[v] == x->twin[unit] && !(named >> v & 1))
            return true;
    return false;
}

/* The filter; its packing counts as steps, a quarter each, for that is about what they cost beside others. */
static bool narrow(struct search *s, uint64_t *options, double limit, bool thorough)
{
    uint64_t before = s->b.packing_steps;
    bool left = cc_mapping_bound_filter(&s->b, options, limit, thorough);
    *s->steps += (s->b.packing_steps - before) / 4;
    return left;
}

struct branch {
    size_t option;
    double score;
};

static void descend(struct search *s, size_t depth, uint64_t named)
{
    const struct model *x = s->x;
    uint64_t *options = &s->levels[depth * x->n];
    if (*s->steps >= s->budget) {
        s->out = true;
        return;
    }
    ++*s->steps;
    cc_count_set(s->d->count, *s->steps);
    double energy = cc_mapping_bound_energy(&s->b, options), limit = time_limit(s, energy);
    if (limit < 0 || !narrow(s, options, limit, depth == 0))
        return;
    if (s->b.energetic) { /* fewer options may cost more */
        double more = time_limit(s, cc_mapping_bound_energy(&s->b, options));
        if (more < 0 || (more < limit && !narrow(s, options, more, false)))
            return;
    }
    size_t task = pick(s, options, limit);
    if (task == SIZE_MAX) {
        leaf(s, options);
        return;
    }
    struct branch branches[CC_MAP_MAX_OPTIONS];
    size_t n = 0;
    for (uint64_t rest = options[task]; rest; rest &= rest - 1) {
        size_t o = x->first[task] + (size_t)__builtin_ctzll(rest), u = x->unit[o];
        if (redundant(s, named, u))
            continue;
        double score = x->pipeline ? x->load[o]
                                   : x->energy[o] + x->weight * (s->b.ready[task * x->m + u] + x->time[o] +
                                                                 s->b.tail[task * x->m + u]);
        size_t k = n++;
        for (; k > 0 && branches[k - 1].score > score; k--)
            branches[k] = branches[k - 1];
        branches[k] = (struct branch){o, score};
    }
    double lambda[CC_MAP_MAX_UNITS];
    memcpy(lambda, s->b.lambda, x->m * sizeof *lambda);
    for (size_t k = 0; k < n && !s->out; k++) {
        uint64_t *child = options + x->n;
        memcpy(child, options, x->n * sizeof *child);
        child[task] = UINT64_C(1) << (branches[k].option - x->first[task]);
        memcpy(s->b.lambda, lambda, x->m * sizeof *lambda);
        descend(s, depth + 1, named | UINT64_C(1) << x->unit[branches[k].option]);
    }
}

static void all_options(const struct model *x, uint64_t *options)
{
    for (size_t i = 0; i < x->n; i++) {
        size_t n = x->first[i + 1] - x->first[i];
        options[i] = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
    }
}

bool cc_mapping_search(struct decoder *d, struct pool *pool, uint64_t budget, uint64_t *steps)
{
    const struct model *x = d->x;
    struct search s = {.d = d,
                       .x = x,
                       .pool = pool,
                       .leaf = cc_mapping_plan_new(x),
                       .levels = cc_alloc_array((x->n + 2) * x->n, sizeof *s.levels),
                       .steps = steps,
                       .budget = budget};
    cc_mapping_bounder_init(&s.b, x);
    all_options(x, s.levels);
    descend(&s, 0, 0);
    cc_mapping_bounder_fini(&s.b);
    cc_mapping_plan_free(s.leaf);
    free(s.levels);
    return !s.out;
}

/* The largest limit that the filter alone shows to be out of reach, by bisection below the known `upper`. */
static double time_bound(const struct model *x, double upper)
{
    struct bounder b;
    cc_mapping_bounder_init(&b, x);
    uint64_t *options = cc_alloc_array(x->n, sizeof *options);
    double lo = 0, hi = upper;
    int rounds = (double)x->n * (double)x->m * (double)x->m > 1e6 ? 12 : 40;
    for (int k = 0; k < rounds && hi - lo > hi * 1e-7; k++) {
        double middle = (lo + hi) / 2;
        all_options(x, options);
        if (cc_mapping_bound_filter(&b, options, middle, true))
            hi = middle;
        else
            lo = middle;
    }
    free(options);
    cc_mapping_bounder_fini(&b);
    return lo;
}

double cc_mapping_lower_bound(const struct model *x, double upper)
{
    if (x->pipeline)
        return time_bound(x, upper);
    struct bounder b;
    cc_mapping_bounder_init(&b, x);
    uint64_t *options = cc_alloc_array(x->n, sizeof *options);
    all_options(x, options);
    double energy = cc_mapping_bound_energy(&b, options);
    free(options);
    cc_mapping_bounder_fini(&b);
    return energy + (x->weight > 0 ? x->weight * time_bound(x, (upper - energy) / x->weight) : 0);
}
