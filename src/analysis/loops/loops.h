/* Loops of a run: how often, how long, and whether their iterations could run at once. README.md has the
 * rules. */
#ifndef CC_ANALYSIS_LOOPS_LOOPS_H
#define CC_ANALYSIS_LOOPS_LOOPS_H

#include "source/source.h"
#include "../../profile/profile.h"

enum cc_verdict {
    CC_VERDICT_PARALLEL,
    CC_VERDICT_PRIVATE,    /* if each thread has variables of its own */
    CC_VERDICT_REDUCTION,  /* if what each thread has combined is combined at the end */
    CC_VERDICT_ORDERED,    /* output, library state, or a dependence over some distance keep an order */
    CC_VERDICT_SEQUENTIAL, /* an iteration needs the one before it */
    CC_VERDICT_UNKNOWN,    /* and the sentence says why */
    CC_VERDICTS
};
extern const char *const cc_verdict_names[CC_VERDICTS];

enum cc_reason_kind {
    CC_REASON_RAW, /* through memory: written by one iteration, read by a later one, */
    CC_REASON_WAR, /* read by one and written by a later one, */
    CC_REASON_WAW, /* written by both */
    CC_REASON_REGISTER,
    CC_REASON_IO,
    CC_REASON_CALL, /* of a library that keeps something */
    CC_REASON_EXIT, /* whether it goes on depends on what it did */
    CC_REASONS
};
extern const char *const cc_reason_names[CC_REASONS];

struct cc_loop_place {
    const char *file; /* NULL: unknown */
    unsigned line;
};

struct cc_loop_reason {
    enum cc_reason_kind kind;
    const char *variable; /* or the function that was called; NULL: unknown */
    struct cc_loop_place first, second;
    uint32_t distance; /* iterations, the least; 0: unknown */
    uint64_t count;
    bool stack;  /* in a frame */
    bool frame;  /* at a fixed place of the frame of the loop's own function */
    bool direct; /* both at a fixed distance from what a register holds throughout */
    bool across; /* only from one of the binary's loops to another, each of which goes round more than once
                    each time */
};

struct cc_loop_reduction {
    const char *op, *variable; /* variable NULL: unknown */
};

/* A place where iterations only combine what is in memory with something. */
struct cc_loop_update {
    const char *variable; /* NULL: unknown */
    struct cc_loop_place at;
};

/* A loop of the source. The compiler may have made several of it: they are one here. */
struct cc_loop {
    const char
        *id; /* "file.c:12", with the column ("file.c:12:40") if the source has several loops in that line, or
                "#2" if only the binary tells them apart; "prog+0x1234" without a line */
    uint32_t parent; /* index; CC_NONE: none */
    uint32_t depth;
    uint32_t first;        /* the first of the profile's loops that it is */
    const char *function;  /* it is written in */
    const char *file;      /* NULL: unknown */
    unsigned line, column; /* column: 0: unknown */
    uint64_t invocations, iterations, instructions, bytes_read, bytes_written;
    uint64_t trips_min, trips_max, cost_min, cost_max;
    double cost_deviation; /* of an iteration */
    double share;          /* of the run's instructions */
    double coverage;       /* of the iterations, those with dependences followed */
    /* of an invocation's work, how much of it could run at once: over the longest chain of iterations that
     * need each other; 0: unknown */
    double self_parallelism;
    double task_iterations, task_share; /* that a task has (record --tasks loops); of an invocation */
    enum cc_verdict verdict;
    CC_VEC(struct cc_loop_reason) reasons; /* the true one first */
    CC_VEC(const char *) private, lastprivate, firstprivate;
    CC_VEC(struct cc_loop_reduction) reductions;
    CC_VEC(struct cc_loop_update) updates; /* of those in memory, as the run showed them */
    bool sourced;                          /* the source was asked */
    bool unseen;                           /* registers were not analysed */
    const char *directive;                 /* how it would be shared out; NULL: that cannot be written */
    const char *pragma; /* the same, if it is offered: not where only this input allows it; or NULL */
    const char
        *by_input; /* of one that is free: what this input alone tells; NULL: nothing, see gate/input.h */
    const char *sentence;
    /* Of one that is not free: the same loop if each thread makes the choices of its source for itself and
     * they are joined at the end, with its verdict and clauses then; NULL: it has none. */
    struct cc_loop *joined;
    /* The same if the statements of these lines of its body are run by one iteration after the other, in
     * order: all that goes from one to another is in them. */
    struct cc_loop *turns;
    unsigned turn_line, turn_last;
    /* The same if one thread goes from element to element, and each iteration is a task for any. */
    struct cc_loop *walked;
};

struct cc_loop_list {
    CC_VEC(struct cc_loop) v; /* a parent comes before its children; siblings by instructions */
    struct cc_arena arena;
};

/* sources: what the source says; NULL: nothing is known of it. */
int cc_loops_analyse(const struct cc_profile *p, const struct cc_source_loops *sources,
                     struct cc_loop_list **ret, struct cc_err *err);
void cc_loops_free(struct cc_loop_list *l);

#endif
