/* Kernel times that differ from tile to tile: the best tile simulated again and again with times drawn for
 * each tile. The generator starts from a fixed seed, so results repeat. */
#ifndef CC_ANALYSIS_TILE_SPREAD_H
#define CC_ANALYSIS_TILE_SPREAD_H

#include "tile.h"

struct cc_tile_spread {
    size_t runs;
    double mean, p5, p95;
};

/* Times per pixel are uniform in kernel_time ± spread, or, with n > 0, drawn from the samples. */
void cc_tile_spread(const struct cc_tile_problem *p, const struct cc_tiling *t, double spread,
                    const double *samples, size_t n, struct cc_tile_spread *ret);
/* A file of times: cycles per pixel, one a line. *ret is owned by the caller. */
int cc_tile_read_samples(const char *path, double **ret, size_t *ret_n, struct cc_err *err);
/* Every call of a task of a recording, in cycles for each of the `pixels` one call works on: their mean, and
 * the calls themselves as samples (owned by the caller). clock_hz turns a trace in nanoseconds into cycles.
 */
int cc_tile_task_time(const char *path, const char *task, double pixels, double clock_hz, double *ret_mean,
                      double **ret_samples, size_t *ret_n, struct cc_err *err);

#endif
