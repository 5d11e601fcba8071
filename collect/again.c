/* Calls and returns like those before: no region, no frame or thread that has yet to notice a mark, no one
 * who follows calls, no loop that is left by returning. What is not so is for stack.c. These call nothing but
 * at their very end, so that they need to save nothing. */
#include "internal.h"
#include "data.h"

static inline bool everyday(const struct cc_thread *t)
{
    const struct cc_collect *c = t->owner;
    return !(c->calls.followed | t->off | c->off | t->signal | (t->frame ^ c->frames.present) | t->scope) &&
           !t->skipped && t->function != CC_OUTSIDE;
}

/* What cc_node_enter does besides taking it, if that is little. */
static inline bool entered(struct cc_thread *t, struct cc_node *n, uint32_t node)
{
    if (n->frame != t->frame)
        return false;
    if (__builtin_expect(n->fold != t->fold, 0)) { /* the first time since the last cc_fold */
        if (t->ntouched == t->touched_cap)
            return false;
        n->fold = t->fold;
        t->touched[t->ntouched++] = node;
    }
    return true;
}

static inline void go_to(struct cc_thread *t, uint64_t now, struct cc_context *from, uint32_t context)
{
    from->exclusive += now - t->since;
    t->since = now;
    t->context = context;
}

static inline struct cc_call_memo *memo_of(struct cc_thread *t, uint32_t from, uint32_t function)
{
    return &t->calls[(from * 31 + function * 2654435761u) >> 7 & (CC_CALLS_KEPT - 1)];
}

bool cc_call_same(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t ret, uint64_t sp)
{
    const struct cc_call_memo *s = memo_of(t, t->context, function);
    if (s->function != function || s->from != t->context + 1 || !everyday(t) ||
        t->depth >= t->activations_cap)
        return false;
    if (t->activations[t->depth - 1].sp - sp > CC_STACK_NEAR)
        return false; /* something left without returning, or it is another stack */
    if (!entered(t, s->entered, s->node))
        return false;
    t->activations[t->depth++] = (struct cc_activation){.ret = ret,
                                                        .sp = sp,
                                                        .enter = now,
                                                        .out_ret = t->out_ret,
                                                        .context = s->to,
                                                        .place = s->to_context,
                                                        .node = s->entered};
    s->to_context->calls++;
    t->activity[s->function].active++;
    go_to(t, now, s->from_context, s->to);
    cc_node_take(t, s->entered, s->node);
    t->function = s->function;
    if (__builtin_expect(t->data != NULL, 0))
        cc_data_enter(t);
    return true;
}

void cc_call_learn(struct cc_thread *t, uint32_t from, uint32_t function)
{
    const struct cc_collect *c = t->owner;
    if (t->function != function || t->scope || t->off || c->opt.calls || cc_function_at(c, function)->region)
        return;
    *memo_of(t, from, function) = (struct cc_call_memo){.from = from + 1,
                                                        .to = t->context,
                                                        .function = function,
                                                        .node = t->node,
                                                        .from_context = cc_context_at(c, from),
                                                        .to_context = cc_context_at(c, t->context),
                                                        .entered = cc_node_at(c, t->node)};
}

/* An activation of before it was known to matter. */
static inline void find_place(const struct cc_collect *c, struct cc_activation *a)
{
    if (__builtin_expect(a->place != NULL, 1))
        return;
    a->place = cc_context_at(c, a->context);
    a->node = cc_node_at(c, a->place->node);
}

bool cc_return_same(struct cc_thread *t, uint64_t now, uint64_t target, uint64_t sp)
{
    if (!everyday(t) || t->depth < 3 || t->loop_depth >= t->depth)
        return false;
    const struct cc_collect *c = t->owner;
    struct cc_activation *top = &t->activations[t->depth - 1], *below = top - 1;
    uint64_t length = now - top->enter;
    find_place(c, top);
    find_place(c, below);
    if (top->ret != target || (top->sp != sp && sp) || top->flags || top->context != t->context ||
        length >= c->calls.threshold || !entered(t, below->node, below->place->node))
        return false;
    t->depth--;
    struct cc_activity *a = &t->activity[t->function];
    if (--a->active == 0)
        a->inclusive += length;
    go_to(t, now, top->place, below->context);
    cc_node_take(t, below->node, below->place->node);
    t->function = below->place->function;
    if (__builtin_expect(t->data != NULL, 0))
        cc_data_enter(t);
    return true;
}

bool cc_out_same(struct cc_thread *t, uint64_t ret)
{
    if (t->function == CC_OUTSIDE)
        return false;
    t->function = CC_OUTSIDE;
    t->out_ret = ret;
    t->out_sp = 0;
    return true;
}

bool cc_back_same(struct cc_thread *t, uint32_t function, uint64_t address)
{
    if (t->function != CC_OUTSIDE || t->out_ret != address || t->signal || t->depth < 2 ||
        cc_activation_function(t, t->depth - 1) != function)
        return false;
    t->function = function;
    return true;
}
