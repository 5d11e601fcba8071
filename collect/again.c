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

/* What cc_node_enter does besides taking it, if that is little: it has been entered since the last cc_fold,
 * or is noted now. A new frame comes with a cc_fold. */
static inline bool entered(struct cc_thread *t, struct cc_node *n)
{
    if (__builtin_expect(n->fold == t->fold, 1))
        return true;
    if (n->frame != t->frame || t->ntouched == t->room.touched_cap)
        return false;
    n->fold = t->fold;
    t->room.touched[t->ntouched++] = n->number;
    return true;
}

static inline void go_on(struct cc_thread *t, uint64_t now, struct cc_node *from, struct cc_node *to)
{
    from->exclusive += now - t->since;
    t->since = now;
    t->context = to->context;
    t->function = to->function;
    cc_node_take(t, to, to->number);
    if (__builtin_expect(t->data != NULL, 0))
        cc_data_enter_function(t, to->function);
}

static inline struct cc_call_memo *memo_of(struct cc_thread *t, uint32_t from, uint32_t function)
{
    return &t->room.caches->calls[(from * 31 + function * 2654435761u) >> 7 & (CC_CALLS_KEPT - 1)];
}

static inline bool is_memo_of(const struct cc_call_memo *s, const struct cc_thread *t, uint32_t function)
{
    return s->function == function && s->from == t->context + 1;
}

static inline bool call_as(struct cc_thread *t, uint64_t now, const struct cc_call_memo *s, uint64_t ret,
                           uint64_t sp)
{
    const struct cc_activation *top = &t->room.activations[t->depth - 1];
    struct cc_node *to = s->to, *from = top->node;
    if (!everyday(t) || t->depth >= t->room.activations_cap)
        return false;
    if (top->sp - sp > CC_STACK_NEAR)
        return false; /* something left without returning, or it is another stack */
    if (!entered(t, to))
        return false;
    t->room.activations[t->depth++] = (struct cc_activation){
        .ret = ret, .sp = sp, .enter = now, .out_ret = t->out_ret, .context = to->context, .node = to};
    to->calls++;
    t->room.activity[s->function].active++;
    go_on(t, now, from, to);
    return true;
}

bool cc_call_same(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t ret, uint64_t sp)
{
    const struct cc_call_memo *s = memo_of(t, t->context, function);
    return is_memo_of(s, t, function) && call_as(t, now, s, ret, sp);
}

bool cc_call_like(struct cc_thread *t, uint64_t now, struct cc_call_memo *memo, uint64_t ret, uint64_t sp)
{
    if (__builtin_expect(memo->from != t->context + 1, 0)) {
        const struct cc_call_memo *s = memo_of(t, t->context, memo->function);
        if (!is_memo_of(s, t, memo->function))
            return false;
        *memo = *s;
    }
    return call_as(t, now, memo, ret, sp);
}

void cc_call_learn(struct cc_thread *t, uint32_t from, uint32_t function)
{
    const struct cc_collect *c = t->owner;
    if (t->function != function || t->scope || t->off || c->opt.calls || cc_function_at(c, function)->region)
        return;
    *memo_of(t, from, function) =
        (struct cc_call_memo){.from = from + 1, .function = function, .to = cc_node_at(c, t->node)};
}

bool cc_return_same(struct cc_thread *t, uint64_t now, uint64_t target, uint64_t sp)
{
    if (!everyday(t) || t->depth < 3 || t->loop_depth >= t->depth)
        return false;
    struct cc_activation *top = &t->room.activations[t->depth - 1];
    struct cc_node *from = top->node, *to = top[-1].node;
    uint64_t length = now - top->enter;
    if (top->ret != target || (top->sp != sp && sp) || top->flags & ~(uint32_t)CC_ACTIVATION_STUB ||
        top->context != t->context || length >= t->owner->calls.threshold || !entered(t, to))
        return false;
    struct cc_activity *a = &t->room.activity[t->function];
    t->depth--;
    if (--a->active == 0)
        a->inclusive += length;
    go_on(t, now, from, to);
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
