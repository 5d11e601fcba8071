/* One run of corecast tile: what was asked, and what was found. */
#ifndef CC_CLI_TILE_JOB_H
#define CC_CLI_TILE_JOB_H

#include "../../analysis/tile/spread.h"
#include "../../base/ini.h"
#include "../../base/result.h"

struct what_if {
    int64_t cores;
    double kernel_time;
    struct cc_tile_point best;
    const char *bound;
    bool fits;
};

struct job {
    struct options *o;
    struct cc_platform *platform;
    struct cc_dma dma;
    struct cc_ini *file;
    struct cc_tile_problem p;
    enum cc_tile_model model;
    const char *model_name;
    double clock_hz; /* NAN: unknown */
    struct cc_tile_result r;
    struct cc_tiling best;
    struct cc_tile_run run;
    double closed, corrected;
    struct cc_tile_spread spread;
    bool has_spread;
    struct cc_tile_samples samples;
    char time[32]; /* of a recorded task, as --time would give it */
    CC_VEC(struct what_if) what;
};

struct cc_result *cc_tile_show(const struct job *j);

#endif
