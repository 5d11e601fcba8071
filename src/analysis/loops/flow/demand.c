/* Which bits of its values a loop, and what follows it, needs. An instruction that writes a register's low
 * byte keeps the rest, and code that looks at the byte alone needs nothing of what was kept: taken as a
 * whole, the register would seem to hand something on to each iteration.
 *
 * A set of bits is a mask of 64; of a value that is wider each stands for as many that lie beside each
 * other. It may have more than are needed, never less. */
#include "body.h"

enum { MASK = 64 };

static unsigned grain(unsigned bits)
{
    return bits > MASK ? (bits + MASK - 1) / MASK : 1;
}

static uint64_t low_ones(unsigned n)
{
    return n >= MASK ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t all_of(unsigned bits)
{
    return bits ? low_ones((bits + grain(bits) - 1) / grain(bits)) : UINT64_MAX;
}

/* Up to the highest: what carries go through. */
static uint64_t up_to(uint64_t m)
{
    return m ? low_ones(MASK - (unsigned)__builtin_clzll(m)) : 0;
}

/* The bits m of a value of `from` bits, each so much higher, of one of `to` bits: what lies outside is
 * left out. */
static uint64_t moved(uint64_t m, unsigned from, int up, unsigned to)
{
    const unsigned g = grain(from), h = grain(to);
    uint64_t r = 0;
    if (g == 1 && h == 1) {
        r = up >= MASK || up <= -MASK ? 0 : up >= 0 ? m << up : m >> -up;
        return r & all_of(to);
    }
    for (; m; m &= m - 1) {
        int first = __builtin_ctzll(m) * (int)g + up;
        for (int at = first; at < first + (int)g; at++)
            if (at >= 0 && at < (int)to)
                r |= UINT64_C(1) << (unsigned)at / h;
    }
    return r;
}

/* All of each part that a bit is in. */
static uint64_t whole_parts(uint64_t m, unsigned bits, unsigned lane)
{
    uint64_t r = 0;
    for (unsigned at = 0; at < bits; at += lane) {
        uint64_t part = moved(all_of(lane), lane, (int)at, bits);
        r |= m & part ? part : 0;
    }
    return r;
}

struct demand {
    struct cc_flow_body *b;
    uint64_t *of; /* by value */
    size_t n;
    cc_number_vec todo;
};

static void need(struct demand *d, uint32_t v, uint64_t bits)
{
    if (!v || v >= d->n || !(bits & ~d->of[v])) /* what was made since nobody uses */
        return;
    d->of[v] |= bits;
    CC_VEC_PUSH(&d->todo, v);
}

static unsigned bits_of(const struct demand *d, uint32_t v)
{
    return cc_value(&d->b->values, v)->bits;
}

static void need_all(struct demand *d, uint32_t v)
{
    if (v)
        need(d, v, all_of(bits_of(d, v)));
}

/* Shifted by a number. */
static bool shift(struct demand *d, const struct cc_value *v, uint64_t m)
{
    uint64_t k;
    if (v->lane || v->bits > MASK || !cc_value_is_const(&d->b->values, v->b, &k) || k >= v->bits)
        return false;
    uint64_t all = all_of(v->bits), sign = UINT64_C(1) << (v->bits - 1);
    uint64_t from = v->op == CC_CODE_SHL ? m >> k : m << k & all;
    if (v->op == CC_CODE_SAR && m & ~(all >> k))
        from |= sign;
    need(d, v->a, from);
    return true;
}

/* Each bit of the result is made of those at its place. */
static bool bitwise(struct demand *d, const struct cc_value *v, uint64_t m)
{
    uint64_t k, rest = m;
    if (v->bits <= MASK && v->b && cc_value_is_const(&d->b->values, v->b, &k))
        rest = v->op == CC_CODE_AND ? m & k : v->op == CC_CODE_OR ? m & ~k : m;
    if (bits_of(d, v->a) != v->bits || (v->b && bits_of(d, v->b) != v->bits) || v->c)
        return false;
    need(d, v->a, rest);
    need(d, v->b, m);
    return true;
}

static bool widened(struct demand *d, const struct cc_value *v, uint64_t m)
{
    unsigned narrow = bits_of(d, v->a);
    uint64_t sign = moved(1, 1, (int)narrow - 1, narrow);
    bool above = (m & ~moved(all_of(narrow), narrow, 0, v->bits)) != 0;
    need(d, v->a, moved(m, v->bits, 0, narrow) | (v->op == CC_CODE_SEXT && above ? sign : 0));
    return true;
}

/* false: it is one of which nothing more is known. */
static bool operation(struct demand *d, const struct cc_value *v, uint64_t m)
{
    const uint32_t of[] = {v->a, v->b, v->c};
    bool carries = v->op == CC_CODE_ADD || v->op == CC_CODE_SUB || v->op == CC_CODE_MUL;
    switch (v->op) {
    case CC_CODE_AND:
    case CC_CODE_OR:
    case CC_CODE_XOR:
    case CC_CODE_NOT:
        return bitwise(d, v, m);
    case CC_CODE_SHL:
    case CC_CODE_SHR:
    case CC_CODE_SAR:
        return shift(d, v, m);
    case CC_CODE_ZEXT:
    case CC_CODE_SEXT:
        return widened(d, v, m);
    default:
        break;
    }
    if (!v->lane && !(carries && v->bits <= MASK))
        return false;
    for (unsigned i = 0; i < CC_COUNT(of); i++) {
        if (of[i] && bits_of(d, of[i]) == v->bits)
            need(d, of[i], v->lane ? whole_parts(m, v->bits, v->lane) : up_to(m));
        else
            need_all(d, of[i]);
    }
    return true;
}

/* What bits m of a value need of what it is made of, but for the first operands. */
static void into(struct demand *d, uint32_t now, uint64_t m, uint32_t but)
{
    const struct cc_value v = *cc_value(&d->b->values, now);
    const uint32_t *of;
    uint32_t n = cc_value_operands(&d->b->values, now, &of);
    bool known = false;
    if (v.kind == CC_VALUE_PART) {
        need(d, v.a, moved(m, v.bits, (int)v.data, bits_of(d, v.a)));
        known = true;
    } else if (v.kind == CC_VALUE_JOIN) {
        need(d, v.a, moved(m, v.bits, 0, bits_of(d, v.a)));
        need(d, v.b, moved(m, v.bits, -(int)bits_of(d, v.a), bits_of(d, v.b)));
        known = true;
    } else if (v.kind == CC_VALUE_OP && !but) {
        known = operation(d, &v, m);
    }
    for (uint32_t i = but; i < n && !known; i++) {
        bool same =
            (v.kind == CC_VALUE_PHI || (v.kind == CC_VALUE_SELECT && i)) && bits_of(d, of[i]) == v.bits;
        need(d, of[i], same ? m : all_of(bits_of(d, of[i])));
    }
}

/* A value that the next iteration needs is needed when this one ends. */
static void follow(struct demand *d, const struct cc_flow_chain *but)
{
    while (d->todo.n) {
        uint32_t now = d->todo.v[--d->todo.n];
        bool decided = but && but->decided.is && but->decided.is[now];
        into(d, now, d->of[now], decided);
        const uint64_t *cell = cc_map_get(&d->b->uses.cell, now);
        uint32_t end = cell ? d->b->end.v[*cell - 1] : 0;
        if (end)
            need(d, end, bits_of(d, end) == bits_of(d, now) ? d->of[now] : all_of(bits_of(d, end)));
    }
}

struct cc_flow_set cc_flow_demanded(struct cc_flow_body *b, const struct cc_flow_chain *but)
{
    struct cc_flow_set s = cc_flow_set_new(b);
    struct demand d = {.b = b, .of = cc_alloc_array(s.n + 1, sizeof *d.of), .n = s.n};
    for (size_t i = 0; i < b->roots.n; i++) {
        uint32_t parts[2];
        if (but && cc_flow_is_left(b, but, &b->roots.v[i], parts)) {
            need_all(&d, parts[0]);
            need_all(&d, parts[1]);
        } else if (!cc_flow_is_own_branch(but, &b->roots.v[i])) {
            need_all(&d, b->roots.v[i].value);
        }
    }
    follow(&d, but);
    for (size_t v = 0; v < d.n; v++)
        s.is[v] = d.of[v] != 0;
    CC_VEC_FINI(&d.todo);
    free(d.of);
    return s;
}
