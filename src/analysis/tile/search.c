/* The whole space of tiles, with a bound that spares most evaluations, and the fronts of time against bytes
 * moved and against local memory found on the way. */
#include "tile.h"

#include <math.h>

/* Stage times of one row of the space (one y0) by tile width, so that a point costs look-ups only. */
struct row {
    int64_t y0, y1, full, cut; /* height of the rows of tiles, of the last one, how many of each */
    double *r[2], *w[2];
};

/* Points of falling time over rising cost. */
struct stairs {
    bool memory; /* the cost: local memory, else bytes moved */
    CC_VEC(struct cc_tile_point) v;
};

struct search {
    const struct cc_tile_problem *p;
    enum cc_tile_model model;
    bool pareto;
    int64_t xi, yi, step;
    struct row row;
    struct stairs stairs[2];
    struct cc_tile_result *ret;
    bool found;
};

double cc_tile_time(const struct cc_tile_problem *p, const struct cc_tiling *t, enum cc_tile_model model)
{
    if (model == CC_TILE_CLOSED)
        return cc_tile_closed(p, t);
    if (model == CC_TILE_CORRECTED)
        return cc_tile_corrected(p, t);
    struct cc_tile_run run;
    cc_tile_simulate(p, t, NULL, NULL, &run);
    return run.time;
}

static double cost(const struct stairs *s, const struct cc_tile_point *p)
{
    return s->memory ? p->memory : p->bytes;
}

/* Time, then bytes, memory, x, y: one best point whatever the order of the search. */
static bool better(const struct cc_tile_point *a, const struct cc_tile_point *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes;
    if (a->memory != b->memory)
        return a->memory < b->memory;
    return a->x != b->x ? a->x < b->x : a->y < b->y;
}

/* How many steps cost at most c. */
static size_t stairs_at(const struct stairs *s, double c)
{
    size_t lo;
    CC_FIRST(lo, s->v.n, cost(s, &s->v.v[lo]) > c);
    return lo;
}

static double stairs_time(const struct stairs *s, double c)
{
    size_t n = stairs_at(s, c);
    return n ? s->v.v[n - 1].time : INFINITY;
}

static void stairs_add(struct stairs *s, const struct cc_tile_point *p)
{
    double c = cost(s, p);
    size_t at = stairs_at(s, c);
    if (at && !better(p, &s->v.v[at - 1]))
        return;
    if (at && s->v.v[at - 1].time == p->time && cost(s, &s->v.v[at - 1]) < c)
        return;
    size_t from = at;
    while (from && cost(s, &s->v.v[from - 1]) >= c)
        from--;
    size_t to = at;
    while (to < s->v.n && s->v.v[to].time >= p->time)
        to++;
    if (from == to) {
        CC_VEC_RESERVE(&s->v, s->v.n + 1);
        memmove(&s->v.v[from + 1], &s->v.v[from], (s->v.n - from) * sizeof *s->v.v);
        s->v.n++;
    } else {
        memmove(&s->v.v[from + 1], &s->v.v[to], (s->v.n - to) * sizeof *s->v.v);
        s->v.n -= to - from - 1;
    }
    s->v.v[from] = *p;
}

static void build_row(struct search *s, int64_t y0, int64_t max_x)
{
    const struct cc_tile_problem *p = s->p;
    struct row *row = &s->row;
    row->y0 = y0;
    row->full = s->yi / y0;
    row->y1 = s->yi - row->full * y0;
    row->cut = row->y1 > 0;
    for (int i = 0; i < 2; i++) {
        int64_t y = i ? row->y1 : y0;
        if (y == 0)
            continue;
        if (p->instant_dma) {
            memset(row->r[i], 0, ((size_t)max_x + 1) * sizeof *row->r[i]);
            memset(row->w[i], 0, ((size_t)max_x + 1) * sizeof *row->w[i]);
            continue;
        }
        double in = (double)p->in_bytes, out = (double)p->out_bytes;
        cc_dma_row(&p->dma->read, in * (double)p->kernel_w, in, (size_t)max_x, (double)(y + p->kernel_h - 1),
                   row->r[i] + 1);
        cc_dma_row(&p->dma->write, out, out, (size_t)max_x, (double)y, row->w[i] + 1);
        for (int64_t x = 1; p->planes > 1 && x <= max_x; x++)
            row->r[i][x] *= (double)p->planes;
    }
}

static bool tiling_from_row(const struct search *s, int64_t x0, struct cc_tiling *t)
{
    const struct row *row = &s->row;
    int64_t a = s->xi / x0, x1 = s->xi - a * x0, b = x1 > 0;
    t->x0 = x0;
    t->y0 = row->y0;
    t->tiles = (a + b) * (row->full + row->cut);
    double sum = 0;
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        struct cc_tile_class *k = &t->k[i];
        k->n = (i & 1 ? b : a) * (i & 2 ? row->cut : row->full);
        if (k->n == 0) {
            k->x = k->y = 0;
            k->r = k->w = k->c = 0;
            continue;
        }
        k->x = i & 1 ? x1 : x0;
        k->y = i & 2 ? row->y1 : row->y0;
        k->r = row->r[i >> 1][k->x];
        k->w = row->w[i >> 1][k->x];
        k->c = cc_tile_compute(s->p, k->x, k->y);
        sum += k->r + k->w;
    }
    return !isnan(sum);
}

static void visit(struct search *s, const struct cc_tiling *t, bool counted)
{
    struct cc_tile_point point = {.x = t->x0,
                                  .y = t->y0,
                                  .bytes = cc_tile_bytes(s->p, t->x0, t->y0),
                                  .memory = cc_tile_memory(s->p, t->x0, t->y0)};
    s->ret->space += counted;
    if (s->model != CC_TILE_CLOSED && s->found) {
        double limit = s->pareto ? fmax(stairs_time(&s->stairs[0], point.bytes),
                                        stairs_time(&s->stairs[1], point.memory))
                                 : s->ret->best.time;
        /* A hair above, for the rounding of the bound's own sums. Equal times are computed: ties matter. */
        limit *= 1 + 1e-12;
        if (cc_tile_bound(s->p, t, limit) > limit)
            return;
    }
    point.time = cc_tile_time(s->p, t, s->model);
    s->ret->evaluated += counted;
    if (!s->found || better(&point, &s->ret->best))
        s->ret->best = point;
    s->found = true;
    if (s->pareto) {
        stairs_add(&s->stairs[0], &point);
        stairs_add(&s->stairs[1], &point);
    }
}

/* A coarse pass over the space first: the better the best known, the more the bound excludes. */
static void coarse(struct search *s)
{
    struct cc_tiling t;
    for (int64_t rows = 1; rows <= s->yi; rows += rows / 8 + 1)
        for (int64_t columns = 1; columns <= s->xi; columns += columns / 8 + 1) {
            int64_t x = (s->xi + columns - 1) / columns, y = (s->yi + rows - 1) / rows;
            x = CC_MIN((x + s->step - 1) / s->step * s->step, s->xi);
            if (cc_tile_allowed(s->p, x, y) && cc_tile_build(s->p, x, y, &t))
                visit(s, &t, false);
        }
}

/* The widest tile of height y that memory and DMA allow: both grow with x. */
static int64_t widest(const struct search *s, int64_t y)
{
    struct cc_tile_problem loose = *s->p;
    loose.align = loose.aspect_x = loose.min_x = loose.min_y = loose.max_y = 0;
    int64_t lo = 0, hi = s->p->max_x ? CC_MIN(s->p->max_x, s->xi) : s->xi;
    while (lo < hi) {
        int64_t mid = (lo + hi + 1) / 2;
        if (cc_tile_allowed(&loose, mid, y))
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

static int64_t first_row(const struct search *s)
{
    return CC_MAX(s->p->min_y, 1);
}

static int64_t last_row(const struct search *s)
{
    return s->p->max_y ? CC_MIN(s->p->max_y, s->yi) : s->yi;
}

/* Sizes from the narrowest on, as the scan takes them. */
static uint64_t row_sizes(const struct search *s, int64_t max_x)
{
    int64_t from = CC_MAX(s->p->min_x, 1);
    return max_x < from ? 0 : (uint64_t)((max_x - from) / s->step + 1);
}

static void expect(const struct search *s)
{
    uint64_t all = s->p->aspect_x ? (uint64_t)s->xi : 0;
    for (int64_t y = first_row(s); s->p->count && !s->p->aspect_x && y <= last_row(s); y++)
        all += row_sizes(s, widest(s, y));
    cc_count_expect(s->p->count, all);
}

static void scan_row(struct search *s, int64_t y)
{
    int64_t max_x = widest(s, y);
    if (max_x == 0)
        return;
    build_row(s, y, max_x);
    struct cc_tiling t;
    int64_t from = (CC_MAX(s->p->min_x, 1) + s->step - 1) / s->step * s->step;
    for (int64_t x = from; x <= max_x; x += s->step)
        if (tiling_from_row(s, x, &t))
            visit(s, &t, true);
    if (max_x == s->xi && s->xi % s->step != 0 && s->xi >= s->p->min_x && tiling_from_row(s, s->xi, &t))
        visit(s, &t, true);
    cc_count_add(s->p->count, row_sizes(s, max_x));
}

static void scan_aspect(struct search *s)
{
    const struct cc_tile_problem *p = s->p;
    struct cc_tiling t;
    for (int64_t x = 1; x <= s->xi; x++) {
        int64_t y = CC_MAX((2 * x * p->aspect_y + p->aspect_x) / (2 * p->aspect_x), 1);
        if (cc_tile_allowed(p, x, y) && cc_tile_build(p, x, y, &t))
            visit(s, &t, true);
        cc_count_add(p->count, 1);
    }
}

static void scan(struct search *s)
{
    const struct cc_tile_problem *p = s->p;
    if (p->aspect_x) {
        scan_aspect(s);
        return;
    }
    for (int64_t y = first_row(s); y <= last_row(s); y++)
        scan_row(s, y);
}

static void collect_fronts(struct search *s)
{
    for (int f = 0; f < 2; f++)
        for (size_t i = 0; i < s->stairs[f].v.n; i++) {
            struct cc_tile_point point = s->stairs[f].v.v[i];
            size_t at = 0;
            while (at < s->ret->pareto.n &&
                   (s->ret->pareto.v[at].x != point.x || s->ret->pareto.v[at].y != point.y))
                at++;
            if (at == s->ret->pareto.n)
                CC_VEC_PUSH(&s->ret->pareto, point);
            if (f)
                s->ret->pareto.v[at].on_memory = true;
            else
                s->ret->pareto.v[at].on_bytes = true;
        }
}

static int by_time(const void *a, const void *b)
{
    return better(a, b) ? -1 : better(b, a);
}

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static int search_one(const struct cc_tile_problem *p, enum cc_tile_model model, bool pareto,
                      const struct cc_tile_point *seed, struct cc_tile_result *ret, struct cc_err *err)
{
    *ret = (struct cc_tile_result){0};
    int rc = cc_tile_check(p, err);
    if (rc < 0)
        return rc;
    struct search s = {.p = p, .model = model, .pareto = pareto, .ret = ret};
    s.xi = cc_tile_xi(p);
    s.yi = cc_tile_yi(p);
    s.step = p->align > 1 ? p->align / gcd(p->align, p->in_bytes) : 1;
    s.stairs[1].memory = true;
    double *cells = cc_alloc_array(4 * ((size_t)s.xi + 1), sizeof *cells);
    for (int i = 0; i < 2; i++) {
        s.row.r[i] = cells + (size_t)(2 * i) * ((size_t)s.xi + 1);
        s.row.w[i] = cells + (size_t)(2 * i + 1) * ((size_t)s.xi + 1);
    }
    struct cc_tiling t;
    if (!seed)
        coarse(&s);
    else if (cc_tile_build(p, seed->x, seed->y, &t))
        visit(&s, &t, false);
    expect(&s);
    scan(&s);
    collect_fronts(&s);
    if (ret->pareto.n)
        qsort(ret->pareto.v, ret->pareto.n, sizeof *ret->pareto.v, by_time);
    CC_VEC_FINI(&s.stairs[0].v);
    CC_VEC_FINI(&s.stairs[1].v);
    free(cells);
    if (!s.found)
        return cc_err_set(err, CC_EINPUT, "the DMA's table has no time for any tile: use model 'mixed'");
    return 0;
}

int cc_tile_search(const struct cc_tile_problem *p, enum cc_tile_model model, bool pareto,
                   struct cc_tile_result *ret, struct cc_err *err)
{
    if (model != CC_TILE_SIMULATE)
        return search_one(p, model, pareto, NULL, ret, err);
    /* Simulating takes as long as there are tiles: start from the fast form's best, and leave its fronts,
     * which run down to tiles of one pixel, as they are. */
    struct cc_tile_result fast;
    struct cc_tile_problem uncounted = *p; /* takes next to nothing beside what follows */
    uncounted.count = NULL;
    int rc = search_one(&uncounted, CC_TILE_CORRECTED, pareto, NULL, &fast, err);
    if (rc < 0)
        return rc;
    rc = search_one(p, CC_TILE_SIMULATE, false, &fast.best, ret, err);
    ret->pareto.v = fast.pareto.v;
    ret->pareto.n = fast.pareto.n;
    ret->pareto.cap = fast.pareto.cap;
    return rc;
}

void cc_tile_result_fini(struct cc_tile_result *r)
{
    CC_VEC_FINI(&r->pareto);
}
