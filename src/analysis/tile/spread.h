/* Kernel times that differ from tile to tile: the best tile simulated again and again with times drawn for
 * each tile. The generator starts from a fixed seed, so results repeat. */
#ifndef CC_ANALYSIS_TILE_SPREAD_H
#define CC_ANALYSIS_TILE_SPREAD_H

#include "tile.h"

struct cc_tile_spread {
    size_t runs;
    double mean, p5, p95;
};

/* Times of the kernel, cycles per pixel. */
struct cc_tile_samples {
    double *v; /* free() it; NULL: none */
    size_t n;
};

/* Times per pixel are uniform in kernel_time ± spread, or drawn from the samples if there are any. */
void cc_tile_spread(const struct cc_tile_problem *p, const struct cc_tiling *t, double spread,
                    const struct cc_tile_samples *samples, struct cc_tile_spread *ret);
/* A file of times, one a line. */
int cc_tile_read_samples(const char *path, struct cc_tile_samples *ret, struct cc_err *err);

/* A task of a recording that stands for the kernel. */
struct cc_tile_task {
    const char *path, *name;
    double pixels;   /* one call works on */
    double clock_hz; /* turns a trace in nanoseconds into cycles */
};
/* The mean over all its calls, and the calls themselves. */
int cc_tile_task_time(const struct cc_tile_task *task, double *ret_mean, struct cc_tile_samples *ret,
                      struct cc_err *err);

#endif
