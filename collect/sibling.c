/* Calls of one activation as what dependences are between, and as tasks. What loops are to depend.c,
 * activations are here, and in the place of iterations there are calls and the code between them. Tasks are
 * told of when they turn out to be long enough, as those of loops (loop_task.c), with what they lie in. */
#include "sibling.h"
#include "internal.h"
#include "loop.h"

/* Instructions that are followed anyhow: a call is only of use if it was followed as a whole. */
#define ALWAYS UINT64_C(200000000)

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
    if (c->threads.n > 1) { /* calls of several threads are in no order */
        for (uint32_t i = 0; i < c->threads.n; i++)
            cc_sibling_lost(c->threads.v[i]);
        return;
    }
    t->sibling->x = cc_depend_thread_new(c->sibling, 0);
    cc_depend_enter(t->sibling->x, 0, 0, 0, 0);
}

void cc_sibling_thread_end(struct cc_thread *t, uint64_t now)
{
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
    uint32_t function = cc_context_at(t->owner, t->activations[at].context)->function;
    if (t->sibling->x && at)
        cc_depend_unsure(t->sibling->x->owner, function + 1);
}

void cc_sibling_before_call(struct cc_thread *t, uint64_t now, uint64_t sp)
{
    while (sp && t->depth > t->base + 1 && t->depth > 2 && t->activations[t->depth - 1].sp == sp) {
        unsure(t, t->depth - 1);
        unsure(t, t->depth - 2);
        cc_activation_pop(t, now);
    }
}

void cc_sibling_before_leave(struct cc_thread *t, size_t at)
{
    for (size_t i = at + 1; i < t->depth; i++)
        if (!(t->activations[i].flags & CC_ACTIVATION_TAIL)) {
            unsure(t, i);
            unsure(t, i - 1);
        }
}

void cc_sibling_call(struct cc_thread *t, uint64_t now)
{
    struct cc_sibling_thread *s = t->sibling;
    const struct cc_activation *a = &t->activations[t->depth - 1];
    s->v = cc_extend(t->owner, s->v, &s->cap, t->depth, sizeof *s->v);
    cc_fold(t);
    s->v[t->depth - 1] = (struct cc_call_task){.counts = {t->total[0], t->total[1], t->total[2]}};
    if (!s->x)
        return;
    uint32_t function = cc_context_at(t->owner, a->context)->function;
    cc_depend_segment(s->x, t->depth - 2, tag_of(a), a->sp, now);
    cc_depend_enter(s->x, function + 1, a->sp, now, 0);
}

void cc_sibling_announce(struct cc_thread *t, size_t depth)
{
    for (size_t i = 1; i < depth; i++) {
        struct cc_call_task *k = &t->sibling->v[i];
        const struct cc_activation *a = &t->activations[i];
        if (!k->told && !(a->flags & CC_ACTIVATION_TAIL))
            cc_task_put(t, a->enter, CC_TASK_CALLS | a->ret, false, k->counts);
        k->told = true;
    }
}

void cc_sibling_return(struct cc_thread *t, uint64_t now, uint64_t began, uint64_t ret)
{
    struct cc_sibling_thread *s = t->sibling;
    struct cc_call_task *k = &s->v[t->depth];
    bool tail = t->activations[t->depth].flags & CC_ACTIVATION_TAIL;
    if (!tail && (k->told || now - began >= CC_TASK_LEAST)) {
        cc_fold(t);
        cc_loop_task_announce(t);
        cc_sibling_announce(t, t->depth + 1);
        cc_task_put(t, now, CC_TASK_CALLS | ret, true, t->total);
    }
    if (!s->x)
        return;
    size_t level = t->depth - 1;
    cc_depend_leave(s->x, t->depth, now);
    cc_depend_segment(s->x, level, 0, s->x->loops[level].sp, now);
}
