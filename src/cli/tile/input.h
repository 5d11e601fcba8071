/* What corecast tile works on: from options, or from the [tile] section of a file with the options' names. */
#ifndef CC_CLI_TILE_INPUT_H
#define CC_CLI_TILE_INPUT_H

#include "../../analysis/tile/tile.h"
#include "../../base/ini.h"

enum cc_tile_setting {
    CC_TILE_IMAGE,
    CC_TILE_KERNEL,
    CC_TILE_TIME,
    CC_TILE_CORES,
    CC_TILE_MEMORY,
    CC_TILE_PIXEL,
    CC_TILE_PLANES,
    CC_TILE_ALIGN,
    CC_TILE_ASPECT,
    CC_TILE_MIN,
    CC_TILE_MAX,
    CC_TILE_OVERHEAD,
    CC_TILE_ASSIGNMENT,
    CC_TILE_WRITES,
    CC_TILE_TRANSFERS,
    CC_TILE_CLUSTERS,
    CC_TILE_BUFFERS, /* only in files: 1 or 2; --double-buffer on the command line */
    CC_TILE_SETTINGS
};
extern const char *const cc_tile_setting_names[CC_TILE_SETTINGS];

struct cc_tile_input {
    const char *text[CC_TILE_SETTINGS]; /* from options; NULL: not given */
    bool double_buffer;
    const struct cc_ini *file; /* may be NULL */
};

/* Fills the problem. `ret_spread`: the ± of the kernel time, 0 if none. */
int cc_tile_input_read(const struct cc_tile_input *in, const struct cc_platform *platform,
                       const struct cc_dma *dma, struct cc_tile_problem *ret, double *ret_spread,
                       struct cc_err *err);

#endif
