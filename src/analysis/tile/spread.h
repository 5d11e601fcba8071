/* Kernel times that differ from tile to tile: the best tile simulated again and again with times drawn for
 * each tile. The generator starts from a fixed seed, so results repeat. */
#ifndef CC_TILE_SPREAD_H
#define CC_TILE_SPREAD_H

#include "tile.h"

struct cc_tile_spread {
    size_t runs;
    double mean, p5, p95;
};

/* Times per pixel are uniform in kernel_time ± spread, or, with `samples`, drawn from that file (cycles per
 * pixel, one a line). */
int cc_tile_spread(const struct cc_tile_problem *p, const struct cc_tiling *t, double spread,
                   const char *samples, struct cc_tile_spread *ret, struct cc_err *err);

#endif
