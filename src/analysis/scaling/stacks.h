/* Speed-up stacks: where cores x time goes as cores are added, and what stops the program. See README.md. */
#ifndef CC_ANALYSIS_SCALING_STACKS_H
#define CC_ANALYSIS_SCALING_STACKS_H

#include "../contention/findings.h"

enum cc_stack_part {
    CC_STACK_WORK,         /* what the run with the fewest cores works */
    CC_STACK_INSTRUCTIONS, /* instructions it has not */
    CC_STACK_CAPACITY, /* the same work takes longer: misses of the core's own; less than 0 if it takes less
                        */
    CC_STACK_SERIAL,
    CC_STACK_IMBALANCE,
    CC_STACK_LOCKS,
    CC_STACK_BARRIERS,
    CC_STACK_COHERENCE,
    CC_STACK_QUEUES,
    CC_STACK_IDLE,
    CC_STACK_PARTS
};
extern const char *const cc_stack_names[CC_STACK_PARTS];

struct cc_stack {
    unsigned cores;
    uint64_t cycles, instructions;
    double speedup, efficiency;    /* against the run with the fewest cores, which counts as perfect */
    int64_t parts[CC_STACK_PARTS]; /* cycles; together cores x cycles, exactly */
    struct cc_findings *findings;
};

enum cc_stacks_verdict { CC_STACKS_UNKNOWN, CC_STACKS_SCALES, CC_STACKS_SATURATES, CC_STACKS_COLLAPSES };
extern const char *const cc_stacks_verdict_names[];

struct cc_bottleneck {
    enum cc_stack_part part;
    const struct cc_finding *finding; /* on the most cores */
    int64_t lost;                     /* cycles more than on the fewest */
};

struct cc_stacks {
    enum cc_stacks_verdict verdict; /* unknown: some trace has no causes */
    unsigned at;                    /* cores up to which it is worth adding some */
    struct cc_stack *stacks;        /* by cores */
    size_t n;
    struct cc_bottleneck *bottlenecks; /* the costliest first */
    size_t nbottlenecks;
};

/* Two to 64 traces of one program. Names are borrowed from them. */
struct cc_stacks *cc_stacks_of(struct cc_trace_reader *const *traces, size_t n);
void cc_stacks_free(struct cc_stacks *s);

/* The verdict alone: time on so many cores, ascending. */
enum cc_stacks_verdict cc_stacks_judge(const unsigned *cores, const uint64_t *cycles, size_t n,
                                       unsigned *ret_at);

#endif
