/* How long a two-dimensional DMA transfer takes: `width` bytes a line, `height` lines, in cycles.
 * Three models: linear (i0 + i1 h + alpha w h), grid (measured table, bilinear between its points, nothing
 * outside it) and mixed (the table, with the regression in place of the points it lacks). */
#ifndef CC_PLATFORM_DMA_H
#define CC_PLATFORM_DMA_H

#include "platform.h"

enum cc_dma_model { CC_DMA_LINEAR, CC_DMA_GRID, CC_DMA_MIXED };
enum { CC_DMA_AXIS = 128 }; /* most widths or heights of a grid */

struct cc_dma_line {
    double i0, i1, alpha;
};

struct cc_dma_channel {
    enum cc_dma_model model;
    struct cc_dma_line line;
    size_t nw, nh;
    double w[CC_DMA_AXIS], h[CC_DMA_AXIS];
    double *t;    /* [h * nw + w]; NAN: not measured */
    double limit; /* largest transfer in bytes; INFINITY: none */
};

struct cc_dma {
    struct cc_dma_channel read, write;
};

/* One measured point. */
struct cc_dma_point {
    double w, h, t;
};

/* From [dma] of a platform, its grid files included. cc_dma_fini after use, also after a failure. */
int cc_dma_load(struct cc_platform *p, struct cc_dma *ret, struct cc_err *err);
void cc_dma_fini(struct cc_dma *d);

/* "width_bytes height cycles" a line; '#' and ';' start comments. `path` is for messages. */
int cc_dma_parse_grid(const char *path, const char *text, struct cc_dma_channel *ret, struct cc_err *err);
/* Least squares of t over (1, h, w h). Fails when the points do not determine the three coefficients. */
int cc_dma_fit(const struct cc_dma_point *points, size_t n, struct cc_dma_line *ret, struct cc_err *err);

/* Never negative (a regression may be: it is cut at 0); NAN when the model has no value there or the transfer
 * is over the limit. */
double cc_dma_time(const struct cc_dma_channel *c, double width, double height);
/* The same for n widths from `first` in steps of `step`, to rounding. */
void cc_dma_row(const struct cc_dma_channel *c, double first, double step, size_t n, double height,
                double *out);

#endif
