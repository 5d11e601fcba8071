/* What a platform says of tiles. */
#include "tile.h"

#include <math.h>

static double openmp(const struct cc_platform *p, bool dynamic, enum cc_num_key key)
{
    double general = cc_platform_num_or(p, "openmp.parallel", key, 0);
    return cc_platform_num_or(p, dynamic ? "openmp.dynamic" : "openmp.static", key, general);
}

static bool costs_in_ns(const struct cc_platform *platform)
{
    return strcmp(cc_platform_str_or(platform, NULL, CC_STR_OPENMP_UNIT, "cycles"), "ns") == 0;
}

int cc_tile_platform_overheads(const struct cc_platform *platform, struct cc_tile_problem *p,
                               struct cc_err *err)
{
    double scale = cc_platform_num_or(platform, NULL, CC_NUM_OPENMP_SCALE, 1);
    if (costs_in_ns(platform)) {
        double mhz = cc_platform_num_or(platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN);
        if (isnan(mhz))
            return cc_err_at(err, CC_EINPUT, cc_platform_path(platform), 0,
                             "the costs of [openmp] are in ns: [platform] needs 'clock_mhz'");
        scale *= mhz / 1000;
    }
    bool d = p->dynamic;
#define COST(key) openmp(platform, d, CC_NUM_COST_##key) * scale
    const struct cc_tile_costs costs = {
        .par_open = COST(PAR_OPEN),
        .thr_create = COST(THR_CREATE),
        .thr_create_gap = COST(THR_CREATE_GAP),
        .thr_launch = COST(THR_LAUNCH),
        .thr_launch_gap = COST(THR_LAUNCH_GAP),
        .thr_launch_master = COST(THR_LAUNCH_MASTER),
        .thr_prologue = COST(THR_PROLOGUE),
        .for_prologue = COST(FOR_PROLOGUE),
        .next_chunk = COST(FOR_NEXT_CHUNK),
        .for_epilogue = COST(FOR_EPILOGUE),
        .thr_epilogue = COST(THR_EPILOGUE),
        .thr_free_master = COST(THR_FREE_MASTER),
        .thr_free = COST(THR_FREE),
        .par_close = COST(PAR_CLOSE),
        .barrier = COST(BARRIER_OVH),
    };
#undef COST
    cc_tile_overheads(p, &costs);
    return 0;
}

double cc_tile_platform_memory(const struct cc_platform *platform)
{
    double size = cc_platform_num_or(platform, "memory.local", CC_NUM_MEMORY_SIZE, NAN);
    if (isnan(size)) /* asked for only then: results name what they rest on */
        size = cc_platform_num_or(platform, "memory.l1", CC_NUM_MEMORY_SIZE, NAN);
    return size;
}

void cc_tile_processors(struct cc_tile_problem *p, int64_t n, bool team)
{
    p->cores = team ? 1 : n;
    p->team = team ? n : 1;
}
