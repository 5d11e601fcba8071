/* Loops as they run: which are active in a thread, how often and how long each ran. The host has found them
 * in the program's files (loop_record.h); engines say when control comes to an address that means something
 * for one. */
#ifndef CC_COLLECT_LOOP_H
#define CC_COLLECT_LOOP_H

#include "collect.h"

struct cc_loop { /* of a mapped file */
    struct cc_loop_static at;
    struct cc_loop *outer; /* NULL: none */
    uint32_t id;           /* in the order of being entered first; CC_NONE: not yet */
    uint32_t binary, function;
};

struct cc_loop_here { /* what an address means for a loop */
    struct cc_loop *loop;
    uint32_t kind; /* enum cc_loop_event_kind */
};

struct cc_loop_point { /* an address that means something for loops: all of it, in order */
    uint64_t address;  /* in the file */
    uint32_t n;
    const struct cc_loop_here *v;
};

/* An active loop of a thread. */
struct cc_loop_entry {
    struct cc_loop *loop;     /* NULL: it is over */
    uint64_t iteration_start; /* the thread's count of instructions when the present iteration began, */
    uint64_t trips;           /* and how many have begun */
    /* of iterations that ended, instructions; the sum of squares is squares + large * 2^64. A loop of one
     * block leaves them alone. */
    uint64_t cost_min, cost_max, squares, large;
    uint32_t depth, node; /* depth: of the activation; node: in the tree of loops inside loops */
    uint64_t start;       /* the count when it was entered */
    uint64_t task_start;  /* with --tasks loops (loop_task.c): when the present task began, */
    uint64_t counts[2], task_counts[2]; /* accesses of the thread when the loop, and when that began, */
    bool told, task_told;               /* and whether events have said so */
    uint64_t sp;                        /* the stack pointer then; 0: not known */
    bool part;                          /* some of its iterations were not seen */
    bool outermost; /* the loop was not active yet: recursion may come to it on several ways */
};

/* An engine may count an iteration of the innermost loop by itself (iteration_start, trips, cost_min,
 * cost_max, squares) if the entry that cc_loop_innermost gives is that loop's, and the last one cost less
 * than 2^CC_LOOP_COST_BITS instructions. */
enum { CC_LOOP_COST_BITS = 16 };

struct cc_loop_count { /* of a node of the tree, in one thread */
    uint64_t invocations, iterations, instructions;
    uint64_t trips_min, trips_max; /* of invocations seen whole; `whole` of them */
    uint64_t whole;
    uint64_t cost_min, cost_max, cost_sum;
    uint64_t costs;      /* iterations in those */
    uint64_t squares[2]; /* the low half first */
};

struct cc_loop_memo { /* of the last nodes that were entered */
    uint32_t parent, id, node;
};
enum { CC_LOOP_MEMOS = 256 };

struct cc_loop_thread {
    struct cc_loop_entry *v; /* active ones, the innermost last */
    size_t n, cap;
    struct cc_loop_count *counts; /* by node */
    size_t counts_cap;
    uint32_t *active; /* by loop: how often it is */
    size_t active_cap;
    struct cc_loop_entry none, unsure; /* of no loop; of CC_LOOP_UNSURE */
    bool countable;                    /* nobody else wants to know of iterations */
    bool tasks;                        /* iterations are tasks */
    struct cc_loop_memo memos[CC_LOOP_MEMOS];
};

/* The innermost loop that is active in the present activation; an entry of no loop where none is, and of
 * CC_LOOP_UNSURE where counting is not simple. Only where loops are asked for. */
#define CC_LOOP_UNSURE ((struct cc_loop *)-1)
static inline struct cc_loop_entry *cc_loop_innermost(const struct cc_thread *t)
{
    struct cc_loop_entry *e = t->loop_entry;
    if (t->loop_depth != t->depth)
        return &t->loops->none;
    return e->trips && !t->off && !t->skipped && t->loops->countable ? e : &t->loops->unsure;
}

/* What control's coming to an address (as executed) means for loops; NULL: nothing. It stays as it is. */
const struct cc_loop_point *cc_loop_point(struct cc_collect *c, uint64_t address);
/* The innermost loop whose code holds an address as executed; NULL: none. */
struct cc_loop *cc_loop_around(struct cc_collect *c, uint64_t address);

/* Control has come there. now: the thread's own count of instructions, as for calls; sp is 0 where it is not
 * known. */
void cc_loop_arrive(struct cc_thread *t, uint64_t now, const struct cc_loop_point *p, uint64_t sp);

#endif
