/* Costs of the runtime by the number of threads that are at it, where the platform has them measured. */
#include "model.h"

#include <math.h>

static const enum cc_str_key curves[NCROWDS] = {
    [CROWD_REGION] = CC_STR_OPENMP_REGION,
    [CROWD_REGION_FIRST] = CC_STR_OPENMP_REGION_FIRST,
    [CROWD_REGION_INSIDE] = CC_STR_OPENMP_REGION_INSIDE,
    [CROWD_REGION_INSIDE_BOTH] = CC_STR_OPENMP_REGION_INSIDE_BOTH,
    [CROWD_BARRIER] = CC_STR_OPENMP_BARRIER,
    [CROWD_COPIES] = CC_STR_OPENMP_COPIES,
    [CROWD_CRITICAL] = CC_STR_OPENMP_CRITICAL,
    [CROWD_CRITICAL_NAMED] = CC_STR_OPENMP_CRITICAL_NAMED,
    [CROWD_ORDERED] = CC_STR_OPENMP_ORDERED,
    [CROWD_ORDERED_FIRST] = CC_STR_OPENMP_ORDERED_FIRST,
    [CROWD_TASK_MAKE] = CC_STR_OPENMP_TASK_MAKE,
    [CROWD_TASK_MAKERS] = CC_STR_OPENMP_TASK_MAKERS,
    [CROWD_TASK_IDLE] = CC_STR_OPENMP_TASK_IDLE,
    [CROWD_TASK_DRAIN] = CC_STR_OPENMP_TASK_DRAIN,
    [CROWD_TASK_TAKE] = CC_STR_OPENMP_TASK_TAKE,
    [CROWD_TASK_CHAIN] = CC_STR_OPENMP_TASK_CHAIN,
    [CROWD_TASKLOOP] = CC_STR_OPENMP_TASKLOOP,
    [CROWD_FETCH] = CC_STR_OPENMP_FETCH,
    [CROWD_FETCH_GUIDED] = CC_STR_OPENMP_FETCH_GUIDED,
    [CROWD_FETCH_SERIAL] = CC_STR_OPENMP_FETCH_SERIAL,
};

static int load(struct cc_predict_model *m, struct cc_platform *p, double factor, enum crowd c,
                struct cc_err *err)
{
    static const struct cc_curve_kind kind = {"threads", "costs", 1, CC_TASKS_MAX_BUSY, 0, 1e9};
    const char *text = cc_platform_str_or(p, NULL, curves[c], NULL);
    if (!text)
        return 0;
    struct cc_curve *curve = cc_arena_alloc(&m->arena, sizeof *curve);
    int rc = cc_curve_parse(&kind, text, cc_platform_path(p), cc_platform_line(p, "openmp", curves[c]),
                            &m->arena, curve, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < curve->n; i++)
        curve->y[i] *= factor;
    m->crowd[c] = curve;
    return 0;
}

int cc_model_crowds(struct cc_predict_model *m, struct cc_platform *p, struct cc_err *err)
{
    double factor;
    bool ns = strcmp(cc_platform_str_or(p, NULL, CC_STR_OPENMP_UNIT, "cycles"), "ns") == 0;
    int rc = cc_model_unit(m, p, ns, &factor, err);
    factor *= cc_platform_num_or(p, NULL, CC_NUM_OPENMP_SCALE, 1) * (1 << CC_TICK_BITS);
    for (int c = 0; rc == 0 && c < NCROWDS; c++)
        rc = load(m, p, factor, (enum crowd)c, err);
    m->sleep_after = llround(factor * cc_platform_num_or(p, NULL, CC_NUM_OPENMP_SLEEP_AFTER, 0));
    m->sleep_wake = llround(factor * cc_platform_num_or(p, NULL, CC_NUM_OPENMP_SLEEP_WAKE, 0));
    m->inside_first = llround(factor * cc_platform_num_or(p, NULL, CC_NUM_OPENMP_REGION_INSIDE_FIRST, 0));
    m->region_fresh = llround(factor * cc_platform_num_or(p, NULL, CC_NUM_OPENMP_REGION_FRESH, 0));
    m->region_fresh_times = (unsigned)cc_platform_num_or(p, NULL, CC_NUM_OPENMP_REGION_FRESH_TIMES, 0);
    m->barrier_call = llround(factor * cc_platform_num_or(p, NULL, CC_NUM_OPENMP_BARRIER_CALL, 0));
    m->ordered_chunk = cc_platform_num_or(p, NULL, CC_NUM_OPENMP_ORDERED_CHUNK, 0) > 0;
    m->stack_place = cc_platform_num_or(p, NULL, CC_NUM_OPENMP_STACK_PLACE, -1);
    m->task_spares = (unsigned)cc_platform_num_or(p, NULL, CC_NUM_OPENMP_TASK_SPARES, 0);
    m->task_limit = cc_platform_num_or(p, NULL, CC_NUM_OPENMP_TASK_LIMIT, 0);
    return rc;
}

cc_ticks cc_model_crowd(const struct cc_predict_model *m, enum crowd c, unsigned threads, cc_ticks otherwise)
{
    /* beyond what was measured, the last stretch goes on; a curve that falls must not fall below nothing */
    return m->crowd[c] ? llround(fmax(cc_curve_at(m->crowd[c], threads, 0), 0)) : otherwise;
}

/* An empty region by its costs: the last worker to start ends it. */
static cc_ticks empty_region(const cc_ticks cost[NCOSTS], unsigned threads)
{
    cc_ticks workers = (cc_ticks)threads - 1;
    return cost[COST_PAR_OPEN] + (threads == 1 ? cost[COST_PAR_ALONE] : 0) +
           workers * (cost[COST_THR_CREATE] + cost[COST_THR_CREATE_GAP] + cost[COST_THR_LAUNCH] +
                      cost[COST_THR_LAUNCH_GAP] + cost[COST_THR_FREE]) +
           cost[COST_THR_PROLOGUE] + cost[COST_THR_EPILOGUE] + cost[COST_THR_FREE_MASTER] +
           cost[COST_PAR_CLOSE];
}

cc_ticks cc_model_region(const struct cc_predict_model *m, unsigned threads)
{
    cc_ticks sum = empty_region(m->cost[1][COL_PARALLEL], threads);
    return cc_model_crowd(m, CROWD_REGION, threads, sum) - sum;
}
