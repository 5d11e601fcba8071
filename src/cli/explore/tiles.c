#include "tiles.h"
#include "../tile/input.h"
#include "../../analysis/tile/tile.h"

#include <math.h>

enum { MOST_NESTS = 16, MOST_BYTES = 16 };

/* A nest that was looked at. */
struct nest {
    uint32_t outer, inner;                              /* of the list of loops: rows, pixels of a row */
    const char *why;                                    /* it does not qualify; NULL: it does */
    int64_t columns, rows, window_w, window_h, in, out; /* of an image; bytes of a pixel */
    double time;                                        /* cycles of a pixel */
    double images;                                      /* how many the run goes through */
    struct cc_tile_point best;                          /* on the largest number of cores */
    double *cycles; /* of all images, by number of cores; then the ends on the largest number */
    double low, high;
};

struct tiles {
    struct nest v[MOST_NESTS];
    size_t n;
    double memory;
    bool taken; /* there is a plan of them */
};

/* --- what a nest is --- */

static uint32_t only_child(const struct exploration *x, uint32_t loop)
{
    uint32_t found = CC_NONE;
    for (uint32_t i = 0; i < x->loops->v.n; i++) {
        if (x->loops->v.v[i].parent != loop || cc_explore_calls_of(x, i))
            continue;
        if (found != CC_NONE)
            return CC_NONE;
        found = i;
    }
    return found;
}

static bool has_child(const struct exploration *x, uint32_t loop)
{
    for (uint32_t i = 0; i < x->loops->v.n; i++)
        if (x->loops->v.v[i].parent == loop && !cc_explore_calls_of(x, i))
            return true;
    return false;
}

static bool is_even(const struct cc_loop *l)
{
    return l->trips_min == l->trips_max && l->trips_min > 0;
}

/* The pixels that one needs: as many as two loops of fixed lengths inside go through; one, if nothing is read
 * but at one place of each array. */
static const char *find_window(const struct exploration *x, struct nest *n)
{
    uint32_t y = only_child(x, n->inner), w = y == CC_NONE ? CC_NONE : only_child(x, y);
    const struct place *p = &x->places[n->inner];
    n->window_w = n->window_h = 1;
    if (!has_child(x, n->inner)) {
        bool known = p->source != NULL;
        for (size_t i = 0; known && i < p->source->arrays.n; i++)
            known = p->source->arrays.v[i].alike || !p->source->arrays.v[i].read_line;
        return known ? NULL
                     : "which pixels one of its results needs is not known ('corecast tile --kernel WxH' "
                       "takes it)";
    }
    if (y == CC_NONE || w == CC_NONE || has_child(x, w) || !is_even(&x->loops->v.v[y]) ||
        !is_even(&x->loops->v.v[w]))
        return "what its inner loops read is no window of fixed size";
    n->window_h = (int64_t)x->loops->v.v[y].trips_max;
    n->window_w = (int64_t)x->loops->v.v[w].trips_max;
    return NULL;
}

/* Bytes of a pixel, by what the nest's own code read and wrote for each. */
static const char *find_bytes(const struct exploration *x, struct nest *n, double pixels)
{
    double read = 0, written = 0;
    for (uint32_t i = n->inner; i != CC_NONE; i = only_child(x, i)) {
        const struct cc_loop *l = &x->loops->v.v[i];
        read = fmax(read, (double)l->bytes_read);
        written = fmax(written, (double)l->bytes_written);
    }
    n->in = (int64_t)ceil(read / (pixels * (double)(n->window_w * n->window_h)) - 0.05);
    n->out = (int64_t)ceil(written / pixels - 0.05);
    if (n->in < 1 || n->out < 1)
        return "it does not make an image of an image";
    return n->in > MOST_BYTES || n->out > MOST_BYTES ? "it reads or writes too much for each pixel" : NULL;
}

static const struct cc_explore_candidate *candidate_of(const struct exploration *x, uint32_t loop)
{
    for (size_t i = 0; i < x->r.candidates.n; i++)
        if (x->r.candidates.v[i].loop == loop)
            return &x->r.candidates.v[i];
    return NULL;
}

static double cycles_of_tick(const struct exploration *x)
{
    double mhz = cc_platform_num_or(x->platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    return mhz > 0 && x->r.second > 0 ? mhz * 1e6 * x->r.second : 1;
}

static const char *find_image(const struct exploration *x, struct nest *n)
{
    const struct cc_loop *rows = &x->loops->v.v[n->outer], *columns = &x->loops->v.v[n->inner];
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
    n->time = candidate_of(x, n->outer)->work * cycles_of_tick(x) / (double)columns->iterations;
    return why;
}

/* --- tiles --- */

static int problem_of(struct exploration *x, const struct nest *n, int64_t cores, const struct cc_dma *dma,
                      struct cc_tile_problem *ret, struct cc_err *err)
{
    struct cc_tile_input in = {.double_buffer = true};
    double spread;
    struct cc_arena *a = &x->arena;
    in.text[CC_TILE_IMAGE] = cc_arena_printf(a, "%lldx%lld", (long long)(n->columns + n->window_w - 1),
                                             (long long)(n->rows + n->window_h - 1));
    in.text[CC_TILE_KERNEL] = cc_arena_printf(a, "%lldx%lld", (long long)n->window_w, (long long)n->window_h);
    in.text[CC_TILE_PIXEL] = cc_arena_printf(a, "%lld:%lld", (long long)n->in, (long long)n->out);
    in.text[CC_TILE_TIME] = cc_arena_printf(a, "%.17g", n->time);
    in.text[CC_TILE_CORES] = cc_arena_printf(a, "%lld", (long long)cores);
    in.text[CC_TILE_CLUSTERS] = "1";
    return cc_tile_input_read(&in, x->platform, dma, ret, &spread, err);
}

/* The ends of the best tile's time: transfers that take none, and writes that have to be waited for. */
static void find_ends(const struct cc_tile_problem *p, struct nest *n)
{
    struct cc_tile_problem end = *p;
    struct cc_tiling t;
    end.instant_dma = true;
    n->low = cc_tile_build(&end, n->best.x, n->best.y, &t) ? n->images * cc_tile_corrected(&end, &t) : NAN;
    end = *p;
    end.blocking_writes = true;
    n->high = cc_tile_build(&end, n->best.x, n->best.y, &t) ? n->images * cc_tile_corrected(&end, &t) : NAN;
}

static void search(struct exploration *x, struct tiles *all, struct nest *n, const struct cc_dma *dma)
{
    n->cycles = cc_arena_alloc(&x->arena, x->ncores * sizeof *n->cycles);
    for (size_t c = 0; c < x->ncores && !n->why; c++) {
        struct cc_tile_problem p;
        struct cc_tile_result best = {0};
        struct cc_err err = {0};
        int rc = problem_of(x, n, CC_MIN(x->cores[c], (int64_t)CC_TILE_MAX_CORES), dma, &p, &err);
        if (rc == 0)
            rc = cc_tile_check(&p, &err);
        if (rc == 0)
            rc = cc_tile_search(&p, CC_TILE_CORRECTED, false, &best, &err);
        if (rc < 0) {
            n->why = cc_arena_printf(&x->arena, "on %lld cores: %s", (long long)x->cores[c], err.msg);
            continue;
        }
        n->cycles[c] = n->images * best.best.time;
        n->best = best.best;
        all->memory = p.memory;
        if (c + 1 == x->ncores)
            find_ends(&p, n);
        cc_tile_result_fini(&best);
    }
}

/* --- plans --- */

static const double worth = 0.99; /* of the time with a directive: tiles are more work than that */

/* What the nest takes now, by the same model as the plan's. */
static double work_of(const struct exploration *x, const struct cc_explore_plan *plan,
                      const struct cc_explore_candidate *c)
{
    for (size_t i = 0; i < plan->parts.n; i++)
        if (&x->r.candidates.v[plan->parts.v[i].candidate] == c)
            return plan->parts.v[i].work;
    return c->work;
}

static bool is_within(const struct exploration *x, uint32_t loop, uint32_t outer)
{
    for (uint32_t l = loop; l != CC_NONE; l = x->loops->v.v[l].parent)
        if (l == outer)
            return true;
    return false;
}

/* The loops of the best plan without the nest, and without what is around or inside it. */
static void others(const struct exploration *x, const struct cc_explore_plan *plan, uint32_t nest, bool *ret)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        uint32_t c = plan->parts.v[i].candidate, l = x->r.candidates.v[c].loop;
        ret[c] = !is_within(x, l, nest) && !is_within(x, nest, l) && !cc_explore_calls_of(x, l);
    }
}

static void shift(const struct exploration *x, const struct nest *n, double work,
                  struct cc_explore_plan *plan)
{
    double all = x->r.sequential, cycle = cycles_of_tick(x);
    for (size_t c = 0; c < x->ncores; c++) {
        struct cc_explore_speedup *s = &plan->speedups[c];
        bool last = c + 1 == x->ncores;
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

static int add_plan(struct exploration *x, const struct nest *n, const struct cc_explore_plan *best,
                    struct cc_err *err)
{
    const struct cc_explore_candidate *c = candidate_of(x, n->outer);
    CC_CLEANUP(cc_free_ptr) bool *set = cc_alloc_array(x->r.candidates.n + 1, sizeof *set);
    struct cc_explore_plan plan;
    double work = best ? work_of(x, best, c) : c->work;
    if (work - n->cycles[x->ncores - 1] / cycles_of_tick(x) < x->rq.min_gain * x->r.sequential)
        return 0;
    if (best)
        others(x, best, n->outer, set);
    int rc = cc_explore_replay(&x->rq, &x->r, set, &plan, err);
    if (rc < 0)
        return rc;
    shift(x, n, work, &plan);
    plan.lines += 12; /* two buffers, transfers there and back, the loops over tiles */
    plan.unwritten = "tiles need the transfers of the chip";
    plan.also = cc_arena_printf(&x->arena, "%s in tiles of %lldx%lld", x->loops->v.v[n->outer].id,
                                (long long)n->best.x, (long long)n->best.y);
    double last = plan.speedups[x->ncores - 1].time;
    if ((x->lines && plan.lines > x->lines) || (best && last > best->time * worth)) {
        CC_VEC_FINI(&plan.parts);
        return 0;
    }
    cc_explore_add(&x->rq, &x->r, &plan);
    x->tiles->taken = true;
    return 0;
}

static void look(struct exploration *x, struct tiles *all)
{
    double least = CC_GIVEN(x->o, min_share) ? x->o->min_share : 0.02;
    for (uint32_t i = 0; i < x->loops->v.n && all->n < MOST_NESTS; i++) {
        uint32_t inner = only_child(x, i);
        if (!candidate_of(x, i) || inner == CC_NONE || x->loops->v.v[i].share < least ||
            cc_explore_calls_of(x, i) || x->loops->v.v[i].verdict > CC_VERDICT_PRIVATE ||
            x->loops->v.v[inner].verdict > CC_VERDICT_PRIVATE)
            continue;
        struct nest *n = &all->v[all->n++];
        *n = (struct nest){.outer = i, .inner = inner};
        n->why = find_image(x, n);
    }
}

int cc_explore_tiles(struct exploration *x, struct cc_err *err)
{
    bool local = cc_platform_has(x->platform, "memory.local") || cc_platform_has(x->platform, "memory.l1");
    struct cc_dma dma;
    struct cc_err ignored = {0};
    if (!x->r.complete || !local || !cc_platform_has(x->platform, "dma"))
        return 0;
    struct tiles *all = x->tiles = cc_arena_alloc(&x->arena, sizeof *all);
    *all = (struct tiles){0};
    look(x, all);
    int rc = cc_dma_load(x->platform, &dma, &ignored);
    size_t most = all->n;
    for (size_t i = 0; i < all->n; i++) {
        if (rc < 0)
            all->v[i].why = cc_arena_strdup(&x->arena, ignored.msg);
        if (!all->v[i].why)
            search(x, all, &all->v[i], &dma);
        if (!all->v[i].why && (most == all->n || x->loops->v.v[all->v[i].outer].share >
                                                     x->loops->v.v[all->v[most].outer].share))
            most = i;
    }
    cc_dma_fini(&dma);
    size_t at = cc_explore_writable(x);
    if (most == all->n)
        return 0;
    struct cc_explore_plan best = {0};
    if (at < x->r.plans.n)
        best = x->r.plans.v[at];
    return add_plan(x, &all->v[most], at < x->r.plans.n ? &best : NULL, err);
}

/* --- showing --- */

static const struct cc_col tile_cols[] = {
    {"loop", "in tiles", CC_COL_STR},
    {"image", "image", CC_COL_STR},
    {"window", "window", CC_COL_STR, .meaning = "pixels that one needs, taken from the loops inside"},
    {"tile", "tile", CC_COL_STR, .meaning = "on the largest number of cores; null: it does not qualify"},
    {"bytes", "bytes", CC_COL_NUM, 0, .meaning = "that all its buffers need of the local memory"},
    {"seconds", NULL, CC_COL_NUM, .meaning = "of all images; cycles where the clock is not known"},
    {NULL, "takes", CC_COL_STR},
    {"speedup", "by itself", CC_COL_NUM, 2, .meaning = "over the nest on one core"},
    {"pixel_cycles", NULL, CC_COL_NUM, .meaning = "that a pixel takes"},
    {"pixel", NULL, CC_COL_STR, .meaning = "bytes of a pixel, in and out"},
    {"reason", NULL, CC_COL_STR, .meaning = "why it does not qualify; null: it does"},
};

static void put_nest(struct exploration *x, struct cc_table *t, const struct nest *n)
{
    struct cc_arena *a = &x->arena;
    double work = candidate_of(x, n->outer)->work, ticks = 0;
    cc_table_row(t);
    cc_table_str(t, x->loops->v.v[n->outer].id);
    if (n->why) {
        for (int i = 0; i < 3; i++)
            cc_table_str(t, NULL);
        cc_table_num(t, NAN);
        cc_table_num(t, NAN);
        cc_table_str(t, NULL);
        cc_table_num(t, NAN);
        cc_table_num(t, NAN);
        cc_table_str(t, NULL);
        cc_table_str(t, n->why);
        cc_table_row_only(t, CC_ROW_DATA);
        return;
    }
    ticks = n->cycles[x->ncores - 1] / cycles_of_tick(x);
    cc_table_str(t, cc_arena_printf(a, "%lldx%lld", (long long)n->columns, (long long)n->rows));
    cc_table_str(t, cc_arena_printf(a, "%lldx%lld", (long long)n->window_w, (long long)n->window_h));
    cc_table_str(t, cc_arena_printf(a, "%lldx%lld", (long long)n->best.x, (long long)n->best.y));
    cc_table_num(t, n->best.memory);
    cc_table_num(t, x->r.second > 0 ? ticks * x->r.second : ticks);
    cc_table_str(t, cc_explore_duration(x, ticks, x->r.second));
    cc_table_num(t, work / ticks);
    cc_table_num(t, n->time);
    cc_table_str(t, cc_arena_printf(a, "%lld:%lld", (long long)n->in, (long long)n->out));
    cc_table_str(t, NULL);
    if (!x->tiles->taken)
        cc_table_row_only(t, CC_ROW_DATA);
}

void cc_explore_show_tiles(struct exploration *x, struct cc_result *r)
{
    const struct tiles *all = x->tiles;
    bool any = false;
    for (size_t i = 0; all && i < all->n; i++)
        any = any || !all->v[i].why;
    if (any && all->taken)
        cc_result_note(r, "images in tiles, on %lld cores with %.0f bytes of local memory, two buffers each:",
                       (long long)x->cores[x->ncores - 1], all->memory);
    struct cc_table *t = cc_result_table(r, "tiles", tile_cols, CC_COUNT(tile_cols));
    for (size_t i = 0; all && i < all->n; i++)
        put_nest(x, t, &all->v[i]);
}
