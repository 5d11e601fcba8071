/* Nests over images in tiles, on chips with a DMA and a local memory. README.md has the rules. */
#ifndef CC_ANALYSIS_EXPLORE_TILES_H
#define CC_ANALYSIS_EXPLORE_TILES_H

#include "explore.h"
#include "../tile/tile.h"

enum { CC_EXPLORE_NESTS = 16 };

/* A nest that was looked at. */
struct cc_explore_nest {
    uint32_t outer, inner;                              /* of the list of loops: rows, pixels of a row */
    const char *why;                                    /* it does not qualify; NULL: it does */
    int64_t columns, rows, window_w, window_h, in, out; /* of an image; bytes of a pixel */
    double time;                                        /* cycles of a pixel */
    double images;                                      /* how many the run goes through */
    struct cc_tile_point best;                          /* on the largest number of cores */
    double *cycles; /* of all images, by number of cores; then the ends on the largest number */
    double low, high;
};

struct cc_explore_tiles {
    struct cc_explore_nest v[CC_EXPLORE_NESTS];
    size_t n;
    double memory;
    bool taken; /* there is a plan of them */
};

/* After a search: nests with at least that share of the run; the plan of the best is put among the others, if
 * it is faster. Texts are the result's. */
int cc_explore_tiles(const struct cc_explore_request *rq, struct cc_explore_result *r, double least,
                     struct cc_explore_tiles *ret, struct cc_err *err);
/* Cycles of a tick of the recording; 1: the clock is not known. */
double cc_explore_cycles(const struct cc_explore_request *rq, const struct cc_explore_result *r);

#endif
