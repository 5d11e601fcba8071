#include "value.h"

static uint64_t mix(uint64_t h)
{
    h ^= h >> 32;
    h *= UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static uint64_t hash_of(const struct cc_value *v)
{
    uint64_t h = mix(v->kind | (uint64_t)v->op << 8 | (uint64_t)v->bits << 16 | (uint64_t)v->lane << 32);
    h = mix(h ^ v->a) + v->b;
    h = mix(h) + v->c;
    return mix(mix(h) ^ v->data);
}

static bool is_same(const struct cc_value *p, const struct cc_value *q)
{
    return p->kind == q->kind && p->op == q->op && p->bits == q->bits && p->lane == q->lane && p->a == q->a &&
           p->b == q->b && p->c == q->c && p->data == q->data;
}

static size_t slot_of(const struct cc_values *x, const struct cc_value *v)
{
    size_t i = hash_of(v) & (x->hash_cap - 1);
    while (x->hash[i] && !is_same(&x->v.v[x->hash[i]], v))
        i = (i + 1) & (x->hash_cap - 1);
    return i;
}

static void grow(struct cc_values *x)
{
    free(x->hash);
    x->hash_cap *= 2;
    x->hash = cc_alloc_array(x->hash_cap, sizeof *x->hash);
    for (size_t i = 1; i < x->v.n; i++)
        x->hash[slot_of(x, &x->v.v[i])] = (uint32_t)i;
}

static uint32_t intern(struct cc_values *x, struct cc_value v)
{
    size_t i = slot_of(x, &v);
    if (x->hash[i])
        return x->hash[i];
    x->hash[i] = (uint32_t)x->v.n;
    CC_VEC_PUSH(&x->v, v);
    if (x->v.n * 2 > x->hash_cap)
        grow(x);
    return (uint32_t)x->v.n - 1;
}

void cc_values_init(struct cc_values *x)
{
    *x = (struct cc_values){.hash_cap = 1024};
    x->hash = cc_alloc_array(x->hash_cap, sizeof *x->hash);
    CC_VEC_PUSH(&x->v, (struct cc_value){0});
}

void cc_values_fini(struct cc_values *x)
{
    CC_VEC_FINI(&x->v);
    CC_VEC_FINI(&x->operands);
    free(x->hash);
}

static uint64_t low(uint64_t v, unsigned bits)
{
    return bits < 64 ? v & ((UINT64_C(1) << bits) - 1) : v;
}

static int64_t signed_of(uint64_t v, unsigned bits)
{
    unsigned up = bits < 64 ? 64 - bits : 0;
    return (int64_t)(v << up) >> up;
}

bool cc_value_is_const(const struct cc_values *x, uint32_t v, uint64_t *ret)
{
    if (cc_value(x, v)->kind != CC_VALUE_CONST)
        return false;
    *ret = cc_value(x, v)->data;
    return true;
}

uint32_t cc_value_const(struct cc_values *x, uint64_t data, unsigned bits)
{
    return intern(x,
                  (struct cc_value){.kind = CC_VALUE_CONST, .bits = (uint16_t)bits, .data = low(data, bits)});
}

uint32_t cc_value_init(struct cc_values *x, uint32_t base, uint64_t at, unsigned bits)
{
    return intern(x, (struct cc_value){.kind = CC_VALUE_INIT, .bits = (uint16_t)bits, .a = base, .data = at});
}

uint32_t cc_value_unknown(struct cc_values *x, uint64_t which, unsigned bits)
{
    return intern(x, (struct cc_value){.kind = CC_VALUE_UNKNOWN, .bits = (uint16_t)bits, .data = which});
}

uint32_t cc_value_memory(struct cc_values *x, uint32_t before, uint32_t address, uint32_t data)
{
    return intern(x, (struct cc_value){.kind = CC_VALUE_MEMORY, .a = address, .b = data, .c = before});
}

uint32_t cc_value_load(struct cc_values *x, uint32_t address, uint32_t memory, unsigned bits)
{
    const struct cc_value *m = cc_value(x, memory);
    if (m->kind == CC_VALUE_MEMORY && m->a == address && m->b && cc_value(x, m->b)->bits == bits)
        return m->b;
    return intern(
        x, (struct cc_value){.kind = CC_VALUE_LOAD, .bits = (uint16_t)bits, .a = address, .b = memory});
}

uint32_t cc_value_phi(struct cc_values *x, uint64_t where, unsigned bits)
{
    return intern(x, (struct cc_value){.kind = CC_VALUE_PHI, .bits = (uint16_t)bits, .data = where});
}

void cc_value_phi_set(struct cc_values *x, uint32_t phi, const uint32_t *operands, uint32_t n)
{
    struct cc_value *v = &x->v.v[phi];
    if (v->n < n) {
        v->first = (uint32_t)x->operands.n;
        for (uint32_t i = 0; i < n; i++)
            CC_VEC_PUSH(&x->operands, 0);
    }
    v->n = n;
    memcpy(&x->operands.v[v->first], operands, n * sizeof *operands);
}

static uint32_t extended(struct cc_values *x, uint32_t a, unsigned bits)
{
    return cc_value_op(x, (struct cc_operation){.op = CC_CODE_ZEXT, .bits = bits, .a = a});
}

/* The part of what was widened. 0: it stays as it is. */
static uint32_t part_of_wide(struct cc_values *x, uint32_t a, unsigned from, unsigned bits)
{
    struct cc_value v = *cc_value(x, a);
    unsigned narrow = cc_value(x, v.a)->bits;
    if (from + bits <= narrow)
        return cc_value_part(x, v.a, from, bits);
    if (v.op == CC_CODE_ZEXT && from >= narrow)
        return cc_value_const(x, 0, bits);
    if (from == 0)
        return cc_value_op(x, (struct cc_operation){.op = v.op, .bits = bits, .a = v.a});
    return 0;
}

uint32_t cc_value_part(struct cc_values *x, uint32_t a, unsigned from, unsigned bits)
{
    struct cc_value v = *cc_value(x, a);
    if (from == 0 && bits == v.bits)
        return a;
    if (v.kind == CC_VALUE_CONST)
        return cc_value_const(x, from < 64 ? v.data >> from : 0, bits);
    if (v.kind == CC_VALUE_PART)
        return cc_value_part(x, v.a, from + (unsigned)v.data, bits);
    if (v.kind == CC_VALUE_JOIN) {
        unsigned split = cc_value(x, v.a)->bits;
        if (from + bits <= split)
            return cc_value_part(x, v.a, from, bits);
        if (from >= split)
            return cc_value_part(x, v.b, from - split, bits);
    }
    if (v.kind == CC_VALUE_OP && (v.op == CC_CODE_ZEXT || v.op == CC_CODE_SEXT)) {
        uint32_t simple = part_of_wide(x, a, from, bits);
        if (simple)
            return simple;
    }
    return intern(x, (struct cc_value){.kind = CC_VALUE_PART, .bits = (uint16_t)bits, .a = a, .data = from});
}

uint32_t cc_value_join(struct cc_values *x, uint32_t below, uint32_t above)
{
    struct cc_value p = *cc_value(x, below), q = *cc_value(x, above);
    unsigned bits = p.bits + q.bits;
    if (q.kind == CC_VALUE_CONST && q.data == 0)
        return extended(x, below, bits);
    if (p.kind == CC_VALUE_CONST && q.kind == CC_VALUE_CONST && bits <= 64)
        return cc_value_const(x, p.data | q.data << p.bits, bits);
    if (q.kind == CC_VALUE_PART && p.kind == CC_VALUE_PART && p.a == q.a && p.data + p.bits == q.data)
        return cc_value_part(x, p.a, (unsigned)p.data, bits);
    if (q.kind == CC_VALUE_PART && q.a == below && q.data == p.bits)
        return cc_value_part(x, below, 0, bits);
    return intern(x,
                  (struct cc_value){.kind = CC_VALUE_JOIN, .bits = (uint16_t)bits, .a = below, .b = above});
}

uint32_t cc_value_select(struct cc_values *x, uint32_t condition, uint32_t yes, uint32_t no)
{
    uint64_t k;
    if (yes == no)
        return yes;
    if (cc_value_is_const(x, condition, &k))
        return k & 1 ? yes : no;
    return intern(
        x, (struct cc_value){
               .kind = CC_VALUE_SELECT, .bits = cc_value(x, yes)->bits, .a = condition, .b = yes, .c = no});
}

static bool compares(enum cc_code_op op)
{
    return op >= CC_CODE_EQ && op <= CC_CODE_LEU;
}

static bool folds_two(const struct cc_operation *o, uint64_t p, uint64_t q, unsigned width, uint64_t *ret)
{
    int64_t sp = signed_of(p, width), sq = signed_of(q, width);
    switch (o->op) {
    case CC_CODE_ADD:
        *ret = p + q;
        return true;
    case CC_CODE_SUB:
        *ret = p - q;
        return true;
    case CC_CODE_MUL:
        *ret = p * q;
        return true;
    case CC_CODE_AND:
        *ret = p & q;
        return true;
    case CC_CODE_OR:
        *ret = p | q;
        return true;
    case CC_CODE_XOR:
        *ret = p ^ q;
        return true;
    case CC_CODE_SHL:
        *ret = q < width ? p << q : 0;
        return true;
    case CC_CODE_SHR:
        *ret = q < width ? p >> q : 0;
        return true;
    case CC_CODE_SAR:
        *ret = (uint64_t)(sp >> (q < width ? q : width - 1));
        return true;
    case CC_CODE_EQ:
        *ret = p == q;
        return true;
    case CC_CODE_NE:
        *ret = p != q;
        return true;
    case CC_CODE_LTS:
        *ret = sp < sq;
        return true;
    case CC_CODE_LES:
        *ret = sp <= sq;
        return true;
    case CC_CODE_LTU:
        *ret = p < q;
        return true;
    case CC_CODE_LEU:
        *ret = p <= q;
        return true;
    default:
        return false;
    }
}

bool cc_value_fold(const struct cc_operation *o, const uint64_t k[2], unsigned width, uint64_t *ret)
{
    if (o->lane || width > 64 || o->bits > 64 || width == 0)
        return false;
    switch (o->op) {
    case CC_CODE_ZEXT:
        *ret = k[0];
        return true;
    case CC_CODE_SEXT:
        *ret = low((uint64_t)signed_of(k[0], width), o->bits);
        return true;
    case CC_CODE_NOT:
        *ret = low(~k[0], o->bits);
        return true;
    default:
        break;
    }
    if (!o->b || !folds_two(o, k[0], k[1], width, ret))
        return false;
    *ret = low(*ret, o->bits);
    return true;
}

static bool commutes(enum cc_code_op op)
{
    return op == CC_CODE_ADD || op == CC_CODE_MUL || op == CC_CODE_AND || op == CC_CODE_OR ||
           op == CC_CODE_XOR || op == CC_CODE_EQ || op == CC_CODE_NE || op == CC_CODE_FADD ||
           op == CC_CODE_FMUL;
}

/* Subtraction of a constant is addition; constants come second; otherwise the older operand comes first. */
static void order(struct cc_values *x, struct cc_operation *o)
{
    uint64_t k;
    if (o->op == CC_CODE_SUB && !o->lane && o->bits <= 64 && cc_value_is_const(x, o->b, &k)) {
        o->op = CC_CODE_ADD;
        o->b = cc_value_const(x, 0 - k, o->bits);
    }
    if (!commutes(o->op))
        return;
    bool first_const = cc_value(x, o->a)->kind == CC_VALUE_CONST,
         second_const = cc_value(x, o->b)->kind == CC_VALUE_CONST;
    if ((first_const && !second_const) || (first_const == second_const && o->a > o->b)) {
        uint32_t a = o->a;
        o->a = o->b;
        o->b = a;
    }
}

/* Bits of a mask of ones at the bottom that a register's part has; 0: it is none. */
static unsigned mask_bits(uint64_t k)
{
    return k == 0xff ? 8 : k == 0xffff ? 16 : k == 0xffffffff ? 32 : 0;
}

static uint32_t simple_with_const(struct cc_values *x, const struct cc_operation *o, uint64_t k)
{
    struct cc_value p = *cc_value(x, o->a);
    uint64_t inner;
    switch (o->op) {
    case CC_CODE_ADD:
        if (k == 0)
            return o->a;
        if (p.kind == CC_VALUE_OP && p.op == CC_CODE_ADD && p.lane == 0 &&
            cc_value_is_const(x, p.b, &inner)) {
            struct cc_operation sum = *o;
            sum.a = p.a;
            sum.b = cc_value_const(x, inner + k, o->bits);
            return cc_value_op(x, sum);
        }
        return 0;
    case CC_CODE_OR:
    case CC_CODE_XOR:
    case CC_CODE_SHL:
    case CC_CODE_SHR:
    case CC_CODE_SAR:
        return k == 0 ? o->a : 0;
    case CC_CODE_MUL:
        return k == 1 ? o->a : k == 0 ? o->b : 0;
    case CC_CODE_AND:
        if (k == 0)
            return o->b;
        return mask_bits(k) && mask_bits(k) < o->bits
                   ? extended(x, cc_value_part(x, o->a, 0, mask_bits(k)), o->bits)
                   : 0;
    default:
        return 0;
    }
}

enum { MASKED = 1 }; /* the number of one that masks choose, which no engine's operation has */

/* What an AND of v takes where a mask says so: the other operand; not: where it says otherwise. 0: it takes
 * none so. */
static uint32_t masked(const struct cc_values *x, uint32_t v, uint32_t mask, bool not )
{
    const struct cc_value *p = cc_value(x, v);
    if (p->kind != CC_VALUE_OP || p->op != CC_CODE_AND)
        return 0;
    for (int i = 0; i < 2; i++) {
        uint32_t by = i ? p->b : p->a;
        const struct cc_value *q = cc_value(x, by);
        if (not ? q->kind == CC_VALUE_OP && q->op == CC_CODE_NOT && q->a == mask : by == mask)
            return i ? p->a : p->b;
    }
    return 0;
}

/* The smaller or the larger of two in each part, as it is written where vectors have no such instruction:
 * `(m & a) | (~m & b)` of a mask m that says where a < b, or b < a. 0: it is none. */
static uint32_t masked_extreme(struct cc_values *x, const struct cc_operation *o)
{
    if (o->op != CC_CODE_OR || o->c)
        return 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t yes = i & 1 ? o->b : o->a, no = i & 1 ? o->a : o->b;
        const struct cc_value *p = cc_value(x, yes);
        const uint32_t mask = p->kind != CC_VALUE_OP || p->op != CC_CODE_AND ? 0 : i & 2 ? p->b : p->a;
        const struct cc_value m = *cc_value(x, mask);
        if (!mask || m.kind != CC_VALUE_OP || m.op != CC_CODE_LTS || !m.lane || m.bits != o->bits)
            continue;
        const uint32_t a = masked(x, yes, mask, false), b = masked(x, no, mask, true);
        if ((a == m.a && b == m.b) || (a == m.b && b == m.a))
            return cc_value_op(x, (struct cc_operation){.op = a == m.a ? CC_CODE_MIN : CC_CODE_MAX,
                                                        .bits = o->bits,
                                                        .lane = m.lane,
                                                        .a = m.a,
                                                        .b = m.b,
                                                        .number = MASKED});
    }
    return 0;
}

static uint32_t simple_op(struct cc_values *x, const struct cc_operation *o)
{
    unsigned width = cc_value(x, o->a)->bits;
    uint64_t k[2] = {0}, folded;
    bool first = o->a && cc_value_is_const(x, o->a, &k[0]),
         second = o->b && cc_value_is_const(x, o->b, &k[1]);
    if (o->a && first && (!o->b || second) && !o->c && cc_value_fold(o, k, width, &folded))
        return cc_value_const(x, folded, o->bits);
    if ((o->op == CC_CODE_ZEXT || o->op == CC_CODE_SEXT) && width == o->bits)
        return o->a;
    const struct cc_value *p = cc_value(x, o->a);
    if ((o->op == CC_CODE_ZEXT || o->op == CC_CODE_SEXT) && p->kind == CC_VALUE_OP && p->op == o->op)
        return cc_value_op(x, (struct cc_operation){.op = o->op, .bits = o->bits, .a = p->a});
    if ((o->op == CC_CODE_XOR || o->op == CC_CODE_SUB) && o->a == o->b)
        return cc_value_const(x, 0, o->bits);
    if (compares(o->op) && !o->lane && o->a == o->b)
        return cc_value_const(x, o->op == CC_CODE_EQ || o->op == CC_CODE_LES || o->op == CC_CODE_LEU, 1);
    if ((o->op == CC_CODE_AND || o->op == CC_CODE_OR || o->op == CC_CODE_MIN || o->op == CC_CODE_MAX) &&
        o->a == o->b)
        return o->a;
    uint32_t extreme = masked_extreme(x, o);
    if (extreme)
        return extreme;
    return second && !o->lane && o->bits <= 64 ? simple_with_const(x, o, k[1]) : 0;
}

uint32_t cc_value_op(struct cc_values *x, struct cc_operation o)
{
    if (o.op != CC_CODE_OTHER && o.op != CC_CODE_MIN && o.op != CC_CODE_MAX)
        o.number = compares(o.op) ? cc_value(x, o.a)->bits : 0;
    if (o.lane == o.bits)
        o.lane = 0;
    order(x, &o);
    uint32_t simple = simple_op(x, &o);
    if (simple)
        return simple;
    return intern(x, (struct cc_value){.kind = CC_VALUE_OP,
                                       .op = (uint8_t)o.op,
                                       .bits = (uint16_t)o.bits,
                                       .lane = (uint16_t)o.lane,
                                       .a = o.a,
                                       .b = o.b,
                                       .c = o.c,
                                       .data = o.number});
}

int64_t cc_value_offset(const struct cc_values *x, uint32_t v, uint32_t *ret_base)
{
    const struct cc_value *p = cc_value(x, v);
    uint64_t k;
    *ret_base = v;
    if (p->kind == CC_VALUE_CONST) {
        *ret_base = 0;
        return (int64_t)p->data;
    }
    if (p->kind != CC_VALUE_OP || p->op != CC_CODE_ADD || p->lane || !cc_value_is_const(x, p->b, &k))
        return 0;
    *ret_base = p->a;
    return (int64_t)k;
}

uint32_t cc_value_operands(const struct cc_values *x, uint32_t v, const uint32_t **ret)
{
    const struct cc_value *p = cc_value(x, v);
    *ret = &p->a;
    switch (p->kind) {
    case CC_VALUE_PHI:
        *ret = x->operands.v + p->first;
        return p->n;
    case CC_VALUE_OP:
    case CC_VALUE_SELECT:
        return p->c ? 3 : p->b ? 2 : p->a ? 1 : 0;
    case CC_VALUE_JOIN:
        return 2;
    case CC_VALUE_PART:
    case CC_VALUE_LOAD:
        return 1;
    default:
        return 0;
    }
}
