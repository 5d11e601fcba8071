/* A scenario bound to a graph: inside the room only. */
#ifndef CC_ANALYSIS_PREDICT_PLAN_H
#define CC_ANALYSIS_PREDICT_PLAN_H

#include "model.h"

struct cc_predict_plan {
    const struct cc_htg *h;
    const struct cc_scenario *s;
    int32_t *directive; /* by name: index into the scenario's directives, -1 for none */
    int32_t *transfer;  /* by name: the same for '#pragma corecast dma' */
    int32_t *block;     /* by name: the same for '#pragma corecast time' and 'speedup' */
    int32_t *end;       /* by name: what waits behind all that the task calls */
    uint32_t *lock;     /* by directive: which lock a critical takes */
    size_t nlocks;
    uint64_t *below; /* bit i: a task inside node i (not i itself) has a directive */
};

static inline bool cc_plan_below(const struct cc_predict_plan *p, size_t node)
{
    return p->below[node / 64] >> (node % 64) & 1;
}

/* A tiling that was computed, and for what. */
struct tiled {
    cc_ticks work;
    unsigned processors;
    int variant;
    double share[4],
        time; /* cycles, averages over the processors: compute, waiting for transfers, overhead, idle */
    double bytes;
    int64_t x, y, tiles;
};

/* A directive with its clauses' values for one number of processors. */
enum { CC_PLAN_DEPTHS = 64 };

struct bound {
    const struct cc_directive *d;
    uint32_t index, lock;
    enum column column; /* whose costs its region and loop have */
    int64_t threads, chunk, condition, collapse, grainsize, num_tasks, reduction_values, time, speedup, final,
        filter, memory; /* 0 where there is no clause */
    bool varies;        /* TASK or DEPTH stand in its clauses */
    /* By DEPTH, where `final` depends on nothing else: 1 + whether it holds; 0: nobody asked so far. */
    uint8_t final_at[CC_PLAN_DEPTHS];
    int64_t tile[2], image[2], kernel[2], pixel[2];
    size_t unit;                        /* of the model, for target */
    int64_t *mapped;                    /* bytes of each map */
    struct tiled *tiled;                /* the last tiling that was computed */
    int64_t read[2], write[2], buffers; /* dma: bytes of a line and lines */
    cc_ticks read_time, write_time;     /* of one transfer, cc_model_transfers fills them in */
};

/* Whether a task itself has transfers. */
static inline bool cc_plan_transfer(const struct cc_predict_plan *p, size_t node)
{
    return p->transfer[p->h->nodes[node].name] >= 0;
}

/* Whether a hardware block stands for it. */
static inline bool cc_plan_block(const struct cc_predict_plan *p, size_t node)
{
    return p->block[p->h->nodes[node].name] >= 0;
}

/* Nothing but work, whatever its own directive of OpenMP says about who does it. */
static inline bool cc_plan_plain(const struct cc_predict_plan *p, size_t node)
{
    return !cc_plan_below(p, node) && !cc_plan_transfer(p, node) && !cc_plan_block(p, node);
}

int cc_plan_bind(const struct cc_predict_plan *p, unsigned processors, struct bound **ret,
                 struct cc_err *err);

/* The units, and that what target and tile need is there. */
int cc_model_offload(const struct cc_predict_model *m, const struct cc_predict_plan *p, struct bound *bounds,
                     struct cc_err *err);
void cc_plan_bound_free(struct bound *list, size_t n);

/* The times of all transfers, from the platform's [dma]. */
int cc_model_transfers(const struct cc_predict_model *m, const struct cc_predict_plan *p,
                       struct bound *bounds, struct cc_err *err);

#endif
