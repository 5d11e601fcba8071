/* Predicts how a traced sequential run would do in parallel: a replay of the OpenMP runtime over the task
 * graph, with the costs of a platform. See README.md for what is modelled and what is not. */
#ifndef CC_ANALYSIS_PREDICT_PREDICT_H
#define CC_ANALYSIS_PREDICT_PREDICT_H

#include "../classes/classes.h"
#include "../htg/htg.h"
#include "../scenario/scenario.h"
#include "../../platform/platform.h"

/* All arithmetic on time is exact, in 1/1024 of the trace's tick. */
typedef int64_t cc_ticks;
__extension__ typedef __int128 cc_wide_ticks; /* sums over processors */
enum { CC_TICK_BITS = 10, CC_PREDICT_MAX_CORES = 4096, CC_PREDICT_MAX_BUFFERS = 8 };
#define CC_TICKS_TO_F64(t) ((double)(t) / (1 << CC_TICK_BITS))

/* Where the time of processors goes. */
enum cc_part {
    CC_PART_SEQUENTIAL, /* outside parallel regions; the other processors rest meanwhile */
    CC_PART_PROCESSING, /* the program's own work inside regions */
    CC_PART_IMBALANCE,  /* waiting for threads that still work, for locks, for an earlier iteration */
    CC_PART_LIMITED,    /* no work to get: fewer chunks, sections or threads than processors */
    CC_PART_OVERHEAD,   /* the OpenMP runtime */
    CC_PART_CONTENTION, /* what work takes longer because other processors are busy too */
    CC_PART_TRANSFER,   /* waiting for DMA, or for a buffer that DMA still empties */
    CC_PART_IDLE,       /* not yet created, or already released, while the master opens or closes a region */
    CC_PARTS,
};
extern const char *const cc_part_names[CC_PARTS];

/* --- the platform's costs for one trace --- */

/* What slows processors down that work at once. AUTO: the co-run if the trace has one, else the trace of
 * lines if it has one and the platform describes a machine to run it on that waits for each line, else the
 * model. */
enum cc_contention {
    CC_CONTENTION_AUTO,
    CC_CONTENTION_CORUN,
    CC_CONTENTION_MODEL,
    CC_CONTENTION_OFF,
    CC_CONTENTION_LOCALITY
};
extern const char *const cc_contention_names[]; /* NULL-terminated */

struct cc_curve;
struct cc_predict_options {
    enum cc_contention contention;
    double coverage;                  /* of time_low to time_high, with the trace of lines; 0: nine tenths */
    bool no_latency;                  /* leave the memory latencies of the platform out */
    bool middle;                      /* only with the costs as given: no low and high, a third of the work */
    const struct cc_classes *classes; /* of the run's tasks, for times on units; NULL: not known */
    /* Only with CC_CONTENTION_OFF, which leaves out what the platform says: how many times as long work takes
     * with so many processors busy, as copies of the program showed at once; NULL: not known. */
    const struct cc_curve *together;
};

struct cc_predict_model;
int cc_predict_model_new(const struct cc_htg *h, struct cc_platform *p, const struct cc_predict_options *o,
                         struct cc_predict_model **ret, struct cc_err *err);
void cc_predict_model_free(struct cc_predict_model *m);
size_t cc_predict_model_warnings(const struct cc_predict_model *m, const char *const **ret);
/* Whether cores of the platform read on while they wait for memory: AUTO does not take the trace of lines
 * then, whose model waits for each line. */
bool cc_predict_overlaps(const struct cc_platform *p);
/* Which one it uses; never AUTO. */
enum cc_contention cc_predict_contention(const struct cc_predict_model *m);
/* The whole run on one processor without any directive, memory latencies included. */
cc_ticks cc_predict_sequential(const struct cc_predict_model *m);
double cc_predict_tick_seconds(const struct cc_predict_model *m); /* 0 if unknown */

/* Joules. */
struct cc_predict_energy {
    bool known;
    double total, fixed, busy, waiting, accesses, transfers;
    double units; /* at work in the processors' place, beyond what they take at rest */
};
struct cc_predict_energy cc_predict_sequential_energy(const struct cc_predict_model *m);

/* --- a scenario on a graph --- */

struct cc_predict_plan;
int cc_predict_plan_new(const struct cc_htg *h, const struct cc_scenario *s, struct cc_predict_plan **ret,
                        struct cc_err *err);
void cc_predict_plan_free(struct cc_predict_plan *p);

/* --- a schedule --- */

struct cc_predict_region {
    const char *path;      /* the call path, names joined by " > " */
    const char *directive; /* as the scenario has it */
    unsigned depth;        /* how many regions it lies in */
    uint64_t calls;
    double processors; /* threads of the region, averaged over its calls */
    double time;       /* all calls together, averaged over the region's processors */
    double stack[CC_PARTS];
};

/* A stretch of a processor's time, for charts. */
struct cc_predict_segment {
    uint32_t processor, name; /* processor: the DMA's read and write channel of each cluster follow the last
                                 one; name: index into the graph's names, UINT32_MAX for none */
    enum cc_part part;
    cc_ticks start, end;
};

/* What the DMA did. */
struct cc_predict_dma {
    uint64_t transfers;
    double bytes, busy[2]; /* ticks of the read and of the write channels */
    unsigned clusters;     /* each has two channels */
};

/* What units did in the processors' place. */
struct cc_predict_offload {
    uint64_t kernels;
    double bytes, busy; /* to and from them; ticks of all units together */
    double joules;      /* of that, beyond rest; NaN: the platform does not tell a unit's power */
    cc_ticks waited;    /* by processors that count as at work */
};

struct cc_predict_schedule {
    unsigned processors;
    cc_ticks time, time_low, time_high;
    double coverage;                    /* how often reality is to lie between low and high; 0: not known */
    double speedup, amdahl, efficiency; /* of the processors' work, hardware blocks in place */
    double gain;                        /* against the sequential run without blocks */
    uint64_t blocks;                    /* tasks that a hardware block did */
    cc_wide_ticks parts[CC_PARTS];      /* summed over the processors: exactly processors * time */
    double stack[CC_PARTS];             /* the same per processor */
    struct cc_predict_energy energy;
    struct cc_predict_dma dma;
    struct cc_predict_offload offload;
    struct cc_predict_region *regions;
    size_t nregions;
    struct cc_predict_segment *segments; /* only when asked for */
    size_t nsegments;
    bool segments_cut; /* there were more */
    const struct cc_directive *
        *orphans; /* directives that never ran inside a parallel region and had no effect */
    size_t norphans;
    const struct cc_directive **lone; /* loops that had one iteration each time */
    size_t nlone;
    struct cc_arena *arena;
};

int cc_predict_run(const struct cc_predict_model *m, const struct cc_predict_plan *p, unsigned processors,
                   bool segments, struct cc_predict_schedule *ret, struct cc_err *err);
void cc_predict_schedule_fini(struct cc_predict_schedule *s);

/* --- for users' parameter sweeps --- */

/* "l2_rd" -> "memory.l2.read", "overhead_scale" -> "openmp.scale"; others stay. Owned. */
char *cc_predict_parameter(const char *name);

#endif
