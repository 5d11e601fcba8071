/* Calls that one activation makes one after the other: do they need each other? And as tasks. With
 * `--tasks all`. */
#ifndef CC_COLLECT_SIBLING_H
#define CC_COLLECT_SIBLING_H

#include "collect.h"
#include "depend.h"

struct cc_thread;
struct cc_loop_entry;

struct cc_call_task {
    uint64_t counts[CC_TASK_COUNTS]; /* totals of the thread when the call began */
    size_t level;                    /* 1 + that of the "loop" that it is; 0: what it calls is not followed */
    bool told;
};

/* A function, by the calls that it makes. */
struct cc_caller {
    uint32_t calls; /* that were too short for a task */
    bool has_long;  /* there was one that was not */
    bool left_out;  /* what its calls need from each other is no longer followed */
};

struct cc_missed_call {
    uint32_t function; /* that was left out */
    uint64_t tag;      /* made a long call there */
};

struct cc_sibling_thread {
    struct cc_depend_thread *x; /* whose "loops" are activations, but for those of functions that are left
                                   out; NULL: not followed */
    struct cc_call_task *v;     /* by activation */
    size_t cap;
    struct cc_caller *callers; /* by function */
    size_t callers_cap;
    struct cc_missed_call *missed; /* that no call of the same place has made up for yet */
    size_t nmissed, missed_cap;
};

/* An activation was added, or taken away. */
void cc_sibling_call(struct cc_thread *t, uint64_t now);
void cc_sibling_return(struct cc_thread *t, uint64_t now, uint64_t began, uint64_t ret);
/* Before a call with that stack pointer, and before the activation `at` is left: what lies above it and has
 * not returned by itself left by a jump into a library, nobody saw when. Of such functions nothing is told.
 */
void cc_sibling_before_call(struct cc_thread *t, uint64_t now, uint64_t sp);
void cc_sibling_before_leave(struct cc_thread *t, size_t at);
/* Activations are not what they were: no more is known of calls. */
void cc_sibling_lost(struct cc_thread *t);
/* Tells of the calls up to that depth, before what lies in them is told of. */
void cc_sibling_announce(struct cc_thread *t, size_t depth);

/* Before results are told: what is known of functions of which a long call was missed does not hold. */
void cc_sibling_settle(struct cc_thread *t);

static inline bool cc_sibling_on(const struct cc_sibling_thread *s)
{
    return s && s->x && cc_depend_on(s->x->owner);
}

#endif
