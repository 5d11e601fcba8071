/* Loops as they run: which are active in a thread, how often and how long each ran. The host has found them
 * in the program's files (loop_record.h); engines say when control comes to an address that means something
 * for one. */
#ifndef CC_COLLECT_LOOP_H
#define CC_COLLECT_LOOP_H

#include "collect.h"
#include "depend.h"

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

/* Of a node of the tree, in one thread; it stays where it is. */
struct cc_loop_count {
    struct cc_loop *loop;
    /* of the invocation under way: the thread's count of instructions when the present iteration began, and
     * how many have begun */
    uint64_t iteration_start, trips;
    /* of iterations that ended, instructions. A loop of one block leaves these three alone: its iterations
     * all cost the same. */
    uint64_t cost_min, cost_max;
    uint64_t squares[2]; /* the low half first */
    uint64_t iterations, instructions;
    uint64_t trips_min, trips_max; /* of invocations seen whole */
    uint64_t invocations;
    uint64_t less, more; /* instructions of invocations without an iteration; of those in a recursion */
    uint32_t *active;    /* of the loop: how often it is */
    uint32_t node;
};

/* An active loop of a thread. */
struct cc_loop_entry {
    struct cc_loop_count *k;
    uint64_t start;                  /* the count when it was entered */
    uint64_t iteration_start, trips; /* of the invocation of the same node that it interrupts, if it does */
    uint32_t depth;                  /* of the activation */
    bool part;                       /* some of its iterations were not seen */
    bool outermost;      /* the loop was not active yet: recursion may come to it on several ways */
    uint64_t sp;         /* the stack pointer then; 0: not known */
    uint64_t task_start; /* with --tasks loops (loop_task.c): when the present task began, */
    uint64_t counts[2], task_counts[2]; /* accesses of the thread when the loop, and when that began, */
    bool told, task_told;               /* and whether events have said so */
};

/* An engine may count an iteration of the innermost loop by itself (iteration_start, trips, cost_min,
 * cost_max, squares) if what cc_loop_innermost gives is that loop's, it has begun an iteration before, and
 * the last one cost less than 2^CC_LOOP_COST_BITS instructions. */
enum { CC_LOOP_COST_BITS = 16 };

struct cc_loop_memo { /* of a node that was entered */
    const struct cc_loop *loop;
    const struct cc_loop_count *parent; /* around it; that of no loop: none. NULL: none is remembered */
    struct cc_loop_count *k;
};
enum { CC_LOOP_MEMOS = 256 };

struct cc_loop_thread {
    struct cc_loop_entry *v; /* active ones, the innermost last */
    size_t n, cap;
    struct cc_loop_count **counts; /* by node; NULL: never entered */
    size_t counts_cap;
    uint32_t **active; /* by loop: how often it is; NULL: never entered */
    size_t active_cap;
    struct cc_loop_count none, unsure; /* of no loop; of CC_LOOP_UNSURE */
    bool countable;                    /* iterations are no tasks */
    bool tasks;                        /* iterations are tasks */
    struct cc_loop_memo memos[CC_LOOP_MEMOS];
};

/* The innermost loop that is active in the present activation; one of no loop where none is, and of
 * CC_LOOP_UNSURE where counting is not simple. Only where loops are asked for. */
#define CC_LOOP_UNSURE ((struct cc_loop *)-1)
static inline struct cc_loop_count *cc_loop_innermost(const struct cc_thread *t)
{
    if (t->loop_depth != t->depth)
        return &t->loops->none;
    bool told = t->depend && !cc_depend_idle(t->depend); /* they are */
    return !t->off && !t->skipped && t->loops->countable && !told ? t->loop_count : &t->loops->unsure;
}

/* What control's coming to an address (as executed) means for loops; NULL: nothing. It stays as it is. */
const struct cc_loop_point *cc_loop_point(struct cc_collect *c, uint64_t address);
/* The innermost loop whose code holds an address as executed; NULL: none. */
struct cc_loop *cc_loop_around(struct cc_collect *c, uint64_t address);

/* Control has come there. now: the thread's own count of instructions, as for calls; sp is 0 where it is not
 * known. */
void cc_loop_arrive(struct cc_thread *t, uint64_t now, const struct cc_loop_point *p, uint64_t sp);

/* The same where the loop was entered on this way before (which m remembers: cc_loop_enter_learn), or is the
 * innermost one and begins its first iteration or is left, and iterations are no tasks; false: nothing was
 * done. */
bool cc_loop_enter_same(struct cc_thread *t, uint64_t now, const struct cc_loop_memo *m, uint64_t sp);
void cc_loop_enter_learn(struct cc_thread *t, struct cc_loop_memo *m); /* m->loop may have been entered */
bool cc_loop_begin_same(struct cc_thread *t, const struct cc_loop *l);
bool cc_loop_leave_same(struct cc_thread *t, uint64_t now, const struct cc_loop *l);

#endif
