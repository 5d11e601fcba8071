/* Threads, call stacks and calling contexts.
 *
 * Activations are pushed for functions of interest only. Code that belongs to nobody (libraries that are
 * charged to their callers, stubs) runs with t->function == CC_OUTSIDE and is charged to the context on top;
 * t->out_ret is where the call into it returns. */
#include "internal.h"
#include "locality.h"
#include "data.h"
#include "depend.h"
#include "sibling.h"

enum { SEARCH_DEPTH = 256 }; /* how far a return that does not match the top is looked for */

/* --- contexts --- */

static uint32_t context_new(struct cc_thread *t, uint32_t parent, uint32_t function)
{
    struct cc_collect *c = t->owner;
    cc_lock(c);
    uint32_t id = c->calls.contexts.n;
    struct cc_context *x = cc_grow_add(c, &c->calls.contexts);
    *x = (struct cc_context){.parent = parent, .function = function, .thread = t->id};
    struct cc_node n = {.kind = CC_NODE_CONTEXT,
                        .context = id,
                        .source = CC_NONE,
                        .frame = t->frame,
                        .group = {CC_NONE, function, t->id, 0},
                        .blocks = cc_block_counts(c, function, 0)};
    x->node = cc_node_new(c, &n);
    cc_unlock(c);
    return id;
}

/* A call to a function that is already on the path folds onto that context, so that recursion of any depth
 * needs one context per function. Beyond max_contexts, new paths fold onto the function's context right below
 * the root. */
uint32_t cc_context_child(struct cc_thread *t, uint32_t parent, uint32_t function)
{
    struct cc_collect *c = t->owner;
    uint64_t key = ((uint64_t)parent << 32 | function) + 1;
    size_t slot = cc_index_slot(c, &t->room.children, key);
    if (t->room.children.keys[slot])
        return t->room.children.values[slot];
    uint32_t child = CC_NONE;
    for (uint32_t up = parent; up != CC_NONE && child == CC_NONE; up = cc_context_at(c, up)->parent)
        if (cc_context_at(c, up)->function == function)
            child = up;
    if (child == CC_NONE && c->calls.contexts.n >= c->opt.max_contexts &&
        parent != t->room.activations[0].context)
        return cc_context_child(t, t->room.activations[0].context, function);
    if (child == CC_NONE)
        child = context_new(t, parent, function);
    t->room.children.keys[slot] = key;
    t->room.children.values[slot] = child;
    t->room.children.n++;
    return child;
}

/* The context of a call: that of its path, or, for the first calls of a path with --calls, one of its own.
 * What folds onto another path has none. */
static uint32_t context_of_call(struct cc_thread *t, uint32_t function)
{
    struct cc_collect *c = t->owner;
    uint32_t first = cc_context_child(t, t->context, function);
    struct cc_context *x = cc_context_at(c, first);
    if (!c->opt.calls || x->parent != t->context)
        return first;
    if (x->apart == 0) {
        x->apart = 1;
        x->latest = first;
    } else if (x->apart < c->opt.calls && c->calls.contexts.n < c->opt.max_contexts) {
        uint32_t next = context_new(t, t->context, function);
        x = cc_context_at(c, first);
        x->apart++;
        x->latest = next;
    }
    return x->latest;
}

void cc_context_switch(struct cc_thread *t, uint64_t now, uint32_t context)
{
    struct cc_collect *c = t->owner;
    cc_context_at(c, t->context)->exclusive += now - t->since;
    t->since = now;
    t->context = context;
    cc_node_enter(t, cc_node_of(t, context));
    if (t->data)
        cc_data_enter(t);
}

/* --- activations --- */

static void note_call(struct cc_thread *t, uint32_t context, uint64_t start, uint64_t length)
{
    struct cc_collect *c = t->owner;
    cc_lock(c);
    if (c->calls.nline == c->opt.max_calls) { /* keep the longer half */
        c->calls.threshold *= 2;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < c->calls.nline; i++)
            if (c->calls.line[i].length >= c->calls.threshold)
                c->calls.line[kept++] = c->calls.line[i];
        c->calls.nline = kept;
    }
    if (length >= c->calls.threshold && c->calls.nline < c->opt.max_calls)
        c->calls.line[c->calls.nline++] = (struct cc_call_entry){context, t->id, start, length};
    cc_unlock(c);
}

static struct cc_node *node_of(const struct cc_collect *c, uint32_t context)
{
    return cc_node_at(c, cc_context_at(c, context)->node);
}

static struct cc_activation *activation_add(struct cc_thread *t, uint32_t function)
{
    t->room.activations = cc_extend(t->owner, t->room.activations, &t->room.activations_cap, t->depth + 1,
                                    sizeof *t->room.activations);
    t->room.activity =
        cc_extend(t->owner, t->room.activity, &t->room.activity_cap, function + 1, sizeof *t->room.activity);
    return &t->room.activations[t->depth++];
}

/* The activation on top runs: now, or again. */
static void enter(struct cc_thread *t, uint64_t now, uint32_t function)
{
    struct cc_activation *a = &t->room.activations[t->depth - 1];
    const struct cc_function *f = cc_function_at(t->owner, function);
    if (a->flags & CC_ACTIVATION_STACK) {
        a->base = (uint32_t)t->base;
        t->base = t->depth - 1;
    }
    if (f->region) {
        a->flags |= CC_ACTIVATION_REGION;
        cc_scope_begin(t, now, CC_SCOPE_REGION, f->region->name, f->region);
    }
    if (t->owner->opt.tasks == CC_TASKS_CALLS)
        cc_task_event(t, now, function, true, false);
    t->room.activity[function].active++;
    cc_context_switch(t, now, a->context);
    t->function = function;
}

static void push(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t ret, uint64_t sp,
                 uint32_t flags)
{
    uint32_t context = context_of_call(t, function);
    if (t->function == CC_OUTSIDE && !(flags & CC_ACTIVATION_TAIL))
        flags |= CC_ACTIVATION_OUTSIDE;
    *activation_add(t, function) = (struct cc_activation){.ret = ret,
                                                          .sp = sp,
                                                          .enter = now,
                                                          .out_ret = t->out_ret,
                                                          .out_sp = t->out_sp,
                                                          .context = context,
                                                          .flags = flags,
                                                          .node = node_of(t->owner, context)};
    cc_context_at(t->owner, context)->calls += !t->off;
    enter(t, now, function);
    if (t->sibling)
        cc_sibling_call(t, now);
}

void cc_activation_restore(struct cc_thread *t, uint64_t now, const struct cc_activation *a)
{
    uint32_t function = cc_context_at(t->owner, a->context)->function;
    struct cc_activation *top = activation_add(t, function);
    *top = *a;
    top->enter = now;
    enter(t, now, function);
    if (t->sibling) { /* its stack was left and is taken up again */
        cc_sibling_lost(t);
        cc_sibling_call(t, now);
    }
}

void cc_activation_pop(struct cc_thread *t, uint64_t now)
{
    const struct cc_activation f = t->room.activations[--t->depth];
    if (t->loop_depth > t->depth)
        cc_loops_unwind(t, now);
    uint32_t function = cc_context_at(t->owner, f.context)->function;
    struct cc_activity *a = &t->room.activity[function];
    uint64_t length = now - f.enter;
    if (--a->active == 0)
        a->inclusive += length;
    if (length >= t->owner->calls.threshold)
        note_call(t, f.context, f.enter, length);
    if (f.flags & CC_ACTIVATION_REGION) {
        const struct cc_mark_site *region = cc_function_at(t->owner, function)->region;
        cc_scope_end(t, now, CC_SCOPE_REGION, region->name, region);
    }
    if (t->owner->opt.tasks == CC_TASKS_CALLS)
        cc_task_event(t, now, function, true, true);
    cc_context_switch(t, now, t->room.activations[t->depth - 1].context);
    t->function = cc_activation_function(t, t->depth - 1);
    if (t->sibling)
        cc_sibling_return(t, now, f.enter, f.ret);
    if (f.flags & CC_ACTIVATION_STACK)
        t->base = f.base;
    if (f.flags & CC_ACTIVATION_OUTSIDE) {
        t->function = CC_OUTSIDE;
        t->out_ret = f.out_ret;
        t->out_sp = f.out_sp;
    }
}

/* The lowest activation that leaves together with i: below a tail call lies its caller. */
static size_t tail_base(const struct cc_thread *t, size_t i)
{
    while (i > 1 && t->room.activations[i].flags & CC_ACTIVATION_TAIL)
        i--;
    return i;
}

/* Activations called from below the present stack pointer are gone: longjmp and exceptions leave without
 * returning. Those of another stack wait there. */
static void drop_dead(struct cc_thread *t, uint64_t now, uint64_t sp)
{
    if (!sp)
        return;
    cc_stack_find(t, now, sp);
    while (t->depth > t->base + 1) {
        const struct cc_activation *top = &t->room.activations[t->depth - 1];
        if (!top->sp || top->sp >= sp)
            break;
        cc_activation_pop(t, now);
    }
}

/* Where the thread's stack pointer was last known to be. */
static uint64_t last_sp(const struct cc_thread *t)
{
    return t->function == CC_OUTSIDE ? t->out_sp : t->room.activations[t->depth - 1].sp;
}

static uint32_t stack_flag(const struct cc_thread *t, uint64_t sp)
{
    return cc_stack_is_new(t, last_sp(t), sp) ? CC_ACTIVATION_STACK : 0;
}

static __attribute__((noinline)) void call_other(struct cc_thread *t, uint64_t raw, uint32_t function,
                                                 uint64_t ret, uint64_t sp)
{
    uint64_t now = cc_now(t, raw);
    if (function != CC_OUTSIDE) {
        if (t->function != CC_OUTSIDE)
            drop_dead(t, now, sp);
        if (t->sibling && t->function != CC_OUTSIDE)
            cc_sibling_before_call(t, now, sp);
        uint32_t from = t->context;
        push(t, now, function, ret, sp, stack_flag(t, sp));
        cc_call_learn(t, from, function);
    } else if (t->function != CC_OUTSIDE) {
        t->function = CC_OUTSIDE;
        t->out_ret = ret;
        t->out_sp = sp;
    }
}

void cc_call(struct cc_thread *t, uint64_t raw, uint32_t function, uint64_t ret, uint64_t sp)
{
    if (function == CC_OUTSIDE || !cc_call_same(t, raw, function, ret, sp))
        call_other(t, raw, function, ret, sp);
}

/* The activation returns. */
static void leave(struct cc_thread *t, uint64_t now, size_t at)
{
    if (t->sibling)
        cc_sibling_before_leave(t, at);
    cc_stack_leave(t, now, at);
    cc_activation_pop(t, now);
}

/* By its address alone, where the stack pointer is not known. */
static bool return_to(struct cc_thread *t, uint64_t now, uint64_t target, bool parks)
{
    size_t lowest = t->depth > SEARCH_DEPTH ? t->depth - SEARCH_DEPTH : 1;
    for (size_t i = t->depth, top = i; i > lowest;) {
        i = tail_base(t, i - 1);
        if (t->room.activations[i].ret != target && !(t->room.activations[i].ret == 0 && i + 1 == t->depth)) {
            top = i;
            continue;
        }
        if (parks && top < t->depth)
            cc_stack_park(t, now, i + 1);
        leave(t, now, i);
        return true;
    }
    return false;
}

/* A function that a library jumped to was taken to return to whoever called the library, as through a stub.
 * Returning elsewhere, it was called by the library after all, which ended a function of its own by that jump
 * (musl's qsort: `return cmp(a, b);`), and goes on. */
static void return_to_library(struct cc_thread *t, uint64_t now)
{
    size_t i = tail_base(t, t->depth - 1);
    const struct cc_activation a = t->room.activations[i];
    if (!i || !(a.flags & CC_ACTIVATION_STUB))
        return;
    leave(t, now, i);
    t->function = CC_OUTSIDE;
    t->out_ret = a.ret;
    t->out_sp = a.out_sp;
}

static __attribute__((noinline)) void return_other(struct cc_thread *t, uint64_t raw, uint64_t target,
                                                   uint64_t sp)
{
    uint64_t now = cc_now(t, raw);
    size_t i = tail_base(t, t->depth - 1);
    const struct cc_activation *a = &t->room.activations[i];
    if (i && ((a->ret == target && (!sp || !a->sp || a->sp == sp)) || (a->ret == 0 && i + 1 == t->depth)))
        leave(t, now, i);
    else if (sp) {
        if (!cc_stack_resume(t, now, NULL, target, sp) && !return_to(t, now, target, false))
            return_to_library(t, now);
    } else if (!cc_stack_second_guess(t, now, target) && !return_to(t, now, target, true) &&
               !cc_stack_resume(t, now, NULL, target, 0))
        return_to_library(t, now);
    /* else a return that is no return (a jump through ret): cc_arrive sees where it went */
}

void cc_return(struct cc_thread *t, uint64_t raw, uint64_t target, uint64_t sp)
{
    if (!cc_return_same(t, raw, target, sp))
        return_other(t, raw, target, sp);
}

void cc_return_for(struct cc_thread *t, uint64_t raw, uint64_t target, uint64_t sp)
{
    size_t i = tail_base(t, t->depth - 1);
    const struct cc_activation *a = &t->room.activations[i];
    if (i && a->ret == target && (!sp || !a->sp || a->sp == sp))
        leave(t, cc_now(t, raw), i);
}

/* The dynamic loader jumps to the function it has found for a call, or to the start of the program, and is
 * done: as if whoever jumped to the loader had jumped there. */
static bool loader_is_done(const struct cc_thread *t, uint32_t function)
{
    const struct cc_function *top = cc_function_at(t->owner, cc_activation_function(t, t->depth - 1)),
                             *to = cc_function_at(t->owner, function);
    return t->depth > 1 && top->loader && top->binary != to->binary;
}

static void tail_call(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t sp)
{
    if (loader_is_done(t, function)) {
        const struct cc_activation loader = t->room.activations[t->depth - 1];
        cc_activation_pop(t, now);
        push(t, now, function, loader.ret, sp, loader.flags & CC_ACTIVATION_TAIL);
        return;
    }
    size_t base = tail_base(t, t->depth - 1);
    for (size_t i = t->depth; i-- > base;) { /* functions that jump to each other in a loop */
        if (cc_activation_function(t, i) != function)
            continue;
        while (t->depth > i + 1)
            cc_activation_pop(t, now);
        cc_loops_leave_activation(t, now);
        t->function = function;
        return;
    }
    push(t, now, function, t->room.activations[t->depth - 1].ret, sp, CC_ACTIVATION_TAIL);
}

/* The middle of a function that is not on top. */
static void land(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t sp)
{
    drop_dead(t, now, sp);
    size_t lowest = sp && t->base ? t->base : 1;
    for (size_t i = t->depth; i-- > lowest;) {
        if (cc_activation_function(t, i) != function)
            continue;
        cc_stack_leave(t, now, i);
        t->function = function;
        return;
    }
    uint32_t flag = stack_flag(t, sp);
    push(t, now, function, 0, sp, flag ? flag : t->depth > 1 ? CC_ACTIVATION_TAIL : 0);
}

/* The first instruction of a function, reached by a jump. */
static void jump(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t sp)
{
    uint32_t flag = stack_flag(t, sp);
    if (t->function != CC_OUTSIDE && !flag) {
        tail_call(t, now, function, sp);
    } else if (t->out_ret && !flag) { /* called through a stub, or a library jumped on to us */
        uint64_t ret = t->out_ret;
        t->function = t->depth > 1 ? cc_activation_function(t, t->depth - 1) : CC_OUTSIDE;
        push(t, now, function, ret, sp, CC_ACTIVATION_STUB);
    } else {
        push(t, now, function, 0, sp, flag);
    }
}

void cc_arrive(struct cc_thread *t, uint64_t raw, struct cc_place place, uint64_t address, uint64_t sp)
{
    uint64_t now = cc_now(t, raw);
    if (t->signal) {
        t->signal = false;
        if (place.entry) {
            push(t, now, place.function, 0, sp,
                 cc_stack_is_new(t, t->room.activations[t->depth - 1].sp, sp) ? CC_ACTIVATION_STACK : 0);
            return;
        }
    }
    if (t->function == CC_OUTSIDE && t->out_ret == address && t->depth > 1 &&
        (!sp || !t->out_sp || t->out_sp == sp) && cc_activation_function(t, t->depth - 1) == place.function)
        t->function = place.function;
    else if (place.entry)
        jump(t, now, place.function, sp);
    else {
        uint64_t out = t->function == CC_OUTSIDE ? t->out_ret : 0;
        size_t depth = t->depth;
        t->landing = true;
        if (!cc_stack_resume(t, now, &place, address, sp))
            land(t, now, place.function, sp);
        cc_loops_land(t, now, address);
        for (size_t i = t->depth; i < depth; i++) {
            cc_loops_thrown(t, cc_activation_function(t, i - 1), t->room.activations[i].ret);
            if (i + 1 == depth)
                cc_loops_thrown(t, cc_activation_function(t, i), out);
        }
        t->landing = false;
    }
}

/* The interrupted place is restored when the handler's activation goes, as after a callback from a library.
 */
void cc_signal(struct cc_thread *t)
{
    t->signal = true;
}

/* --- threads --- */

struct cc_thread *cc_thread_new(struct cc_collect *c, uint32_t tid, uint64_t start)
{
    cc_lock(c);
    struct cc_thread *t = cc_thread_place(c);
    size_t cap = c->threads.cap;
    c->threads.v = cc_extend(c, c->threads.v, &cap, c->threads.n + 1, sizeof *c->threads.v);
    c->threads.cap = (uint32_t)cap;
    t->owner = c;
    cc_thread_make_room(t);
    t->directory = c->shadow.directory;
    t->bytes = c->shadow.bytes;
    t->id = c->threads.n;
    t->tid = tid;
    t->start = start;
    t->frame = c->frames.present;
    t->off = c->off;
    t->rewrites = c->states.rewrites;
    c->threads.v[c->threads.n++] = t;
    uint32_t out = CC_SPECIAL_ID(CC_NODE_OUTPUT);
    struct cc_node n = {
        .kind = CC_NODE_OUTPUT, .context = CC_NONE, .source = CC_NONE, .group = {CC_NONE, out, out, out}};
    t->output_node = cc_node_new(c, &n);
    cc_unlock(c);
    t->room.activations =
        cc_extend(c, t->room.activations, &t->room.activations_cap, 1, sizeof *t->room.activations);
    t->room.activity = cc_extend(c, t->room.activity, &t->room.activity_cap, 1, sizeof *t->room.activity);
    t->context = context_new(t, CC_NONE, CC_OUTSIDE);
    t->room.activations[t->depth++] =
        (struct cc_activation){.context = t->context, .node = node_of(c, t->context)};
    cc_context_at(c, t->context)->calls = 1;
    cc_data_thread_init(t);
    cc_loops_thread_init(t);
    cc_locality_thread_init(t);
    if (c->depend)
        t->depend = cc_depend_thread_new(c->depend, 0);
    cc_sibling_thread_init(t);
    cc_node_enter(t, cc_node_of(t, t->context));
    return t;
}

void cc_thread_stack(struct cc_thread *t, uint64_t start, uint64_t size)
{
    if (t->depend)
        cc_depend_stack(t->depend, start, start + size);
    if (t->sibling && t->sibling->x)
        cc_depend_stack(t->sibling->x, start, start + size);
    if (t->owner->opt.plain)
        return;
    t->stack_start = start;
    t->stack_size = size;
    cc_data_stack(t, start, start + size);
}

void cc_thread_sync(struct cc_thread *t, uint64_t raw)
{
    uint64_t now = cc_now(t, raw);
    cc_scope_account(t, now);
    cc_clock(t, now);
    cc_context_switch(t, now, t->context);
}

void cc_thread_end(struct cc_thread *t, uint64_t raw)
{
    uint64_t now = cc_now(t, raw);
    while (t->depth > 1)
        cc_activation_pop(t, now);
    cc_loops_leave_activation(t, now);
    cc_context_switch(t, now, t->context);
    if (now - t->origin >= t->owner->calls.threshold)
        note_call(t, t->context, t->origin, now - t->origin);
    cc_scope_finish(t, now);
    cc_clock(t, now);
    cc_task_flush(t);
    cc_locality_flush(t);
    if (t->depend)
        cc_depend_thread_end(t->depend, now);
    t->depend = NULL;
    cc_sibling_thread_end(t, now);
    cc_thread_leave(t);
}
