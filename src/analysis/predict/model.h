/* What a piece of work and each step of the runtime cost: inside the room only. */
#ifndef CC_ANALYSIS_PREDICT_MODEL_H
#define CC_ANALYSIS_PREDICT_MODEL_H

#include "local.h"
#include "../tile/tile.h"
#include "../../platform/dma.h"
#include "../../platform/link.h"
#include "../../base/curve.h"

#define CC_COSTS(X)          \
    X(PAR_OPEN)              \
    X(PAR_CLOSE)             \
    X(PAR_ALONE)             \
    X(THR_CREATE)            \
    X(THR_CREATE_GAP)        \
    X(THR_LAUNCH)            \
    X(THR_LAUNCH_GAP)        \
    X(THR_LAUNCH_MASTER)     \
    X(THR_PROLOGUE)          \
    X(THR_EPILOGUE)          \
    X(THR_FREE_MASTER)       \
    X(THR_FREE)              \
    X(FOR_PROLOGUE)          \
    X(FOR_EPILOGUE)          \
    X(FOR_GAP)               \
    X(FOR_NEXT_CHUNK)        \
    X(FOR_NEXT_CHUNK_SERIAL) \
    X(BARRIER_OVH)           \
    X(BARRIER_THREAD)        \
    X(CRITICAL_OVH)          \
    X(REDUCTION_OVH)         \
    X(REDUCTION_VALUE)       \
    X(TASK_CREATE)           \
    X(TASK_THREAD)           \
    X(TASK_START)            \
    X(TASK_INLINE)           \
    X(TASK_FIRST)            \
    X(TASK_FIRST_THREAD)     \
    X(TASK_FIRST_TAKE)       \
    X(TASK_FRESH)            \
    X(TASK_NEAR)             \
    X(TASK_NAMED)            \
    X(TASK_DEPEND)           \
    X(TASK_PLACE)            \
    X(TASK_PASS)             \
    X(TASK_FAR)              \
    X(TASK_TABLE)            \
    X(TASK_FIRST_TABLE)      \
    X(TASK_FIRST_MAKE)       \
    X(TASK_BEHIND)           \
    X(TASK_AHEAD)            \
    X(TASK_WAIT)             \
    X(TASK_GROUP)            \
    X(TASK_CODE)
enum cost {
#define X(id) COST_##id,
    CC_COSTS(X)
#undef X
        NCOSTS
};

/* What costs are measured of over the number of threads at it. */
enum crowd {
    CROWD_REGION,             /* a whole empty region */
    CROWD_REGION_FIRST,       /* what the first of all costs more */
    CROWD_REGION_INSIDE,      /* what one inside another costs more: its threads are made anew */
    CROWD_REGION_INSIDE_BOTH, /* where two threads open one at the same time */
    CROWD_BARRIER,            /* all come at once */
    CROWD_COPIES,             /* a single with copyprivate, with its barriers */
    CROWD_CRITICAL,           /* one section, all of them want it */
    CROWD_CRITICAL_NAMED,
    CROWD_ORDERED,       /* one turn */
    CROWD_ORDERED_FIRST, /* what a thread's first one costs more */
    CROWD_TASK_MAKE,     /* making a task, the others busy */
    CROWD_TASK_MAKERS,   /* from one making to the next, all are at it */
    CROWD_TASK_IDLE,     /* making one and having it taken, the others waiting for it */
    CROWD_TASK_DRAIN,    /* from one taking of a task to the next, all are at it */
    CROWD_TASK_TAKE,     /* from one task to the next, all at work */
    CROWD_TASK_CHAIN,    /* from one task to one that waited for it */
    CROWD_TASKLOOP,      /* making a task of a taskloop */
    CROWD_FETCH,         /* the next chunk of a dynamic loop */
    CROWD_FETCH_GUIDED,  /* of a guided one */
    CROWD_FETCH_SERIAL,  /* of a dynamic one, what keeps others from the counter */
    NCROWDS
};

enum column { COL_PARALLEL, COL_STATIC, COL_DYNAMIC, COL_GUIDED, NCOLUMNS };

struct counter {
    double latency;        /* 1/1024 ticks added for each access, 0 if none */
    struct cc_curve *rate; /* bytes per tick of k processors together, for counters of bytes */
    struct cc_curve
        *slower;  /* 1/1024 ticks of one read with k processors at work, of which the first is in the trace */
    double banks; /* of its memory, 0: not told */
    size_t first; /* counter of the same memory */
    double joules; /* of one access, or of one byte */
};

/* What copies of a co-run took, by number of copies; factors of each rise. */
struct copies {
    const struct cc_tasks_copies *v;
    size_t n;
};

/* llround, without a call: halves go away from 0. */
static inline cc_ticks cc_ticks_of(double v)
{
    cc_ticks whole = (cc_ticks)v;
    double rest = v - (double)whole; /* exact */
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

struct cc_predict_model {
    const struct cc_htg *h;
    struct cc_arena arena;
    cc_ticks cost[3][NCOLUMNS][NCOSTS];    /* [0] low, [1] as given, [2] high */
    const struct cc_curve *crowd[NCROWDS]; /* 1/1024 ticks; NULL: not told */
    cc_ticks sleep_after, sleep_wake;      /* who waits longer sleeps; 0: nobody does */
    cc_ticks inside_first; /* a thread of a region inside another, when there were never so many */
    cc_ticks region_fresh; /* a team that is made anew, the first region_fresh_times of a thread */
    unsigned region_fresh_times;
    cc_ticks barrier_call; /* what of a barrier is its last thread's alone */
    bool ordered_chunk;    /* the turn goes on with the thread's next chunk */
    double stack_place;    /* of a thread's frame of a region, in its page; < 0: not told */
    unsigned task_spares;  /* memory of tasks that a thread keeps at hand */
    double task_limit;     /* tasks not done yet for each thread, beyond which one is run at once; 0: none */
    bool spreads;          /* low and high differ */
    bool latency, contention, banks, corun; /* corun: contention is what was measured with the trace */
    double cycle;                           /* in 1/1024 ticks */
    cc_ticks release;                       /* at the end of the run: giving back the pages that it touched */
    struct counter counters[CC_TASKS_MAX_COUNTERS];
    const struct cc_curve **burden; /* by name; NULL: none */
    const struct copies *copies;    /* by name; .n is 0: none */
    size_t ncopies;                 /* all of them */
    double run_error;               /* how far whole runs lie apart, one standard deviation; 0: not known */
    const struct cc_curve *compute; /* for names without a burden of their own */
    /* What the memory of a machine that was measured gives to so many at once, where nothing tells how much
     * of it the program wants; NULL: something does, or nothing is known of the memory either. */
    const struct cc_curve *blind;
    const char *warnings[8];
    size_t nwarnings;
    cc_ticks sequential;
    double sequential_joules; /* of its accesses */
    double cycles, seconds;   /* of one tick; 0 if unknown */
    double
        sibling; /* how many times longer work takes while the other half of the core is busy; 0: not known */
    double cpus, pairs; /* of the platform; pairs of CPUs that share a core */
    struct cc_dma dma;
    struct cc_err dma_err;  /* why there is none */
    double vector_gain;     /* of the cores; NAN: not told */
    cc_ticks atomic;        /* an update of a line that others use too; < 0: not told */
    unsigned cluster_cores; /* cores that share a memory and a DMA; 0: all */
    struct model_unit *units;
    size_t nunits, host;
    double local_memory; /* bytes for tiles; NAN: not told */
    double coverage;     /* of the interval that is told; 0: none is */
    struct local *local; /* NULL: without the trace of lines */
    bool has_dma, has_energy, access_energy;
    double watts, busy_joules, idle_joules,
        byte_joules; /* of the chip; of one cycle of a core; of one byte by DMA */
};

/* A unit of the platform. */
struct model_unit {
    const char *name;
    bool cpu;
    struct cc_link to, from; /* between the host and it */
    const char *why;         /* there are no times of tasks; NULL: there are */
    double watts, cores;     /* at work beyond rest, NaN: not told; how many */
    double *times[2][3]; /* by name: on one core or on all, low, middle and high; how long a task's own code
                            takes there for each tick on the host, NAN: not known */
};

/* What else is at work when a piece of work starts. */
struct load {
    unsigned busy; /* processors, this one included */
    unsigned near; /* those of its cluster among them */
    bool sibling;  /* the other half of its core is among them */
    double
        rank; /* where the processor stands among copies of a co-run, 0 to 1; 0: nowhere, the mean counts */
    double share, bound; /* as in struct draw */
};
#define ALONE ((struct load){.busy = 1, .near = 1})

struct piece {
    cc_ticks base, extra; /* extra: contention */
    double joules;        /* of its counted accesses */
    enum piece_kind kind; /* what it is of which node: with the trace of lines, its waiting comes on top */
    uint32_t node;
};

/* The gap before a node (its parent's own code), `ticks` of epilogue after its last child, and one copy of
 * its whole subtree, under a load. variant: as in cost[]. */
struct piece cc_model_gap(const struct cc_predict_model *m, size_t node, uint32_t owner, struct load load,
                          int variant);
struct piece cc_model_tail(const struct cc_predict_model *m, size_t node, uint64_t ticks, struct load load,
                           int variant);
struct piece cc_model_subtree(const struct cc_predict_model *m, size_t node, struct load load, int variant);

/* machine.c: [contention] siblings, [dma], [energy]; before cc_model_subtree is asked. */
int cc_model_machine(struct cc_predict_model *m, struct cc_platform *p, bool contention, struct cc_err *err);
struct model_use {
    cc_wide_ticks busy, waiting; /* of all processors */
    cc_ticks time;
    double accesses, units; /* joules of memories; of units, NaN: not known */
    double bytes;           /* by DMA, and to and from units */
};
struct cc_predict_energy cc_model_energy(const struct cc_predict_model *m, const struct model_use *use);
/* How many pairs of k processors share a core. */
unsigned cc_model_pairs(const struct cc_predict_model *m, unsigned k);
/* units.c: the platform's units with their links; times of tasks there, by their classes of instructions. */
void cc_model_units(struct cc_predict_model *m, struct cc_platform *p, const struct cc_classes *classes);
/* crowd.c: after the costs. */
int cc_model_crowds(struct cc_predict_model *m, struct cc_platform *p, struct cc_err *err);
/* What it costs with so many threads; `otherwise`, where that was not measured. */
cc_ticks cc_model_crowd(const struct cc_predict_model *m, enum crowd c, unsigned threads, cc_ticks otherwise);
/* What a region of so many threads costs beyond par_open to par_close, or less than that. */
cc_ticks cc_model_region(const struct cc_predict_model *m, unsigned threads);
void cc_model_warn(struct cc_predict_model *m, const char *text);
/* Ticks of the trace for one cycle of the platform, or for one ns. */
int cc_model_unit(const struct cc_predict_model *m, struct cc_platform *p, bool ns, double *ret,
                  struct cc_err *err);
/* "memory.l2" for "l2.read", and 'r', 'w' or 'b' for what is counted; 0 if nothing known.
 * "mem", all data, is the platform's data_memory where it has no memory of that name. */
char cc_counter_kind(struct cc_platform *p, const char *name, char memory[static 128]);

#endif
