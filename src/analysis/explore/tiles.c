#include "tiles.h"

#include <math.h>

enum { MOST_BYTES = 16 };

struct finder {
    const struct cc_explore_request *rq;
    struct cc_explore_result *r;
    struct cc_explore_tiles *all;
};

/* --- what a nest is --- */

static uint32_t only_child(const struct finder *x, uint32_t loop)
{
    uint32_t found = CC_NONE;
    for (uint32_t i = 0; i < x->rq->loops->v.n; i++) {
        if (x->rq->loops->v.v[i].parent != loop || x->rq->inputs[i].group)
            continue;
        if (found != CC_NONE)
            return CC_NONE;
        found = i;
    }
    return found;
}

static bool has_child(const struct finder *x, uint32_t loop)
{
    for (uint32_t i = 0; i < x->rq->loops->v.n; i++)
        if (x->rq->loops->v.v[i].parent == loop && !x->rq->inputs[i].group)
            return true;
    return false;
}

static bool is_even(const struct cc_loop *l)
{
    return l->trips_min == l->trips_max && l->trips_min > 0;
}

/* The pixels that one needs: as many as two loops of fixed lengths inside go through; one, if nothing is read
 * but at one place of each array. */
static const char *find_window(const struct finder *x, struct cc_explore_nest *n)
{
    uint32_t y = only_child(x, n->inner), w = y == CC_NONE ? CC_NONE : only_child(x, y);
    const struct cc_source_loop *s = x->rq->inputs[n->inner].source;
    n->window_w = n->window_h = 1;
    if (!has_child(x, n->inner)) {
        bool known = s != NULL;
        for (size_t i = 0; known && i < s->arrays.n; i++)
            known = s->arrays.v[i].alike || !s->arrays.v[i].read_line;
        return known ? NULL
                     : "which pixels one of its results needs is not known ('corecast tile --kernel WxH' "
                       "takes it)";
    }
    if (y == CC_NONE || w == CC_NONE || has_child(x, w) || !is_even(&x->rq->loops->v.v[y]) ||
        !is_even(&x->rq->loops->v.v[w]))
        return "what its inner loops read is no window of fixed size";
    n->window_h = (int64_t)x->rq->loops->v.v[y].trips_max;
    n->window_w = (int64_t)x->rq->loops->v.v[w].trips_max;
    return NULL;
}

/* Bytes of a pixel, by what the nest's own code read and wrote for each. */
static const char *find_bytes(const struct finder *x, struct cc_explore_nest *n, double pixels)
{
    double read = 0, written = 0;
    for (uint32_t i = n->inner; i != CC_NONE; i = only_child(x, i)) {
        const struct cc_loop *l = &x->rq->loops->v.v[i];
        read = fmax(read, (double)l->bytes_read);
        written = fmax(written, (double)l->bytes_written);
    }
    n->in = (int64_t)ceil(read / (pixels * (double)(n->window_w * n->window_h)) - 0.05);
    n->out = (int64_t)ceil(written / pixels - 0.05);
    if (n->in < 1 || n->out < 1)
        return "it does not make an image of an image";
    return n->in > MOST_BYTES || n->out > MOST_BYTES ? "it reads or writes too much for each pixel" : NULL;
}

double cc_explore_cycles(const struct cc_explore_request *rq, const struct cc_explore_result *r)
{
    double mhz = cc_platform_num_or(rq->platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    return mhz > 0 && r->second > 0 ? mhz * 1e6 * r->second : 1;
}

static const char *find_image(const struct finder *x, struct cc_explore_nest *n)
{
    const struct cc_loop *rows = &x->rq->loops->v.v[n->outer], *columns = &x->rq->loops->v.v[n->inner];
    if (!is_even(columns) || !is_even(rows))
        return "its images, or their rows, are of different sizes";
    if (columns->invocations != rows->iterations)
        return "not every row has its pixels";
    n->columns = (int64_t)columns->trips_max;
    n->rows = (int64_t)rows->trips_max;
    n->images = (double)rows->invocations;
    const char *why = find_window(x, n);
    if (!why)
        why = find_bytes(x, n, (double)columns->iterations);
    if (!why && (n->columns + n->window_w > CC_TILE_MAX_SIDE || n->rows + n->window_h > CC_TILE_MAX_SIDE))
        why = "its images are too large";
    n->time = cc_explore_candidate_of(x->r, n->outer)->work * cc_explore_cycles(x->rq, x->r) /
              (double)columns->iterations;
    return why;
}

/* --- tiles --- */

static int problem_of(const struct finder *x, const struct cc_explore_nest *n, int64_t cores,
                      const struct cc_dma *dma, struct cc_tile_problem *ret, struct cc_err *err)
{
    *ret = (struct cc_tile_problem){.image_w = n->columns + n->window_w - 1,
                                    .image_h = n->rows + n->window_h - 1,
                                    .kernel_w = n->window_w,
                                    .kernel_h = n->window_h,
                                    .in_bytes = n->in,
                                    .out_bytes = n->out,
                                    .planes = 1,
                                    .clusters = 1,
                                    .kernel_time = n->time,
                                    .memory = cc_tile_platform_memory(x->rq->platform),
                                    .double_buffer = true,
                                    .dma = dma};
    if (isnan(ret->memory))
        return cc_err_set(err, CC_EINPUT, "the platform does not tell the size of its local memory");
    cc_tile_processors(ret, cores, false);
    return cc_tile_platform_overheads(x->rq->platform, ret, err);
}

/* The ends of the best tile's time: transfers that take none, and writes that have to be waited for. */
static void find_ends(const struct cc_tile_problem *p, struct cc_explore_nest *n)
{
    struct cc_tile_problem end = *p;
    struct cc_tiling t;
    end.instant_dma = true;
    n->low = cc_tile_build(&end, n->best.x, n->best.y, &t) ? n->images * cc_tile_corrected(&end, &t) : NAN;
    end = *p;
    end.blocking_writes = true;
    n->high = cc_tile_build(&end, n->best.x, n->best.y, &t) ? n->images * cc_tile_corrected(&end, &t) : NAN;
}

static void search(const struct finder *x, struct cc_explore_nest *n, const struct cc_dma *dma)
{
    n->cycles = cc_arena_alloc(&x->r->arena, x->rq->ncores * sizeof *n->cycles);
    for (size_t c = 0; c < x->rq->ncores && !n->why; c++) {
        struct cc_tile_problem p;
        struct cc_tile_result best = {0};
        struct cc_err err = {0};
        int rc = problem_of(x, n, CC_MIN(x->rq->cores[c], (int64_t)CC_TILE_MAX_CORES), dma, &p, &err);
        if (rc == 0)
            rc = cc_tile_check(&p, &err);
        if (rc == 0)
            rc = cc_tile_search(&p, CC_TILE_CORRECTED, false, &best, &err);
        if (rc < 0) {
            n->why = cc_arena_printf(&x->r->arena, "on %lld cores: %s", (long long)x->rq->cores[c], err.msg);
            continue;
        }
        n->cycles[c] = n->images * best.best.time;
        n->best = best.best;
        x->all->memory = p.memory;
        if (c + 1 == x->rq->ncores)
            find_ends(&p, n);
        cc_tile_result_fini(&best);
    }
}

/* --- plans --- */

static const double worth = 0.99; /* of the time with a directive: tiles are more work than that */

/* What the nest takes now, by the same model as the plan's. */
static double work_of(const struct finder *x, const struct cc_explore_plan *plan,
                      const struct cc_explore_candidate *c)
{
    for (size_t i = 0; i < plan->parts.n; i++)
        if (&x->r->candidates.v[plan->parts.v[i].candidate] == c)
            return plan->parts.v[i].work;
    return c->work;
}

static bool is_within(const struct finder *x, uint32_t loop, uint32_t outer)
{
    for (uint32_t l = loop; l != CC_NONE; l = x->rq->loops->v.v[l].parent)
        if (l == outer)
            return true;
    return false;
}

/* The loops of the best plan without the nest, and without what is around or inside it. */
static void others(const struct finder *x, const struct cc_explore_plan *plan, uint32_t nest, bool *ret)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        uint32_t c = plan->parts.v[i].candidate, l = x->r->candidates.v[c].loop;
        ret[c] = !is_within(x, l, nest) && !is_within(x, nest, l) && !x->rq->inputs[l].group;
    }
}

static void shift(const struct finder *x, const struct cc_explore_nest *n, double work,
                  struct cc_explore_plan *plan)
{
    double all = x->r->sequential, cycle = cc_explore_cycles(x->rq, x->r);
    for (size_t c = 0; c < x->rq->ncores; c++) {
        struct cc_explore_speedup *s = &plan->speedups[c];
        bool last = c + 1 == x->rq->ncores;
        double own = n->cycles[c] / cycle, rest = s->time - work, least = 1e-9 * all;
        double high = all / s->low - work + (last ? fmax(own, n->high / cycle) : own);
        double low = all / s->high - work + (last ? fmin(own, n->low / cycle) : own);
        s->time = fmax(rest + own, least);
        s->speedup = all / s->time;
        s->low = all / fmax(high, least);
        s->high = all / fmax(low, least);
        s->energy = NAN;
    }
}

static int add_plan(const struct finder *x, const struct cc_explore_nest *n,
                    const struct cc_explore_plan *best, struct cc_err *err)
{
    const struct cc_explore_candidate *c = cc_explore_candidate_of(x->r, n->outer);
    CC_CLEANUP(cc_free_ptr) bool *set = cc_alloc_array(x->r->candidates.n + 1, sizeof *set);
    struct cc_explore_plan plan;
    double work = best ? work_of(x, best, c) : c->work;
    if (work - n->cycles[x->rq->ncores - 1] / cc_explore_cycles(x->rq, x->r) <
        x->rq->min_gain * x->r->sequential)
        return 0;
    if (best)
        others(x, best, n->outer, set);
    int rc = cc_explore_replay(x->rq, x->r, set, &plan, err);
    if (rc < 0)
        return rc;
    shift(x, n, work, &plan);
    plan.lines += 12; /* two buffers, transfers there and back, the loops over tiles */
    plan.unwritten = "tiles need the transfers of the chip";
    plan.also = cc_arena_printf(&x->r->arena, "%s in tiles of %lldx%lld", x->rq->loops->v.v[n->outer].id,
                                (long long)n->best.x, (long long)n->best.y);
    double last = plan.speedups[x->rq->ncores - 1].time;
    if ((x->rq->lines && plan.lines > x->rq->lines) || (best && last > best->time * worth)) {
        CC_VEC_FINI(&plan.parts);
        return 0;
    }
    cc_explore_add(x->rq, x->r, &plan);
    x->all->taken = true;
    return 0;
}

static void look(const struct finder *x, double least)
{
    const struct cc_loop *v = x->rq->loops->v.v;
    for (uint32_t i = 0; i < x->rq->loops->v.n && x->all->n < CC_EXPLORE_NESTS; i++) {
        uint32_t inner = only_child(x, i);
        if (!cc_explore_candidate_of(x->r, i) || inner == CC_NONE || v[i].share < least ||
            x->rq->inputs[i].group || v[i].verdict > CC_VERDICT_PRIVATE ||
            v[inner].verdict > CC_VERDICT_PRIVATE)
            continue;
        struct cc_explore_nest *n = &x->all->v[x->all->n++];
        *n = (struct cc_explore_nest){.outer = i, .inner = inner};
        n->why = find_image(x, n);
    }
}

/* The nest with the largest part of the run of those that qualify; NULL: none does. */
static const struct cc_explore_nest *search_all(const struct finder *x)
{
    const struct cc_explore_nest *most = NULL;
    struct cc_dma dma;
    struct cc_err ignored = {0};
    int rc = cc_dma_load(x->rq->platform, &dma, &ignored);
    for (size_t i = 0; i < x->all->n; i++) {
        struct cc_explore_nest *n = &x->all->v[i];
        if (rc < 0)
            n->why = cc_arena_strdup(&x->r->arena, ignored.msg);
        if (!n->why)
            search(x, n, &dma);
        if (!n->why && (!most || x->rq->loops->v.v[n->outer].share > x->rq->loops->v.v[most->outer].share))
            most = n;
    }
    cc_dma_fini(&dma);
    return most;
}

int cc_explore_tiles(const struct cc_explore_request *rq, struct cc_explore_result *r, double least,
                     struct cc_explore_tiles *ret, struct cc_err *err)
{
    bool local = cc_platform_has(rq->platform, "memory.local") || cc_platform_has(rq->platform, "memory.l1");
    struct finder x = {rq, r, ret};
    *ret = (struct cc_explore_tiles){0};
    if (!r->complete || !local || !cc_platform_has(rq->platform, "dma"))
        return 0;
    look(&x, least);
    const struct cc_explore_nest *most = search_all(&x);
    if (!most)
        return 0;
    size_t at = 0;
    while (at < r->plans.n && r->plans.v[at].unwritten)
        at++;
    struct cc_explore_plan best = {0};
    if (at < r->plans.n)
        best = r->plans.v[at];
    return add_plan(&x, most, at < r->plans.n ? &best : NULL, err);
}
