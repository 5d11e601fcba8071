/* How much of what functions do is memory access, and to which memory (the figures of MAIP). */
#ifndef CC_ANALYSIS_INTENSITY_INTENSITY_H
#define CC_ANALYSIS_INTENSITY_INTENSITY_H

#include "../../profile/names.h"

struct cc_intensity {
    uint32_t function; /* CC_NONE: the whole run */
    const char *name;
    uint64_t instructions;
    /* Instructions that access memory; that touch the stack; that touch anything else. One that does both
     * counts in both. */
    uint64_t memory, stack, other;
    uint64_t reads, writes, bytes_read, bytes_written;
    uint64_t stack_reads, stack_writes, stack_bytes_read, stack_bytes_written; /* of those, on the stack */
    uint64_t operands, memory_operands; /* of the executed instructions; both 0: not known */
    /* The figures; NAN where there is nothing to divide by, or the operands are not known. */
    double time_share, mar, nloc_mar, mor, nloc_mor, stk_ratio, flow_ratio, nloc_flow_ratio,
        bytewise_stk_ratio, bytes_per_access;
};

struct cc_intensities {
    struct cc_intensity *functions; /* those that ran, most instructions first */
    size_t n, hidden;
    uint64_t hidden_instructions;
    struct cc_intensity total;
    bool operands;   /* known */
    const char *why; /* if not: why */
    struct cc_arena arena;
};

/* min_share is of the instructions. Fails if the profile has no accesses, or they are not told apart. */
int cc_intensity_build(const struct cc_profile *p, const struct cc_filter *filter,
                       struct cc_intensities **ret, struct cc_err *err);
void cc_intensity_free(struct cc_intensities *x);

#endif
