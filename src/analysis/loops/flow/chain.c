/* A value that is handed on from one end of an iteration to the other by one associative operation. */
#include "body.h"

/* Bits [lo, lo + bits) of value v have to become those of the end from bit `place` on. */
struct piece {
    uint32_t v, lo, place, bits;
};

struct walk {
    struct cc_flow_body *b;
    struct cc_flow_chain *chain;
    bool last;
    CC_VEC(struct piece) todo;
    struct cc_map seen;
};

static bool fail(struct walk *w, const char *why)
{
    w->chain->why = why;
    return false;
}

static bool depends(const struct walk *w, uint32_t v)
{
    return v < w->chain->dependents.n && w->chain->dependents.is[v];
}

static void push(struct walk *w, uint32_t v, uint32_t lo, uint32_t place, uint32_t bits)
{
    bool fresh;
    if (bits)
        cc_map_put(&w->seen, (uint64_t)v << 32 | lo << 16 | place, &fresh);
    if (bits && fresh)
        CC_VEC_PUSH(&w->todo, (struct piece){v, lo, place, bits});
}

static bool join_family(struct walk *w, enum cc_code_op family, uint64_t number, bool floating)
{
    struct cc_flow_chain *c = w->chain;
    if (c->family != CC_CODE_OTHER && (c->family != family || c->number != number || c->floating != floating))
        return fail(w, "different operations are mixed");
    c->family = family;
    c->number = number;
    c->floating = floating;
    return true;
}

static bool go_on_with(struct walk *w, const struct piece *p, uint32_t v)
{
    push(w, v, p->lo, p->place, p->bits);
    return true;
}

/* The one operand that the chain goes on with, of an operation whose other ones must not depend on it. */
static bool through(struct walk *w, const struct piece *p, uint32_t on, const uint32_t others[2])
{
    if (!depends(w, on))
        return fail(w, "it is not what was there before");
    for (int i = 0; i < 2; i++)
        if (others[i] && depends(w, others[i]))
            return fail(w, "it depends on itself in another way");
    return go_on_with(w, p, on);
}

static bool either(struct walk *w, const struct piece *p, const struct cc_value *v)
{
    bool first = depends(w, v->a);
    return through(w, p, first ? v->a : v->b, (uint32_t[2]){first ? v->b : v->a, 0});
}

/* Sums keep their low bits whatever is above them; lanes are by themselves. */
static bool takes_part(const struct piece *p, const struct cc_value *v, bool low_is_fine)
{
    if (v->lane)
        return p->lo % v->lane == 0 && (low_is_fine || p->bits % v->lane == 0);
    return p->lo == 0 && (low_is_fine || p->bits == v->bits);
}

static bool operation(struct walk *w, const struct piece *p, const struct cc_value *v)
{
    bool ring = v->op >= CC_CODE_ADD && v->op <= CC_CODE_XOR;
    if (!takes_part(p, v, ring))
        return fail(w, "only a part of it is used");
    switch (v->op) {
    case CC_CODE_ADD:
        return join_family(w, CC_CODE_ADD, 0, false) && either(w, p, v);
    case CC_CODE_SUB:
        return join_family(w, CC_CODE_ADD, 0, false) && through(w, p, v->a, (uint32_t[2]){v->b, 0});
    case CC_CODE_MUL:
    case CC_CODE_AND:
    case CC_CODE_OR:
    case CC_CODE_XOR:
        return join_family(w, v->op, 0, false) && either(w, p, v);
    case CC_CODE_MIN:
    case CC_CODE_MAX:
        return join_family(w, v->op, 0, false) && either(w, p, v);
    case CC_CODE_FADD:
        return join_family(w, CC_CODE_ADD, 0, true) && either(w, p, v);
    case CC_CODE_FSUB:
        return join_family(w, CC_CODE_ADD, 0, true) && through(w, p, v->a, (uint32_t[2]){v->b, 0});
    case CC_CODE_FMUL:
        return join_family(w, CC_CODE_MUL, 0, true) && either(w, p, v);
    case CC_CODE_FMIN:
        return join_family(w, CC_CODE_MIN, 0, true) && either(w, p, v);
    case CC_CODE_FMAX:
        return join_family(w, CC_CODE_MAX, 0, true) && either(w, p, v);
    case CC_CODE_FMA:
        return join_family(w, CC_CODE_ADD, 0, true) && through(w, p, v->c, (uint32_t[2]){v->a, v->b});
    default:
        return fail(w, "it is changed by an operation that is not associative");
    }
}

/* Bits above a narrower value: zeroes or its sign. */
static bool widened(struct walk *w, const struct piece *p, const struct cc_value *v)
{
    uint32_t narrow = cc_value(&w->b->values, v->a)->bits;
    if (p->lo < narrow)
        push(w, v->a, p->lo, p->place, CC_MIN(p->bits, narrow - p->lo));
    else if (p->place == 0)
        return fail(w, "it is set anew");
    return true;
}

static bool joined(struct walk *w, const struct piece *p, const struct cc_value *v)
{
    uint32_t split = cc_value(&w->b->values, v->a)->bits;
    uint32_t below = p->lo < split ? CC_MIN(p->bits, split - p->lo) : 0;
    push(w, v->a, p->lo, p->place, below);
    push(w, v->b, p->lo + below - split, p->place + below, p->bits - below);
    return true;
}

static bool selected(struct walk *w, const struct piece *p, uint32_t number, const struct cc_value *v)
{
    uint32_t on;
    if (depends(w, v->a)) {
        if (w->last || !cc_flow_is_extreme_select(w->b, w->chain, number, &on))
            return fail(w, "whether it changes depends on itself");
        return go_on_with(w, p, on);
    }
    push(w, v->b, p->lo, p->place, p->bits);
    push(w, v->c, p->lo, p->place, p->bits);
    return true;
}

static bool met(struct walk *w, const struct piece *p, uint32_t number)
{
    const uint32_t *of;
    uint32_t n = cc_value_operands(&w->b->values, number, &of);
    bool all = true;
    for (uint32_t i = 0; i < n; i++)
        all &= depends(w, of[i]);
    bool extreme = !all && !w->last && cc_flow_is_extreme_phi(w->b, w->chain, number);
    for (uint32_t i = 0; i < n; i++)
        if (depends(w, of[i]) || !extreme)
            push(w, of[i], p->lo, p->place, p->bits);
    return true;
}

static bool step(struct walk *w, const struct piece *p)
{
    const struct cc_value *v = cc_value(&w->b->values, p->v);
    if (!depends(w, p->v)) {
        if (w->last ||
            p->place) /* above it, as in the upper half of a vector register, may be anything new */
            return true;
        return fail(w, "in some iterations it is set anew");
    }
    w->chain->members.is[p->v] = 1;
    if (p->v == w->chain->start)
        return p->lo == p->place || fail(w, "its parts change places");
    switch (v->kind) {
    case CC_VALUE_PART:
        push(w, v->a, p->lo + (uint32_t)v->data, p->place, p->bits);
        return true;
    case CC_VALUE_JOIN:
        return joined(w, p, v);
    case CC_VALUE_SELECT:
        return selected(w, p, p->v, v);
    case CC_VALUE_PHI:
        return met(w, p, p->v);
    case CC_VALUE_OP:
        if (v->op == CC_CODE_ZEXT || v->op == CC_CODE_SEXT)
            return widened(w, p, v);
        return w->last ? fail(w, "it is computed from itself") : operation(w, p, v);
    default:
        return fail(w, "where it goes is not known");
    }
}

bool cc_flow_chain_find(struct cc_flow_body *b, struct cc_flow_chain *chain, uint32_t end, bool last)
{
    struct walk w = {.b = b, .chain = chain, .last = last};
    chain->members = cc_flow_set_new(b);
    chain->decided = cc_flow_set_new(b);
    chain->dependents = cc_flow_dependents(b, chain->start);
    b->effort += b->uses.n * 4;
    push(&w, end, 0, 0, cc_value(&b->values, end)->bits);
    bool fine = b->effort < CC_FLOW_EFFORT || fail(&w, "its code is too tangled");
    while (fine && w.todo.n) {
        struct piece p = w.todo.v[--w.todo.n];
        fine = step(&w, &p);
    }
    CC_VEC_FINI(&w.todo);
    cc_map_fini(&w.seen);
    if (fine && !last && chain->family == CC_CODE_OTHER)
        fine = fail(&w, "nothing is done with it");
    chain->members.is[chain->start] = 1;
    return fine;
}
