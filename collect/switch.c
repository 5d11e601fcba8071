/* Stacks: coroutines, signal handlers on stacks of their own, longjmp between stacks.
 *
 * The activations of a thread are a pile of stacks: one that is switched to for the first time, or again, is
 * laid on the one that switched, and runs on its behalf. When control goes back to a lower stack, those above
 * are parked, and their inclusive time stops, until control comes to where one of them waits. What tells
 * stacks apart is the stack pointer: an activation returns to one address with one stack pointer, and no two
 * that live share both. Where the engine knows no stack pointer it is the address alone; of several that wait
 * at one place the one that has waited longest goes on.
 *
 * A stack that is never switched to again (an abandoned generator) stays parked until another parks with its
 * stack pointer, or it is the turn of its place in the bounded table. */
#include "internal.h"

enum {
    BUCKETS = 1 << 14,
    MAX_CHAINS = 1 << 18,
    SIZES = 48,  /* of memory for chains: 4 << n activations */
    NEAR = 64,   /* activations that are looked at first */
    FAR = 1024,  /* and at most */
    WITHIN = 32, /* of a parked chain */
    PAGE = 12,
};

struct chain { /* the activations of a stack that does not run, lowest first */
    struct cc_activation *v;
    uint32_t n, size;
    uint32_t next; /* of the same bucket, in a ring: of the last one it is the first; or of the free ones */
    uint32_t function;        /* t->function, */
    uint64_t out_ret, out_sp; /* t->out_ret and t->out_sp when it was parked */
    uint64_t ret, sp;         /* where it goes on; sp 0: unknown */
};

struct cc_parking {
    struct chain *chains; /* the first is none */
    size_t n, cap;
    uint32_t free, hand; /* hand: whose turn it is to be forgotten */
    uint32_t guess;      /* the chain that was taken up last, without a stack pointer to be sure; 0: none */
    size_t guess_base;   /* where it lies on the pile */
    uint32_t last[BUCKETS]; /* of each ring; 0: it is empty */
    struct cc_activation *spare[SIZES];
};

/* What is looked for. */
struct spot {
    const struct cc_place *place; /* NULL: of a return instruction */
    uint64_t address, sp;
};

/* --- the table of parked stacks --- */

static uint32_t bucket_of(uint64_t ret, uint64_t sp)
{
    return (uint32_t)cc_mix(sp ? sp >> PAGE : ret) & (BUCKETS - 1);
}

static uint32_t function_in(const struct cc_thread *t, const struct cc_activation *a)
{
    return cc_context_at(t->owner, a->context)->function;
}

static void unlink_chain(struct cc_parking *p, uint32_t at)
{
    const struct chain *c = &p->chains[at];
    uint32_t *last = &p->last[bucket_of(c->ret, c->sp)], before = *last;
    while (p->chains[before].next != at)
        before = p->chains[before].next;
    p->chains[before].next = c->next;
    if (*last == at)
        *last = before == at ? 0 : before;
}

static void link_chain(struct cc_parking *p, uint32_t at)
{
    struct chain *c = &p->chains[at];
    uint32_t *last = &p->last[bucket_of(c->ret, c->sp)];
    c->next = *last ? p->chains[*last].next : at;
    if (*last)
        p->chains[*last].next = at;
    *last = at;
}

/* A chain that is in no ring: its memory can be used again. */
static void free_chain(struct cc_parking *p, uint32_t at)
{
    struct chain *c = &p->chains[at];
    *(struct cc_activation **)c->v = p->spare[c->size];
    p->spare[c->size] = c->v;
    *c = (struct chain){.next = p->free};
    p->free = at;
}

static void forget_chain(struct cc_parking *p, uint32_t at)
{
    unlink_chain(p, at);
    free_chain(p, at);
}

static uint32_t chain_new(struct cc_thread *t, size_t n)
{
    struct cc_parking *p = t->parking;
    if (!p) {
        p = t->parking = t->owner->host.map(t->owner->host.self, sizeof *p);
        p->n = 1;
    }
    if (!p->free && p->n >= MAX_CHAINS) {
        do
            p->hand = p->hand + 1 < MAX_CHAINS ? p->hand + 1 : 1;
        while (p->hand == p->guess);
        forget_chain(p, p->hand);
    }
    uint32_t at = p->free ? p->free : (uint32_t)p->n++, size = 0;
    p->chains = cc_extend(t->owner, p->chains, &p->cap, p->n, sizeof *p->chains);
    p->free = at == p->free ? p->chains[at].next : p->free;
    while ((size_t)4 << size < n)
        size++;
    struct chain *c = &p->chains[at];
    *c = (struct chain){.v = p->spare[size], .n = (uint32_t)n, .size = size};
    if (c->v)
        p->spare[size] = *(struct cc_activation **)c->v;
    else
        c->v = cc_thread_pool(t, ((size_t)4 << size) * sizeof *c->v);
    return at;
}

/* --- parking --- */

void cc_stack_forget_parked(struct cc_thread *t)
{
    struct cc_parking *p = t->parking;
    t->parking = NULL;
    if (!p)
        return;
    cc_give_back(t->owner, p->chains, p->cap * sizeof *p->chains);
    cc_give_back(t->owner, p, sizeof *p);
}

/* One that is parked at this very place has been abandoned: its memory is another's now. */
static void forget_same(struct cc_parking *p, uint32_t at)
{
    const struct chain *c = &p->chains[at];
    for (uint32_t k = c->next; c->sp && k != at; k = p->chains[k].next) {
        if (p->chains[k].sp != c->sp)
            continue;
        forget_chain(p, k);
        return;
    }
}

static void drop_guess(struct cc_parking *p)
{
    if (p->guess)
        free_chain(p, p->guess);
    p->guess = 0;
}

/* The stack on top of the pile, which is not the thread's own. */
static void park_top(struct cc_thread *t, uint64_t now)
{
    size_t base = t->base, top = t->depth - 1;
    if (t->parking && t->parking->guess_base == base)
        drop_guess(t->parking);
    uint32_t at = chain_new(t, t->depth - base);
    struct chain *c = &t->parking->chains[at];
    __builtin_memcpy(c->v, t->room.activations + base, c->n * sizeof *c->v);
    while (top > base && t->room.activations[top].flags & CC_ACTIVATION_TAIL)
        top--;
    bool outside = t->function == CC_OUTSIDE;
    c->function = t->function;
    c->out_ret = t->out_ret;
    c->out_sp = t->out_sp;
    c->ret = outside ? t->out_ret : t->room.activations[top].ret;
    c->sp = outside ? t->out_sp : t->room.activations[top].sp;
    link_chain(t->parking, at);
    forget_same(t->parking, at);
    bool landing = t->landing;
    t->landing = false; /* it waits: nothing was thrown out of it */
    while (t->depth > base)
        cc_activation_pop(t, now);
    t->landing = landing;
}

static void take_up(struct cc_thread *t, uint64_t now, uint32_t at)
{
    struct cc_parking *p = t->parking;
    const struct chain c = t->parking->chains[at];
    struct cc_activation *base = c.v;
    base->flags &= ~(uint32_t)CC_ACTIVATION_OUTSIDE;
    base->flags |= CC_ACTIVATION_STACK | (t->function == CC_OUTSIDE ? CC_ACTIVATION_OUTSIDE : 0);
    base->out_ret = t->out_ret;
    base->out_sp = t->out_sp;
    size_t where = t->depth;
    for (uint32_t i = 0; i < c.n; i++)
        cc_activation_restore(t, now, &c.v[i]);
    t->function = c.function;
    t->out_ret = c.out_ret;
    t->out_sp = c.out_sp;
    unlink_chain(p, at);
    drop_guess(p);
    if (c.sp) {
        free_chain(p, at);
    } else {
        p->guess = at;
        p->guess_base = where;
    }
}

void cc_stack_leave(struct cc_thread *t, uint64_t now, size_t top)
{
    while (t->base > top)
        park_top(t, now);
    while (t->depth > top + 1)
        cc_activation_pop(t, now);
}

void cc_stack_park(struct cc_thread *t, uint64_t now, size_t from)
{
    while (t->base > from)
        park_top(t, now);
    if (t->base < from) {
        struct cc_activation *a = &t->room.activations[from];
        if (a->flags & CC_ACTIVATION_TAIL)
            a->ret = UINT64_MAX; /* that of the one below it is not its own */
        a->flags = (a->flags & ~(uint32_t)CC_ACTIVATION_TAIL) | CC_ACTIVATION_STACK;
        a->base = (uint32_t)t->base;
        t->base = from;
    }
    park_top(t, now);
}

/* --- where control went --- */

bool cc_stack_is_new(const struct cc_thread *t, uint64_t from, uint64_t sp)
{
    enum { BACK = 128 }; /* stubs push what the loader takes away */
    return from && sp && from + BACK - sp > CC_STACK_NEAR + BACK &&
           !(cc_on_stack(t, from) && cc_on_stack(t, sp));
}

/* How an activation, called from `below`, has to do with the spot. */
enum how { NOT_AT_ALL, RETURNS, CALLER_WAITS };
static enum how how_at(const struct spot *s, const struct cc_activation *a, uint32_t below)
{
    if (a->flags & CC_ACTIVATION_TAIL)
        return NOT_AT_ALL;
    if (a->ret == s->address && a->sp == s->sp)
        return RETURNS;
    if (!s->place || s->place->function != below)
        return NOT_AT_ALL;
    return (a->flags & CC_ACTIVATION_OUTSIDE ? a->out_sp : a->sp) == s->sp ? CALLER_WAITS : NOT_AT_ALL;
}

static void go_to(struct cc_thread *t, uint64_t now, const struct spot *s, size_t at, enum how how)
{
    if (how == RETURNS) {
        cc_stack_leave(t, now, at);
        cc_activation_pop(t, now);
        return;
    }
    cc_stack_leave(t, now, at - 1);
    t->function = s->place->function;
}

static bool resume_on_pile(struct cc_thread *t, uint64_t now, const struct spot *s, size_t from, size_t most)
{
    for (size_t i = from, n = 0; i >= 1 && n < most; i--, n++) {
        enum how how = how_at(s, &t->room.activations[i], cc_activation_function(t, i - 1));
        if (how == NOT_AT_ALL)
            continue;
        go_to(t, now, s, i, how);
        return true;
    }
    return false;
}

/* Whether the chain goes on at the spot; *ret_at: the activation that has to do with it, the number of all if
 * it is the top that waits for code outside. */
static enum how chain_at(const struct cc_thread *t, const struct chain *c, const struct spot *s,
                         uint32_t *ret_at)
{
    *ret_at = c->n;
    if (s->place && c->function == CC_OUTSIDE && c->out_sp == s->sp && (s->sp || c->out_ret == s->address) &&
        function_in(t, &c->v[c->n - 1]) == s->place->function)
        return CALLER_WAITS;
    if (!s->sp) {
        for (*ret_at = c->n - 1; *ret_at && c->v[*ret_at].flags & CC_ACTIVATION_TAIL;)
            --*ret_at;
        if (c->function == CC_OUTSIDE || c->ret != s->address)
            return NOT_AT_ALL;
        /* it jumped to code outside, which returns for it */
        bool below = s->place && *ret_at && function_in(t, &c->v[*ret_at - 1]) == s->place->function;
        return !s->place || below ? RETURNS : NOT_AT_ALL;
    }
    for (uint32_t i = c->n, n = 0; i-- > 0 && n < WITHIN; n++) {
        uint32_t below = i ? function_in(t, &c->v[i - 1]) : CC_OUTSIDE;
        enum how how = i ? how_at(s, &c->v[i], below) : NOT_AT_ALL;
        *ret_at = i;
        if (how != NOT_AT_ALL)
            return how;
    }
    return NOT_AT_ALL;
}

static bool resume_from(struct cc_thread *t, uint64_t now, const struct spot *s, uint32_t bucket)
{
    const struct cc_parking *p = t->parking;
    uint32_t last = p->last[bucket], at = last;
    do {
        uint32_t i;
        at = last ? p->chains[at].next : 0;
        enum how how = at ? chain_at(t, &p->chains[at], s, &i) : NOT_AT_ALL;
        if (how == NOT_AT_ALL)
            continue;
        size_t base = t->depth;
        take_up(t, now, at);
        go_to(t, now, s, base + i, how);
        return true;
    } while (at != last);
    return false;
}

static bool resume_parked(struct cc_thread *t, uint64_t now, const struct spot *s)
{
    if (!t->parking)
        return false;
    if (!s->sp)
        return resume_from(t, now, s, bucket_of(s->address, 0));
    uint32_t here = bucket_of(0, s->sp), below = bucket_of(0, s->sp - (1 << PAGE));
    return resume_from(t, now, s, here) || (below != here && resume_from(t, now, s, below));
}

/* Whether the last k activations of both return to the same places, and that of `a` before them to the
 * target. */
static bool fits(const struct chain *a, const struct chain *b, uint32_t k, uint64_t target)
{
    if (a->n <= k || (a->function == CC_OUTSIDE) != (b->function == CC_OUTSIDE) || a->ret != b->ret)
        return false;
    for (uint32_t i = 1; i <= k; i++)
        if (a->v[a->n - i].ret != b->v[b->n - i].ret)
            return false;
    return a->v[a->n - 1 - k].ret == target;
}

/* The stack that was taken up returned from k activations as it should, but not from the next. */
bool cc_stack_second_guess(struct cc_thread *t, uint64_t now, uint64_t target)
{
    struct cc_parking *p = t->parking;
    if (!p || !p->guess || t->base != p->guess_base)
        return false;
    const struct chain *taken = &p->chains[p->guess];
    size_t left = t->depth - t->base, base = t->base;
    if (!left || left > taken->n || t->room.activations[t->depth - 1].ret != taken->v[left - 1].ret)
        return false;
    uint32_t k = taken->n - (uint32_t)left, last = p->last[bucket_of(taken->ret, 0)], at = last;
    while (last && !fits(&p->chains[at], taken, k, target)) {
        at = p->chains[at].next;
        if (at == last)
            return false;
    }
    if (!last)
        return false;
    uint32_t wrong = p->guess, i = p->chains[at].n - 1 - k;
    p->guess = 0;
    link_chain(p, wrong);
    while (t->depth > base)
        cc_activation_pop(t, now);
    take_up(t, now, at);
    go_to(t, now, &(struct spot){0}, base + i, RETURNS);
    return true;
}

/* Whether the caller of activation i waits at the spot for code outside, which called or jumped on to i. Who
 * was jumped to returns there as well: that may be by a jump to code outside, unless others run above it. */
static bool waits_below(const struct cc_thread *t, size_t i, const struct spot *s)
{
    const struct cc_activation *a = &t->room.activations[i];
    if (a->flags & CC_ACTIVATION_OUTSIDE)
        return a->out_ret == s->address;
    size_t top = t->depth - 1;
    while (top > i && t->room.activations[top].flags & CC_ACTIVATION_TAIL)
        top--;
    return (t->function == CC_OUTSIDE || top > i) && !(a->flags & CC_ACTIVATION_TAIL) && a->ret == s->address;
}

/* sp is not known: one that waits for code outside which went on to another stack. */
static bool resume_waiting(struct cc_thread *t, uint64_t now, const struct spot *s)
{
    for (size_t i = t->depth - 1, n = 0; s->place && i >= 2 && n < FAR; i--, n++) {
        if (!waits_below(t, i, s) || cc_activation_function(t, i - 1) != s->place->function)
            continue;
        cc_stack_park(t, now, i);
        t->function = s->place->function;
        return true;
    }
    return false;
}

bool cc_stack_resume(struct cc_thread *t, uint64_t now, const struct cc_place *place, uint64_t address,
                     uint64_t sp)
{
    struct spot s = {place, address, sp};
    if (!sp)
        return resume_waiting(t, now, &s) || resume_parked(t, now, &s);
    if (place && t->function == CC_OUTSIDE && t->out_sp == sp && t->depth > 1 &&
        cc_activation_function(t, t->depth - 1) == place->function) {
        t->function = place->function;
        return true;
    }
    size_t top = t->depth - 1;
    return resume_on_pile(t, now, &s, top, NEAR) || resume_parked(t, now, &s) ||
           (top > NEAR && resume_on_pile(t, now, &s, top - NEAR, FAR));
}

/* The lowest activation's stack pointer is the highest of its stack; what the thread's own reaches to is
 * known. */
static bool holds(const struct cc_thread *t, size_t base, size_t end, uint64_t sp)
{
    if (!base)
        return cc_on_stack(t, sp) ||
               (end > 1 && t->room.activations[end - 1].sp - CC_STACK_NEAR <= sp && !t->stack_size);
    return sp <= t->room.activations[base].sp &&
           (end == t->depth || t->room.activations[end - 1].sp - CC_STACK_NEAR <= sp);
}

void cc_stack_find(struct cc_thread *t, uint64_t now, uint64_t sp)
{
    size_t base = t->base, end = t->depth;
    while (base && !holds(t, base, end, sp)) {
        end = base;
        base = t->room.activations[base].base;
    }
    if (end < t->depth && holds(t, base, end, sp))
        cc_stack_leave(t, now, end - 1);
}
