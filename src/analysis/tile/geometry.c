/* The iteration space, its four classes of tiles, and what they need. */
#include "tile.h"

#include <math.h>

int64_t cc_tile_xi(const struct cc_tile_problem *p)
{
    return p->image_w - p->kernel_w + 1;
}

int64_t cc_tile_yi(const struct cc_tile_problem *p)
{
    return p->image_h - p->kernel_h + 1;
}

double cc_tile_memory(const struct cc_tile_problem *p, int64_t x0, int64_t y0)
{
    double w = (double)(x0 + p->kernel_w - 1), h = (double)(y0 + p->kernel_h - 1);
    double one = (double)(p->in_bytes * p->planes) * w * h + (double)p->out_bytes * (double)x0 * (double)y0;
    return (double)p->cores * one * (p->double_buffer ? 2 : 1);
}

/* The overlaps of neighbouring footprints are moved once for each tile that needs them. */
double cc_tile_bytes(const struct cc_tile_problem *p, int64_t x0, int64_t y0)
{
    int64_t xi = cc_tile_xi(p), yi = cc_tile_yi(p);
    int64_t columns = (xi + x0 - 1) / x0, rows = (yi + y0 - 1) / y0;
    double in = (double)(xi + columns * (p->kernel_w - 1)) * (double)(yi + rows * (p->kernel_h - 1));
    return in * (double)(p->in_bytes * p->planes) + (double)p->out_bytes * (double)xi * (double)yi;
}

static bool dma_allows(const struct cc_tile_problem *p, int64_t x0, int64_t y0)
{
    double in = (double)((x0 + p->kernel_w - 1) * p->in_bytes), out = (double)(x0 * p->out_bytes);
    return in * (double)(y0 + p->kernel_h - 1) <= p->dma->read.limit &&
           out * (double)y0 <= p->dma->write.limit;
}

static bool shape_allowed(const struct cc_tile_problem *p, int64_t x0, int64_t y0)
{
    int64_t xi = cc_tile_xi(p), yi = cc_tile_yi(p);
    if (x0 < 1 || y0 < 1 || x0 > xi || y0 > yi || x0 < p->min_x || y0 < p->min_y)
        return false;
    if ((p->max_x && x0 > p->max_x) || (p->max_y && y0 > p->max_y))
        return false;
    /* A tile as wide as the image has no neighbour whose start it could misalign. */
    if (p->align > 1 && x0 * p->in_bytes % p->align != 0 && x0 != xi)
        return false;
    if (!p->aspect_x)
        return true;
    int64_t want = (2 * x0 * p->aspect_y + p->aspect_x) / (2 * p->aspect_x);
    return y0 == CC_MAX(want, 1);
}

bool cc_tile_allowed(const struct cc_tile_problem *p, int64_t x0, int64_t y0)
{
    return shape_allowed(p, x0, y0) && cc_tile_memory(p, x0, y0) <= p->memory && dma_allows(p, x0, y0);
}

static int check_ranges(const struct cc_tile_problem *p, struct cc_err *err)
{
    const struct {
        const char *name;
        int64_t v, lo, hi;
    } ints[] = {
        {"image width", p->image_w, 1, CC_TILE_MAX_SIDE},
        {"image height", p->image_h, 1, CC_TILE_MAX_SIDE},
        {"kernel width", p->kernel_w, 1, CC_TILE_MAX_SIDE},
        {"kernel height", p->kernel_h, 1, CC_TILE_MAX_SIDE},
        {"input pixel size", p->in_bytes, 1, 4096},
        {"output pixel size", p->out_bytes, 1, 4096},
        {"number of planes", p->planes, 1, 64},
        {"number of cores", p->cores, 1, CC_TILE_MAX_CORES},
        {"alignment", p->align, 0, 1 << 20},
        {"aspect", p->aspect_x, 0, CC_TILE_MAX_SIDE},
        {"aspect", p->aspect_y, 0, CC_TILE_MAX_SIDE},
    };
    for (size_t i = 0; i < CC_COUNT(ints); i++)
        if (ints[i].v < ints[i].lo || ints[i].v > ints[i].hi)
            return cc_err_set(err, CC_EINPUT, "the %s must be %lld to %lld, not %lld", ints[i].name,
                              (long long)ints[i].lo, (long long)ints[i].hi, (long long)ints[i].v);
    const struct {
        const char *name;
        double v;
    } times[] = {{"kernel time", p->kernel_time},
                 {"overhead to open", p->op_open},
                 {"overhead per tile", p->op_sched},
                 {"overhead to close", p->op_close},
                 {"local memory", p->memory}};
    for (size_t i = 0; i < CC_COUNT(times); i++)
        if (!(times[i].v >= 0) || (times[i].v > 1e15 && i + 1 < CC_COUNT(times)))
            return cc_err_set(err, CC_EINPUT, "the %s must be 0 to 1e15, not %g", times[i].name, times[i].v);
    return 0;
}

/* The smallest buffers any allowed shape needs, whatever the memory. */
static double least_memory(const struct cc_tile_problem *p, bool *ret_any, bool *ret_dma)
{
    double least = INFINITY;
    *ret_any = *ret_dma = false;
    for (int64_t x = 1; x <= cc_tile_xi(p); x++) {
        int64_t y = p->aspect_x ? CC_MAX((2 * x * p->aspect_y + p->aspect_x) / (2 * p->aspect_x), 1)
                                : CC_MAX(p->min_y, 1);
        if (!shape_allowed(p, x, y))
            continue;
        *ret_any = true;
        if (!dma_allows(p, x, y))
            continue;
        *ret_dma = true;
        least = fmin(least, cc_tile_memory(p, x, y));
    }
    return least;
}

int cc_tile_check(const struct cc_tile_problem *p, struct cc_err *err)
{
    int rc = check_ranges(p, err);
    if (rc < 0)
        return rc;
    if (cc_tile_xi(p) < 1 || cc_tile_yi(p) < 1)
        return cc_err_set(err, CC_EINPUT, "the kernel (%lldx%lld) is larger than the image (%lldx%lld)",
                          (long long)p->kernel_w, (long long)p->kernel_h, (long long)p->image_w,
                          (long long)p->image_h);
    bool any, dma;
    double need = least_memory(p, &any, &dma);
    if (!any)
        return cc_err_set(err, CC_EINPUT, "no tile meets the alignment, the aspect and the bounds together");
    if (!dma)
        return cc_err_set(err, CC_EINPUT, "every tile is larger than the largest transfer of the DMA");
    if (need > p->memory)
        return cc_err_set(err, CC_EINPUT,
                          "no tile fits: the smallest needs %.0f bytes of local memory, %.0f are given", need,
                          p->memory);
    return 0;
}

double cc_tile_compute(const struct cc_tile_problem *p, int64_t x, int64_t y)
{
    if (p->instant_compute)
        return 0;
    if (p->team <= 1)
        return p->kernel_time * (double)x * (double)y;
    int64_t rows = (y + p->team - 1) / p->team; /* of the core that has most */
    return p->kernel_time * (double)x * (double)rows + p->team_cost;
}

static bool stage_times(const struct cc_tile_problem *p, struct cc_tile_class *k)
{
    k->c = cc_tile_compute(p, k->x, k->y);
    if (p->instant_dma) {
        k->r = k->w = 0;
        return true;
    }
    k->r = (double)p->planes * cc_dma_time(&p->dma->read, (double)((k->x + p->kernel_w - 1) * p->in_bytes),
                                           (double)(k->y + p->kernel_h - 1));
    k->w = cc_dma_time(&p->dma->write, (double)(k->x * p->out_bytes), (double)k->y);
    return !isnan(k->r) && !isnan(k->w);
}

bool cc_tile_build(const struct cc_tile_problem *p, int64_t x0, int64_t y0, struct cc_tiling *ret)
{
    int64_t xi = cc_tile_xi(p), yi = cc_tile_yi(p);
    int64_t a = xi / x0, x1 = xi - a * x0, c = yi / y0, y1 = yi - c * y0;
    int64_t b = x1 > 0, d = y1 > 0;
    *ret = (struct cc_tiling){.x0 = x0, .y0 = y0, .tiles = (a + b) * (c + d)};
    ret->k[0] = (struct cc_tile_class){.n = a * c, .x = x0, .y = y0};
    ret->k[1] = (struct cc_tile_class){.n = b * c, .x = x1, .y = y0};
    ret->k[2] = (struct cc_tile_class){.n = a * d, .x = x0, .y = y1};
    ret->k[3] = (struct cc_tile_class){.n = b * d, .x = x1, .y = y1};
    for (int i = 0; i < CC_TILE_CLASSES; i++)
        if (ret->k[i].n && !stage_times(p, &ret->k[i]))
            return false;
    return true;
}

void cc_tile_overheads(struct cc_tile_problem *p, const struct cc_tile_costs *c)
{
    double workers = (double)(p->cores * CC_MAX(p->team, 1) - 1);
    /* The last worker's way to its first tile, and from its last one to the end of the region. */
    p->op_open = c->par_open +
                 workers * (c->thr_create + c->thr_create_gap + c->thr_launch + c->thr_launch_gap) +
                 c->thr_launch_master + c->thr_prologue + c->for_prologue;
    p->op_close =
        c->for_epilogue + c->thr_epilogue + c->thr_free_master + workers * c->thr_free + c->par_close;
    p->op_sched = c->next_chunk;
    /* A barrier when the tile is there, another when all have done their rows. */
    p->team_cost = 2 * c->barrier;
}
