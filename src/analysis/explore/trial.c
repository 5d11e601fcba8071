/* How each candidate does by itself, in every way and with every number of threads. Candidates that never run
 * inside each other are tried in one replay: each opens its regions as if it were alone. */
#include "internal.h"
#include "choose.h"
#include "../../base/parallel.h"

#include <math.h>

#define CLOSE 0.99 /* of the best: not worth a more complicated way, or a search */
#define NEAR 0.97  /* of the best: given for a depth of tasks that other inputs are even in, too */
#define ENOUGH 16  /* such tasks for each thread */

const struct cc_explore_way cc_explore_ways[CC_EXPLORE_WAYS] = {
    {CC_OMP_STATIC, 0, false, "schedule(static)"},
    {CC_OMP_STATIC, 1, false, "schedule(static, 1)"},
    {CC_OMP_DYNAMIC, 1, false, "schedule(dynamic, 1)"},
    {CC_OMP_DYNAMIC, 4, false, "schedule(dynamic, 4)"},
    {CC_OMP_DYNAMIC, 16, false, "schedule(dynamic, 16)"},
    {CC_OMP_GUIDED, 0, false, "schedule(guided)"},
    {CC_OMP_STATIC, 0, true, "collapse(2) schedule(static)"},
};

const unsigned cc_explore_depths[CC_EXPLORE_WAYS] = {3, 4, 5, 6, 8, 10, 12};

/* --- scenarios --- */

static bool waits_as_group(const struct cc_explore_calls *calls)
{
    return calls->recursive && !calls->hidden && !calls->loose;
}

/* A group of calls waits for its tasks; calls from outside open a region, of which one thread begins. */
static void direct_calls(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                         const struct cc_explore_calls *calls, unsigned way, unsigned threads,
                         struct cc_buf *b)
{
    char more[32] = "";
    if (threads)
        snprintf(more, sizeof more, " num_threads(%u)", threads);
    for (size_t i = 0; i < c->names.n; i++)
        cc_buf_printf(b, "%s = #pragma omp parallel %s%s\n", rq->h->names[c->names.v[i]],
                      calls->recursive ? "masked" : "sections", more);
    if (!calls->recursive)
        return;
    if (waits_as_group(calls))
        cc_buf_printf(b, "%s = #pragma omp taskwait end\n", calls->group.name);
    for (size_t i = 0; i < calls->group.n; i++) {
        const char *member = calls->group.members[i];
        if (!cc_explore_has_name(rq->h, member))
            continue;
        cc_buf_printf(b, "%s = #pragma omp task final(DEPTH >= %u) mergeable\n", member,
                      cc_explore_depths[way] - 1);
        if (calls->hidden && !calls->loose)
            cc_buf_printf(b, "%s = #pragma omp taskwait\n", member);
    }
}

void cc_explore_direct_calls(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                             const struct cc_explore_calls *calls, struct cc_buf *b)
{
    direct_calls(rq, c, calls, c->way, c->threads, b);
}

/* Directives that it takes. */
static size_t directives_of(const struct cc_explore_request *rq, const struct cc_explore_candidate *c)
{
    const struct cc_explore_calls *calls = rq->inputs[c->loop].calls;
    size_t n = c->names.n + (calls && waits_as_group(calls));
    for (size_t i = 0; calls && calls->recursive && i < calls->group.n; i++)
        n += cc_explore_has_name(rq->h, calls->group.members[i]) ? 1 + (calls->hidden && !calls->loose) : 0;
    return n;
}

void cc_explore_directive(const struct cc_explore_request *rq, const struct cc_explore_candidate *c,
                          unsigned way, unsigned threads, struct cc_buf *b)
{
    if (rq->inputs[c->loop].calls) {
        direct_calls(rq, c, rq->inputs[c->loop].calls, way, threads, b);
        return;
    }
    for (size_t i = 0; i < c->names.n; i++) {
        cc_buf_printf(b, "%s = #pragma omp parallel for %s", rq->h->names[c->names.v[i]],
                      cc_explore_ways[way].clause);
        if (threads)
            cc_buf_printf(b, " num_threads(%u)", threads);
        cc_buf_printf(b, "%s\n", rq->inputs[c->loop].clauses);
    }
}

/* In a whole plan the replay leaves loops that take turns as they are: what they save is known. */
static bool is_directed(const struct cc_explore_request *rq, const struct cc_explore_candidate *c, int way)
{
    return way >= 0 || !cc_explore_apart(&rq->inputs[c->loop]);
}

static void own_directives(const struct cc_explore_request *rq, const struct cc_explore_result *r,
                           const bool *in, int way, struct cc_explore_setup *ret)
{
    const struct cc_scenario *s = ret->s;
    size_t d = 0;
    for (uint32_t i = 0; i < r->candidates.n; i++)
        for (size_t k = 0; in[i] && is_directed(rq, &r->candidates.v[i], way) &&
                           k < directives_of(rq, &r->candidates.v[i]) && d < s->n;
             k++, d++)
            CC_VEC_PUSH(&ret->owners, (struct cc_explore_owner){s->directives[d].text, i});
}

int cc_explore_setup(const struct cc_explore_request *rq, const struct cc_explore_result *r, const bool *in,
                     int way, struct cc_explore_setup *ret, struct cc_err *err)
{
    struct cc_buf text = {0};
    *ret = (struct cc_explore_setup){0};
    for (size_t i = 0; i < r->candidates.n; i++) {
        const struct cc_explore_candidate *c = &r->candidates.v[i];
        if (in[i] && is_directed(rq, c, way))
            cc_explore_directive(rq, c, way < 0 ? c->way : (unsigned)way, way < 0 ? c->threads : 0, &text);
    }
    bool any = text.n > 0; /* a plan of loops that take turns has no directive for the replay */
    int rc = any ? cc_scenario_parse("plan", text.s, text.n, &ret->s, err) : 0;
    if (rc == 0 && any) {
        own_directives(rq, r, in, way, ret);
        rc = cc_predict_plan_new(rq->h, ret->s, &ret->p, err);
    }
    cc_buf_fini(&text);
    return rc;
}

void cc_explore_setup_fini(struct cc_explore_setup *s)
{
    cc_predict_plan_free(s->p);
    cc_scenario_free(s->s);
    CC_VEC_FINI(&s->owners);
}

void cc_explore_times(const struct cc_explore_setup *s, const struct cc_predict_schedule *schedule,
                      double *times, double *work, uint64_t *calls)
{
    for (size_t i = 0; i < schedule->nregions; i++) {
        const struct cc_predict_region *x = &schedule->regions[i];
        for (size_t k = 0; k < s->owners.n; k++) {
            if (s->owners.v[k].text != x->directive)
                continue;
            times[s->owners.v[k].candidate] += x->time;
            if (work)
                work[s->owners.v[k].candidate] += x->stack[CC_PART_PROCESSING];
            if (calls)
                calls[s->owners.v[k].candidate] += x->calls;
            break;
        }
    }
}

/* --- all replays --- */

struct replay {
    size_t setup, core;
};

struct stage {
    const unsigned *layer; /* by candidate */
    size_t layers;
    const bool *worth; /* by candidate: it is tried */
    bool first;
};

struct trials {
    const struct cc_explore_trial *t;
    CC_VEC(struct cc_explore_setup) setups;
    CC_VEC(unsigned) ways; /* by setup */
    CC_VEC(struct replay) todo;
    double *times; /* [way][core][candidate]; NAN: not tried */
    size_t done;
    int rc;
    struct cc_err err;
};

static double *times_of(const struct trials *x, unsigned way, size_t core)
{
    return x->times + ((size_t)way * x->t->rq->ncores + core) * x->t->r->candidates.n;
}

static bool stopped(const struct cc_explore_request *rq)
{
    return rq->stop && *rq->stop;
}

/* Of a collapsed loop that is too large to be replayed, nothing is known. */
static void keep(struct trials *x, const struct replay *todo, const double *times)
{
    const struct cc_explore_setup *s = &x->setups.v[todo->setup];
    double *to = times_of(x, x->ways.v[todo->setup], todo->core);
    for (size_t k = 0; k < s->owners.n; k++)
        to[s->owners.v[k].candidate] = times[s->owners.v[k].candidate];
}

static void work(struct cc_parallel *p, void *arg)
{
    struct trials *x = arg;
    const struct cc_explore_request *rq = x->t->rq;
    double *times = cc_alloc_array(x->t->r->candidates.n + 1, sizeof *times);
    for (size_t i; cc_parallel_next(p, &i);) {
        const struct replay *todo = &x->todo.v[i];
        struct cc_explore_setup *s = &x->setups.v[todo->setup];
        struct cc_predict_schedule schedule = {0};
        struct cc_err err = {0};
        if (!cc_ranks_mine(rq->ranks, i))
            continue;
        if (stopped(rq)) {
            cc_parallel_stop(p);
            break;
        }
        int rc = cc_predict_run(x->t->m, s->p, (unsigned)rq->cores[todo->core], false, &schedule, &err);
        memset(times, 0, x->t->r->candidates.n * sizeof *times);
        if (rc == 0)
            cc_explore_times(s, &schedule, times, NULL, NULL);
        cc_parallel_lock(p);
        if (rc == 0)
            keep(x, todo, times);
        else if (!cc_explore_ways[x->ways.v[todo->setup]].collapsed && x->rc == 0) {
            x->rc = rc;
            x->err = err;
            cc_parallel_stop(p);
        }
        x->done++;
        if (rq->progress)
            rq->progress(rq->data, x->done, x->todo.n);
        cc_parallel_unlock(p);
        cc_predict_schedule_fini(&schedule);
    }
    free(times);
}

/* --- one processor: what each does, and what its regions cost --- */

static int measure_work(const struct cc_explore_trial *t, const bool *in, struct cc_err *err)
{
    struct cc_explore_setup s;
    struct cc_predict_schedule schedule = {0};
    size_t n = t->r->candidates.n;
    double *times = cc_alloc_array(n + 1, sizeof *times), *pure = cc_alloc_array(n + 1, sizeof *pure);
    uint64_t *calls = cc_alloc_array(n + 1, sizeof *calls);
    int rc = cc_explore_setup(t->rq, t->r, in, 0, &s, err);
    if (rc == 0)
        rc = cc_predict_run(t->m, s.p, 1, false, &schedule, err);
    if (rc == 0)
        cc_explore_times(&s, &schedule, times, pure, calls);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct cc_explore_candidate *c = &t->r->candidates.v[i];
        if (!in[i])
            continue;
        c->work = c->time = pure[i];
        c->calls = calls[i];
        c->overhead = calls[i] ? (times[i] - pure[i]) / (double)calls[i] : 0;
    }
    cc_predict_schedule_fini(&schedule);
    cc_explore_setup_fini(&s);
    free(times);
    free(pure);
    free(calls);
    return rc;
}

/* The most that anything in it could save. */
static double ideal(const struct cc_explore_trial *t, const struct cc_explore_candidate *c)
{
    return c->work * (1 - 1 / (double)t->rq->cores[t->rq->ncores - 1]);
}

/* The most it could save: all its work spread evenly, its regions no dearer than on one processor. */
static bool hopeless(const struct cc_explore_trial *t, const struct cc_explore_candidate *c)
{
    double most = ideal(t, c) - c->overhead * (double)c->calls;
    return most < t->rq->min_gain * CC_TICKS_TO_F64(cc_predict_sequential(t->m));
}

/* Whether a loop around it saves all but a hundredth of what could be saved in there. */
static bool covered(const struct cc_explore_trial *t, size_t candidate)
{
    struct cc_choose_problem p = {.n = t->r->candidates.n, .above = t->above};
    for (size_t a = 0; a < p.n; a++) {
        const struct cc_explore_candidate *c = &t->r->candidates.v[a];
        if (a != candidate && cc_choose_above(&p, candidate, a) && c->gain >= CLOSE * ideal(t, c))
            return true;
    }
    return false;
}

/* --- the best of each --- */

/* The simplest that is as good. Of depths of a recursion, the first with enough tasks for every thread to get
 * even parts of another input as well, if there is one. */
static unsigned simplest(const struct trials *x, size_t candidate, double least)
{
    const struct cc_explore_calls *calls = x->t->rq->inputs[x->t->r->candidates.v[candidate].loop].calls;
    size_t last = x->t->rq->ncores - 1;
    double tasks = calls && calls->recursive ? ENOUGH * (double)x->t->rq->cores[last] : 0;
    unsigned way = 0;
    while (!(times_of(x, way, last)[candidate] <= least / CLOSE))
        way++;
    for (unsigned w = way; w < CC_EXPLORE_WAYS && tasks > 0; w++)
        if (times_of(x, w, last)[candidate] <= least / NEAR && exp2(cc_explore_depths[w]) >= tasks)
            return w;
    return way;
}

static void settle(const struct trials *x, size_t candidate)
{
    struct cc_explore_candidate *c = &x->t->r->candidates.v[candidate];
    size_t ncores = x->t->rq->ncores, last = ncores - 1;
    double least = INFINITY;
    for (unsigned w = 0; w < CC_EXPLORE_WAYS; w++)
        if (times_of(x, w, last)[candidate] < least) /* false for what was not tried */
            least = times_of(x, w, last)[candidate];
    if (!isfinite(least))
        return;
    c->way = simplest(x, candidate, least);
    c->time = times_of(x, c->way, last)[candidate];
    double fewest = c->time;
    size_t best = last;
    for (size_t k = 0; k < last; k++) {
        double time = times_of(x, c->way, k)[candidate];
        if (time < fewest * 0.97 && x->t->rq->cores[k] > 1) {
            fewest = time;
            best = k;
        }
    }
    if (best != last) {
        c->threads = (unsigned)x->t->rq->cores[best];
        c->time = fewest;
    }
    c->time += cc_explore_atomic(c, (unsigned)x->t->rq->cores[last]);
    c->gain = c->work - c->time;
}

static bool has_way(const struct cc_explore_input *in, unsigned way)
{
    if (in->calls)
        return way == 0 || in->calls->recursive;
    return !cc_explore_ways[way].collapsed || in->collapsible;
}

/* A setup for each layer and way of those that are worth it, on every number of cores; at first only the
 * simplest way on the largest. */
static int prepare(struct trials *x, const struct stage *stage, struct cc_err *err)
{
    const struct cc_explore_request *rq = x->t->rq;
    size_t n = x->t->r->candidates.n;
    bool *in = cc_alloc_array(n + 1, sizeof *in);
    int rc = 0;
    for (size_t l = 0; l < stage->layers; l++)
        for (unsigned w = 0; rc == 0 && w < (stage->first ? 1 : CC_EXPLORE_WAYS) && !stopped(rq); w++) {
            bool any = false;
            for (size_t i = 0; i < n; i++) {
                bool fits = has_way(&rq->inputs[x->t->r->candidates.v[i].loop], w);
                in[i] = stage->worth[i] && stage->layer[i] == l && fits;
                any = any || in[i];
            }
            if (!any)
                continue;
            struct cc_explore_setup s;
            rc = cc_explore_setup(rq, x->t->r, in, (int)w, &s, err);
            CC_VEC_PUSH(&x->setups, s);
            CC_VEC_PUSH(&x->ways, w);
            for (size_t c = stage->first ? rq->ncores - 1 : 0; c < rq->ncores; c++)
                CC_VEC_PUSH(&x->todo, (struct replay){x->setups.n - 1, c});
        }
    free(in);
    return rc;
}

/* What the other processes tried. */
static int gather(struct trials *x, size_t all, int rc, struct cc_err *err)
{
    const struct cc_ranks *ranks = x->t->rq->ranks;
    rc = cc_ranks_agree(ranks, rc, err);
    if (rc < 0 || !ranks)
        return rc;
    for (size_t i = 0; i < all; i++)
        x->times[i] = isnan(x->times[i]) ? -INFINITY : x->times[i];
    cc_ranks_join(ranks, x->times, all);
    for (size_t i = 0; i < all; i++)
        x->times[i] = isinf(x->times[i]) ? NAN : x->times[i];
    x->done = x->todo.n;
    return 0;
}

static int run(const struct cc_explore_trial *t, const struct stage *stage, struct cc_err *err)
{
    struct trials x = {.t = t};
    size_t n = t->r->candidates.n, all = CC_EXPLORE_WAYS * t->rq->ncores * n;
    x.times = cc_alloc_array(all + 1, sizeof *x.times);
    for (size_t i = 0; i < all; i++)
        x.times[i] = NAN;
    int rc = prepare(&x, stage, err);
    if (rc == 0) {
        cc_parallel_run(x.todo.n, t->rq->jobs, work, &x);
        rc = x.rc;
        if (rc < 0)
            *err = x.err;
    }
    rc = gather(&x, all, rc, err);
    t->r->replays += x.done;
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (stage->worth[i])
            settle(&x, i);
    for (size_t i = 0; i < x.setups.n; i++)
        cc_explore_setup_fini(&x.setups.v[i]);
    CC_VEC_FINI(&x.setups);
    CC_VEC_FINI(&x.ways);
    CC_VEC_FINI(&x.todo);
    free(x.times);
    return rc;
}

int cc_explore_try_apart(const struct cc_explore_trial *t, struct cc_explore_candidate *c, struct cc_err *err)
{
    const struct cc_explore_input *in = &t->rq->inputs[c->loop];
    return in->turn.share > 0 ? cc_explore_try_turns(t, c, err)
           : in->walk         ? cc_explore_try_walk(t, c, err)
                              : cc_explore_try_wave(t, c, err);
}

int cc_explore_try(const struct cc_explore_trial *t, struct cc_err *err)
{
    size_t n = t->r->candidates.n;
    unsigned *layer = cc_alloc_array(n + 1, sizeof *layer);
    bool *in = cc_alloc_array(n + 1, sizeof *in);
    struct stage stage = {.layer = layer, .layers = cc_explore_layers(t->above, n, layer), .worth = in};
    int rc = 0;
    for (size_t l = 0; rc == 0 && l < stage.layers && !stopped(t->rq); l++) {
        for (size_t i = 0; i < n; i++)
            in[i] = layer[i] == l;
        rc = measure_work(t, in, err);
        t->r->replays++;
    }
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct cc_explore_candidate *c = &t->r->candidates.v[i];
        if (cc_explore_apart(&t->rq->inputs[c->loop]) && !hopeless(t, c))
            rc = cc_explore_try_apart(t, c, err);
    }
    for (int k = 0; rc == 0 && k < 2; k++) {
        stage.first = k == 0;
        for (size_t i = 0; i < n; i++)
            in[i] = !cc_explore_apart(&t->rq->inputs[t->r->candidates.v[i].loop]) &&
                    !hopeless(t, &t->r->candidates.v[i]) && (k == 0 || !covered(t, i));
        rc = run(t, &stage, err);
    }
    free(layer);
    free(in);
    return rc;
}
