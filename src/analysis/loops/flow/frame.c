/* Whether what a loop leaves in a place of its function's frame is looked at when it is over. A compiler that
 * has no register left puts one aside in the frame, in each iteration, and what lies there when the loop is
 * over is nobody's. All code that control can come to from there is gone through, with the stack pointer,
 * until the function returns or the place is written. Loads by other addresses do not lead there as long as
 * no code of the function hands on an address that is reckoned from the stack pointer; where it does, the
 * place has to be written, or the function to return, before anything loads by such an address or is called,
 * unless it is no variable's: such addresses lead to variables.
 * As everywhere, code that never ran reads nothing. */
#include "body.h"

enum { MAX_STEPS = 20000, MAX_DEPTH = 8 }; /* steps: pieces gone through, for a loop */

/* What a value of a piece is, as far as it matters here. */
struct place {
    enum { OTHER, NUMBER, STACK } kind;
    int64_t at; /* the number; from the stack pointer as the iteration found it */
};

struct todo {
    uint64_t address;
    int64_t sp;
};

struct walk {
    struct cc_flow_body *b;
    int64_t low, high; /* the place that is asked about */
    struct cc_map seen;
    unsigned depth;
    bool shared; /* any address but a number may lead there */
    bool aside;  /* it is no variable's */
    bool looked; /* it is read, or might be */
};

/* A function that is gone through. */
struct visit {
    struct walk *w;
    int64_t entry; /* of one that is called: the stack pointer when it begins */
    CC_VEC(struct todo) todo;
};

static bool is_general(const struct cc_flow_abi *abi, uint64_t at)
{
    uint64_t between = abi->arm ? CC_GUEST_ARM64_SP + 8 : CC_GUEST_AMD64_RAX + 16 * 8;
    uint64_t vectors = abi->arm ? CC_GUEST_ARM64_Q0 : CC_GUEST_AMD64_YMM0;
    return at < between || at >= vectors; /* between lie the flags and where it runs */
}

/* What a record computes. ret_leak: an address of the stack, that becomes something else. */
static struct place computed(const struct cc_flow_abi *abi, const struct cc_rec_loop_code *r,
                             const struct place *of, int64_t sp, struct place *ret_leak)
{
    const struct place *a = &of[r->a], *b = &of[r->b];
    bool sum =
        r->kind == CC_CODE_OP && !r->lane && r->bits == 64 && (r->op == CC_CODE_ADD || r->op == CC_CODE_SUB);
    if (r->kind == CC_CODE_CONST && r->bits == 64)
        return (struct place){NUMBER, (int64_t)r->value};
    if (r->kind == CC_CODE_GET && r->value == abi->sp && r->bits == 64)
        return (struct place){STACK, sp};
    if (r->kind == CC_CODE_PART && r->value == 0 && r->bits == 64)
        return *a;
    uint64_t by = r->op == CC_CODE_SUB ? 0 - (uint64_t)b->at : (uint64_t)b->at;
    bool stack = (a->kind == STACK && b->kind == NUMBER) ||
                 (r->op == CC_CODE_ADD && a->kind == NUMBER && b->kind == STACK);
    if (sum && stack)
        return (struct place){STACK, (int64_t)((uint64_t)a->at + by)};
    if (r->kind == CC_CODE_OP && r->op == CC_CODE_AND && b->kind == NUMBER && (uint64_t)b->at < 4096)
        return (struct place){OTHER, 0}; /* whether it is aligned */
    const struct place *from = r->kind == CC_CODE_LOAD ? &of[0]
                               : a->kind == STACK      ? a
                               : b->kind == STACK      ? b
                                                       : &of[r->c];
    if (from->kind == STACK)
        *ret_leak = *from;
    return (struct place){OTHER, 0};
}

/* What a statement hands on of an address of the stack. */
static struct place leak_of(const struct cc_flow_abi *abi, const struct cc_rec_loop_code *r,
                            const struct place *of)
{
    struct place none = {OTHER, 0};
    switch (r->kind) {
    case CC_CODE_PUT:
        return r->value != abi->sp && is_general(abi, r->value) ? of[r->a] : none;
    case CC_CODE_STORE:
        return of[r->b];
    case CC_CODE_EFFECT:
        return of[r->a].kind == STACK ? of[r->a] : of[r->b].kind == STACK ? of[r->b] : of[r->c];
    case CC_CODE_NEXT:
        return of[r->a];
    default:
        return none;
    }
}

static bool overlaps(const struct walk *w, int64_t at, uint32_t bytes)
{
    return at < w->high && w->low < at + (int64_t)bytes;
}

/* Code that is not here: it never ran, or is a library's that a jump at the end of a function leads to, which
 * has a frame of its own. */
static void go(struct visit *v, uint64_t address, int64_t sp)
{
    if (!cc_flow_piece_at(v->w->b->flow, address))
        return;
    bool fresh;
    uint64_t *known = cc_map_put(&v->w->seen, address, &fresh);
    if (!fresh && *known != (uint64_t)sp)
        v->w->looked = true; /* reached with different frames: it is not known which */
    *known = (uint64_t)sp;
    if (fresh)
        CC_VEC_PUSH(&v->todo, ((struct todo){address, sp}));
}

static void reads_in(struct walk *w, uint64_t address, int64_t sp);

/* A function that is called may be handed what lies above the address it returns to. */
static void call(struct walk *w, const struct cc_rec_loop_code *next, int64_t sp)
{
    struct cc_flow *f = w->b->flow;
    if (w->high <= sp)
        return;
    if (!next->a && cc_flow_piece_at(f, next->value) && w->depth < MAX_DEPTH) {
        w->depth++;
        reads_in(w, next->value, sp);
        w->depth--;
    } else if (!cc_flow_in_registers(f, next)) {
        w->looked = true;
    }
}

static void leave(struct visit *v, const struct cc_flow_piece *p, const struct cc_rec_loop_code *next,
                  int64_t sp)
{
    struct cc_flow *f = v->w->b->flow;
    const struct cc_flow_jump *to;
    if (v->w->shared && (next->op == CC_CODE_CALL || next->op == CC_CODE_SYSTEM)) {
        v->w->looked = true;
    } else if (next->op == CC_CODE_CALL) {
        call(v->w, next, sp);
        go(v, p->end, sp + f->abi.pushed);
    } else if (next->op == CC_CODE_RETURN) { /* the frame is gone, but not what lies above it */
        v->w->looked = v->w->looked || (!v->w->depth && v->w->high > sp);
    } else if (next->a) {
        size_t n = cc_flow_jumps(f, p, &to);
        v->w->looked = v->w->looked || !n;
        for (size_t i = 0; i < n; i++)
            go(v, to[i].to, sp);
    } else {
        go(v, next->value, sp);
    }
}

/* Whether a statement may read what lies anywhere. */
static bool reads_anything(const struct cc_rec_loop_code *r, const struct place *of)
{
    return r->kind == CC_CODE_EFFECT || (r->kind == CC_CODE_LOAD && of[r->a].kind == OTHER);
}

/* Through a piece of code, as far as the place is not written. */
static void through(struct visit *v, const struct cc_flow_piece *p, int64_t sp)
{
    struct walk *w = v->w;
    const struct cc_flow_abi *abi = &w->b->flow->abi;
    CC_CLEANUP(cc_free_ptr) struct place *of = cc_alloc_array(p->values + 1, sizeof *of);
    w->looked = p->n == 1; /* nobody knows what it does */
    for (uint32_t i = 1; i < p->n && !w->looked; i++) {
        const struct cc_rec_loop_code *r = &p->code[i];
        struct place leak = leak_of(abi, r, of);
        bool memory = r->kind == CC_CODE_LOAD || r->kind == CC_CODE_STORE;
        if (w->shared && reads_anything(r, of)) {
            w->looked = true;
            return;
        }
        int64_t at = memory || r->kind == CC_CODE_PUT ? of[r->a].at : 0;
        if (memory && of[r->a].kind == STACK && overlaps(w, at, r->bits / 8)) {
            w->looked = r->kind == CC_CODE_LOAD;
            if (!w->looked && !r->c && at <= w->low && at + r->bits / 8 >= w->high)
                return;
        }
        if (r->kind == CC_CODE_PUT && r->value == abi->sp) {
            w->looked = of[r->a].kind != STACK;
            sp = at;
        }
        if (r->to)
            of[r->to] = computed(abi, r, of, sp, &leak);
        if (r->kind == CC_CODE_EXIT)
            go(v, r->value, sp);
        if (r->kind == CC_CODE_NEXT)
            leave(v, p, r, sp);
        /* what a called function hands on of its own frame leads to nothing else, and where a variable is to
         * nothing that is none */
        bool leaks = leak.kind == STACK && (!w->depth || leak.at >= v->entry);
        bool leads = !w->aside || (leak.at >= w->low && leak.at < w->high);
        w->looked = w->looked || (leaks && leads && !w->shared);
    }
}

static void reads_in(struct walk *w, uint64_t address, int64_t sp)
{
    struct visit v = {.w = w, .entry = sp};
    go(&v, address, sp);
    while (v.todo.n && !w->looked) {
        struct todo t = v.todo.v[--v.todo.n];
        if (++w->b->frame_steps > MAX_STEPS)
            w->looked = true;
        else
            through(&v, cc_flow_piece_at(w->b->flow, t.address), t.sp);
    }
    CC_VEC_FINI(&v.todo);
}

/* --- addresses that the function hands on, in the loop or before --- */

static bool hands_on(const struct cc_flow_abi *abi, const struct cc_flow_piece *p)
{
    CC_CLEANUP(cc_free_ptr) struct place *of = cc_alloc_array(p->values + 1, sizeof *of);
    bool leaks = p->n == 1;
    for (uint32_t i = 1; i < p->n && !leaks; i++) {
        const struct cc_rec_loop_code *r = &p->code[i];
        struct place leak = leak_of(abi, r, of);
        if (r->to)
            of[r->to] = computed(abi, r, of, 0, &leak);
        leaks = leak.kind == STACK;
    }
    return leaks;
}

static bool keeps_to_itself(struct cc_flow_body *b)
{
    CC_VEC(const struct cc_flow_piece *) todo = {0};
    struct cc_map seen = {0};
    bool keeps = cc_flow_find_ways(b->flow) && !b->flow->cut;
    for (size_t i = 0; i < b->nodes.n; i++)
        CC_VEC_PUSH(&todo, b->nodes.v[i].piece);
    while (todo.n && keeps) {
        const struct cc_flow_piece *p = todo.v[--todo.n];
        bool fresh;
        cc_map_put(&seen, p->address, &fresh);
        if (!fresh)
            continue;
        keeps = ++b->frame_steps <= MAX_STEPS && !hands_on(&b->flow->abi, p);
        size_t n, first = cc_flow_ways_to(b->flow, p->address, &n);
        for (size_t k = first; k < first + n; k++)
            if (b->flow->ways.v[k].record != CC_NONE)
                CC_VEC_PUSH(&todo, &b->flow->pieces.v[b->flow->ways.v[k].from]);
    }
    CC_VEC_FINI(&todo);
    cc_map_fini(&seen);
    return keeps;
}

/* --- a place --- */

/* Whether the run showed it. */
static bool was_read(const struct cc_flow_body *b, const struct cc_flow_cell *c)
{
    bool read = c->looked;
    for (size_t i = 0; i < b->loop.nfacts && !read; i++) {
        const struct cc_pdependence *d = &b->loop.facts[i];
        for (size_t k = 0;
             d->kind == CC_DEPENDENCE_LIVE_OUT && d->space == CC_SPACE_MEMORY && k < b->accesses.n; k++) {
            const struct cc_flow_access *a = &b->accesses.v[k];
            bool here = a->store && a->insn == d->first && a->base == c->base;
            read = read ||
                   (here && a->offset < c->offset + c->bytes && c->offset < a->offset + (int64_t)a->bytes);
        }
    }
    return read;
}

/* Whether the place is no variable's by the debug information, which knows those of the frame: the compiler
 * put something aside there. Addresses that are handed on lead to variables. */
static bool is_aside(const struct cc_flow_body *b, const struct cc_flow_cell *c)
{
    bool aside = false;
    for (size_t i = 0; i < b->accesses.n && b->loop.named; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (!a->store || a->base != c->base || a->offset >= c->offset + c->bytes ||
            c->offset >= a->offset + (int64_t)a->bytes)
            continue;
        for (size_t k = 0; k < b->loop.nfacts; k++) {
            const struct cc_pdependence *d = &b->loop.facts[k];
            if (d->space != CC_SPACE_MEMORY || (d->first != a->insn && d->second != a->insn))
                continue;
            if (d->area != CC_AREA_STACK || d->variable || d->flags & CC_DEPENDENCE_FRAME)
                return false;
            aside = true;
        }
    }
    return aside;
}

bool cc_flow_stays(struct cc_flow_body *b, uint32_t edge, uint32_t cell)
{
    const struct cc_flow_edge *e = &b->edges.v[edge];
    const struct cc_flow_cell *c = &b->cells.v[cell];
    const struct cc_flow_abi *abi = &b->flow->abi;
    const struct cc_value *base = cc_value(&b->values, c->base);
    const struct cc_flow_piece *from = b->nodes.v[e->from].piece;
    const struct cc_rec_loop_code *by = &from->code[e->record];
    uint32_t reckoned = 0;
    if (!c->base || base->kind != CC_VALUE_INIT || base->a || base->data != abi->sp || was_read(b, c))
        return true;
    int64_t sp = cc_value_offset(&b->values, cc_flow_read(b, e->state, abi->sp, 8), &reckoned);
    if (!b->frame)
        b->frame = keeps_to_itself(b) ? CC_FRAME_OWN : CC_FRAME_SHARED;
    if (reckoned != c->base)
        return true;
    bool own = b->frame == CC_FRAME_OWN, aside = !own && is_aside(b, c);
    struct walk w = {
        .b = b, .low = c->offset, .high = c->offset + c->bytes, .shared = !own && !aside, .aside = aside};
    if (by->kind == CC_CODE_NEXT && by->op == CC_CODE_RETURN)
        w.looked = w.high > sp;
    else
        reads_in(&w, e->target, sp);
    cc_map_fini(&w.seen);
    return w.looked;
}
