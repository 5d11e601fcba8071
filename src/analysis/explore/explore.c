#include "explore.h"
#include "choose.h"
#include "internal.h"
#include "../../base/parallel.h"
#include "../../profile/line_trace.h"

#include <math.h>

enum {
    MOST_PLANS = 16,
    MOST_WITHOUT = 4,
    MOST_SLOW = 3,
    MOST_EVENTS = 256 << 20, /* of lines, in all replays: some twenty seconds of one processor */
};

struct explorer {
    const struct cc_explore_request *rq;
    struct cc_predict_model *m;
    struct cc_explore_result *r;
    uint64_t *above;
    struct cc_choose_item *items;
    CC_VEC(bool *) sets; /* of candidates: plans to be replayed */
    size_t replayed;     /* whole plans, each number of cores for itself */
    bool slow; /* a replay goes through the lines that were touched, which takes a thousand times as long */
};

static bool stopped(const struct explorer *x)
{
    return x->rq->stop && *x->rq->stop;
}

/* --- sets --- */

/* A replay on the platform's memory goes through all events of the trace of lines, twice. */
static size_t most_sets(const struct explorer *x)
{
    if (!x->slow)
        return MOST_PLANS;
    uint64_t most = x->rq->most_events ? x->rq->most_events : MOST_EVENTS;
    uint64_t events = 2 * x->rq->ncores * (cc_line_trace_events(x->rq->h->lines) + 1);
    return CC_MAX((size_t)1, (size_t)CC_MIN((uint64_t)MOST_SLOW, most / events));
}

static bool add_set(struct explorer *x, const bool *taken)
{
    size_t n = x->r->candidates.n;
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || taken[i];
    for (size_t k = 0; k < x->sets.n && any; k++)
        any = memcmp(x->sets.v[k], taken, n * sizeof *taken) != 0;
    if (!any || x->sets.n >= most_sets(x))
        return false;
    bool *copy = cc_alloc_array(n + 1, sizeof *copy);
    memcpy(copy, taken, n * sizeof *copy);
    CC_VEC_PUSH(&x->sets, copy);
    return true;
}

/* The best of each number of lines, the largest first, then the best without each of its largest parts: a
 * user may not want one, or it may turn out to be wrong. */
static void choose_sets(struct explorer *x)
{
    size_t n = x->r->candidates.n;
    bool *taken = cc_alloc_array(n + 1, sizeof *taken), *best = cc_alloc_array(n + 1, sizeof *best);
    struct cc_choose_problem p = {.items = x->items,
                                  .n = n,
                                  .above = x->above,
                                  .lines = x->rq->lines ? CC_MIN(x->rq->lines, (unsigned)CC_CHOOSE_MAX_LINES)
                                                        : CC_CHOOSE_MAX_LINES};
    struct cc_choose_answer a = {.taken = best};
    cc_choose(&p, &a);
    double rest = x->r->sequential - a.bound;
    x->r->proven = a.proven;
    x->r->bound = rest > 0 ? x->r->sequential / rest : INFINITY;
    add_set(x, best);
    unsigned lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += best[i] ? x->items[i].lines : 0;
    struct cc_choose_answer other = {.taken = taken};
    for (p.lines = 1; p.lines < lines && p.lines <= 8; p.lines++) {
        cc_choose(&p, &other);
        add_set(x, taken);
    }
    p.lines = CC_MAX(lines, 1u);
    for (int k = 0; k < MOST_WITHOUT; k++) {
        size_t most = n;
        for (size_t i = 0; i < n; i++)
            if (best[i] && (most == n || x->items[i].gain > x->items[most].gain))
                most = i;
        if (most == n)
            break;
        double gain = x->items[most].gain;
        x->items[most].gain = 0;
        cc_choose(&p, &other);
        add_set(x, taken);
        x->items[most].gain = gain;
        best[most] = false;
    }
    free(taken);
    free(best);
}

/* --- plans --- */

static int by_saved(const void *a, const void *b)
{
    const struct cc_explore_part *x = a, *y = b;
    if (x->saved != y->saved)
        return x->saved > y->saved ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

static void put_parts(struct explorer *x, const bool *set, const double *work, const double *times,
                      struct cc_explore_plan *ret)
{
    for (uint32_t i = 0; i < x->r->candidates.n; i++) {
        const struct cc_explore_candidate *c = &x->r->candidates.v[i];
        if (!set[i])
            continue;
        double pure = work[i] > 0 ? work[i] : c->work * cc_explore_turn_scale(c);
        double time = times[i] + cc_explore_atomic(c, (unsigned)x->rq->cores[x->rq->ncores - 1]);
        if (c->turns)
            time = c->turns[x->rq->ncores - 1] * cc_explore_turn_scale(c);
        CC_VEC_PUSH(&ret->parts,
                    (struct cc_explore_part){i, pure, time, pure - time, (pure - time) / x->r->sequential});
        ret->lines += x->rq->inputs[c->loop].lines;
    }
    if (ret->parts.n)
        qsort(ret->parts.v, ret->parts.n, sizeof *ret->parts.v, by_saved);
}

/* The replay does not know of atomic updates, nor of turns. */
static double atomics_of(const struct explorer *x, const bool *set, unsigned processors)
{
    double all = 0;
    for (size_t i = 0; i < x->r->candidates.n; i++)
        all += set[i] ? cc_explore_atomic(&x->r->candidates.v[i], processors) -
                            cc_explore_turn_saves(x->rq, &x->r->candidates.v[i], processors)
                      : 0;
    return all;
}

static struct cc_explore_speedup speedup_of(const struct explorer *x, const bool *set,
                                            const struct cc_predict_schedule *s)
{
    double more = atomics_of(x, set, s->processors), time = CC_TICKS_TO_F64(s->time) + more,
           low = CC_TICKS_TO_F64(s->time_low) + more, high = CC_TICKS_TO_F64(s->time_high) + more,
           all = x->r->sequential;
    return (struct cc_explore_speedup){.processors = s->processors,
                                       .time = time,
                                       .speedup = time > 0 ? all / time : 1,
                                       .low = high > 0 ? all / high : 1,
                                       .high = low > 0 ? all / low : 1,
                                       .energy = s->energy.known ? s->energy.total : NAN};
}

/* Less is better; never 0. */
static double score_of(const struct explorer *x, const struct cc_explore_speedup *s)
{
    switch (x->rq->objective) {
    case CC_EXPLORE_CORE:
        return s->processors > 1 ? s->processors / s->speedup : INFINITY;
    case CC_EXPLORE_ENERGY:
        return s->energy > 0 ? s->energy : INFINITY;
    default:
        return s->time + 1;
    }
}

/* Less logic for what is saved; a plan without any is behind those. */
static double score_by_area(const struct explorer *x, const struct cc_explore_plan *plan)
{
    const double behind = 1e12;
    double saved = 1 - plan->time / x->r->sequential;
    return plan->area > 0 ? (saved > 0 ? plan->area / saved : behind / 2) : behind * (1 + plan->time);
}

static void score(const struct explorer *x, struct cc_explore_plan *plan)
{
    size_t last = x->rq->ncores - 1;
    plan->time = plan->speedups[last].time;
    plan->score = score_of(x, &plan->speedups[last]);
    plan->at = last;
    if (x->rq->objective == CC_EXPLORE_AREA) {
        plan->score = score_by_area(x, plan);
        return;
    }
    for (size_t c = 0; x->rq->objective != CC_EXPLORE_TIME && c < last; c++) {
        double other = score_of(x, &plan->speedups[c]);
        if (other < plan->score) {
            plan->score = other;
            plan->at = c;
        }
    }
}

enum { FIGURES = 5 }; /* of a speed-up, as they go from one process to another */

static void pack(const struct cc_explore_speedup *s, double *to)
{
    to[0] = s->time;
    to[1] = s->speedup;
    to[2] = s->low;
    to[3] = s->high;
    to[4] = s->energy >= 0 ? s->energy : -1; /* not known */
}

static struct cc_explore_speedup unpack(const double *from, unsigned processors)
{
    return (struct cc_explore_speedup){.processors = processors,
                                       .time = from[0],
                                       .speedup = from[1],
                                       .low = from[2],
                                       .high = from[3],
                                       .energy = from[4] >= 0 ? from[4] : NAN};
}

/* A plan on one number of cores: its figures, the times of its parts on the largest, their work on one. */
static int replay_on(struct explorer *x, const bool *set, const struct cc_explore_setup *s, size_t c,
                     double *told, struct cc_err *err)
{
    size_t n = x->r->candidates.n;
    double *times = told + FIGURES * x->rq->ncores, *work = times + n;
    double *ignored = cc_alloc_array(n + 1, sizeof *ignored);
    struct cc_predict_schedule schedule = {0};
    schedule.time = schedule.time_low = schedule.time_high = cc_predict_sequential(x->m);
    schedule.processors = (unsigned)x->rq->cores[c];
    int rc = s->p ? cc_predict_run(x->m, s->p, (unsigned)x->rq->cores[c], false, &schedule, err) : 0;
    if (rc == 0) {
        struct cc_explore_speedup speedup = speedup_of(x, set, &schedule);
        pack(&speedup, told + FIGURES * c);
    }
    if (rc == 0 && x->rq->cores[c] == 1) {
        memset(work, 0, n * sizeof *work);
        cc_explore_times(s, &schedule, ignored, work, NULL);
    }
    if (rc == 0 && c + 1 == x->rq->ncores) {
        memset(times, 0, n * sizeof *times);
        cc_explore_times(s, &schedule, times, NULL, NULL);
    }
    cc_predict_schedule_fini(&schedule);
    free(ignored);
    return rc;
}

struct replays { /* of a plan, on each number of cores */
    struct explorer *x;
    const bool *set;
    const struct cc_explore_setup *s;
    double *told; /* every number of cores has its own places */
    int rc;       /* the first that failed */
    struct cc_err *err;
};

/* Replays with lines take nearly all the time. */
static void tell_progress(struct explorer *x)
{
    x->replayed++;
    if (x->slow && x->rq->progress)
        x->rq->progress(x->rq->data, x->replayed, CC_MAX(x->replayed, x->sets.n * x->rq->ncores));
}

static void replay_some(struct cc_parallel *p, void *arg)
{
    struct replays *a = arg;
    for (size_t c; cc_parallel_next(p, &c);) {
        struct cc_err err = {0};
        if (!cc_ranks_mine(a->x->rq->ranks, c))
            continue;
        int rc = replay_on(a->x, a->set, a->s, c, a->told, &err);
        cc_parallel_lock(p);
        tell_progress(a->x);
        if (rc < 0 && a->rc == 0) {
            *a->err = err;
            a->rc = rc;
        }
        cc_parallel_unlock(p);
        if (rc < 0)
            cc_parallel_stop(p);
    }
}

/* Loops that are replayed by themselves were so without caches: on one processor the whole plan's model tells
 * what they take with them. What they gain is taken to be the same part of it. */
static int measure_apart(struct explorer *x, const bool *set, struct cc_err *err)
{
    size_t n = x->r->candidates.n, asked = 0;
    bool *in = cc_alloc_array(n + 1, sizeof *in);
    double *times = cc_alloc_array(n + 1, sizeof *times), *work = cc_alloc_array(n + 1, sizeof *work);
    struct cc_explore_setup s = {0};
    struct cc_predict_schedule schedule = {0};
    for (size_t i = 0; i < n; i++)
        asked += in[i] = set[i] && x->r->candidates.v[i].turns && !(x->r->candidates.v[i].whole > 0);
    int rc = asked ? cc_explore_setup(x->rq, x->r, in, 0, &s, err) : 0;
    if (rc == 0 && s.p)
        rc = cc_predict_run(x->m, s.p, 1, false, &schedule, err);
    if (rc == 0 && s.p)
        cc_explore_times(&s, &schedule, times, work, NULL);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (in[i])
            x->r->candidates.v[i].whole = work[i] > 0 ? work[i] : x->r->candidates.v[i].work;
    cc_predict_schedule_fini(&schedule);
    cc_explore_setup_fini(&s);
    free(in);
    free(times);
    free(work);
    return rc;
}

/* Numbers of cores are shared among the processes, if there are several. */
static int replay_plan(struct explorer *x, const bool *set, struct cc_explore_plan *ret, struct cc_err *err)
{
    struct cc_explore_setup s = {0};
    size_t n = x->r->candidates.n, ncores = x->rq->ncores, all = FIGURES * ncores + 2 * n;
    double *told = cc_alloc_array(all + 1, sizeof *told);
    double *times = told + FIGURES * ncores, *work = times + n;
    for (size_t i = 0; i < all; i++)
        told[i] = -INFINITY;
    *ret = (struct cc_explore_plan){.speedups = cc_arena_alloc(&x->r->arena, ncores * sizeof *ret->speedups)};
    int rc = measure_apart(x, set, err);
    if (rc == 0)
        rc = cc_explore_setup(x->rq, x->r, set, -1, &s, err);
    struct replays all_of = {x, set, &s, told, 0, err};
    if (rc == 0) {
        cc_parallel_run(ncores, x->rq->jobs, replay_some, &all_of);
        rc = all_of.rc;
    }
    rc = cc_ranks_agree(x->rq->ranks, rc, err);
    if (rc == 0) {
        cc_ranks_join(x->rq->ranks, told, all);
        for (size_t c = 0; c < ncores; c++)
            ret->speedups[c] = unpack(told + FIGURES * c, (unsigned)x->rq->cores[c]);
        x->r->replays += ncores;
        put_parts(x, set, work, times, ret);
        score(x, ret);
    }
    cc_explore_setup_fini(&s);
    free(told);
    return rc;
}

/* Scores within half a per cent are the same: then the one with fewer lines is better. */
static int by_score(const void *a, const void *b)
{
    const struct cc_explore_plan *x = a, *y = b;
    double steps = log(1.005), s = floor(log(x->score) / steps), t = floor(log(y->score) / steps);
    if (s != t)
        return s < t ? -1 : 1;
    if (x->lines != y->lines)
        return x->lines < y->lines ? -1 : 1;
    return (x->score > y->score) - (x->score < y->score);
}

static int replay_all(struct explorer *x, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < x->sets.n && !(stopped(x) && x->r->plans.n); i++) {
        struct cc_explore_plan plan;
        rc = replay_plan(x, x->sets.v[i], &plan, err);
        CC_VEC_PUSH(&x->r->plans, plan);
    }
    if (x->r->plans.n)
        qsort(x->r->plans.v, x->r->plans.n, sizeof *x->r->plans.v, by_score);
    return rc;
}

void cc_explore_scenario(const struct cc_explore_request *rq, const struct cc_explore_result *r,
                         const struct cc_explore_plan *plan, struct cc_buf *ret)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        const struct cc_explore_candidate *c = &r->candidates.v[plan->parts.v[i].candidate];
        struct cc_explore_calls calls;
        if (c->turns) {
            cc_buf_printf(ret, "# %s, %s\n", rq->loops->v.v[c->loop].id,
                          rq->inputs[c->loop].walk
                              ? "a task for each iteration: no task of the recording stands around the walk"
                          : c->edge ? "diagonal by diagonal: no task of the recording stands for a tile"
                                    : "ordered: no task of the recording stands for what waits for its turn");
            continue;
        }
        if (!rq->inputs[c->loop].calls) {
            cc_explore_directive(rq, c, c->way, c->threads, ret);
            continue;
        }
        calls = *rq->inputs[c->loop].calls;
        calls.hidden = true; /* who reads it has no tasks around groups of calls */
        if (calls.recursive)
            cc_explore_direct_calls(rq, c, &calls, ret);
        else
            cc_buf_printf(ret, "# %s as sections: no task of the recording stands for them\n",
                          calls.group.name);
    }
}

/* --- the whole --- */

bool cc_explore_pays(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                     double sequential)
{
    const double TURNS = 10;
    return c->gain >= rq->min_gain * (c->turns ? TURNS : 1) * sequential;
}

static void fill_items(struct explorer *x, const bool *without)
{
    size_t n = x->r->candidates.n;
    x->items = cc_alloc_array(n + 1, sizeof *x->items);
    for (size_t i = 0; i < n; i++) {
        const struct cc_explore_candidate *c = &x->r->candidates.v[i];
        bool pays = cc_explore_pays(x->rq, c, x->r->sequential) && !(without && without[i]);
        x->items[i] = (struct cc_choose_item){pays ? c->gain : 0, CC_MAX(x->rq->inputs[c->loop].lines, 1u)};
    }
}

static int search(struct explorer *x, struct cc_err *err)
{
    struct cc_predict_options quick = x->rq->predict;
    quick.middle = true;
    if (x->slow)
        quick.contention = CC_CONTENTION_MODEL;
    struct cc_explore_trial trial = {x->rq, NULL, x->above, x->r};
    struct cc_predict_model *m;
    int rc = cc_predict_model_new(x->rq->h, x->rq->platform, &quick, &m, err);
    if (rc < 0)
        return rc;
    trial.m = m;
    rc = cc_explore_try(&trial, err);
    cc_predict_model_free(m);
    fill_items(x, NULL);
    if (rc == 0) {
        choose_sets(x);
        rc = replay_all(x, err);
    }
    return rc;
}

static void copy_warnings(struct explorer *x)
{
    const char *const *texts;
    size_t n = cc_predict_model_warnings(x->m, &texts);
    const char **copy = cc_arena_alloc(&x->r->arena, (n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = cc_arena_strdup(&x->r->arena, texts[i]);
    x->r->warnings = copy;
    x->r->nwarnings = n;
}

/* Cycles of an update that others make too: the platform's, of a CPU. */
static void charge_atomics(struct explorer *x)
{
    const double unknown = 60; /* between the second level's latency of small and of large chips */
    struct cc_platform *p = x->rq->platform;
    double cycles = cc_platform_num_or(p, "unit.cpu", CC_NUM_UNIT_ATOMIC, unknown);
    double mhz = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    double ticks = mhz > 0 && x->r->second > 0 ? cycles / (mhz * 1e6) / x->r->second : cycles;
    for (size_t i = 0; i < x->r->candidates.n; i++) {
        struct cc_explore_candidate *c = &x->r->candidates.v[i];
        c->atomic = x->rq->inputs[c->loop].atomics * ticks;
    }
}

int cc_explore_run(const struct cc_explore_request *rq, struct cc_explore_result *ret, struct cc_err *err)
{
    *ret = (struct cc_explore_result){.ncores = rq->ncores, .energy = NAN};
    struct explorer x = {.rq = rq, .r = ret};
    cc_explore_candidates(rq, ret);
    int rc = cc_predict_model_new(rq->h, rq->platform, &rq->predict, &x.m, err);
    if (rc == 0 && rq->objective == CC_EXPLORE_ENERGY && !cc_predict_sequential_energy(x.m).known)
        rc = cc_err_set(err, CC_EUSAGE,
                        "the platform tells no energy: see busy_cycle and idle_cycle of [energy]");
    x.slow = rc == 0 && cc_predict_contention(x.m) == CC_CONTENTION_LOCALITY;
    if (rc == 0) {
        struct cc_predict_energy e = cc_predict_sequential_energy(x.m);
        ret->sequential = CC_TICKS_TO_F64(cc_predict_sequential(x.m));
        ret->second = cc_predict_tick_seconds(x.m);
        ret->energy = e.known ? e.total : NAN;
        copy_warnings(&x);
        charge_atomics(&x);
        x.above = cc_explore_nest(rq->h, ret);
        rc = search(&x, err);
    }
    ret->complete = !stopped(&x);
    for (size_t i = 0; i < x.sets.n; i++)
        free(x.sets.v[i]);
    CC_VEC_FINI(&x.sets);
    free(x.above);
    free(x.items);
    cc_predict_model_free(x.m);
    if (rc < 0)
        cc_explore_fini(ret);
    return rc;
}

/* Whether a plan is of exactly these candidates. */
static bool is_plan(const struct cc_explore_plan *plan, const bool *taken, size_t n)
{
    size_t wanted = 0, found = 0;
    for (size_t i = 0; i < n; i++)
        wanted += taken[i];
    for (size_t i = 0; i < plan->parts.n; i++)
        found += taken[plan->parts.v[i].candidate];
    return found == wanted && plan->parts.n == wanted;
}

int cc_explore_again(const struct cc_explore_request *rq, struct cc_explore_result *r, const bool *without,
                     struct cc_err *err)
{
    struct explorer x = {.rq = rq, .r = r};
    size_t n = r->candidates.n;
    CC_CLEANUP(cc_free_ptr) bool *taken = cc_alloc_array(n + 1, sizeof *taken);
    int rc = cc_predict_model_new(rq->h, rq->platform, &rq->predict, &x.m, err);
    if (rc < 0)
        return rc;
    x.above = cc_explore_nest(rq->h, r);
    fill_items(&x, without);
    struct cc_choose_problem p = {x.items, n, x.above,
                                  rq->lines ? CC_MIN(rq->lines, (unsigned)CC_CHOOSE_MAX_LINES)
                                            : CC_CHOOSE_MAX_LINES};
    struct cc_choose_answer a = {.taken = taken};
    cc_choose(&p, &a);
    bool known = a.gain <= 0;
    for (size_t i = 0; i < r->plans.n; i++)
        known = known || (!r->plans.v[i].unwritten && is_plan(&r->plans.v[i], taken, n));
    if (!known) {
        struct cc_explore_plan plan;
        rc = replay_plan(&x, taken, &plan, err);
        CC_VEC_PUSH(&r->plans, plan);
    }
    free(x.above);
    free(x.items);
    cc_predict_model_free(x.m);
    return rc;
}

/* --- for plans of more than loops --- */

void cc_explore_choice(const struct cc_explore_request *rq, const struct cc_explore_result *r,
                       struct cc_choose_problem *ret)
{
    struct explorer x = {.rq = rq, .r = (struct cc_explore_result *)r};
    fill_items(&x, NULL);
    *ret = (struct cc_choose_problem){x.items, r->candidates.n, cc_explore_nest(rq->h, r),
                                      rq->lines ? CC_MIN(rq->lines, (unsigned)CC_CHOOSE_MAX_LINES)
                                                : CC_CHOOSE_MAX_LINES};
}

static void copy_plan(const struct explorer *x, const struct cc_explore_plan *from,
                      struct cc_explore_plan *ret)
{
    *ret = *from;
    ret->speedups = cc_arena_alloc(&x->r->arena, x->rq->ncores * sizeof *ret->speedups);
    memcpy(ret->speedups, from->speedups, x->rq->ncores * sizeof *ret->speedups);
    memset(&ret->parts, 0, sizeof ret->parts);
    for (size_t i = 0; i < from->parts.n; i++)
        CC_VEC_PUSH(&ret->parts, from->parts.v[i]);
}

static void sequential_plan(const struct explorer *x, struct cc_explore_plan *ret)
{
    *ret = (struct cc_explore_plan){.speedups =
                                        cc_arena_alloc(&x->r->arena, x->rq->ncores * sizeof *ret->speedups)};
    for (size_t c = 0; c < x->rq->ncores; c++)
        ret->speedups[c] = (struct cc_explore_speedup){.processors = (unsigned)x->rq->cores[c],
                                                       .time = x->r->sequential,
                                                       .speedup = 1,
                                                       .low = 1,
                                                       .high = 1,
                                                       .energy = x->r->energy};
}

int cc_explore_replay(const struct cc_explore_request *rq, struct cc_explore_result *r, const bool *set,
                      struct cc_explore_plan *ret, struct cc_err *err)
{
    struct explorer x = {.rq = rq, .r = r};
    bool any = false;
    for (size_t i = 0; i < r->candidates.n; i++)
        any = any || set[i];
    if (!any) {
        sequential_plan(&x, ret);
        return 0;
    }
    for (size_t i = 0; i < r->plans.n; i++)
        if (!r->plans.v[i].unwritten && is_plan(&r->plans.v[i], set, r->candidates.n)) {
            copy_plan(&x, &r->plans.v[i], ret);
            return 0;
        }
    int rc = cc_predict_model_new(rq->h, rq->platform, &rq->predict, &x.m, err);
    if (rc < 0)
        return rc;
    rc = replay_plan(&x, set, ret, err);
    cc_predict_model_free(x.m);
    return rc;
}

int cc_explore_replay_slowed(const struct cc_explore_request *rq, struct cc_explore_result *r,
                             const struct cc_explore_plan *plan, const struct cc_curve *together,
                             struct cc_explore_plan *ret, struct cc_err *err)
{
    struct cc_explore_request asked = *rq;
    asked.predict.contention = CC_CONTENTION_OFF;
    asked.predict.together = together;
    asked.ranks = NULL;
    struct explorer x = {.rq = &asked, .r = r};
    size_t n = r->candidates.n;
    int rc = cc_predict_model_new(asked.h, asked.platform, &asked.predict, &x.m, err);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) bool *set = cc_alloc_array(n + 1, sizeof *set);
    CC_CLEANUP(cc_free_ptr) struct cc_explore_candidate *before = cc_alloc_array(n + 1, sizeof *before);
    const struct cc_explore_trial trial = {&asked, x.m, NULL, r};
    double sequential = r->sequential; /* by the model that plans were replayed with, as the candidates are */
    memcpy(before, r->candidates.v, n * sizeof *before);
    r->sequential = CC_TICKS_TO_F64(cc_predict_sequential(x.m));
    for (size_t i = 0; i < plan->parts.n && rc == 0; i++) {
        struct cc_explore_candidate *c = &r->candidates.v[plan->parts.v[i].candidate];
        set[plan->parts.v[i].candidate] = true;
        c->whole = 0;
        if (!c->turns)
            continue;
        c->turns = NULL;
        rc = cc_explore_try_apart(&trial, c, err);
    }
    rc = rc < 0 ? rc : replay_plan(&x, set, ret, err);
    r->sequential = sequential;
    memcpy(r->candidates.v, before, n * sizeof *before);
    cc_predict_model_free(x.m);
    return rc;
}

void cc_explore_add(const struct cc_explore_request *rq, struct cc_explore_result *r,
                    const struct cc_explore_plan *plan)
{
    struct explorer x = {.rq = rq, .r = r};
    CC_VEC_PUSH(&r->plans, *plan);
    score(&x, &r->plans.v[r->plans.n - 1]);
    qsort(r->plans.v, r->plans.n, sizeof *r->plans.v, by_score);
}

void cc_explore_fini(struct cc_explore_result *r)
{
    for (size_t i = 0; i < r->candidates.n; i++)
        CC_VEC_FINI(&r->candidates.v[i].names);
    for (size_t i = 0; i < r->plans.n; i++)
        CC_VEC_FINI(&r->plans.v[i].parts);
    CC_VEC_FINI(&r->candidates);
    CC_VEC_FINI(&r->plans);
    cc_arena_fini(&r->arena);
    *r = (struct cc_explore_result){0};
}
