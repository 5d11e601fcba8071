/* What is added to a value on its way through an iteration: inductions, also those that loops inside the loop
 * take on, if they run the same number of times in every iteration. */
#include "body.h"

/* A constant and invariants: each a value << 1 | minus. Of a PHI: what its loop adds to it. */
struct sum {
    uint64_t constant;
    uint32_t terms[8];
    unsigned n;
};

/* Of a PHI, what has been found on a walk. A way is looked at for several reasons, and each of these would go
 * through all that meets further up once more. */
struct sum_known {
    bool found;
    struct sum sum;
};

struct sum_walk {
    struct cc_flow_body *b;
    uint32_t start;
    struct cc_flow_set dependents;
    CC_VEC(struct sum_known) known;
    uint32_t *index;       /* by value: its place there + 1 */
    unsigned steps, depth; /* depth: of walks inside walks */
    bool floating;         /* something was added that rounds */
};

enum { MAX_DEPTH = 200, MAX_STEPS = 20000, MAX_NESTED = 6 };

static bool sum_of(struct sum_walk *w, uint32_t v, unsigned depth, struct sum *ret);

static bool add_term(struct cc_flow_body *b, struct sum *s, uint32_t v, bool minus)
{
    uint64_t k;
    if (cc_value_is_const(&b->values, v, &k)) {
        unsigned up = 64 - CC_MIN(cc_value(&b->values, v)->bits, 64);
        k = (uint64_t)((int64_t)(k << up) >> up);
        s->constant += minus ? 0 - k : k;
        return true;
    }
    if (!cc_flow_is_fixed(b, v) || s->n == CC_COUNT(s->terms))
        return false;
    s->terms[s->n++] = v << 1 | minus;
    return true;
}

static struct sum_walk walk_new(struct cc_flow_body *b, uint32_t start, unsigned depth)
{
    struct sum_walk w = {.b = b, .start = start, .depth = depth, .dependents = cc_flow_dependents(b, start)};
    w.index = cc_alloc_array(w.dependents.n + 1, sizeof *w.index);
    return w;
}

static void walk_free(struct sum_walk *w)
{
    cc_flow_set_free(&w->dependents);
    CC_VEC_FINI(&w->known);
    free(w->index);
}

static bool is_equal(const struct sum *p, const struct sum *q)
{
    return p->constant == q->constant && p->n == q->n &&
           memcmp(p->terms, q->terms, p->n * sizeof *p->terms) == 0;
}

/* Of ways that meet: the same on each. */
static bool same_on_all(struct sum_walk *w, const uint32_t *of, uint32_t n, unsigned depth, struct sum *ret)
{
    struct sum before = *ret;
    for (uint32_t i = 0; i < n; i++) {
        struct sum one = before;
        if (!sum_of(w, of[i], depth, &one) || (i && !is_equal(&one, ret)))
            return false;
        *ret = one;
    }
    return n > 0;
}

/* --- loops inside the loop --- */

static uint32_t node_of(const struct cc_flow_body *b, uint32_t phi)
{
    uint64_t where = (cc_value(&b->values, phi)->data >> 32) - 1;
    return where < b->nodes.n && b->nodes.v[where].header ? (uint32_t)where : CC_NONE;
}

/* A header's operands that come from outside its loop, or from inside. */
static void operands_from(const struct cc_flow_body *b, uint32_t phi, bool inside, cc_number_vec *ret)
{
    const struct cc_flow_node *h = &b->nodes.v[node_of(b, phi)];
    const uint32_t *of;
    uint32_t n = cc_value_operands(&b->values, phi, &of), k = 0;
    for (uint32_t i = 0; i < h->npreds && k < n; i++) {
        const struct cc_flow_edge *e = &b->edges.v[b->preds.v[h->pred + i]];
        if (!e->state)
            continue;
        if ((b->nodes.v[e->from].order >= h->order) == inside)
            CC_VEC_PUSH(ret, of[k]);
        k++;
    }
}

/* What each turn of the inner loop adds. */
static bool advance(struct cc_flow_body *b, uint32_t phi, unsigned nested, struct sum *ret)
{
    cc_number_vec of = {0};
    if (b->effort > CC_FLOW_EFFORT)
        return false;
    struct sum_walk w = walk_new(b, phi, nested);
    *ret = (struct sum){0};
    operands_from(b, phi, true, &of);
    b->effort += b->uses.n;
    bool is = nested < MAX_NESTED && same_on_all(&w, of.v, (uint32_t)of.n, 0, ret);
    walk_free(&w);
    CC_VEC_FINI(&of);
    return is;
}

/* Starts from an invariant and advances by one. */
static bool counts_inside(struct cc_flow_body *b, uint32_t phi, unsigned nested)
{
    cc_number_vec of = {0};
    struct sum step;
    operands_from(b, phi, false, &of);
    bool is = of.n > 0;
    for (size_t i = 0; is && i < of.n; i++)
        is = of.v[i] == of.v[0] && cc_flow_is_fixed(b, of.v[i]);
    CC_VEC_FINI(&of);
    return is && advance(b, phi, nested + 1, &step);
}

/* The nodes of the loop whose header is h. */
static void body_of(const struct cc_flow_body *b, uint32_t h, bool *ret)
{
    cc_number_vec todo = {0};
    ret[h] = true;
    CC_VEC_PUSH(&todo, h);
    while (todo.n) {
        uint32_t n = todo.v[--todo.n];
        const struct cc_flow_node *node = &b->nodes.v[n];
        for (uint32_t i = 0; i < node->npreds; i++) {
            uint32_t from = b->edges.v[b->preds.v[node->pred + i]].from;
            bool back = n != h || b->nodes.v[from].order >= b->nodes.v[h].order;
            if (!back || ret[from])
                continue;
            ret[from] = true;
            CC_VEC_PUSH(&todo, from);
        }
    }
    CC_VEC_FINI(&todo);
}

/* Whether a condition is a function of what counts in the loop of h, and invariants. */
static bool is_counted(struct cc_flow_body *b, uint32_t h, uint32_t condition, unsigned nested)
{
    struct cc_flow_walk w = cc_flow_walk_new(b, condition);
    bool is = true;
    for (uint32_t v; is && cc_flow_walk_next(&w, &v);) {
        if (cc_flow_is_fixed(b, v))
            continue;
        uint8_t kind = cc_value(&b->values, v)->kind;
        if (kind == CC_VALUE_PHI) {
            is = node_of(b, v) == h && counts_inside(b, v, nested);
            continue;
        }
        is = kind >= CC_VALUE_OP && kind <= CC_VALUE_SELECT;
        cc_flow_walk_into(&w, v, 0);
    }
    cc_flow_walk_free(&w);
    return is;
}

/* Whether every turn of the loop comes by the branch at insn. */
static bool is_on_every_turn(const struct cc_flow_body *b, uint32_t h, const bool *body, uint64_t insn)
{
    cc_number_vec todo = {0};
    bool *seen = cc_alloc_array(b->nodes.n, sizeof *seen), again = false;
    CC_VEC_PUSH(&todo, h);
    while (todo.n) {
        uint32_t n = todo.v[--todo.n];
        if (seen[n] || cc_flow_has_branch(b, n, insn))
            continue;
        seen[n] = true;
        for (uint32_t i = 0; i < b->nodes.v[n].nedges; i++) {
            uint32_t to = b->edges.v[b->nodes.v[n].edge + i].to;
            again |= to == h;
            if (to < b->nodes.n && body[to])
                CC_VEC_PUSH(&todo, to);
        }
    }
    free(seen);
    CC_VEC_FINI(&todo);
    return !again;
}

static bool exit_counts(struct cc_flow_body *b, uint32_t h, const bool *body, const struct cc_flow_edge *e,
                        unsigned nested)
{
    bool any = false;
    for (size_t i = 0; i < b->roots.n; i++) {
        struct cc_flow_root r = b->roots.v[i];
        if (r.node != e->from || (r.use != CC_USE_CONDITION && r.use != CC_USE_JUMP) ||
            (r.use == CC_USE_CONDITION && r.edge == CC_NONE))
            continue;
        if (r.use == CC_USE_JUMP || !is_counted(b, h, r.value, nested) ||
            !is_on_every_turn(b, h, body, r.insn))
            return false;
        any = true;
    }
    return any;
}

/* Whether the loop of h turns as often in every iteration. */
static bool turns_alike(struct cc_flow_body *b, uint32_t h, unsigned nested)
{
    bool *body = cc_alloc_array(b->nodes.n, sizeof *body), alike = true, any = false;
    body_of(b, h, body);
    for (size_t k = 0; alike && k < b->edges.n; k++) {
        const struct cc_flow_edge *e = &b->edges.v[k];
        bool leaves = e->state && body[e->from] && (e->to >= b->nodes.n || !body[e->to]);
        alike = !leaves || exit_counts(b, h, body, e, nested);
        any |= leaves;
    }
    free(body);
    return alike && any;
}

static bool sum_of_header(struct sum_walk *w, uint32_t phi, unsigned depth, struct sum *ret)
{
    cc_number_vec of = {0};
    struct sum step;
    operands_from(w->b, phi, false, &of);
    bool is = same_on_all(w, of.v, (uint32_t)of.n, depth, ret) && advance(w->b, phi, w->depth + 1, &step) &&
              turns_alike(w->b, node_of(w->b, phi), w->depth + 1) && ret->n < CC_COUNT(ret->terms);
    CC_VEC_FINI(&of);
    if (is)
        ret->terms[ret->n++] = phi << 1;
    return is;
}

/* --- one iteration --- */

/* A compiler counts in floating point for `x = i`, where that is exact. Of a lane or of all. */
static bool sum_of_floats(struct sum_walk *w, const struct cc_value *p, unsigned depth, struct sum *ret)
{
    const uint8_t *depends = w->dependents.is;
    bool second = p->op == CC_CODE_FADD && !depends[p->a];
    uint32_t on = second ? p->b : p->a, other = second ? p->a : p->b;
    if (depends[other] || !cc_flow_is_fixed(w->b, other) || !sum_of(w, on, depth, ret) ||
        ret->n == CC_COUNT(ret->terms))
        return false;
    ret->terms[ret->n++] = other << 1 | (p->op == CC_CODE_FSUB);
    w->floating = true;
    return true;
}

static bool sum_of_op(struct sum_walk *w, const struct cc_value *p, unsigned depth, struct sum *ret)
{
    const uint8_t *depends = w->dependents.is;
    switch (p->op) {
    case CC_CODE_ZEXT: /* counters narrower than a register wrap around at their own width */
    case CC_CODE_SEXT:
        return sum_of(w, p->a, depth, ret);
    case CC_CODE_SUB:
        return !depends[p->b] && sum_of(w, p->a, depth, ret) && add_term(w->b, ret, p->b, true);
    case CC_CODE_ADD:
        if (depends[p->a] && depends[p->b])
            return false;
        return sum_of(w, depends[p->a] ? p->a : p->b, depth, ret) &&
               add_term(w->b, ret, depends[p->a] ? p->b : p->a, false);
    case CC_CODE_FSUB:
    case CC_CODE_FADD:
        return sum_of_floats(w, p, depth, ret);
    default:
        return false;
    }
}

static bool reaches_without(const struct cc_flow_body *b, uint32_t but, uint32_t to)
{
    cc_number_vec todo = {0};
    bool *seen = cc_alloc_array(b->nodes.n, sizeof *seen), is = false;
    CC_VEC_PUSH(&todo, b->tick);
    while (todo.n && !is) {
        uint32_t n = todo.v[--todo.n];
        if (seen[n] || n == but)
            continue;
        seen[n] = true;
        for (uint32_t i = 0; i < b->nodes.v[n].nedges; i++) {
            const struct cc_flow_edge *e = &b->edges.v[b->nodes.v[n].edge + i];
            is |= e->to == to && e->state;
            if (e->to < b->nodes.n && e->state)
                CC_VEC_PUSH(&todo, e->to);
        }
    }
    free(seen);
    CC_VEC_FINI(&todo);
    return is;
}

/* Whether all ways into a meeting but one begin with a branch that everything on the way there comes by, and
 * that is decided by what does not change: then every iteration comes the same way. */
static bool way_is_fixed(struct cc_flow_body *b, uint32_t phi)
{
    uint64_t where = (cc_value(&b->values, phi)->data >> 32) - 1;
    uint32_t to = where == CC_FLOW_NODES ? CC_TO_TICK : (uint32_t)where, open = 0;
    for (size_t k = 0; k < b->edges.n; k++) {
        const struct cc_flow_edge *e = &b->edges.v[k];
        if (e->to == to && e->state)
            open += !e->condition || !cc_flow_is_fixed(b, e->condition) || reaches_without(b, e->from, to);
    }
    return open <= 1;
}

/* --- what a branch has told of the start --- */

/* Whether control comes over the edge `to` only if it has come over `by` in the same iteration. */
static bool comes_by(const struct cc_flow_body *b, uint32_t by, uint32_t to)
{
    cc_number_vec todo = {0};
    bool *seen = cc_alloc_array(b->nodes.n, sizeof *seen);
    CC_VEC_PUSH(&todo, b->tick);
    while (todo.n && by != to) {
        uint32_t n = todo.v[--todo.n];
        if (seen[n])
            continue;
        seen[n] = true;
        for (uint32_t i = 0; i < b->nodes.v[n].nedges; i++) {
            uint32_t e = b->nodes.v[n].edge + i, next = b->edges.v[e].to;
            if (e != by && next < b->nodes.n && b->edges.v[e].state)
                CC_VEC_PUSH(&todo, next);
        }
    }
    bool is = by == to || !seen[b->edges.v[to].from];
    free(seen);
    CC_VEC_FINI(&todo);
    return is;
}

/* The edge is only taken if the start and *ret_more is *ret_is, in so many bits; 0: it is not so. */
static unsigned known_by(struct sum_walk *w, const struct cc_flow_edge *e, unsigned depth, uint64_t *ret_is,
                         uint64_t *ret_more)
{
    const struct cc_value *c = cc_value(&w->b->values, e->condition);
    bool holds = e->taken;
    for (; c->kind == CC_VALUE_OP && c->op == CC_CODE_NOT; holds = !holds)
        c = cc_value(&w->b->values, c->a);
    if (!e->condition || !e->state || c->kind != CC_VALUE_OP || c->op != (holds ? CC_CODE_EQ : CC_CODE_NE))
        return 0;
    uint32_t x = c->a, y = c->b;
    struct sum s = {0};
    if (!cc_value_is_const(&w->b->values, y, ret_is) &&
        (!cc_value_is_const(&w->b->values, x, ret_is) || !(x = y)))
        return 0;
    if (!sum_of(w, x, depth, &s) || s.n || w->floating)
        return 0;
    *ret_more = s.constant;
    return cc_value(&w->b->values, x)->bits;
}

/* `if (i == 0)` tells what i is: where control comes by there, a compiler sets i to 1 instead of adding 1. Of
 * a constant on the edge `to`: what that adds to the start, as far as its lowest `bits` are concerned. */
static bool add_known(struct sum_walk *w, uint32_t to, uint32_t v, unsigned bits, unsigned depth,
                      struct sum *ret)
{
    uint64_t k, is, more;
    unsigned up = 64 - bits;
    for (uint32_t e = 0; cc_value_is_const(&w->b->values, v, &k) && e < w->b->edges.n; e++) {
        if (known_by(w, &w->b->edges.v[e], depth, &is, &more) != bits || k << up >> up != k ||
            !comes_by(w->b, e, to))
            continue;
        ret->constant += (uint64_t)((int64_t)((k - is + more) << up) >> up);
        return true;
    }
    return false;
}

/* Of ways that meet: the same on each, where some only come by a branch that tells what the start is. A
 * counter that is narrower than its register has zeroes above it. */
static bool same_as_known(struct sum_walk *w, uint32_t phi, unsigned depth, struct sum *ret)
{
    const uint32_t *of;
    uint32_t n = cc_value_operands(&w->b->values, phi, &of);
    uint64_t where = (cc_value(&w->b->values, phi)->data >> 32) - 1;
    uint32_t to = where == CC_FLOW_NODES ? CC_TO_TICK : (uint32_t)where;
    unsigned bits = cc_value(&w->b->values, w->start)->bits, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_value *p = cc_value(&w->b->values, of[i]);
        bool wide = p->kind == CC_VALUE_OP && p->op == CC_CODE_ZEXT && w->dependents.is[of[i]];
        unsigned own = wide ? cc_value(&w->b->values, p->a)->bits : p->bits;
        if (w->dependents.is[of[i]] && all && own != all)
            return false;
        all = w->dependents.is[of[i]] ? own : all;
    }
    bits = CC_MIN(bits, all);
    struct sum before = *ret;
    uint32_t k = 0;
    for (uint32_t e = 0; bits && bits <= 64 && e < w->b->edges.n; e++) {
        if (w->b->edges.v[e].to != to || !w->b->edges.v[e].state)
            continue;
        struct sum one = before;
        if (k == n ||
            !(w->dependents.is[of[k]] ? sum_of(w, of[k], depth, &one)
                                      : add_known(w, e, of[k], bits, depth, &one)) ||
            (k && !is_equal(&one, ret)))
            return false;
        *ret = one;
        k++;
    }
    return k == n && n;
}

static bool sum_of_meeting(struct sum_walk *w, uint32_t phi, unsigned depth, struct sum *ret)
{
    const uint32_t *of;
    uint32_t n = cc_value_operands(&w->b->values, phi, &of);
    struct sum before = *ret;
    if (same_on_all(w, of, n, depth, ret))
        return true;
    *ret = before;
    if (same_as_known(w, phi, depth, ret))
        return true;
    *ret = before;
    bool is = n > 0 && before.n < CC_COUNT(before.terms) && way_is_fixed(w->b, phi);
    for (uint32_t i = 0; is && i < n; i++) {
        struct sum one = before;
        is = sum_of(w, of[i], depth, &one);
    }
    ret->terms[ret->n++] = phi << 1;
    return is;
}

/* A way that meets itself fails, as does what takes too long. */
static bool sum_of_phi(struct sum_walk *w, uint32_t phi, unsigned depth, struct sum *ret)
{
    if (!w->index[phi]) {
        struct sum one = {0};
        CC_VEC_PUSH(&w->known, ((struct sum_known){0}));
        w->index[phi] = (uint32_t)w->known.n;
        bool is = node_of(w->b, phi) != CC_NONE ? sum_of_header(w, phi, depth, &one)
                                                : sum_of_meeting(w, phi, depth, &one);
        w->known.v[w->index[phi] - 1] = (struct sum_known){is, one};
    }
    const struct sum_known *k = &w->known.v[w->index[phi] - 1];
    if (!k->found || ret->n + k->sum.n > CC_COUNT(ret->terms))
        return false;
    ret->constant += k->sum.constant;
    memcpy(ret->terms + ret->n, k->sum.terms, k->sum.n * sizeof *ret->terms);
    ret->n += k->sum.n;
    return true;
}

static bool sum_of(struct sum_walk *w, uint32_t v, unsigned depth, struct sum *ret)
{
    struct cc_value p = *cc_value(&w->b->values, v);
    if (v == w->start)
        return true;
    if (v >= w->dependents.n || !w->dependents.is[v] || depth == MAX_DEPTH || ++w->steps > MAX_STEPS ||
        ++w->b->effort > CC_FLOW_EFFORT)
        return false;
    switch (p.kind) {
    case CC_VALUE_PART:
        return p.data == 0 && sum_of(w, p.a, depth + 1, ret);
    case CC_VALUE_SELECT:
        return same_on_all(w, (uint32_t[]){p.b, p.c}, 2, depth + 1, ret);
    case CC_VALUE_PHI:
        return sum_of_phi(w, v, depth + 1, ret);
    case CC_VALUE_OP:
        return sum_of_op(w, &p, depth + 1, ret);
    default:
        return false;
    }
}

/* Bits [at, at + its width) of the end, of what these bits were at the start. */
static bool part_counts(struct cc_flow_body *b, uint32_t start, uint32_t end, uint32_t at, struct sum *ret,
                        bool *floating)
{
    struct cc_value p = *cc_value(&b->values, end);
    uint32_t from = cc_value_part(&b->values, start, at, p.bits);
    *ret = (struct sum){0};
    if (end == from)
        return true;
    struct sum_walk w = walk_new(b, from, 0);
    bool is = sum_of(&w, end, 0, ret);
    walk_free(&w);
    *floating = *floating || w.floating;
    if (is || p.kind != CC_VALUE_JOIN)
        return is;
    struct sum rest;
    return part_counts(b, start, p.a, at, ret, floating) &&
           part_counts(b, start, p.b, at + cc_value(&b->values, p.a)->bits, &rest, floating);
}

bool cc_flow_is_induction(struct cc_flow_body *b, uint32_t cell, struct cc_flow_result *ret)
{
    uint32_t start = cc_flow_cell_init(b, cell), end = b->end.v[cell];
    struct sum s = {0};
    bool floating = false;
    b->effort += b->uses.n;
    if (!end || b->effort > CC_FLOW_EFFORT || !part_counts(b, start, end, 0, &s, &floating))
        return false;
    ret->floating = floating;
    ret->has_step = s.n == 0 && cc_value(&b->values, end)->kind != CC_VALUE_JOIN;
    ret->step = ret->has_step ? (int64_t)s.constant : 0;
    return true;
}

/* Through what only changes the width. */
static uint32_t narrowed(const struct cc_flow_body *b, uint32_t v)
{
    for (unsigned depth = 0; depth < MAX_DEPTH; depth++) {
        const struct cc_value *p = cc_value(&b->values, v);
        bool part = p->kind == CC_VALUE_PART && p->data == 0;
        if (!part && !(p->kind == CC_VALUE_OP && p->op == CC_CODE_ZEXT))
            break;
        v = p->a;
    }
    return v;
}

bool cc_flow_toggles(struct cc_flow_body *b, uint32_t cell)
{
    uint32_t start = cc_flow_cell_init(b, cell), end = b->end.v[cell] ? narrowed(b, b->end.v[cell]) : 0;
    const struct cc_value *p = cc_value(&b->values, end);
    if (!end || p->kind != CC_VALUE_OP || p->op != CC_CODE_XOR)
        return false;
    return (narrowed(b, p->a) == start && cc_flow_is_fixed(b, p->b)) ||
           (narrowed(b, p->b) == start && cc_flow_is_fixed(b, p->a));
}
