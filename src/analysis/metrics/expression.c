#include "lower_priv.h"

#include <math.h>

/* Latencies in cycles for critical_latency: what a mid-size FPGA's operators take at about 150-200 MHz. They
 * rank chains; they are no timing model. */
enum { LAT_SIMPLE = 1, LAT_MUL = 3, LAT_DIV = 18, LAT_FADD = 5, LAT_FMUL = 4, LAT_FDIV = 16, LAT_FCMP = 2 };
enum { LAT_FCONV = 4, LAT_MATH = 20, LAT_LOAD = 2, LAT_STORE = 1 };

struct place { /* what an assignment or a read goes to */
    enum { IN_REGISTER, IN_MEMORY, NOWHERE } where;
    int32_t var;      /* register: the variable; memory: the object, -1 unknown */
    struct val ready; /* address */
    bool aggregate;
};

static struct val later(struct val a, struct val b)
{
    return (struct val){fmax(a.depth, b.depth), fmax(a.latency, b.latency)};
}

/* --- operations --- */

static struct state *state_of(struct lower *l, int32_t decl)
{
    struct state *s = &l->states[decl < 0 ? (int32_t)l->t->ndecls : decl];
    if (s->region != l->region) {
        s->region = l->region;
        s->ready = (struct val){0};
        s->accesses = 0;
    }
    return s;
}

static struct val step(struct lower *l, struct val ready, double latency)
{
    ready.depth++;
    ready.latency += latency;
    l->m[CC_M_critical_path] = fmax(l->m[CC_M_critical_path], ready.depth);
    l->m[CC_M_critical_latency] = fmax(l->m[CC_M_critical_latency], ready.latency);
    l->m[CC_M_weighted_operations] += l->trips;
    l->m[CC_M_unrolled_operations] += l->unrolled;
    return ready;
}

static struct val operation(struct lower *l, enum cc_metric unit, struct val ready, double latency)
{
    l->m[unit]++;
    l->m[CC_M_operations]++;
    return step(l, ready, latency);
}

static struct val access(struct lower *l, int32_t object, bool store, struct val ready)
{
    struct state *s = state_of(l, object);
    s->accesses++;
    l->region_accesses++;
    l->m[store ? CC_M_stores : CC_M_loads]++;
    l->m[CC_M_memory_ports] = fmax(l->m[CC_M_memory_ports], s->accesses);
    l->m[CC_M_region_accesses] = fmax(l->m[CC_M_region_accesses], l->region_accesses);
    if (!s->memory) {
        s->memory = true;
        l->m[CC_M_memories]++;
    }
    ready = step(l, later(ready, s->ready), store ? LAT_STORE : LAT_LOAD);
    if (store)
        s->ready = ready;
    return ready;
}

/* Bits of an operand before implicit conversions; 0 for literals, which fit whatever they meet. */
static uint64_t operand_bits(const struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    while (n->kind == CC_N_CAST && !n->op && n->child != CC_NODE_NONE)
        n = cc_lower_at(l, n->child);
    if (n->kind == CC_N_LITERAL)
        return 0;
    return n->type.class == CC_T_INT || n->type.class == CC_T_FLOAT ? n->type.bits : 0;
}

static enum cc_metric by_width(uint64_t bits, enum cc_metric narrow)
{
    return narrow + (bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3);
}

static struct val int_operation(struct lower *l, enum cc_op op, uint64_t bits, bool literal, struct val v)
{
    l->m[CC_M_operation_bits] += (double)bits;
    switch (op) {
    case CC_OP_MUL:
        return operation(l, by_width(bits, CC_M_mul_8), v, LAT_MUL);
    case CC_OP_DIV:
    case CC_OP_MOD:
        return operation(l, bits <= 32 ? CC_M_div_32 : CC_M_div_64, v, LAT_DIV);
    case CC_OP_SHL:
    case CC_OP_SHR:
        return operation(l, literal ? CC_M_shift_const : CC_M_shift_var, v, LAT_SIMPLE);
    case CC_OP_AND:
    case CC_OP_OR:
    case CC_OP_XOR:
    case CC_OP_COMPL:
        return operation(l, CC_M_logic, v, LAT_SIMPLE);
    case CC_OP_LT:
    case CC_OP_GT:
    case CC_OP_LE:
    case CC_OP_GE:
    case CC_OP_EQ:
    case CC_OP_NE:
    case CC_OP_NOT:
        return operation(l, CC_M_compare, v, LAT_SIMPLE);
    default:
        return operation(l, by_width(bits, CC_M_add_8), v, LAT_SIMPLE);
    }
}

static struct val float_operation(struct lower *l, enum cc_op op, uint64_t bits, struct val v)
{
    bool wide = bits > 32;
    if (op == CC_OP_MUL)
        return operation(l, wide ? CC_M_fmul_64 : CC_M_fmul_32, v, LAT_FMUL);
    if (op == CC_OP_DIV)
        return operation(l, wide ? CC_M_fdiv_64 : CC_M_fdiv_32, v, LAT_FDIV);
    if ((op >= CC_OP_LT && op <= CC_OP_NE) || op == CC_OP_NOT)
        return operation(l, CC_M_compare_float, v, LAT_FCMP);
    return operation(l, wide ? CC_M_fadd_64 : CC_M_fadd_32, v, LAT_FADD);
}

static bool is_class(const struct lower *l, uint32_t node, enum cc_type_class class)
{
    return cc_lower_at(l, node)->type.class == class;
}

/* One arithmetic operator on values that are ready at v; right may be CC_NODE_NONE. */
static struct val arithmetic(struct lower *l, enum cc_op op, uint32_t left, uint32_t right, struct val v)
{
    bool shift = op == CC_OP_SHL || op == CC_OP_SHR;
    bool compares = (op >= CC_OP_LT && op <= CC_OP_NE) || op == CC_OP_NOT;
    bool pointer = is_class(l, left, CC_T_POINTER) || is_class(l, left, CC_T_ARRAY) ||
                   (right != CC_NODE_NONE && is_class(l, right, CC_T_POINTER));
    if (pointer && !compares)
        return operation(l, CC_M_address_ops, v, LAT_SIMPLE);
    uint64_t bits = operand_bits(l, left);
    if (right != CC_NODE_NONE && !shift)
        bits = CC_MAX(bits, operand_bits(l, right));
    if (bits == 0)
        bits = pointer ? 64 : cc_lower_at(l, left)->type.bits;
    if (is_class(l, left, CC_T_FLOAT) || (right != CC_NODE_NONE && is_class(l, right, CC_T_FLOAT)))
        return float_operation(l, op, bits, v);
    int64_t amount;
    bool literal = right != CC_NODE_NONE && cc_tree_constant(l->t, right, &amount);
    return int_operation(l, op, bits, literal, v);
}

/* --- places --- */

/* The object a pointer expression points into, as far as the text says: its variable, or the array it decays
 * from. */
static int32_t root(const struct lower *l, uint32_t node)
{
    while (node != CC_NODE_NONE) {
        const struct cc_tree_node *n = cc_lower_at(l, node);
        switch (n->kind) {
        case CC_N_REF:
            return n->decl;
        case CC_N_CAST:
        case CC_N_MEMBER:
        case CC_N_SUBSCRIPT:
        case CC_N_UNARY:
        case CC_N_ASSIGN:
            node = n->child;
            break;
        case CC_N_BINARY: {
            uint32_t right = cc_lower_at(l, n->child)->next;
            node = is_class(l, n->child, CC_T_INT) && right != CC_NODE_NONE ? right : n->child;
            break;
        }
        default:
            return -1;
        }
    }
    return -1;
}

static struct place in_memory(const struct lower *l, uint32_t pointer, struct val ready, uint32_t node)
{
    enum cc_type_class class = cc_lower_at(l, node)->type.class;
    return (struct place){IN_MEMORY, root(l, pointer), ready, class == CC_T_ARRAY || class == CC_T_FUNCTION};
}

static struct place place_of_ref(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    if (n->decl < 0)
        return (struct place){.where = NOWHERE};
    const struct cc_decl *d = &l->t->decls[n->decl];
    if (d->kind == CC_D_FUNCTION || d->kind == CC_D_OTHER)
        return (struct place){.where = NOWHERE};
    bool array = d->type.class == CC_T_ARRAY;
    if (array || d->kind == CC_D_GLOBAL)
        return (struct place){IN_MEMORY, n->decl, {0}, array};
    return (struct place){.where = IN_REGISTER, .var = n->decl};
}

static struct place place_of(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    uint32_t base = n->child;
    switch (n->kind) {
    case CC_N_REF:
        return place_of_ref(l, node);
    case CC_N_MEMBER:
        if (base == CC_NODE_NONE) /* C++: a member of *this */
            return (struct place){IN_MEMORY, -1, {0}, n->type.class == CC_T_ARRAY};
        if (is_class(l, base, CC_T_POINTER))
            return in_memory(l, base, cc_lower_eval(l, base), node);
        struct place p = place_of(l, base);
        p.aggregate = n->type.class == CC_T_ARRAY;
        return p;
    case CC_N_SUBSCRIPT: {
        uint32_t index = cc_lower_at(l, base)->next;
        struct val ready = cc_lower_eval(l, base);
        if (index == CC_NODE_NONE)
            return in_memory(l, base, ready, node);
        struct val i = cc_lower_eval(l, index);
        int64_t constant;
        ready = later(ready, i);
        if (!cc_tree_constant(l->t, index, &constant))
            ready = operation(l, CC_M_address_ops, ready, LAT_SIMPLE);
        return in_memory(l, base, ready, node);
    }
    case CC_N_UNARY:
        if (n->op == CC_OP_DEREF)
            return in_memory(l, base, cc_lower_eval(l, base), node);
        break;
    case CC_N_CAST:
        if (n->op == 0)
            return place_of(l, base);
        break;
    default:
        break;
    }
    return (struct place){.where = NOWHERE, .ready = cc_lower_eval(l, node)};
}

static struct val read_place(struct lower *l, const struct place *p)
{
    if (p->where == NOWHERE || (p->where == IN_MEMORY && p->aggregate))
        return p->ready; /* an array is its address */
    if (p->where == IN_REGISTER) {
        cc_lower_event(l, p->var, false);
        return later(p->ready, state_of(l, p->var)->ready);
    }
    if (p->var >= 0 && l->t->decls[p->var].kind == CC_D_GLOBAL && !state_of(l, p->var)->read) {
        state_of(l, p->var)->read = true;
        l->m[CC_M_globals_read]++;
    }
    return access(l, p->var, false, p->ready);
}

static struct val write_place(struct lower *l, const struct place *p, struct val v)
{
    if (p->where == NOWHERE)
        return later(p->ready, v);
    if (p->where == IN_REGISTER) {
        cc_lower_event(l, p->var, true);
        state_of(l, p->var)->ready = v;
        return v;
    }
    if (p->var >= 0 && l->t->decls[p->var].kind == CC_D_GLOBAL && !state_of(l, p->var)->written) {
        state_of(l, p->var)->written = true;
        l->m[CC_M_globals_written]++;
    }
    access(l, p->var, true, later(p->ready, v));
    return v; /* the value itself goes on without waiting for the memory */
}

/* --- expressions --- */

static struct val eval_short_circuit(struct lower *l, uint32_t node)
{
    uint32_t left = cc_lower_at(l, node)->child, right = cc_lower_at(l, left)->next;
    struct val v = cc_lower_eval(l, left);
    cc_lower_item(l);
    int32_t head = l->cur, rest = cc_lower_block(l);
    cc_lower_edge(l, head, rest);
    cc_lower_enter(l, rest);
    v = later(v, cc_lower_eval(l, right));
    cc_lower_item(l);
    int32_t end = l->cur, join = cc_lower_block(l);
    cc_lower_edge(l, end, join);
    cc_lower_edge(l, head, join);
    cc_lower_enter(l, join);
    return v;
}

static struct val eval_select(struct lower *l, uint32_t node)
{
    uint32_t condition = cc_lower_at(l, node)->child, yes = cc_lower_at(l, condition)->next;
    uint32_t no = yes == CC_NODE_NONE ? CC_NODE_NONE : cc_lower_at(l, yes)->next;
    struct val v = cc_lower_eval(l, condition);
    cc_lower_item(l);
    int32_t head = l->cur, join = cc_lower_block(l);
    for (int arm = 0; arm < 2; arm++) {
        uint32_t e = arm ? no : yes;
        if (e == CC_NODE_NONE) { /* GNU a ?: b has one arm that computes nothing */
            cc_lower_edge(l, head, join);
            continue;
        }
        int32_t b = cc_lower_block(l);
        cc_lower_edge(l, head, b);
        cc_lower_enter(l, b);
        v = later(v, cc_lower_eval(l, e));
        cc_lower_item(l);
        cc_lower_edge(l, l->cur, join);
    }
    cc_lower_enter(l, join);
    return operation(l, CC_M_select, v, LAT_SIMPLE);
}

static struct val eval_assign(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    uint32_t left = n->child, right = cc_lower_at(l, left)->next;
    struct val v = cc_lower_eval(l, right);
    struct place p = place_of(l, left);
    if (n->op != CC_OP_NONE)
        v = arithmetic(l, n->op, left, right, later(v, read_place(l, &p)));
    return write_place(l, &p, v);
}

static struct val eval_unary(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    struct place p;
    struct val v;
    switch (n->op) {
    case CC_OP_INC:
    case CC_OP_DEC:
        p = place_of(l, n->child);
        v = read_place(l, &p);
        struct val next = arithmetic(l, CC_OP_ADD, n->child, CC_NODE_NONE, v);
        write_place(l, &p, next);
        return cc_lower_at(l, n->child)->begin > n->begin ? next : v;
    case CC_OP_DEREF:
        p = place_of(l, node);
        return read_place(l, &p);
    case CC_OP_ADDR:
        p = place_of(l, n->child);
        if (p.where == IN_REGISTER) { /* whoever gets the address may read and write it */
            cc_lower_event(l, p.var, false);
            cc_lower_event(l, p.var, true);
        }
        return p.ready;
    case CC_OP_PLUS:
    case CC_OP_OTHER:
        return cc_lower_eval(l, n->child);
    default:
        return arithmetic(l, n->op, n->child, CC_NODE_NONE, cc_lower_eval(l, n->child));
    }
}

static struct val eval_cast(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node), *from = cc_lower_at(l, n->child);
    struct val v = cc_lower_eval(l, n->child);
    int64_t constant;
    if (from->kind == CC_N_LITERAL || cc_tree_constant(l->t, n->child, &constant))
        return v;
    bool to_float = n->type.class == CC_T_FLOAT, from_float = from->type.class == CC_T_FLOAT;
    bool to_int = n->type.class == CC_T_INT, from_int = from->type.class == CC_T_INT;
    if ((to_float && (from_int || (from_float && n->type.bits != from->type.bits))) || (to_int && from_float))
        return operation(l, CC_M_convert_float, v, LAT_FCONV);
    if (to_int && from_int && n->type.bits != from->type.bits)
        l->m[CC_M_convert_int]++; /* wires only */
    return v;
}

struct val cc_lower_eval_all(struct lower *l, uint32_t first)
{
    struct val v = {0};
    for (; first != CC_NODE_NONE; first = cc_lower_at(l, first)->next)
        v = later(v, cc_lower_eval(l, first));
    return v;
}

static struct val eval_call(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    bool direct = n->decl >= 0 && l->t->decls[n->decl].kind == CC_D_FUNCTION;
    uint32_t first = n->child;
    if (direct && first != CC_NODE_NONE && cc_lower_at(l, first)->type.class != CC_T_RECORD)
        first = cc_lower_at(l, first)->next; /* the function's name computes nothing */
    if (direct && strcmp(l->t->decls[n->decl].name, "__builtin_constant_p") == 0)
        return (struct val){0}; /* asks about its argument, and computes nothing of it */
    struct val v = cc_lower_eval_all(l, first);
    enum cc_metric kind = direct ? cc_math_kind(l->t->decls[n->decl].name) : CC_METRIC_COUNT;
    if (kind == CC_METRIC_COUNT)
        return v;
    l->m[kind]++;
    /* by what it computes in: lround(double) gives an integer */
    uint64_t bits = n->type.class == CC_T_FLOAT ? n->type.bits
                    : first != CC_NODE_NONE     ? cc_lower_at(l, first)->type.bits
                                                : 64;
    l->m[bits <= 32 ? CC_M_math_32 : CC_M_math_64]++;
    return operation(l, CC_M_math_calls, v, LAT_MATH);
}

static struct val eval_binary(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    uint32_t left = n->child, right = cc_lower_at(l, left)->next;
    if (n->op == CC_OP_LAND || n->op == CC_OP_LOR)
        return eval_short_circuit(l, node);
    struct val a = cc_lower_eval(l, left), b = cc_lower_eval(l, right);
    if (n->op == CC_OP_COMMA)
        return b;
    if (n->op == CC_OP_OTHER)
        return later(a, b);
    return arithmetic(l, n->op, left, right, later(a, b));
}

/* A variable outside the function whose value is known is no memory. */
static bool constant_global(const struct lower *l, const struct cc_tree_node *n)
{
    return n->kind == CC_N_REF && n->decl >= 0 && l->t->decls[n->decl].has_value &&
           l->t->decls[n->decl].kind == CC_D_GLOBAL;
}

struct val cc_lower_eval(struct lower *l, uint32_t node)
{
    const struct cc_tree_node *n = cc_lower_at(l, node);
    struct place p;
    int64_t constant;
    if ((n->kind == CC_N_BINARY || n->kind == CC_N_UNARY || constant_global(l, n)) &&
        cc_tree_constant(l->t, node, &constant))
        return (struct val){0}; /* every compiler folds it */
    switch (n->kind) {
    case CC_N_LITERAL:
    case CC_N_SIZEOF:
    case CC_N_ABSENT:
        return (struct val){0};
    case CC_N_REF:
    case CC_N_MEMBER:
    case CC_N_SUBSCRIPT:
        p = place_of(l, node);
        return read_place(l, &p);
    case CC_N_BINARY:
        return eval_binary(l, node);
    case CC_N_ASSIGN:
        return eval_assign(l, node);
    case CC_N_UNARY:
        return eval_unary(l, node);
    case CC_N_SELECT:
        return eval_select(l, node);
    case CC_N_CALL:
        return eval_call(l, node);
    case CC_N_CAST:
        return eval_cast(l, node);
    case CC_N_INIT:
    case CC_N_OTHER:
        return cc_lower_eval_all(l, n->child);
    default: /* ({ … }) and statements inside C++ constructs */
        cc_lower_statement(l, node);
        return (struct val){0};
    }
}

static size_t leaves(const struct lower *l, uint32_t node)
{
    size_t n = 0;
    if (cc_lower_at(l, node)->kind != CC_N_INIT)
        return 1;
    for (uint32_t c = cc_lower_at(l, node)->child; c != CC_NODE_NONE; c = cc_lower_at(l, c)->next)
        n += leaves(l, c);
    return n;
}

void cc_lower_initialise(struct lower *l, int32_t decl, uint32_t initialiser, struct val v)
{
    if (l->t->decls[decl].type.class == CC_T_ARRAY) {
        for (size_t i = leaves(l, initialiser); i > 0; i--)
            access(l, decl, true, v);
        return;
    }
    cc_lower_event(l, decl, true);
    state_of(l, decl)->ready = v;
}
