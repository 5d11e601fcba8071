/* Charts of corecast tile, as SVG documents. */
#ifndef CC_CLI_TILE_CHARTS_H
#define CC_CLI_TILE_CHARTS_H

#include "../../analysis/tile/tile.h"
#include "../../base/text.h"

/* Frames per second over the tile's width at a fixed aspect ratio (the problem's, else the image's), one
 * curve for each number of cores, with the compute roofs (instant DMA) and the memory roof (instant compute).
 */
struct cc_tile_roofline {
    const struct cc_tile_problem *p;
    enum cc_tile_model model;
    double clock_hz;
    const int64_t *cores;
    size_t ncores;
    /* sets the fields of a problem that depend on the number of cores */
    void (*with_cores)(struct cc_tile_problem *p, int64_t cores, void *data);
    void *data;
};
void cc_tile_chart_roofline(const struct cc_tile_roofline *r, struct cc_buf *out);
/* Time over (x, y), about 60 columns and 40 rows of the allowed space. */
void cc_tile_chart_heat(const struct cc_tile_problem *p, enum cc_tile_model model,
                        const struct cc_tile_point *best, struct cc_buf *out);
/* Both fronts: time over bytes moved, and time over local memory. */
void cc_tile_chart_pareto(const struct cc_tile_result *r, bool memory, struct cc_buf *out);

#endif
