#include "cfg.h"

enum { SEEN = 1, LEADER = 2, TWICE = 4, TOUCHES = 8, CALLS = 16 };

struct transfer { /* an instruction that ends a block */
    uint64_t address, next;
    uint64_t target, pad; /* 0: none */
    enum cc_flow_kind kind;
    bool falls; /* it may go on with the next instruction */
};

struct part {
    const struct cc_code_part *p;
    const uint8_t *code;
    uint8_t *state; /* of each byte */
};

struct walk {
    struct cc_code *c;
    struct cc_codegraph *g;
    struct part *parts;
    size_t nparts;
    CC_VEC(uint64_t) todo;
    CC_VEC(struct transfer) transfers;
    CC_VEC(uint64_t) aims; /* of indirect jumps */
    bool twice;            /* some call may return again */
    unsigned depth;        /* how many functions were asked for to get here */
};

static void walk_parts(struct walk *w, const struct cc_code_part *const *parts);

static struct part *part_of(const struct walk *w, uint64_t address)
{
    for (size_t i = 0; i < w->nparts; i++)
        if (address >= w->parts[i].p->from && address < w->parts[i].p->to)
            return &w->parts[i];
    return NULL;
}

static uint8_t *state_at(const struct walk *w, uint64_t address)
{
    const struct part *p = part_of(w, address);
    return p ? &p->state[address - p->p->from] : NULL;
}

static void go(struct walk *w, uint64_t address)
{
    uint8_t *s = state_at(w, address);
    if (!s)
        return;
    *s |= LEADER;
    if (!(*s & SEEN))
        CC_VEC_PUSH(&w->todo, address);
}

static void jump(struct walk *w, uint64_t target)
{
    if (state_at(w, target))
        go(w, target);
    else
        CC_VEC_PUSH(&w->g->leaves, target);
}

static void end_block(struct walk *w, const struct transfer *t)
{
    CC_VEC_PUSH(&w->transfers, *t);
    if (t->kind == CC_FLOW_JUMP || t->kind == CC_FLOW_BRANCH)
        jump(w, t->target);
    if (t->falls)
        go(w, t->next);
    if (t->pad)
        go(w, t->pad);
}

/* Whether no way through a function of the file leads to a return, such as through one that ends in longjmp
 * or exit. What stands behind a call of it is something else, often the rare part of some loop, which would
 * get a second entry and take in what comes after it. One that is asked for while it is looked at is taken to
 * return. */
static bool never_returns(const struct walk *w, uint64_t target)
{
    enum { MAX_DEPTH = 8 };
    const struct cc_code_part *part = cc_code_part_of(w->c, target);
    if (!part || part->from != target || w->depth >= MAX_DEPTH)
        return false;
    struct cc_code_part *p = &w->c->parts.v[part - w->c->parts.v];
    if (p->end == CC_END_UNKNOWN) {
        struct cc_codegraph g = {0};
        struct walk callee = {.c = w->c, .g = &g, .nparts = 1, .depth = w->depth + 1};
        p->end = CC_END_RETURNS;
        walk_parts(&callee, &part);
        p->end = g.returns ? CC_END_RETURNS : CC_END_NEVER;
        cc_codegraph_fini(&g);
    }
    return p->end == CC_END_NEVER;
}

static enum cc_callee callee_of(const struct walk *w, uint64_t target)
{
    enum cc_callee callee = cc_code_callee(w->c, target);
    return callee == CC_CALLEE_PLAIN && never_returns(w, target) ? CC_CALLEE_NEVER_RETURNS : callee;
}

/* A call ends a block only where more can happen than that it returns. */
static bool ends_block(struct walk *w, const struct cc_flow *f, struct transfer *t)
{
    bool call = f->kind == CC_FLOW_CALL || f->kind == CC_FLOW_CALL_INDIRECT;
    t->falls = f->kind == CC_FLOW_BRANCH || f->conditional;
    if (!call)
        return f->kind != CC_FLOW_NEXT;
    enum cc_callee callee = f->kind == CC_FLOW_CALL ? callee_of(w, f->target) : CC_CALLEE_PLAIN;
    t->pad = cc_code_landing(w->c, t->address);
    t->falls = callee != CC_CALLEE_NEVER_RETURNS;
    if (callee == CC_CALLEE_RETURNS_TWICE) {
        uint8_t *s = state_at(w, t->next);
        if (s) {
            *s |= TWICE;
            w->twice = true;
        }
    }
    return t->pad || callee != CC_CALLEE_PLAIN;
}

/* From a block's first instruction to its last. */
static void follow(struct walk *w, uint64_t address)
{
    const struct part *p = part_of(w, address);
    while (p && address < p->p->to) {
        uint64_t at = address - p->p->from;
        if (p->state[at] & SEEN) {
            p->state[at] |= LEADER;
            return;
        }
        p->state[at] |= SEEN;
        struct cc_flow f =
            cc_flow_at(&w->c->decoder, p->p->thumb, p->code + at, (size_t)(p->p->to - address), address);
        struct transfer t = {
            .address = address, .next = address + f.size, .target = f.target, .kind = f.kind};
        w->g->indirect |= f.kind == CC_FLOW_INDIRECT;
        w->g->returns |= f.kind == CC_FLOW_INDIRECT || f.kind == CC_FLOW_RETURN;
        if (f.kind == CC_FLOW_CALL || f.kind == CC_FLOW_CALL_INDIRECT)
            p->state[at] |= TOUCHES | CALLS;
        if (f.memory)
            p->state[at] |= TOUCHES;
        if (ends_block(w, &f, &t)) {
            end_block(w, &t);
            return;
        }
        address += f.size;
    }
    w->g->returns = true; /* runs on into other code, or what is there is not known */
}

static void follow_all(struct walk *w)
{
    while (w->todo.n) {
        uint64_t address = w->todo.v[--w->todo.n];
        if (!(*state_at(w, address) & SEEN))
            follow(w, address);
    }
}

/* Code that nothing reaches from `at` on, behind padding; 0: there is none before code that is known. */
static uint64_t unreached(struct walk *w, const struct part *p, uint64_t at)
{
    uint64_t size = p->p->to - p->p->from;
    while (at < size && !(p->state[at] & SEEN)) {
        struct cc_flow f =
            cc_flow_at(&w->c->decoder, p->p->thumb, p->code + at, (size_t)(size - at), p->p->from + at);
        if (!f.nop)
            return f.kind == CC_FLOW_STOP ? 0 : p->p->from + at;
        at += f.size;
    }
    return 0;
}

/* What jumps everywhere from many places: too tangled to look at. */
static bool is_tangled(const struct walk *w)
{
    enum { MAX_EDGES = 1 << 20 };
    size_t n = 0;
    for (size_t k = 0; k < w->transfers.n; k++)
        n += w->transfers.v[k].kind == CC_FLOW_INDIRECT;
    return n * w->aims.n > MAX_EDGES;
}

/* A jump to where a table or a variable says goes to all code of the function that nothing else reaches. */
static void aim_indirect(struct walk *w)
{
    for (size_t i = 0; i < w->nparts; i++) {
        const struct part *p = &w->parts[i];
        uint64_t size = p->p->to - p->p->from;
        for (size_t k = 0; k < w->transfers.n; k++) { /* grows */
            uint64_t next = w->transfers.v[k].next;
            if (next < p->p->from || next - p->p->from >= size)
                continue;
            uint64_t aim = unreached(w, p, next - p->p->from);
            if (!aim)
                continue;
            CC_VEC_PUSH(&w->aims, aim);
            go(w, aim);
            follow_all(w);
        }
    }
}

/* --- blocks and edges --- */

static int by_address(const void *a, const void *b)
{
    const struct transfer *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static int parts_in_order(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return (x->p->from > y->p->from) - (x->p->from < y->p->from);
}

uint32_t cc_codegraph_block_at(const struct cc_codegraph *g, uint64_t address)
{
    size_t lo;
    CC_FIRST(lo, g->blocks.n, g->blocks.v[lo].from >= address);
    return lo < g->blocks.n && g->blocks.v[lo].from == address ? (uint32_t)lo : UINT32_MAX;
}

static bool is_leader(const struct part *p, uint64_t at)
{
    return (p->state[at] & (LEADER | SEEN)) == (LEADER | SEEN);
}

/* The block that a leader begins runs to the next, or to the end of the first transfer behind it (number k).
 * Returns where it ends in the part. */
static uint64_t cut_block(struct walk *w, const struct part *p, uint64_t at, size_t k)
{
    const struct transfer *t = k < w->transfers.n ? &w->transfers.v[k] : NULL;
    uint64_t size = p->p->to - p->p->from, base = p->p->from, next = at + 1;
    while (next < size && !is_leader(p, next) && (!t || base + next <= t->address))
        next++;
    bool ends = t && t->address < base + next && t->address < p->p->to;
    struct cc_codegraph_block b = {.from = base + at,
                                   .to = ends ? t->next : base + next,
                                   .last = ends ? t->address : base + at,
                                   .count = ends,
                                   .first = (uint32_t)k,
                                   .twice = (p->state[at] & TWICE) != 0};
    for (uint64_t i = at; i < next; i++) {
        b.instructions += (p->state[i] & SEEN) != 0;
        b.touches |= (p->state[i] & TOUCHES) != 0;
        b.calls |= (p->state[i] & CALLS) != 0;
    }
    CC_VEC_PUSH(&w->g->blocks, b);
    return next;
}

static void cut_blocks(struct walk *w)
{
    size_t k = 0;
    for (size_t i = 0; i < w->nparts; i++) {
        const struct part *p = &w->parts[i];
        uint64_t size = p->p->to - p->p->from;
        for (uint64_t at = 0; at < size;) {
            while (k < w->transfers.n && w->transfers.v[k].address < p->p->from + at)
                k++;
            at = is_leader(p, at) ? cut_block(w, p, at, k) : at + 1;
        }
    }
}

static void add_edge(struct cc_codegraph *g, struct cc_codegraph_block *b, uint64_t to)
{
    uint32_t target = cc_codegraph_block_at(g, to);
    for (uint32_t i = 0; i < b->count; i++)
        if (g->edges.v[b->first + i] == target)
            return;
    if (target == UINT32_MAX)
        return;
    CC_VEC_PUSH(&g->edges, target);
    b->count++;
}

static void follow_transfer(struct walk *w, struct cc_codegraph_block *b, const struct transfer *t)
{
    struct cc_codegraph *g = w->g;
    b->branches = t->kind == CC_FLOW_BRANCH;
    if (t->kind == CC_FLOW_JUMP || t->kind == CC_FLOW_BRANCH)
        add_edge(g, b, t->target);
    if (t->falls)
        add_edge(g, b, t->next);
    if (t->pad)
        add_edge(g, b, t->pad);
    for (size_t k = 0; t->kind == CC_FLOW_INDIRECT && k < w->aims.n; k++)
        add_edge(g, b, w->aims.v[k]);
}

/* Until now `first` and `count` of a block have told its transfer. */
static void join_blocks(struct walk *w)
{
    struct cc_codegraph *g = w->g;
    for (size_t i = 0; i < g->blocks.n; i++) {
        struct cc_codegraph_block *b = &g->blocks.v[i];
        const struct transfer *t = b->count ? &w->transfers.v[b->first] : NULL;
        b->first = (uint32_t)g->edges.n;
        b->count = 0;
        if (t)
            follow_transfer(w, b, t);
        else
            add_edge(g, b, b->to);
        bool called = !t || t->kind == CC_FLOW_CALL || t->kind == CC_FLOW_CALL_INDIRECT;
        b->back_to_setjmp = w->twice && called && !b->count;
    }
}

static bool all_go_back(const struct cc_codegraph *g, const struct cc_codegraph_block *b)
{
    uint32_t n = 0;
    while (n < b->count && g->blocks.v[g->edges.v[b->first + n]].back_to_setjmp)
        n++;
    return b->count && n == b->count;
}

/* What only leads to such calls is like them. */
static void spread_back_to_setjmp(struct cc_codegraph *g)
{
    enum { PASSES = 8 };
    bool more = true;
    for (int pass = 0; more && pass < PASSES; pass++) {
        more = false;
        for (size_t i = g->blocks.n; i-- > 0;) {
            struct cc_codegraph_block *b = &g->blocks.v[i];
            if (b->back_to_setjmp || !all_go_back(g, b))
                continue;
            b->back_to_setjmp = more = true;
        }
    }
}

static void follow_entry(struct walk *w, uint64_t entry)
{
    go(w, entry);
    follow_all(w);
    for (size_t i = 0; i < w->g->leaves.n && !w->g->returns; i++)
        w->g->returns = callee_of(w, w->g->leaves.v[i]) != CC_CALLEE_NEVER_RETURNS;
}

static void make_graph(struct walk *w, uint64_t entry)
{
    follow_entry(w, entry);
    if (w->g->indirect)
        aim_indirect(w);
    if (is_tangled(w))
        return;
    if (w->transfers.n)
        qsort(w->transfers.v, w->transfers.n, sizeof *w->transfers.v, by_address);
    qsort(w->parts, w->nparts, sizeof *w->parts, parts_in_order);
    cut_blocks(w);
    join_blocks(w);
    if (w->twice)
        spread_back_to_setjmp(w->g);
    w->g->entry = cc_codegraph_block_at(w->g, entry);
}

static void walk_parts(struct walk *w, const struct cc_code_part *const *parts)
{
    w->parts = cc_alloc_array(w->nparts, sizeof *w->parts);
    for (size_t i = 0; i < w->nparts; i++) {
        size_t left;
        w->parts[i] = (struct part){.p = parts[i],
                                    .code = cc_code_at(w->c, parts[i]->from, &left),
                                    .state = cc_alloc(parts[i]->to - parts[i]->from)};
    }
    if (w->nparts)
        make_graph(w, parts[0]->from);
    for (size_t i = 0; i < w->nparts; i++)
        free(w->parts[i].state);
    free(w->parts);
    CC_VEC_FINI(&w->todo);
    CC_VEC_FINI(&w->transfers);
    CC_VEC_FINI(&w->aims);
}

void cc_codegraph_init(struct cc_codegraph *g, struct cc_code *c, const struct cc_code_part *const *parts,
                       size_t n)
{
    struct walk w = {.c = c, .g = g, .nparts = n};
    *g = (struct cc_codegraph){0};
    walk_parts(&w, parts);
}

void cc_codegraph_fini(struct cc_codegraph *g)
{
    CC_VEC_FINI(&g->blocks);
    CC_VEC_FINI(&g->edges);
    CC_VEC_FINI(&g->leaves);
}
