/* How a program's use of memory meets caches.
 *
 * Curves: misses of each function over the size of a fully associative cache, from the reuse distances that
 * the recorder counted.
 *
 * Shares: what the caches of a platform do to pieces of the recorded trace of lines when several processors
 * run them at once. README.md has what is modelled and what is not. */
#ifndef CC_ANALYSIS_LOCALITY_LOCALITY_H
#define CC_ANALYSIS_LOCALITY_LOCALITY_H

#include "../../profile/line_trace.h"
#include "../../profile/names.h"
#include "../../../sim/sim.h"

/* --- curves --- */

enum { CC_LOCALITY_SIZES = CC_REUSE_CLASSES };

struct cc_locality_curve {
    uint32_t function;
    uint64_t lines, touches; /* distinct lines of CC_LOCALITY_LINE bytes; accesses */
    uint64_t misses[CC_LOCALITY_SIZES];
};

struct cc_locality_curves {
    struct cc_locality_curve *rows; /* most misses in a cache of 32 KiB first */
    size_t n, hidden;
    struct cc_locality_curve total;    /* of all functions; its lines are not known */
    uint64_t sizes[CC_LOCALITY_SIZES]; /* bytes */
    size_t nsizes;                     /* up to where only first touches miss */
    unsigned sampled;                  /* one line in so many was looked at */
};

/* min_share is of the misses in a cache of 32 KiB; a focus overrules it. */
int cc_locality_curves(const struct cc_profile *p, const struct cc_filter *filter,
                       struct cc_locality_curves **ret, struct cc_err *err);
void cc_locality_curves_free(struct cc_locality_curves *c);

/* --- shares --- */

/* Lines of the runtime's own that a thread looks at, and others that it only writes: those of a record, of
 * which so many take turns, if not 0. */
struct cc_locality_visit {
    unsigned loaded, stored, records;
};

/* A stretch of the recorded trace that one processor runs. */
struct cc_locality_piece {
    uint32_t processor;
    uint64_t from, to; /* of the trace, in its time */
    double start, end; /* cycles, as scheduled */
    bool waited;       /* for others, before it. Pieces begin when what was before them is over, as long after
                          it as in the schedule: the processor's piece before, or, where it waited, the last
                          that another processor had ended; where there is none, at `start` */
    double cycles;     /* what it takes as long as its data are in the first-level cache */
    double store;      /* bytes of an average one */
    struct cc_locality_visit visit; /* the processor was in the runtime before it */
    uint64_t shared; /* from there on the stack is the function's that opened the region: everybody's. 0:
                        nobody knows */
    bool published;  /* others wait for what it stored: it ends when all of that is there */
    double stall;    /* filled in: cycles it waits for memory */
};

struct cc_locality_counts {
    double loads, load_misses, stores, store_misses, upgrades; /* of the trace; misses of the first level */
    double shared;                                             /* misses that others' writes caused */
    double shared_hits, shared_misses;                         /* of the shared cache, if there is one */
    double bytes;                                              /* over the interconnect */
    double stall, taken; /* cycles; of them for lines that others had taken away */
    uint64_t late;       /* accesses that came when the model had done with their time: 0 */
};

/* Where stacks lie and when threads begin, as far as that is chance. */
struct cc_locality_places {
    uint64_t chance;
    unsigned threads; /* 1 + how many lines behind the first one's those of others lie in a page, to a line or
                         so; 0: nobody knows, anywhere */
};

/* What the machine's memory does to these pieces, each processor's in the order of the array. Fills in their
 * stalls. What lies on the stack and is written in a piece is each processor's own.
 *
 * Where the first one's stack lies depends on the size of the environment, and who of several comes first to
 * a line on a few cycles: `chance` 0 is the first processor's stack where it was recorded and all of them in
 * time, each other number another of all the places in a page and a little earlier or later. */
void cc_locality_run(const struct cc_line_trace *t, const struct cc_sim_config *machine,
                     struct cc_locality_places where, struct cc_locality_piece *pieces, size_t n,
                     struct cc_locality_counts *ret);

#endif
