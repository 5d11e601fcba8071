/* Calls of one activation as what dependences are between, and as tasks. What loops are to depend.c,
 * activations are here, and in the place of iterations there are calls and the code between them. Tasks are
 * told of when they turn out to be long enough, as those of loops (loop_task.c), with what they lie in. */
#include "sibling.h"
#include "internal.h"
#include "loop.h"

/* Instructions that are followed anyhow: a call is only of use if it was followed as a whole. */
#define ALWAYS UINT64_C(200000000)

/* Calls of a function, all too short for a task, after which it is no longer followed what they need from
 * each other: nobody would make tasks of them. */
enum { SHORT_CALLS = 1024 };

void cc_sibling_begin(struct cc_collect *c, const struct cc_depend_machine *m)
{
    struct cc_depend_options o = {.machine = *m, .exact = c->opt.exact, .always = ALWAYS, .calls = true};
    o.machine.red_zone = 0; /* of a function that calls there is none */
    if (c->opt.tasks != CC_TASKS_ALL || c->opt.loops != CC_LOOPS_DEPENDENCES)
        return;
    c->sibling = cc_depend_new(&c->host, &o);
}

void cc_sibling_thread_init(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    if (!c->sibling)
        return;
    t->sibling = c->host.map(c->host.self, sizeof *t->sibling);
    t->sibling->v = cc_extend(c, t->sibling->v, &t->sibling->cap, 1, sizeof *t->sibling->v);
    if (c->threads.n > 1) { /* calls of several threads are in no order */
        for (uint32_t i = 0; i < c->threads.n; i++)
            cc_sibling_lost(c->threads.v[i]);
        return;
    }
    t->sibling->x = cc_depend_thread_new(c->sibling, 0);
    cc_depend_enter(t->sibling->x, 0, 0, 0, 0);
    t->sibling->v[0].level = 1;
}

void cc_sibling_thread_end(struct cc_thread *t, uint64_t now)
{
    cc_sibling_settle(t);
    if (t->sibling && t->sibling->x)
        cc_depend_thread_end(t->sibling->x, now);
    t->sibling = NULL;
}

void cc_sibling_lost(struct cc_thread *t)
{
    struct cc_sibling_thread *s = t->sibling;
    if (!s || !s->x)
        return;
    cc_depend_off(s->x->owner);
    s->x = NULL;
}

/* The address before the one it returns to: in the line of the call, and no instruction's. */
static uint64_t tag_of(const struct cc_activation *a)
{
    return a->flags & CC_ACTIVATION_TAIL ? 1 : a->ret - 1;
}

static void unsure(struct cc_thread *t, size_t at)
{
    uint32_t function = cc_context_at(t->owner, t->room.activations[at].context)->function;
    if (t->sibling->x && at)
        cc_depend_unsure(t->sibling->x->owner, function + 1);
}

void cc_sibling_before_call(struct cc_thread *t, uint64_t now, uint64_t sp)
{
    while (sp && t->depth > t->base + 1 && t->depth > 2 && t->room.activations[t->depth - 1].sp == sp) {
        unsure(t, t->depth - 1);
        unsure(t, t->depth - 2);
        cc_activation_pop(t, now);
    }
}

void cc_sibling_before_leave(struct cc_thread *t, size_t at)
{
    for (size_t i = at + 1; i < t->depth; i++)
        if (!(t->room.activations[i].flags & CC_ACTIVATION_TAIL)) {
            unsure(t, i);
            unsure(t, i - 1);
        }
}

/* --- whose calls are followed --- */

static struct cc_caller *caller_of(struct cc_thread *t, uint32_t function)
{
    struct cc_sibling_thread *s = t->sibling;
    s->callers = cc_extend(t->owner, s->callers, &s->callers_cap, (size_t)function + 1, sizeof *s->callers);
    return &s->callers[function];
}

/* The activation that runs now, which called nothing or whose calls have returned. */
static void follow(struct cc_thread *t, uint32_t function, uint64_t now)
{
    struct cc_sibling_thread *s = t->sibling;
    cc_depend_enter(s->x, function + 1, t->room.activations[t->depth - 1].sp, now, 0);
    s->v[t->depth - 1].level = s->x->nloops;
}

/* A long call of a function that was no longer followed: what it needed nobody knows, unless another call
 * from there shows it. */
static void miss(struct cc_thread *t, uint32_t function, uint64_t tag)
{
    struct cc_sibling_thread *s = t->sibling;
    for (size_t i = 0; i < s->nmissed; i++)
        if (s->missed[i].function == function && s->missed[i].tag == tag)
            return;
    s->missed = cc_extend(t->owner, s->missed, &s->missed_cap, s->nmissed + 1, sizeof *s->missed);
    s->missed[s->nmissed++] = (struct cc_missed_call){function, tag};
}

static void make_up(struct cc_sibling_thread *s, uint32_t function, uint64_t tag)
{
    for (size_t i = 0; i < s->nmissed; i++)
        if (s->missed[i].function == function && s->missed[i].tag == tag)
            s->missed[i--] = s->missed[--s->nmissed];
}

void cc_sibling_settle(struct cc_thread *t)
{
    struct cc_sibling_thread *s = t->sibling;
    for (size_t i = 0; s && s->x && i < s->nmissed; i++)
        cc_depend_unsure(s->x->owner, s->missed[i].function + 1);
}

static void leave_out(struct cc_sibling_thread *s, struct cc_call_task *k, uint64_t now)
{
    if (s->x && k->level == s->x->nloops) {
        cc_depend_leave(s->x, k->level - 1, now);
        k->level = 0;
    }
}

/* The activation that runs now has made a call, which took so long. */
static void weigh(struct cc_thread *t, uint64_t length, uint64_t tag, uint64_t now)
{
    struct cc_sibling_thread *s = t->sibling;
    struct cc_call_task *k = &s->v[t->depth - 1];
    uint32_t function = cc_activation_function(t, t->depth - 1);
    struct cc_caller *c = caller_of(t, function);
    if (length < CC_TASK_LEAST) {
        c->calls += !c->has_long && c->calls < SHORT_CALLS;
        c->left_out = !c->has_long && c->calls == SHORT_CALLS && !t->owner->opt.exact;
        if (c->left_out && k->level)
            leave_out(s, k, now);
        return;
    }
    c->has_long = true;
    c->left_out = false;
    if (k->level) {
        make_up(s, function, tag);
    } else if (s->x) {
        miss(t, function, tag);
        follow(t, function, now);
    }
}

/* --- calls and returns --- */

void cc_sibling_call(struct cc_thread *t, uint64_t now)
{
    struct cc_sibling_thread *s = t->sibling;
    const struct cc_activation *a = &t->room.activations[t->depth - 1];
    s->v = cc_extend(t->owner, s->v, &s->cap, t->depth, sizeof *s->v);
    cc_task_begins(t, now, caller_of(t, cc_activation_function(t, t->depth - 2))->left_out);
    s->v[t->depth - 1] = (struct cc_call_task){.counts = {t->total[0], t->total[1], t->total[2]}};
    if (!s->x)
        return;
    uint32_t function = cc_context_at(t->owner, a->context)->function;
    if (s->v[t->depth - 2].level)
        cc_depend_segment(s->x, s->v[t->depth - 2].level - 1, tag_of(a), a->sp, now);
    if (!caller_of(t, function)->left_out)
        follow(t, function, now);
}

void cc_sibling_announce(struct cc_thread *t, size_t depth)
{
    for (size_t i = 1; i < depth; i++) {
        struct cc_call_task *k = &t->sibling->v[i];
        const struct cc_activation *a = &t->room.activations[i];
        if (!k->told && !(a->flags & CC_ACTIVATION_TAIL))
            cc_task_put(t, a->enter, CC_TASK_CALLS | a->ret, false, k->counts);
        k->told = true;
    }
}

void cc_sibling_return(struct cc_thread *t, uint64_t now, uint64_t began, uint64_t ret)
{
    struct cc_sibling_thread *s = t->sibling;
    struct cc_call_task *k = &s->v[t->depth];
    bool tail = t->room.activations[t->depth].flags & CC_ACTIVATION_TAIL;
    if (!tail && (k->told || now - began >= CC_TASK_LEAST)) {
        cc_fold(t);
        cc_loop_task_announce(t);
        cc_sibling_announce(t, t->depth + 1);
        cc_task_put(t, now, CC_TASK_CALLS | ret, true, t->total);
    }
    if (s->x && k->level)
        cc_depend_leave(s->x, k->level - 1, now);
    weigh(t, now - began, tag_of(&t->room.activations[t->depth]), now);
    size_t level = s->v[t->depth - 1].level;
    if (s->x && level)
        cc_depend_segment(s->x, level - 1, 0, s->x->loops[level - 1].sp, now);
}
