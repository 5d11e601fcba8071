/* A task over an image cut into tiles: DMA, what each tile costs and the search for the tile of least time,
 * all of
 * ../tile, on all processors that are free. */
#include "replay.h"

#include <math.h>

static double cycles_of(const struct engine *e, enum cost c)
{
    return CC_TICKS_TO_F64(e->cost[COL_STATIC][c]) * e->m->cycles;
}

static struct cc_tile_costs costs_of(const struct engine *e)
{
    return (struct cc_tile_costs){
        .par_open = cycles_of(e, COST_PAR_OPEN),
        .thr_create = cycles_of(e, COST_THR_CREATE),
        .thr_create_gap = cycles_of(e, COST_THR_CREATE_GAP),
        .thr_launch = cycles_of(e, COST_THR_LAUNCH),
        .thr_launch_gap = cycles_of(e, COST_THR_LAUNCH_GAP),
        .thr_launch_master = cycles_of(e, COST_THR_LAUNCH_MASTER),
        .thr_prologue = cycles_of(e, COST_THR_PROLOGUE),
        .for_prologue = cycles_of(e, COST_FOR_PROLOGUE),
        .next_chunk = cycles_of(e, COST_FOR_NEXT_CHUNK),
        .for_epilogue = cycles_of(e, COST_FOR_EPILOGUE),
        .thr_epilogue = cycles_of(e, COST_THR_EPILOGUE),
        .thr_free_master = cycles_of(e, COST_THR_FREE_MASTER),
        .thr_free = cycles_of(e, COST_THR_FREE),
        .par_close = cycles_of(e, COST_PAR_CLOSE),
        .barrier = cycles_of(e, COST_BARRIER_OVH),
    };
}

/* Clusters share the rows out; the first has the most of rows and cores and is the problem that is solved. */
static struct cc_tile_problem problem(const struct engine *e, const struct bound *b, cc_ticks work)
{
    struct cc_tile_problem p = {.image_w = b->image[0],
                                .image_h = b->image[1],
                                .kernel_w = b->kernel[0],
                                .kernel_h = b->kernel[1],
                                .in_bytes = b->pixel[0],
                                .out_bytes = b->pixel[1],
                                .planes = 1,
                                .cores = CC_MIN(e->nprocs, (unsigned)CC_TILE_MAX_CORES),
                                .clusters = e->nclusters,
                                .memory = b->memory ? (double)b->memory : e->m->local_memory,
                                .double_buffer = b->buffers == 2,
                                .dma = &e->m->dma};
    int64_t pixels = cc_tile_xi(&p) * cc_tile_yi(&p), rows = cc_tile_yi(&p);
    p.kernel_time = pixels > 0 ? CC_TICKS_TO_F64(work) * e->m->cycles / (double)pixels : 0;
    if (e->nclusters > 1 && rows > 0) {
        p.cores = e->m->cluster_cores;
        p.image_h = (rows + e->nclusters - 1) / e->nclusters + p.kernel_h - 1;
    }
    struct cc_tile_costs costs = costs_of(e);
    cc_tile_overheads(&p, &costs);
    return p;
}

static int compute(struct engine *e, const struct bound *b, struct tiled *t)
{
    struct cc_tile_problem p = problem(e, b, t->work);
    struct cc_tile_result best = {0};
    struct cc_tiling tiling;
    int rc = cc_tile_check(&p, e->err);
    int64_t x = b->tile[0], y = b->tile[1];
    if (rc == 0 && !x) {
        rc = cc_tile_search(&p, CC_TILE_CORRECTED, false, &best, e->err);
        x = best.best.x;
        y = best.best.y;
    }
    if (rc == 0 && (!cc_tile_allowed(&p, x, y) || !cc_tile_build(&p, x, y, &tiling)))
        rc = cc_err_set(e->err, CC_EINPUT, "a tile of %lld x %lld does not fit", (long long)x, (long long)y);
    if (rc == 0) {
        struct cc_tile_run run;
        cc_tile_simulate(&p, &tiling, NULL, NULL, &run);
        t->time = run.time;
        t->share[0] = run.compute;
        t->share[1] = run.read_wait + run.write_wait;
        t->share[2] = run.overhead;
        t->bytes = cc_tile_bytes(&p, x, y) * e->nclusters;
        t->tiles = tiling.tiles * e->nclusters;
        t->x = x;
        t->y = y;
    }
    cc_tile_result_fini(&best);
    return rc;
}

/* Gives every processor its average parts; what rounding leaves is waiting for each other. */
static void spend(struct engine *e, struct strand *s, const struct tiled *t, const struct frame *f)
{
    static const enum cc_part parts[] = {CC_PART_PROCESSING, CC_PART_TRANSFER, CC_PART_OVERHEAD};
    cc_ticks begin = s->time;
    double ticks = (1 << CC_TICK_BITS) / e->m->cycles;
    cc_ticks end = begin + llround(t->time * ticks);
    struct region *r = cc_eng_region(e, f->path, f->b);
    for (unsigned i = 0; i < e->nprocs; i++) {
        struct strand *w = &e->strands[i];
        cc_eng_wait_until(e, w, begin, CC_PART_SEQUENTIAL);
        cc_ticks before[CC_PARTS];
        memcpy(before, w->part, sizeof before);
        for (size_t k = 0; k < CC_COUNT(parts); k++)
            cc_eng_advance(e, w, CC_MIN(llround(t->share[k] * ticks), end - w->time), parts[k],
                           e->h->nodes[f->node].name);
        cc_eng_wait_until(e, w, end, CC_PART_IMBALANCE);
        for (int k = 0; k < CC_PARTS; k++)
            r->stack[k] += CC_TICKS_TO_F64(w->part[k] - before[k]) / e->nprocs;
    }
    r->time += CC_TICKS_TO_F64(end - begin);
    r->threads += e->nprocs;
    r->calls++;
}

enum step cc_eng_tile(struct engine *e, struct strand *s, struct frame *f)
{
    struct bound *b = &e->bounds[f->b->index];
    if (s->team) {
        cc_eng_fail(e, b, "tiles of '%s': they take all processors, and it lies in a parallel region",
                    b->d->task);
        return STOP;
    }
    cc_ticks work = cc_model_subtree(e->m, f->node, ALONE, e->variant).base;
    if (!b->tiled)
        b->tiled = cc_alloc(sizeof *b->tiled);
    if (b->tiled->processors != e->nprocs || b->tiled->work != work || b->tiled->variant != e->variant) {
        *b->tiled = (struct tiled){.work = work, .processors = e->nprocs, .variant = e->variant};
        if (compute(e, b, b->tiled) < 0) {
            b->tiled->processors = 0;
            cc_err_context(e->err, "%s:%u: tiles of '%s'", e->p->s->path, b->d->line, b->d->task);
            e->failed = true;
            return STOP;
        }
    }
    e->bytes += b->tiled->bytes;
    e->transfers += 2 * (uint64_t)b->tiled->tiles;
    spend(e, s, b->tiled, f);
    s->frames.n--;
    return ON;
}
