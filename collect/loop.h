/* Loops as they run: which are active in a thread, how often and how long each ran. The host has found them
 * in the program's files (loop_record.h); engines say when control comes to an address that means something
 * for one. */
#ifndef CC_COLLECT_LOOP_H
#define CC_COLLECT_LOOP_H

#include "collect.h"
#include "depend.h"

struct cc_loop_spread { /* of what iterations cost, instructions */
    uint64_t min, max;
    uint64_t squares[2]; /* the low half first */
};

enum { CC_LOOP_COST_BITS = 7, CC_LOOP_COSTS = 1 << CC_LOOP_COST_BITS };
struct cc_loop_costs {
    uint64_t of[CC_LOOP_COSTS]; /* iterations of so many instructions; the first is nobody's */
    struct cc_loop_spread more; /* longer ones */
};

struct cc_loop { /* of a mapped file */
    struct cc_loop_static at;
    struct cc_loop *outer; /* NULL: none */
    uint32_t id;           /* in the order of being entered first; CC_NONE: not yet */
    uint32_t binary, function;
    struct cc_loop_costs *costs; /* of iterations that an engine has counted by itself; NULL: of none */
    struct cc_apart *apart;      /* what tells its entries apart; NULL: nothing that is known, */
    size_t apart_of;             /* by so much of all code, */
    const struct cc_loop_piece *apart_to;      /* of which that was the last piece of its own */
    struct cc_loop_piece *pieces, *last_piece; /* of its code, as far as it is shared out (loop_sign.c) */
    /* Of a leaf, where dependences are asked for: so many invocations need not be told of, as long as nothing
     * is followed. */
    uint64_t quiet;
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

enum { CC_LOOP_SHORTS = 64 };
/* Of a node of the tree, in one thread; it stays where it is. */
struct cc_loop_count {
    struct cc_loop *loop;
    /* of iterations that ended and are not among cc_loop.costs. A loop of one block leaves it alone: its
     * iterations all cost the same. */
    struct cc_loop_spread costs;
    uint64_t iterations, instructions;
    uint64_t trips_min, trips_max; /* of invocations seen whole */
    uint64_t invocations;
    uint64_t less, more; /* instructions of invocations without an iteration; of those in a recursion */
    uint32_t *active;    /* of the loop: how often it is */
    uint32_t node;
    uint32_t shorts; /* invocations in a row that were too short for a task, up to CC_LOOP_SHORTS */
};

/* An active loop of a thread. */
struct cc_loop_entry {
    const struct cc_loop *loop;
    /* the thread's count of instructions when the present iteration began, and how many have begun */
    uint64_t iteration_start, trips;
    uint64_t start; /* the count when it was entered */
    struct cc_loop_count *k;
    uint32_t depth;      /* of the activation */
    bool part;           /* some of its iterations were not seen */
    bool outermost;      /* the loop was not active yet: recursion may come to it on several ways */
    uint64_t task_start; /* with --tasks loops (loop_task.c): when the present task began, */
    uint64_t counts[CC_TASK_COUNTS], task_counts[CC_TASK_COUNTS]; /* totals of the thread when the loop, and
                                                                     when that began, */
    bool told, task_told;                                         /* and whether events have said so */
};

/* An engine may count an iteration of the innermost loop by itself (iteration_start, trips, cc_loop.costs) if
 * what cc_loop_innermost gives is that loop's; the first of an invocation ends none. One that was longer
 * than costs has places for is for cc_loop_again. */

/* A loop of CC_LOOP_LEAF that is under way and that only its engine knows of so far: what an entry would say.
 */
struct cc_loop_leaf {
    struct cc_loop *loop; /* NULL: none is */
    uint64_t start, iteration_start, trips;
};

struct cc_loop_memo { /* of a node that was entered */
    const struct cc_loop *loop;
    const struct cc_loop_count *parent; /* around it; that of no loop: none. NULL: none is remembered */
    struct cc_loop_count *k;
};
enum { CC_LOOP_MEMOS = 2048 };

struct cc_loop_thread {
    struct cc_loop_entry *v; /* active ones, the innermost last; before the first, one of no loop */
    size_t n, cap;
    struct cc_loop_count **counts; /* by node; NULL: never entered */
    size_t counts_cap;
    uint32_t **active; /* by loop: how often it is; NULL: never entered */
    size_t active_cap;
    struct cc_loop_count nothing;      /* of no loop */
    struct cc_loop_entry none, unsure; /* of no loop; of CC_LOOP_UNSURE */
    bool countable;                    /* iterations are no tasks */
    bool tasks;                        /* iterations are tasks */
    struct cc_loop_memo memos[CC_LOOP_MEMOS];
};

/* The innermost loop that is active in the present activation; one of no loop where none is, and of
 * CC_LOOP_UNSURE where counting is not simple: something is switched off, or was, or loops of activations
 * that are gone have to be left first. Only where loops are asked for. */
#define CC_LOOP_UNSURE ((const struct cc_loop *)-1)
static inline struct cc_loop_entry *cc_loop_innermost(const struct cc_thread *t)
{
    if (t->off || t->skipped || !t->loops->countable || t->loop_depth > t->depth)
        return &t->loops->unsure;
    if (t->depend && !cc_depend_idle(t->depend) && t->loop_depth == t->depth)
        return &t->loops->unsure; /* iterations are told of */
    return t->loop_depth == t->depth ? t->loop_top : &t->loops->none;
}

/* What control's coming to an address (as executed) means for loops; NULL: nothing. It stays as it is. */
const struct cc_loop_point *cc_loop_point(struct cc_collect *c, uint64_t address);
/* The last of the so many addresses up to that one that mean something, in the same file. */
const struct cc_loop_point *cc_loop_point_before(struct cc_collect *c, uint64_t address, uint64_t near);
/* The innermost loop whose code holds an address as executed; NULL: none. */
struct cc_loop *cc_loop_around(struct cc_collect *c, uint64_t address);

/* Control has come there. now: the thread's own count of instructions, as for calls; sp is 0 where it is not
 * known. */
void cc_loop_arrive(struct cc_thread *t, uint64_t now, const struct cc_loop_point *p, uint64_t sp);

/* The same where the loop was entered on this way before (which m remembers: cc_loop_enter_learn), or is the
 * innermost one and is left. top: cc_loop_innermost; false: nothing was done. */
bool cc_loop_enter_same(struct cc_thread *t, const struct cc_loop_entry *top, uint64_t now,
                        const struct cc_loop_memo *m, uint64_t sp);
void cc_loop_enter_learn(struct cc_thread *t, struct cc_loop_memo *m); /* m->loop may have been entered */
bool cc_loop_leave_same(struct cc_thread *t, struct cc_loop_entry *top, uint64_t now,
                        const struct cc_loop *l);
/* The innermost loop, which is not CC_LOOP_UNSURE, begins an iteration. */
void cc_loop_again(struct cc_loop_entry *top, uint64_t now);
/* A leaf is over; k: of its node, which m remembers. False: nothing was done. */
bool cc_loop_leaf_leave(struct cc_thread *t, const struct cc_loop_entry *top, uint64_t now,
                        const struct cc_loop_memo *m, const struct cc_loop_leaf *x);
void cc_loop_leaf_again(struct cc_loop_leaf *x, uint64_t now); /* begins an iteration */
/* It becomes an entry like others, or the rest of one that it was before; and the innermost entry of the
 * present activation, if it is that of a leaf, is the engine's again. False: it stays one. */
void cc_loop_leaf_settle(struct cc_thread *t, const struct cc_loop_leaf *x);
bool cc_loop_leaf_take(struct cc_thread *t, struct cc_loop_leaf *x);
/* Where dependences are asked for, a leaf that is not quiet is entered: whether it may stay the engine's. */
bool cc_loop_leaf_enter(struct cc_thread *t, const struct cc_loop_entry *top, const struct cc_loop_memo *m);
/* loop_sign.c: which way the loop is entered, if that is of use; k: of its node, with this invocation. The
 * same without anything that has to be found out first, and without this invocation: false, there is. */
void cc_loop_find_sign(struct cc_thread *t, struct cc_loop *l, const struct cc_loop_count *k);
bool cc_loop_sign_again(struct cc_thread *t, const struct cc_loop *l, const struct cc_loop_count *k,
                        uint64_t *ret);
bool cc_loop_may_have_sign(const struct cc_collect *c, const struct cc_loop *l); /* an entry of it */
/* The next invocation is told of; of all loops. */
void cc_loop_tell(struct cc_collect *c, struct cc_loop *l);
void cc_loops_tell(struct cc_collect *c);
/* Makes room for cc_loop.costs, unless its iterations all cost the same. */
void cc_loop_count_costs(struct cc_collect *c, struct cc_loop *l);

#endif
