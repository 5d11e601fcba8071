/* Where control came from: a shadow call stack for each thread, and every path of call sites as a number. A
 * call pushes, a return pops to the frame it returns to; a return nobody waits for (longjmp, a switch of
 * stacks) leaves the stack as it is. A call site that is already on the path stands for its recursion. */
#include "deeds.h"

#include <stdlib.h>

enum { SLOTS = 4 * CC_SIM_CONTEXTS, MAX_FRAMES = 1 << 16, FIRST_FRAMES = 64, LOOK_UP = 256 };

static struct slot {
    uint64_t site;
    uint32_t parent, id;
} * slots; /* (parent, site) -> context; the caller holds the token */

enum { STUBS = 1024 };
static struct stub {
    uint64_t stub, entry;
} stubs[STUBS]; /* where a stub went last */

static uint32_t add(uint32_t parent, uint64_t site, uint64_t entry)
{
    struct cc_sim_shared *s = world.shared;
    if (s->contexts + 1 >= CC_SIM_CONTEXTS)
        return parent;
    uint32_t id = ++s->contexts;
    s->context[id] = (struct cc_trace_context){parent, site, entry};
    return id;
}

uint32_t context_new_thread(unsigned number)
{
    return add(0, number, 0);
}

/* The site's own context if it is on the path already. */
static uint32_t on_path(uint32_t from, uint64_t site)
{
    const struct cc_trace_context *v = world.shared->context;
    for (unsigned i = 0; i < LOOK_UP && from && v[from].parent; i++, from = v[from].parent)
        if (v[from].site == site)
            return from;
    return 0;
}

static uint32_t context_of(uint32_t parent, uint64_t site, uint64_t entry)
{
    if (!parent || (!slots && !(slots = calloc(SLOTS, sizeof *slots))))
        return parent;
    uint64_t h = (site ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15u >> 20;
    for (unsigned i = 0; i < LOOK_UP; i++) {
        struct slot *x = &slots[(h + i) % SLOTS];
        if (!x->id) {
            uint32_t again = on_path(parent, site);
            *x = (struct slot){site, parent, again ? again : add(parent, site, entry)};
        }
        if (x->site == site && x->parent == parent)
            return x->id;
    }
    return parent;
}

static void call(struct thread *t, uint64_t site, uint64_t back, uint64_t entry)
{
    if (t->nframes == t->cap_frames) {
        unsigned cap = t->cap_frames ? 2 * t->cap_frames : FIRST_FRAMES;
        struct frame *v = cap <= MAX_FRAMES ? realloc(t->frames, cap * sizeof *v) : NULL;
        if (!v)
            return;
        t->frames = v;
        t->cap_frames = cap;
    }
    t->frames[t->nframes++] = (struct frame){back, t->context, t->in_program};
    t->in_program |= guest_is_program(site);
    t->context = context_of(t->context, site, entry);
}

/* The first time a stub leads to the loader, later to what was meant. */
static void through(struct thread *t, uint64_t stub, uint64_t entry)
{
    struct cc_sim_shared *s = world.shared;
    struct stub *x = &stubs[stub / 4 % STUBS];
    if (s->context[t->context].entry == stub ||
        (x->stub == stub && s->context[t->context].entry == x->entry)) {
        *x = (struct stub){stub, entry};
        s->context[t->context].entry = entry;
    }
}

static void back_to(struct thread *t, uint64_t to)
{
    for (unsigned i = t->nframes; i-- > 0;)
        if (t->frames[i].back == to) {
            t->context = t->frames[i].context;
            t->in_program = t->frames[i].in_program;
            t->nframes = i;
            return;
        }
}

static void follow(struct thread *t, const struct block *from, const struct block *to)
{
    if (from->flow == CC_FLOW_RETURN)
        back_to(t, to->pc);
    else if (from->flow == CC_FLOW_CALL && to->pc != from->last + 1)
        call(t, from->site, from->last + 1, to->pc);
    else if (from->program && !to->program)
        through(t, from->pc, to->pc);
}

void context_enter(struct thread *t, const struct block *b)
{
    const struct block *from = t->block;
    t->block = b;
    t->pc = b->pc;
    t->context_here = 0;
    if (b->program)
        t->program_pc = b->pc;
    if (from)
        follow(t, from, b);
    else
        account_tell_begin(t);
    world.shared->own_cycles[t->context] += b->cycles;
}

uint32_t context_in_library(const struct thread *t)
{
    if (!t->program_pc || guest_is_program(t->pc))
        return t->context;
    const struct cc_trace_context *c = &world.shared->context[t->context];
    return context_of(context_of(t->root, t->program_pc, 0), c->site, c->entry);
}
