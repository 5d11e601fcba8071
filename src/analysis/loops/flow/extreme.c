/* The smaller or the larger of two values, however a compiler has written it: a comparison and a choice, or a
 * branch. */
#include "body.h"

/* What a condition gives, tried for each way two values can compare. */
struct trial {
    struct cc_flow_body *b;
    uint32_t left, right; /* that are compared */
    int order;            /* left against right: -1, 0, 1 */
    uint32_t comparison;  /* the one that was met; 0: none yet */
    bool floating;
};

/* Without what only widens it. */
static uint32_t core(const struct cc_values *x, uint32_t v)
{
    for (;;) {
        const struct cc_value *p = cc_value(x, v);
        bool view = (p->kind == CC_VALUE_PART && p->data == 0) ||
                    (p->kind == CC_VALUE_OP && (p->op == CC_CODE_ZEXT || p->op == CC_CODE_SEXT));
        if (!view)
            return v;
        v = p->a;
    }
}

/* To how many bits a value was cut on the way to what it is; registers hold 32 or more. */
static unsigned cut_to(const struct cc_values *x, uint32_t v)
{
    unsigned bits = 32;
    for (uint32_t end = core(x, v); v != end; v = cc_value(x, v)->a)
        if (cc_value(x, v)->kind == CC_VALUE_PART)
            bits = CC_MIN(bits, cc_value(x, v)->bits);
    return CC_MIN(bits, cc_value(x, v)->bits);
}

static bool is_one(const struct cc_values *x, uint32_t v, uint32_t w)
{
    if (cut_to(x, v) != cut_to(x, w)) /* the larger of two, cut off, is not the larger of what is left */
        return false;
    const struct cc_value *p = cc_value(x, core(x, v)), *q = cc_value(x, core(x, w));
    unsigned bits = CC_MIN(CC_MIN(p->bits, q->bits), 64);
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    if (p->kind == CC_VALUE_CONST && q->kind == CC_VALUE_CONST)
        return (p->data & mask) == (q->data & mask);
    return core(x, v) == core(x, w);
}

/* -1, 0 or 1 as its operands compare; 2: it compares something else. */
static int outcome(struct trial *t, uint32_t v)
{
    const struct cc_values *x = &t->b->values;
    const struct cc_value *p = cc_value(x, v);
    int sign = p->lane                                                 ? 0
               : is_one(x, p->a, t->left) && is_one(x, p->b, t->right) ? 1
               : is_one(x, p->a, t->right) && is_one(x, p->b, t->left) ? -1
                                                                       : 0;
    if (!sign || (t->comparison && t->comparison != v))
        return 2;
    t->comparison = v;
    t->floating = p->op == CC_CODE_FCMP;
    return sign * t->order;
}

static bool compared(struct trial *t, uint32_t v, uint64_t *ret)
{
    const struct cc_value *p = cc_value(&t->b->values, v);
    int o = outcome(t, v);
    if (o == 2)
        return false;
    switch (p->op) {
    case CC_CODE_EQ:
        *ret = o == 0;
        return true;
    case CC_CODE_NE:
        *ret = o != 0;
        return true;
    case CC_CODE_LTS:
    case CC_CODE_LTU:
        *ret = o < 0;
        return true;
    case CC_CODE_LES:
    case CC_CODE_LEU:
        *ret = o <= 0;
        return true;
    default:
        *ret = o < 0 ? 1 : o > 0 ? 0 : 0x40;
        return true;
    }
}

static bool gives(struct trial *t, uint32_t v, unsigned depth, uint64_t *ret);

/* arm64: a is condition << 4 | operation; operation 0: the flags N Z C V are bits 31 to 28 of b. */
static bool flags_give(struct trial *t, const struct cc_value *p, unsigned depth, uint64_t *ret)
{
    uint64_t condition, flags;
    if (!t->b->flow->abi.arm || !gives(t, p->a, depth, &condition) || !gives(t, p->b, depth, &flags) ||
        (condition & 15) != 0)
        return false;
    bool n = flags >> 31 & 1, z = flags >> 30 & 1, c = flags >> 29 & 1, v = flags >> 28 & 1;
    const bool holds[] = {z, c, n, v, c && !z, n == v, n == v && !z, true};
    bool is = holds[condition >> 5 & 7];
    *ret = (condition >> 4 & 1) && condition >> 5 != 7 ? !is : is;
    return true;
}

static bool operation_gives(struct trial *t, const struct cc_value *p, unsigned depth, uint64_t *ret)
{
    struct cc_operation o = {.op = p->op, .bits = p->bits, .lane = p->lane, .a = p->a, .b = p->b, .c = p->c};
    uint64_t k[2] = {0};
    if (p->op == CC_CODE_FLAGS)
        return flags_give(t, p, depth, ret);
    if (!p->a || p->c || !gives(t, p->a, depth, &k[0]) || (p->b && !gives(t, p->b, depth, &k[1])))
        return false;
    return cc_value_fold(&o, k, cc_value(&t->b->values, p->a)->bits, ret);
}

static uint64_t cut(uint64_t v, unsigned bits)
{
    return bits < 64 ? v & ((UINT64_C(1) << bits) - 1) : v;
}

static bool gives(struct trial *t, uint32_t v, unsigned depth, uint64_t *ret)
{
    enum { MAX_DEPTH = 40 };
    const struct cc_value *p = cc_value(&t->b->values, v);
    uint64_t condition;
    if (depth == MAX_DEPTH)
        return false;
    switch (p->kind) {
    case CC_VALUE_CONST:
        *ret = p->data;
        return true;
    case CC_VALUE_PART:
        if (p->data >= 64 || !gives(t, p->a, depth + 1, ret))
            return false;
        *ret = cut(*ret >> p->data, p->bits);
        return true;
    case CC_VALUE_SELECT:
        return gives(t, p->a, depth + 1, &condition) && gives(t, condition & 1 ? p->b : p->c, depth + 1, ret);
    case CC_VALUE_OP:
        if ((p->op >= CC_CODE_EQ && p->op <= CC_CODE_LEU) || p->op == CC_CODE_FCMP)
            if (compared(t, v, ret))
                return true;
        return p->op != CC_CODE_FCMP && operation_gives(t, p, depth + 1, ret);
    default:
        return false;
    }
}

/* Of `yes` and `no`, of which one is `on` and goes on: CC_CODE_MIN, CC_CODE_MAX or, if neither,
 * CC_CODE_OTHER. */
static enum cc_code_op extreme_of(struct trial *t, uint32_t condition, bool on_if)
{
    bool keeps[3];
    for (int order = -1; order <= 1; order++) {
        uint64_t k;
        t->order = order;
        if (!gives(t, condition, 0, &k))
            return CC_CODE_OTHER;
        keeps[order + 1] = (k & 1) == on_if;
    }
    if (keeps[0] == keeps[2] || !t->comparison)
        return CC_CODE_OTHER;
    return keeps[0] ? CC_CODE_MIN : CC_CODE_MAX;
}

static bool join_family(struct cc_flow_chain *c, const struct trial *t, enum cc_code_op op)
{
    if (op == CC_CODE_OTHER || (c->family != CC_CODE_OTHER && c->family != op) ||
        (c->family == op && c->floating != t->floating))
        return false;
    c->family = op;
    c->floating = t->floating;
    return true;
}

bool cc_flow_is_extreme_select(struct cc_flow_body *b, struct cc_flow_chain *c, uint32_t v, uint32_t *ret_on)
{
    const struct cc_value *p = cc_value(&b->values, v);
    bool first = c->dependents.is[p->b];
    if (first == (c->dependents.is[p->c] != 0))
        return false;
    *ret_on = first ? p->b : p->c;
    struct trial t = {.b = b, .left = *ret_on, .right = first ? p->c : p->b};
    if (!join_family(c, &t, extreme_of(&t, p->a, first)))
        return false;
    c->decided.is[v] = 1;
    return true;
}

/* --- branches --- */

/* A piece of code that does nothing but compute, with one way in and one out. */
static bool is_plain(const struct cc_flow_body *b, uint32_t node)
{
    const struct cc_flow_node *n = &b->nodes.v[node];
    return n->npreds == 1 && n->nedges == 1 && !n->effects && node != b->tick;
}

static bool parts_two(const struct cc_flow_body *b, uint32_t node)
{
    const struct cc_flow_node *n = &b->nodes.v[node];
    if (n->nedges != 2)
        return false;
    const struct cc_flow_edge *e = &b->edges.v[n->edge];
    return e[0].condition && e[0].condition == e[1].condition && e[0].taken != e[1].taken;
}

enum { MAX_PLAIN = 8 }; /* pieces between a branch and where its ways meet */

/* The edge of a branch that way `e` into a meeting begins with; CC_NONE: none. */
static uint32_t branch_of(const struct cc_flow_body *b, uint32_t e)
{
    for (int i = 0; i < MAX_PLAIN && is_plain(b, b->edges.v[e].from); i++)
        e = b->preds.v[b->nodes.v[b->edges.v[e].from].pred];
    return parts_two(b, b->edges.v[e].from) ? e : CC_NONE;
}

static uint32_t sibling(const struct cc_flow_body *b, uint32_t e)
{
    const struct cc_flow_node *n = &b->nodes.v[b->edges.v[e].from];
    return e == n->edge ? n->edge + 1 : n->edge;
}

/* The edge that comes to node `to`, directly or through plain pieces, when a way begins with e; CC_NONE:
 * none. */
static uint32_t arrival(const struct cc_flow_body *b, uint32_t e, uint32_t to)
{
    for (int i = 0; i < MAX_PLAIN; i++) {
        uint32_t node = b->edges.v[e].to;
        if (node == to)
            return e;
        if (node >= b->nodes.n || !is_plain(b, node))
            return CC_NONE;
        e = b->nodes.v[node].edge;
    }
    return CC_NONE;
}

/* Ways into a meeting: a node, or the end of the iteration. */
static uint32_t ways(const struct cc_flow_body *b, uint32_t to, cc_number_vec *ret)
{
    for (uint32_t i = 0; i < b->edges.n; i++)
        if (b->edges.v[i].to == to && b->edges.v[i].state)
            CC_VEC_PUSH(ret, i);
    return (uint32_t)ret->n;
}

static bool way_is_extreme(struct cc_flow_body *b, struct cc_flow_chain *c, uint32_t to, uint32_t way,
                           const cc_number_vec *in, const uint32_t *of)
{
    uint32_t branch = branch_of(b, in->v[way]);
    uint32_t other = branch == CC_NONE ? CC_NONE : arrival(b, sibling(b, branch), to);
    for (uint32_t i = 0; i < in->n; i++) {
        if (in->v[i] != other || !c->dependents.is[of[i]])
            continue;
        struct trial t = {.b = b, .left = of[i], .right = of[way]};
        const struct cc_flow_edge *e = &b->edges.v[branch];
        if (!join_family(c, &t, extreme_of(&t, e->condition, !e->taken)))
            return false;
        CC_VEC_PUSH(&c->branches, e->from);
        return true;
    }
    return false;
}

bool cc_flow_is_extreme_phi(struct cc_flow_body *b, struct cc_flow_chain *c, uint32_t v)
{
    const uint32_t *of;
    uint32_t n = cc_value_operands(&b->values, v, &of);
    uint64_t where = (cc_value(&b->values, v)->data >> 32) - 1;
    uint32_t to = where == CC_FLOW_NODES ? CC_TO_TICK : (uint32_t)where;
    cc_number_vec in = {0};
    bool is = ways(b, to, &in) == n;
    for (uint32_t i = 0; is && i < n; i++)
        if (!c->dependents.is[of[i]])
            is = way_is_extreme(b, c, to, i, &in, of);
    CC_VEC_FINI(&in);
    if (is)
        CC_VEC_PUSH(&c->meetings, (uint32_t)where);
    return is;
}
