/* Tile sizes: an image in external memory is cut into tiles that a DMA brings into a local memory, p
 * processors work on, and a DMA takes back. All times are cycles. Three models of the time of one tiling:
 *   closed     the published closed form, O(1)
 *   corrected  class by class with the state of the pipeline carried over: equals the simulation, fast
 *   simulate   discrete events, tile by tile: the reference
 */
#ifndef CC_ANALYSIS_TILE_TILE_H
#define CC_ANALYSIS_TILE_TILE_H

#include "../../base/count.h"
#include "../../platform/dma.h"

enum cc_tile_model { CC_TILE_CLOSED, CC_TILE_CORRECTED, CC_TILE_SIMULATE };
enum { CC_TILE_MAX_SIDE = 1 << 20, CC_TILE_MAX_CORES = 1024, CC_TILE_CLASSES = 4 };

struct cc_tile_problem {
    int64_t image_w, image_h;    /* pixels */
    int64_t kernel_w, kernel_h;  /* footprint of one output pixel */
    int64_t in_bytes, out_bytes; /* of one pixel; in_bytes counts for each plane */
    int64_t planes;              /* input planes, each read by a transfer of its own */
    double kernel_time;          /* cycles for each output pixel */
    int64_t cores;               /* that each work on tiles of their own */
    int64_t team;                /* cores that work on one tile together, by rows; 0 and 1: none */
    double team_cost;            /* cycles such a team waits for each tile, for data and for each other */
    int64_t clusters;            /* only said: the image is the part of one of so many; 0: one */
    bool literal;                /* closed form: equation 6.49 as printed */
    double memory;               /* bytes of local memory for all buffers; INFINITY: no limit */
    bool double_buffer;
    bool dynamic;         /* tiles go to the first free processor, through a lock held for op_sched */
    bool blocking_writes; /* a processor's next output waits until its buffer is written back */
    double op_open, op_sched, op_close;
    int64_t align;                      /* the bytes of a line of x0 pixels are a multiple of this */
    int64_t aspect_x, aspect_y;         /* 0: free; else y0 = x0 aspect_y / aspect_x, rounded */
    int64_t min_x, min_y, max_x, max_y; /* 0: no bound */
    bool instant_dma, instant_compute;  /* the roofs: R = W = 0, C = 0 */
    const struct cc_dma *dma;
    struct cc_count *count; /* of the tile sizes a search has gone through; may be NULL */
};

/* What the runtime costs, in cycles. */
struct cc_tile_costs {
    double par_open, thr_create, thr_create_gap, thr_launch, thr_launch_gap, thr_launch_master, thr_prologue,
        for_prologue, next_chunk, for_epilogue, thr_epilogue, thr_free_master, thr_free, par_close, barrier;
};
/* Fills in op_open, op_sched, op_close and team_cost for the problem's cores. */
void cc_tile_overheads(struct cc_tile_problem *p, const struct cc_tile_costs *c);

/* platform.c: the same from [openmp.static] or [openmp.dynamic] of a platform, 0 where it has none. Costs in
 * ns need a clock. */
int cc_tile_platform_overheads(const struct cc_platform *platform, struct cc_tile_problem *p,
                               struct cc_err *err);
/* Bytes of its local memory; NaN: it does not tell. */
double cc_tile_platform_memory(const struct cc_platform *platform);
/* So many processors: each for itself, or as one team. */
void cc_tile_processors(struct cc_tile_problem *p, int64_t n, bool team);

/* One class of equal tiles. */
struct cc_tile_class {
    int64_t n, x, y;
    double r, c, w; /* read, compute, write time of one tile */
};

struct cc_tiling {
    int64_t x0, y0;
    struct cc_tile_class k[CC_TILE_CLASSES];
    int64_t tiles;
};

/* Checks the problem; messages name the quantity. Also fails when no tile fits: then says how much is needed.
 */
int cc_tile_check(const struct cc_tile_problem *p, struct cc_err *err);
int64_t cc_tile_xi(const struct cc_tile_problem *p); /* size of the iteration space */
int64_t cc_tile_yi(const struct cc_tile_problem *p);
double cc_tile_memory(const struct cc_tile_problem *p, int64_t x0, int64_t y0);
double cc_tile_bytes(const struct cc_tile_problem *p, int64_t x0, int64_t y0);
/* Alignment, aspect, bounds, memory and the DMA's limit. */
bool cc_tile_allowed(const struct cc_tile_problem *p, int64_t x0, int64_t y0);
/* Counts and stage times; false when the DMA has no time for one of its transfers. */
bool cc_tile_build(const struct cc_tile_problem *p, int64_t x0, int64_t y0, struct cc_tiling *ret);

/* Cycles of work on a tile of x by y output pixels. */
double cc_tile_compute(const struct cc_tile_problem *p, int64_t x, int64_t y);
double cc_tile_closed(const struct cc_tile_problem *p, const struct cc_tiling *t);
double cc_tile_corrected(const struct cc_tile_problem *p, const struct cc_tiling *t);

/* Where the time of a simulated run went; the parts are averages over the processors and add up to time. */
struct cc_tile_run {
    double time;
    double compute, read_wait, write_wait, overhead, idle;
    double read_busy, write_busy; /* of the two channels */
};
/* `compute` (may be NULL) gives tile k's own compute time instead of its class's. */
typedef double cc_tile_compute_fn(void *data, int64_t tile, double class_time, int64_t pixels);
void cc_tile_simulate(const struct cc_tile_problem *p, const struct cc_tiling *t, cc_tile_compute_fn *compute,
                      void *data, struct cc_tile_run *ret);

double cc_tile_time(const struct cc_tile_problem *p, const struct cc_tiling *t, enum cc_tile_model model);

/* The tiling takes no less than this under corrected or simulate. No more than `enough` is sought: a bound
 * above it may come out lower than it could be (INFINITY: the best bound). */
double cc_tile_bound(const struct cc_tile_problem *p, const struct cc_tiling *t, double enough);
/* Which resource the bound comes from: "read", "write", "compute" or "overhead". */
const char *cc_tile_bound_name(const struct cc_tile_problem *p, const struct cc_tiling *t);

struct cc_tile_point {
    int64_t x, y;
    double time, bytes, memory;
    bool on_bytes, on_memory; /* which front it is on */
};

struct cc_tile_result {
    struct cc_tile_point best;
    uint64_t space;                      /* tiles allowed by every constraint */
    uint64_t evaluated;                  /* times computed; the rest was excluded by the bound */
    CC_VEC(struct cc_tile_point) pareto; /* by time; empty unless asked for */
};

/* The tile of least time over the whole space, proven: every other one was computed or excluded by a lower
 * bound. Ties: fewer bytes, less memory, smaller x, smaller y. */
int cc_tile_search(const struct cc_tile_problem *p, enum cc_tile_model model, bool pareto,
                   struct cc_tile_result *ret, struct cc_err *err);
void cc_tile_result_fini(struct cc_tile_result *r);

#endif
