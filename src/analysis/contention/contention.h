/* Contention: which code, on which CPUs, over which data, is there when memory gets slow. See README.md. */
#ifndef CC_ANALYSIS_CONTENTION_CONTENTION_H
#define CC_ANALYSIS_CONTENTION_CONTENTION_H

#include "../../../trace/trace.h"
#include "../../base/arena.h"
#include "../../base/err.h"

enum cc_contention_method { CC_CONTENTION_LATENCY, CC_CONTENTION_WINDOWS };
enum cc_contention_place {
    CC_PLACE_LINE,
    CC_PLACE_FUNCTION,
    CC_PLACE_PAGE,
    CC_PLACE_ADDRESS,
    CC_PLACE_OBJECT,
    CC_PLACE_PATH, /* the call path inside the program */
    CC_PLACE_LOOP, /* the innermost loop on it */
};

struct cc_contention_options {
    enum cc_contention_method method;
    enum cc_contention_place place; /* what two events must share to be the same item */
    uint64_t window;                /* cycles, 0: chosen from the trace */
    double support;                 /* share of the windows */
    double explain;        /* the support is lowered, to CC_CONTENTION_RAREST at least, until patterns
                              explain this share of the contention; 0: it is kept */
    double quantile;       /* latency method: slow are latencies from this quantile on */
    unsigned min_cpus;     /* windows method: an item must be on more CPUs than this in a window */
    uint32_t bin, bin_max; /* latency bins */
    bool bins_in_items;    /* events of different bins are different items */
    bool hits;             /* cache hits take part as well */
    double min_lost;       /* patterns that cost a smaller share of all CPU time are left out */
    size_t top;            /* patterns at most */
    unsigned threads;
    size_t most_bytes; /* of windows that are kept, beyond which they are sampled; 0: 128 MiB */
};
#define CC_CONTENTION_RAREST 0.20
/* The values of the thesis, except that the window is chosen from the trace and the support is lowered where
 * it shows too little. */
void cc_contention_defaults(struct cc_contention_options *o, enum cc_contention_method method);

struct cc_contention_item {
    uint8_t kind;
    int node;                          /* -1: none */
    const char *function, *file;       /* NULL if not known */
    uint32_t line, line_from, line_to; /* the costliest one, and the run it is merged from; 0 if not known */
    const char *object;                /* data object, NULL if not known */
    uint64_t pc_from, pc_to;           /* instructions seen, inclusive */
    uint64_t from, to;                 /* addresses seen, inclusive */
    uint32_t latency_from, latency_to; /* bins that hold all but a twentieth of the events at either end */
    uint64_t events, latency;          /* in the pattern's windows the item's events and their cycles */
    double share;                      /* of all contention */
    bool waiting;                      /* most of its events are a spin loop's */
    const uint16_t *cpus;              /* on which it is part of the pattern; none: on changing ones */
    size_t ncpus;
};

struct cc_contention_pattern {
    uint64_t windows;
    double support;     /* windows / all windows */
    double share;       /* of all contention, what the pattern's items cost in its windows */
    double lost;        /* the same as a share of all CPU time */
    uint64_t saturated; /* windows method: windows whose demand is above the bound */
    const uint16_t *cpus;
    size_t ncpus;
    const struct cc_contention_item *items; /* the costliest first */
    size_t nitems;
};

/* CPU time spent waiting rather than working: in a spin loop, or blocked. */
struct cc_contention_wait {
    bool spinning;
    const char *function, *file;
    uint32_t line;
    const char *object;
    uint64_t address; /* polled or waited for, 0 if not known */
    uint64_t episodes, cycles;
    double share; /* of all CPU time */
    const uint16_t *cpus;
    size_t ncpus;
};

struct cc_contention_band {
    uint64_t from, to;
};

/* One instruction that accesses memory, over the whole run. */
struct cc_contention_instruction {
    uint64_t pc;
    uint8_t kind;
    const char *function, *file; /* NULL if not known */
    uint32_t line;
    uint64_t events, windows; /* windows that hold it */
    double latency;           /* mean, cycles */
    /* cycles from one execution to the next on a CPU: the commonest distance (0: there is none), the share of
     * those about as long, and the bounds that leave out a tenth at either end */
    uint64_t period, period_from, period_to;
    double regular;
};

struct cc_contention_function {
    const char *function;
    uint64_t cycles, *by_cpu;
};

struct cc_contention_gap {
    uint64_t cycle, gap; /* since the execution before */
    uint32_t latency;
};

enum { CC_CONTENTION_SLICES = 600, CC_CONTENTION_ROWS = 16 };

struct cc_contention {
    struct cc_contention_options options; /* as used: the window and support that were taken */
    bool known; /* the simulator tells what is lost; else it is estimated from latencies */
    unsigned cpus;
    uint64_t first, last; /* cycles */
    uint64_t events, memory_events;
    uint32_t median, q3, threshold; /* memory latencies; slow from the threshold on */
    uint64_t slow;                  /* slow events */
    uint64_t windows, transactions; /* transactions: windows that hold an item */
    uint64_t every;                 /* patterns are those of every such window: the others are too many */
    double coverage;                /* share of the time inside windows */
    double contention;              /* share of all CPU time lost to latencies above the idle ones */
    double bound;                   /* windows method: utilisation that counts as saturated */
    uint64_t closed;                /* itemsets found */
    bool support_raised, support_lowered;
    double explained; /* of the contention, by the patterns' items together */
    const struct cc_contention_pattern *patterns;
    size_t npatterns;
    const struct cc_contention_wait *waits; /* longest first */
    size_t nwaits;
    double waiting; /* share of all CPU time */
    /* for a picture: largest latency of each CPU (the first rows) in each slice of the time, and where the
     * windows are */
    uint32_t (*slices)[CC_CONTENTION_SLICES];
    size_t nrows;
    const struct cc_contention_band *bands;
    size_t nbands;
    const struct cc_contention_instruction *instructions; /* by address; at most 4096 of the most windows */
    size_t ninstructions;
    const struct cc_contention_function *functions; /* the costliest first, the last may be all others */
    size_t nfunctions;
    struct cc_arena arena;
};

/* Where the window is to be chosen, it is from about so many events at the start. */
enum { CC_CONTENTION_LOOKED_AT = 1 << 22 };
/* Reads the trace two or three times. Names in the result are borrowed from `trace`. */
int cc_contention_mine(struct cc_trace_reader *trace, const struct cc_contention_options *options,
                       struct cc_contention **ret, struct cc_err *err);
void cc_contention_free(struct cc_contention *c);
/* How one instruction is executed on a CPU over the run; evenly thinned out to `most`. */
size_t cc_contention_gaps(struct cc_trace_reader *trace, uint64_t pc, unsigned cpu,
                          struct cc_contention_gap *out, size_t most);

/* Liu and Layland: n (2^(1/n) - 1). */
double cc_contention_bound(unsigned n);

#endif
