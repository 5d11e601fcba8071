/* Plans that move functions and loops to other units, with loops shared out beside them. */
#include "devices.h"
#include "mixed.h"

#include <math.h>

enum { MOST_DEVICES = 8 };

struct mover {
    const struct cc_explore_request *rq;
    struct cc_explore_result *r;
    const struct cc_devices *d;
    const struct cc_device *v;
    struct cc_choose_problem loops;
    uint64_t *apart; /* by candidate */
    double second;
};

/* --- what a set gives --- */

/* Seconds of the run with the set there, each kernel at one end of its interval: -1, 0, 1. */
static double seconds_with(const struct mover *m, uint64_t set, int end)
{
    size_t n = m->d->in->nkernels;
    double *seconds = cc_alloc_array(n + 1, sizeof *seconds);
    struct cc_cut_problem cut = m->v->cut;
    for (size_t k = 0; k < n; k++) {
        const struct cc_offload_kernel *from = &m->v->kernels[k];
        seconds[k] = from->why ? 0 : end < 0 ? from->low : end > 0 ? from->high : from->middle;
    }
    cut.kernel_seconds = seconds;
    double time = cc_cut_time(&cut, set);
    free(seconds);
    return time;
}

static double area_of(const struct mover *m, uint64_t set)
{
    double most = 0;
    for (size_t i = 0; m->v->logic && i < m->d->nmeasures; i++) {
        double sum = 0,
               has = cc_area_device_capacity(m->d->part, m->d->model->measures[m->d->measure[i]].name);
        for (size_t k = 0; k < m->d->in->nkernels; k++)
            sum += set >> k & 1 ? m->d->area[k * m->d->nmeasures + i] : 0;
        most = has > 0 ? fmax(most, sum / has) : most;
    }
    return most;
}

/* A kernel that lies inside another of the set adds nothing. */
static uint64_t without_inner(const struct mover *m, uint64_t set)
{
    for (size_t k = 0; k < m->d->in->nkernels; k++)
        if (set >> k & 1 && cc_cut_calls(&m->v->cut, set, (uint32_t)k) <= 0)
            set &= ~(UINT64_C(1) << k);
    return set;
}

static const struct cc_explore_move *moves_of(const struct mover *m, uint64_t set, size_t *ret_n)
{
    struct cc_explore_move *moves = cc_arena_alloc(&m->r->arena, (m->d->in->nkernels + 1) * sizeof *moves);
    size_t n = 0;
    for (uint32_t k = 0; k < m->d->in->nkernels; k++) {
        const struct cc_source_function *f = m->d->in->kernels[k].f;
        const struct cc_offload_kernel *from = &m->v->kernels[k];
        uint64_t bit = UINT64_C(1) << k;
        if (!(set & bit))
            continue;
        double calls = cc_cut_calls(&m->v->cut, set, k);
        moves[n++] = (struct cc_explore_move){
            .name = f->name,
            .file = f->file,
            .line = f->line,
            .unit = m->v->unit->name,
            .kind = m->v->unit->kind,
            .logic = m->v->logic,
            .cores = from->cores,
            .calls = calls,
            .bytes = from->bytes,
            .low = calls * from->low,
            .seconds = calls * from->middle,
            .high = calls * from->high,
            .share = m->d->in->kernels[k].share,
            .saved = (seconds_with(m, set & ~bit, 0) - seconds_with(m, set, 0)) / m->d->in->seconds};
    }
    *ret_n = n;
    return moves;
}

static const char *words_for(const struct mover *m, const struct cc_explore_move *moves, size_t n)
{
    struct cc_buf b = {0};
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(&b, "%s%s", i ? ", " : "", moves[i].name);
    cc_buf_printf(&b, " on %s", m->v->unit->name);
    const char *kept = cc_arena_strdup(&m->r->arena, b.s);
    cc_buf_fini(&b);
    return kept;
}

/* --- plans --- */

/* What moves and what is shared out never run at the same time: what each saves adds up. */
static void shift(const struct mover *m, uint64_t set, struct cc_explore_plan *plan)
{
    double all = m->r->sequential;
    double saved[3];
    for (int end = -1; end <= 1; end++)
        saved[end + 1] = all - seconds_with(m, set, end) / m->second;
    for (size_t c = 0; c < m->rq->ncores; c++) {
        struct cc_explore_speedup *s = &plan->speedups[c];
        double time = s->time - saved[1], high = all / s->low - saved[2], low = all / s->high - saved[0];
        const double least = 1e-9 * all; /* intervals of the two may meet */
        s->time = fmax(time, least);
        s->speedup = all / s->time;
        s->low = all / fmax(high, least);
        s->high = all / fmax(low, least);
        s->energy = NAN;
    }
}

static bool is_there(const struct mover *m, uint64_t set, const bool *taken, const struct cc_explore_plan *p)
{
    size_t moves = 0, parts = 0;
    if (!p->nmoves || p->moves[0].unit != m->v->unit->name)
        return false;
    for (size_t k = 0; k < m->d->in->nkernels; k++)
        for (size_t i = 0; set >> k & 1 && i < p->nmoves; i++)
            moves += p->moves[i].name == m->d->in->kernels[k].f->name &&
                     p->moves[i].line == m->d->in->kernels[k].f->line;
    for (size_t i = 0; i < p->parts.n; i++)
        parts += taken[p->parts.v[i].candidate];
    size_t wanted = 0;
    for (size_t i = 0; i < m->r->candidates.n; i++)
        wanted += taken[i];
    return moves == p->nmoves && (size_t)__builtin_popcountll(set) == moves && parts == p->parts.n &&
           parts == wanted;
}

static int add_plan(struct mover *m, uint64_t set, const bool *taken, struct cc_err *err)
{
    struct cc_explore_plan plan;
    set = without_inner(m, set);
    bool known = !set || seconds_with(m, set, 0) > m->d->in->seconds * (1 - m->rq->min_gain);
    for (size_t i = 0; i < m->r->plans.n && !known; i++)
        known = is_there(m, set, taken, &m->r->plans.v[i]);
    if (known)
        return 0;
    int rc = cc_explore_replay(m->rq, m->r, taken, &plan, err);
    if (rc < 0)
        return rc;
    plan.moves = moves_of(m, set, &plan.nmoves);
    plan.unwritten = cc_arena_printf(&m->r->arena, "it moves code to %s", m->v->unit->name);
    plan.also = words_for(m, plan.moves, plan.nmoves);
    plan.area = area_of(m, set);
    for (size_t k = 0; k < m->d->in->nkernels; k++)
        plan.lines += set >> k & 1 ? m->d->effort[k] : 0;
    shift(m, set, &plan);
    cc_explore_add(m->rq, m->r, &plan);
    return 0;
}

/* The best of all; of one kernel; without loops. */
static int try_device(struct mover *m, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) bool *taken = cc_alloc_array(m->r->candidates.n + 1, sizeof *taken);
    const struct {
        size_t most;
        bool loops;
    } ways[] = {{CC_MIXED_KERNELS, true}, {1, true}, {CC_MIXED_KERNELS, false}};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < CC_COUNT(ways); i++) {
        struct cc_mixed_problem p = {.cut = &m->v->cut,
                                     .able = m->v->able,
                                     .most = ways[i].most,
                                     .effort = m->d->effort,
                                     .loops = m->loops,
                                     .any_effort = !m->rq->lines,
                                     .apart = m->apart};
        struct cc_mixed_answer a = {.taken = taken};
        memset(taken, 0, m->r->candidates.n * sizeof *taken);
        if (!ways[i].loops)
            p.loops.n = 0;
        cc_mixed(&p, &a);
        if (i == 0) {
            m->r->proven = m->r->proven && a.proven;
            m->r->bound = fmax(m->r->bound, a.bound > 0 ? m->d->in->seconds / a.bound : INFINITY);
        }
        rc = add_plan(m, a.set, taken, err);
    }
    return rc;
}

int cc_devices_plans(const struct cc_explore_request *rq, struct cc_explore_result *r,
                     const struct cc_devices *d, struct cc_err *err)
{
    struct mover m = {.rq = rq, .r = r, .d = d, .second = r->second};
    int rc = 0;
    cc_explore_choice(rq, r, &m.loops);
    m.apart = cc_alloc_array(r->candidates.n + 1, sizeof *m.apart);
    struct cc_choose_item *items = cc_alloc_array(r->candidates.n + 1, sizeof *items);
    for (size_t i = 0; i < r->candidates.n; i++) {
        m.apart[i] = d->apart[r->candidates.v[i].loop];
        items[i] = m.loops.items[i];
        items[i].gain *= m.second;
    }
    free((void *)m.loops.items);
    m.loops.items = items;
    for (size_t i = 0; rc == 0 && i < d->n && i < MOST_DEVICES; i++) {
        m.v = &d->v[i];
        if (!m.v->why && m.v->able)
            rc = try_device(&m, err);
    }
    free(items);
    free((void *)m.loops.above);
    free(m.apart);
    return rc;
}

/* --- what a plan says --- */

static uint32_t kernel_of(const struct cc_devices *d, const struct cc_explore_move *m)
{
    for (uint32_t k = 0; k < d->in->nkernels; k++)
        if (d->in->kernels[k].f->name == m->name && d->in->kernels[k].f->line == m->line)
            return k;
    return CC_NONE;
}

uint32_t cc_devices_shared(const struct cc_devices *d, const struct cc_explore_move *m)
{
    uint32_t k = kernel_of(d, m);
    bool shared = k != CC_NONE && !m->logic && (m->cores > 1 || strcmp(m->kind, "gpu") == 0);
    return shared ? d->loop[k] : CC_NONE;
}

const struct cc_explore_move *cc_devices_moved(const struct cc_devices *d, const struct cc_explore_plan *plan,
                                               uint32_t loop)
{
    for (size_t i = 0; i < plan->nmoves; i++) {
        uint32_t k = kernel_of(d, &plan->moves[i]);
        const struct cc_source_function *f = k == CC_NONE ? NULL : d->in->kernels[k].f;
        const struct cc_source_function *l = d->written[loop];
        if (f && l && cc_offload_holds(d->sources, f, l))
            return &plan->moves[i];
    }
    return NULL;
}

struct cc_devices_area cc_devices_area(const struct cc_devices *d, const struct cc_explore_plan *plan,
                                       size_t measure)
{
    double value = 0, below = 0, above = 0;
    for (size_t i = 0; i < plan->nmoves; i++) {
        uint32_t k = kernel_of(d, &plan->moves[i]);
        if (k == CC_NONE)
            continue;
        const struct cc_area_prediction *e = &d->in->kernels[k].measure[d->measure[measure]];
        value += e->value;
        below += pow(e->value - e->low, 2);
        above += pow(e->high - e->value, 2);
    }
    return (struct cc_devices_area){value, fmax(0, value - sqrt(below)), value + sqrt(above)};
}

bool cc_devices_is_inner(const struct cc_devices *d, uint32_t kernel)
{
    for (uint32_t k = 0; k < d->in->nkernels; k++)
        if (k != kernel && cc_offload_holds(d->sources, d->in->kernels[k].f, d->in->kernels[kernel].f))
            return true;
    return false;
}
