/* Memory traffic over time: per function and slice, and the phases a run goes through. */
#ifndef CC_ANALYSIS_BANDWIDTH_BANDWIDTH_H
#define CC_ANALYSIS_BANDWIDTH_BANDWIDTH_H

#include "../../profile/names.h"

/* Which bytes count. */
enum cc_traffic { CC_TRAFFIC_ALL, CC_TRAFFIC_READS, CC_TRAFFIC_WRITES };
enum cc_stack_part { CC_STACK_WITH, CC_STACK_WITHOUT, CC_STACK_ONLY };
extern const char *const cc_traffic_names[];    /* "all", "reads", "writes", NULL */
extern const char *const cc_stack_part_names[]; /* "with", "without", "only", NULL */

struct cc_bandwidth_function {
    uint32_t function;
    uint64_t read, written, stack_read, stack_written; /* over the whole run; stack: of the former */
    uint64_t bytes;                                    /* those that count */
    uint32_t active, first, last;                      /* slices with bytes that count */
    uint32_t peak_slice;
    double average, peak;             /* bytes an instruction, over the active slices and in the busiest */
    const struct cc_rec_slice *items; /* by slice */
    size_t nitems;
};

struct cc_phase_part {
    uint32_t function;
    uint64_t bytes;
};

struct cc_phase {
    uint32_t first, last;        /* slices */
    uint32_t kind;               /* phases alike have the same: 0, 1, … in order of first appearance */
    uint64_t bytes;              /* that count */
    struct cc_phase_part *parts; /* functions with at least a hundredth of them, most first */
    size_t nparts;
};

struct cc_bandwidth {
    uint64_t length, last_length; /* of a slice and of the last one, instructions */
    uint32_t nslices;
    uint64_t total, shown;                   /* bytes that count: of all functions, of those shown */
    struct cc_bandwidth_function *functions; /* most bytes first */
    size_t nfunctions, hidden;
    struct cc_phase *phases;
    size_t nphases;
    uint32_t nkinds;
    struct cc_arena arena;
};

/* min_share is of the bytes that count. Fails if the profile has no slices. */
int cc_bandwidth_build(const struct cc_profile *p, enum cc_traffic traffic, enum cc_stack_part stack,
                       const struct cc_filter *filter, struct cc_bandwidth **ret, struct cc_err *err);
void cc_bandwidth_free(struct cc_bandwidth *b);

/* The bytes of an item that count. */
uint64_t cc_bandwidth_bytes(const struct cc_rec_slice *s, enum cc_traffic traffic, enum cc_stack_part stack);

/* For bandwidth.c: the phases of items sorted by slice. */
void cc_phases_find(struct cc_bandwidth *b, const struct cc_rec_slice *items, size_t n,
                    enum cc_traffic traffic, enum cc_stack_part stack);

#endif
