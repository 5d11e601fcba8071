/* Iterations as tasks: each invocation of a loop is a task, and in it its iterations are. What is shorter
 * than CC_TASK_LEAST is not worth a task: neighbouring iterations are joined until they are long enough, and
 * an invocation that is short as a whole is left to the code around it. So there is no more than a task for
 * each CC_TASK_LEAST instructions, and what begins is only told of when it turns out to be long enough. */
#include "internal.h"
#include "loop.h"
#include "sibling.h"

static void begin(struct cc_thread *t, const struct cc_loop_entry *e, bool iteration)
{
    if (iteration)
        cc_task_put(t, e->task_start, CC_TASK_LOOP(e->k->loop->id, true), false, e->task_counts);
    else
        cc_task_put(t, e->start, CC_TASK_LOOP(e->k->loop->id, false), false, e->counts);
}

/* All that this entry lies in has begun. */
static void announce(struct cc_thread *t, struct cc_loop_entry *upto)
{
    for (struct cc_loop_entry *e = t->loops->v; e <= upto; e++) {
        if (t->sibling)
            cc_sibling_announce(t, e->depth);
        if (!e->told)
            begin(t, e, false);
        if (!e->task_told)
            begin(t, e, true);
        e->told = e->task_told = true;
    }
}

void cc_loop_task_announce(struct cc_thread *t)
{
    if (t->loops && t->loops->n)
        announce(t, &t->loops->v[t->loops->n - 1]);
}

static void end_task(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e)
{
    cc_fold(t);
    announce(t, e);
    cc_task_put(t, now, CC_TASK_LOOP(e->k->loop->id, true), true, t->total);
    e->task_told = false;
    e->task_start = now;
    __builtin_memcpy(e->task_counts, t->total, sizeof e->task_counts);
}

void cc_loop_task_enter(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e)
{
    cc_task_begins(t, now, e->k->shorts == CC_LOOP_SHORTS);
    e->told = e->task_told = false;
    e->task_start = now;
    __builtin_memcpy(e->counts, t->total, sizeof e->counts);
    __builtin_memcpy(e->task_counts, t->total, sizeof e->task_counts);
}

void cc_loop_task_iterate(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e)
{
    if (now - e->task_start >= CC_TASK_LEAST)
        end_task(t, now, e);
}

void cc_loop_task_leave(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e)
{
    if (!e->told && now - e->start < CC_TASK_LEAST) {
        e->k->shorts += e->k->shorts < CC_LOOP_SHORTS;
        return;
    }
    e->k->shorts = 0;
    if (e->task_told || now > e->task_start)
        end_task(t, now, e);
    cc_task_put(t, now, CC_TASK_LOOP(e->k->loop->id, false), true, t->total);
}
