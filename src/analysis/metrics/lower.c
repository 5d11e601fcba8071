#include "lower.h"

#include <math.h>

/* Latencies in cycles for critical_latency: what a mid-size FPGA's operators take at about 150-200 MHz. They
 * rank chains; they are no timing model. */
enum { LAT_SIMPLE = 1, LAT_MUL = 3, LAT_DIV = 18, LAT_FADD = 5, LAT_FMUL = 4, LAT_FDIV = 16, LAT_FCMP = 2 };
enum { LAT_FCONV = 4, LAT_MATH = 20, LAT_LOAD = 2, LAT_STORE = 1 };

enum { UNKNOWN_TRIPS = 10, NO_BLOCK = -1 };

/* When a value is ready, counted from the start of its straight-line region. */
struct val {
    double depth, latency;
};

struct place { /* what an assignment or a read goes to */
    enum { IN_REGISTER, IN_MEMORY, NOWHERE } where;
    int32_t var;      /* register: the variable; memory: the object, -1 unknown */
    struct val ready; /* address */
    bool aggregate;
};

struct state { /* of a declaration, valid while `region` is the current one */
    uint32_t region;
    struct val ready; /* value of a register; last store to a memory */
    double accesses;
    bool read, written, memory;
};

struct target { /* of break and continue */
    int32_t on_break, on_continue;
};

struct lower {
    const struct cc_tree *t;
    struct cc_cfg *cfg;
    double *m;
    int32_t cur;
    uint32_t region, stmt, here; /* statements so far; the one being evaluated */
    double region_accesses, trips;
    struct state *states; /* one a declaration, and one for unknown memory at the end */
    int32_t *label_block;
    CC_VEC(struct target) targets;
    int32_t switch_head;
    bool switch_default;
};

static struct val eval(struct lower *l, uint32_t node);
static void statement(struct lower *l, uint32_t node);

static const struct cc_node *at(const struct lower *l, uint32_t node)
{
    return &l->t->nodes[node];
}

static struct val later(struct val a, struct val b)
{
    return (struct val){fmax(a.depth, b.depth), fmax(a.latency, b.latency)};
}

/* --- control-flow graph --- */

static int32_t new_block(struct lower *l)
{
    CC_VEC_PUSH(&l->cfg->blocks, (struct cc_block){0});
    return (int32_t)l->cfg->blocks.n - 1;
}

static void edge(struct lower *l, int32_t from, int32_t to)
{
    if (from != NO_BLOCK)
        CC_VEC_PUSH(&l->cfg->edges, (struct cc_edge){(uint32_t)from, (uint32_t)to});
}

static void enter(struct lower *l, int32_t block)
{
    l->cur = block;
    l->cfg->blocks.v[block].first = (uint32_t)l->cfg->events.n;
}

/* Control goes on in `block`, which starts a new straight-line region. */
static void enter_region(struct lower *l, int32_t block)
{
    enter(l, block);
    l->region++;
    l->region_accesses = 0;
}

static struct cc_block *current(struct lower *l)
{
    if (l->cur == NO_BLOCK) /* code no path leads to */
        enter_region(l, new_block(l));
    return &l->cfg->blocks.v[l->cur];
}

static void item(struct lower *l)
{
    current(l)->items++;
}

static uint32_t begin(struct lower *l)
{
    return l->here = ++l->stmt;
}

bool cc_flow_tracks(const struct cc_decl *d)
{
    return (d->kind == CC_D_LOCAL || d->kind == CC_D_PARAM || d->kind == CC_D_STATIC) &&
           (d->type.class == CC_T_INT || d->type.class == CC_T_FLOAT || d->type.class == CC_T_POINTER);
}

static void event(struct lower *l, int32_t var, bool def)
{
    if (var < 0 || !cc_flow_tracks(&l->t->decls[var]))
        return;
    struct cc_block *b = current(l);
    CC_VEC_PUSH(&l->cfg->events, (struct cc_event){(uint32_t)var, l->here, def});
    b->count++;
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
    const struct cc_node *n = at(l, node);
    while (n->kind == CC_N_CAST && !n->op && n->child != CC_NODE_NONE)
        n = at(l, n->child);
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
    return at(l, node)->type.class == class;
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
        bits = pointer ? 64 : at(l, left)->type.bits;
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
        const struct cc_node *n = at(l, node);
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
            uint32_t right = at(l, n->child)->next;
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
    enum cc_type_class class = at(l, node)->type.class;
    return (struct place){IN_MEMORY, root(l, pointer), ready, class == CC_T_ARRAY || class == CC_T_FUNCTION};
}

static struct place place_of_ref(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
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
    const struct cc_node *n = at(l, node);
    uint32_t base = n->child;
    switch (n->kind) {
    case CC_N_REF:
        return place_of_ref(l, node);
    case CC_N_MEMBER:
        if (base == CC_NODE_NONE) /* C++: a member of *this */
            return (struct place){IN_MEMORY, -1, {0}, n->type.class == CC_T_ARRAY};
        if (is_class(l, base, CC_T_POINTER))
            return in_memory(l, base, eval(l, base), node);
        struct place p = place_of(l, base);
        p.aggregate = n->type.class == CC_T_ARRAY;
        return p;
    case CC_N_SUBSCRIPT: {
        uint32_t index = at(l, base)->next;
        struct val ready = eval(l, base);
        if (index == CC_NODE_NONE)
            return in_memory(l, base, ready, node);
        struct val i = eval(l, index);
        int64_t constant;
        ready = later(ready, i);
        if (!cc_tree_constant(l->t, index, &constant))
            ready = operation(l, CC_M_address_ops, ready, LAT_SIMPLE);
        return in_memory(l, base, ready, node);
    }
    case CC_N_UNARY:
        if (n->op == CC_OP_DEREF)
            return in_memory(l, base, eval(l, base), node);
        break;
    case CC_N_CAST:
        if (n->op == 0)
            return place_of(l, base);
        break;
    default:
        break;
    }
    return (struct place){.where = NOWHERE, .ready = eval(l, node)};
}

static struct val read_place(struct lower *l, const struct place *p)
{
    if (p->where == NOWHERE || (p->where == IN_MEMORY && p->aggregate))
        return p->ready; /* an array is its address */
    if (p->where == IN_REGISTER) {
        event(l, p->var, false);
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
        event(l, p->var, true);
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
    uint32_t left = at(l, node)->child, right = at(l, left)->next;
    struct val v = eval(l, left);
    item(l);
    int32_t head = l->cur, rest = new_block(l);
    edge(l, head, rest);
    enter(l, rest);
    v = later(v, eval(l, right));
    item(l);
    int32_t end = l->cur, join = new_block(l);
    edge(l, end, join);
    edge(l, head, join);
    enter(l, join);
    return v;
}

static struct val eval_select(struct lower *l, uint32_t node)
{
    uint32_t condition = at(l, node)->child, yes = at(l, condition)->next;
    uint32_t no = yes == CC_NODE_NONE ? CC_NODE_NONE : at(l, yes)->next;
    struct val v = eval(l, condition);
    item(l);
    int32_t head = l->cur, join = new_block(l);
    for (int arm = 0; arm < 2; arm++) {
        uint32_t e = arm ? no : yes;
        if (e == CC_NODE_NONE) { /* GNU a ?: b has one arm that computes nothing */
            edge(l, head, join);
            continue;
        }
        int32_t b = new_block(l);
        edge(l, head, b);
        enter(l, b);
        v = later(v, eval(l, e));
        item(l);
        edge(l, l->cur, join);
    }
    enter(l, join);
    return operation(l, CC_M_select, v, LAT_SIMPLE);
}

static struct val eval_assign(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
    uint32_t left = n->child, right = at(l, left)->next;
    struct val v = eval(l, right);
    struct place p = place_of(l, left);
    if (n->op != CC_OP_NONE)
        v = arithmetic(l, n->op, left, right, later(v, read_place(l, &p)));
    return write_place(l, &p, v);
}

static struct val eval_unary(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
    struct place p;
    struct val v;
    switch (n->op) {
    case CC_OP_INC:
    case CC_OP_DEC:
        p = place_of(l, n->child);
        v = read_place(l, &p);
        struct val next = arithmetic(l, CC_OP_ADD, n->child, CC_NODE_NONE, v);
        write_place(l, &p, next);
        return at(l, n->child)->begin > n->begin ? next : v;
    case CC_OP_DEREF:
        p = place_of(l, node);
        return read_place(l, &p);
    case CC_OP_ADDR:
        p = place_of(l, n->child);
        if (p.where == IN_REGISTER) { /* whoever gets the address may read and write it */
            event(l, p.var, false);
            event(l, p.var, true);
        }
        return p.ready;
    case CC_OP_PLUS:
    case CC_OP_OTHER:
        return eval(l, n->child);
    default:
        return arithmetic(l, n->op, n->child, CC_NODE_NONE, eval(l, n->child));
    }
}

static struct val eval_cast(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node), *from = at(l, n->child);
    struct val v = eval(l, n->child);
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

static struct val eval_children(struct lower *l, uint32_t first)
{
    struct val v = {0};
    for (; first != CC_NODE_NONE; first = at(l, first)->next)
        v = later(v, eval(l, first));
    return v;
}

static struct val eval_call(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
    bool direct = n->decl >= 0 && l->t->decls[n->decl].kind == CC_D_FUNCTION;
    uint32_t first = n->child;
    if (direct && first != CC_NODE_NONE && at(l, first)->type.class != CC_T_RECORD)
        first = at(l, first)->next; /* the function's name computes nothing */
    struct val v = eval_children(l, first);
    if (direct && cc_is_math(l->t->decls[n->decl].name))
        return operation(l, CC_M_math_calls, v, LAT_MATH);
    return v;
}

static struct val eval_binary(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
    uint32_t left = n->child, right = at(l, left)->next;
    if (n->op == CC_OP_LAND || n->op == CC_OP_LOR)
        return eval_short_circuit(l, node);
    struct val a = eval(l, left), b = eval(l, right);
    if (n->op == CC_OP_COMMA)
        return b;
    if (n->op == CC_OP_OTHER)
        return later(a, b);
    return arithmetic(l, n->op, left, right, later(a, b));
}

static struct val eval(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
    struct place p;
    int64_t constant;
    if ((n->kind == CC_N_BINARY || n->kind == CC_N_UNARY) && cc_tree_constant(l->t, node, &constant))
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
        return eval_children(l, n->child);
    default: /* ({ … }) and statements inside C++ constructs */
        statement(l, node);
        return (struct val){0};
    }
}

/* --- statements --- */

static void expression_statement(struct lower *l, uint32_t node)
{
    if (at(l, node)->kind == CC_N_ABSENT)
        return;
    eval(l, node);
    item(l);
}

static size_t leaves(const struct lower *l, uint32_t node)
{
    size_t n = 0;
    if (at(l, node)->kind != CC_N_INIT)
        return 1;
    for (uint32_t c = at(l, node)->child; c != CC_NODE_NONE; c = at(l, c)->next)
        n += leaves(l, c);
    return n;
}

static void declare(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
    if (n->kind != CC_N_VAR) {
        expression_statement(l, node);
        return;
    }
    if (n->child == CC_NODE_NONE || n->decl < 0 || l->t->decls[n->decl].kind != CC_D_LOCAL)
        return; /* a static's initialiser is part of the circuit, not of the run */
    begin(l);
    struct val v = eval(l, n->child);
    item(l);
    const struct cc_decl *d = &l->t->decls[n->decl];
    if (d->type.class == CC_T_ARRAY) {
        for (size_t i = leaves(l, n->child); i > 0; i--)
            access(l, n->decl, true, v);
        return;
    }
    event(l, n->decl, true);
    state_of(l, n->decl)->ready = v;
}

static void lower_if(struct lower *l, const struct cc_node *n)
{
    uint32_t then = at(l, n->child)->next, other = at(l, then)->next;
    begin(l);
    expression_statement(l, n->child);
    int32_t head = l->cur, yes = new_block(l), join;
    edge(l, head, yes);
    enter_region(l, yes);
    statement(l, then);
    int32_t end = l->cur;
    join = new_block(l);
    if (at(l, other)->kind != CC_N_ABSENT) {
        int32_t no = new_block(l);
        edge(l, head, no);
        enter_region(l, no);
        statement(l, other);
        edge(l, l->cur, join);
    } else {
        edge(l, head, join);
    }
    edge(l, end, join);
    enter_region(l, join);
}

static void body_of_loop(struct lower *l, uint32_t body, int32_t on_break, int32_t on_continue)
{
    CC_VEC_PUSH(&l->targets, (struct target){on_break, on_continue});
    statement(l, body);
    edge(l, l->cur, on_continue);
    l->targets.n--;
}

/* for and while: test in front; body and step go back to it. */
static void lower_loop(struct lower *l, uint32_t number, uint32_t condition, uint32_t step_node,
                       uint32_t body, double trips)
{
    double outer = l->trips;
    int32_t test = new_block(l), after = new_block(l), top = new_block(l);
    int32_t next = step_node == CC_NODE_NONE ? test : new_block(l);
    edge(l, l->cur, test);
    l->trips = fmin(outer * trips, 1e18);
    enter_region(l, test);
    l->here = number;
    expression_statement(l, condition);
    edge(l, l->cur, top);
    if (at(l, condition)->kind != CC_N_ABSENT)
        edge(l, l->cur, after);
    enter_region(l, top);
    body_of_loop(l, body, after, next);
    if (step_node != CC_NODE_NONE) {
        enter_region(l, next);
        l->here = number;
        expression_statement(l, step_node);
        edge(l, l->cur, test);
    }
    l->trips = outer;
    enter_region(l, after);
}

static void lower_for(struct lower *l, uint32_t node)
{
    uint32_t init = at(l, node)->child, condition = at(l, init)->next;
    uint32_t step_node = at(l, condition)->next, body = at(l, step_node)->next;
    double trips = UNKNOWN_TRIPS;
    cc_tree_trips(l->t, node, &trips);
    uint32_t number = begin(l);
    if (at(l, init)->kind == CC_N_DECL)
        statement(l, init);
    else
        expression_statement(l, init);
    lower_loop(l, number, condition, at(l, step_node)->kind == CC_N_ABSENT ? CC_NODE_NONE : step_node, body,
               trips);
}

static void lower_do(struct lower *l, const struct cc_node *n)
{
    uint32_t condition = at(l, n->child)->next;
    double outer = l->trips;
    uint32_t number = begin(l);
    int32_t top = new_block(l), test = new_block(l), after = new_block(l);
    edge(l, l->cur, top);
    l->trips = fmin(outer * UNKNOWN_TRIPS, 1e18);
    enter_region(l, top);
    body_of_loop(l, n->child, after, test);
    enter_region(l, test);
    l->here = number;
    expression_statement(l, condition);
    edge(l, l->cur, top);
    edge(l, l->cur, after);
    l->trips = outer;
    enter_region(l, after);
}

static void lower_switch(struct lower *l, const struct cc_node *n)
{
    uint32_t body = at(l, n->child)->next;
    int32_t outer_head = l->switch_head;
    bool outer_default = l->switch_default;
    begin(l);
    expression_statement(l, n->child);
    current(l);
    int32_t after = new_block(l);
    l->switch_head = l->cur;
    l->switch_default = false;
    CC_VEC_PUSH(&l->targets,
                (struct target){after, l->targets.n ? l->targets.v[l->targets.n - 1].on_continue : after});
    l->cur = NO_BLOCK;
    statement(l, body);
    edge(l, l->cur, after);
    if (!l->switch_default)
        edge(l, l->switch_head, after);
    l->targets.n--;
    l->switch_head = outer_head;
    l->switch_default = outer_default;
    enter_region(l, after);
}

static void lower_arm(struct lower *l, const struct cc_node *n)
{
    int32_t block = new_block(l);
    edge(l, l->cur, block);
    edge(l, l->switch_head, block);
    l->switch_default |= n->kind == CC_N_DEFAULT;
    enter_region(l, block);
    uint32_t last = n->child;
    while (last != CC_NODE_NONE && at(l, last)->next != CC_NODE_NONE)
        last = at(l, last)->next;
    if (last != CC_NODE_NONE)
        statement(l, last);
}

static int32_t label_block(struct lower *l, int32_t label)
{
    if (l->label_block[label] == NO_BLOCK)
        l->label_block[label] = new_block(l);
    return l->label_block[label];
}

static void lower_jump(struct lower *l, const struct cc_node *n)
{
    begin(l);
    current(l);
    if (n->kind == CC_N_RETURN || n->kind == CC_N_GOTO) {
        if (n->child != CC_NODE_NONE)
            expression_statement(l, n->child);
    }
    if (n->kind == CC_N_RETURN) {
        edge(l, l->cur, CC_CFG_EXIT);
    } else if (n->kind == CC_N_GOTO && n->decl >= 0) {
        edge(l, l->cur, label_block(l, n->decl));
    } else if (n->kind == CC_N_GOTO) { /* computed: may go to any label */
        for (size_t i = 0; i < l->t->nnodes; i++)
            if (l->t->nodes[i].kind == CC_N_LABEL)
                edge(l, l->cur, label_block(l, l->t->nodes[i].decl));
    } else if (l->targets.n) {
        const struct target *t = &l->targets.v[l->targets.n - 1];
        edge(l, l->cur, n->kind == CC_N_BREAK ? t->on_break : t->on_continue);
    }
    l->cur = NO_BLOCK;
}

static void statement(struct lower *l, uint32_t node)
{
    const struct cc_node *n = at(l, node);
    switch (n->kind) {
    case CC_N_ABSENT:
    case CC_N_NULL:
        return;
    case CC_N_COMPOUND:
    case CC_N_STMT_EXPR:
        for (uint32_t c = n->child; c != CC_NODE_NONE; c = at(l, c)->next)
            statement(l, c);
        return;
    case CC_N_DECL:
        for (uint32_t c = n->child; c != CC_NODE_NONE; c = at(l, c)->next)
            declare(l, c);
        return;
    case CC_N_VAR:
        declare(l, node);
        return;
    case CC_N_IF:
        lower_if(l, n);
        return;
    case CC_N_FOR:
        lower_for(l, node);
        return;
    case CC_N_WHILE:
        lower_loop(l, begin(l), n->child, CC_NODE_NONE, at(l, n->child)->next, UNKNOWN_TRIPS);
        return;
    case CC_N_DO:
        lower_do(l, n);
        return;
    case CC_N_SWITCH:
        lower_switch(l, n);
        return;
    case CC_N_CASE:
    case CC_N_DEFAULT:
        lower_arm(l, n);
        return;
    case CC_N_LABEL:
        edge(l, l->cur, label_block(l, n->decl));
        enter_region(l, l->label_block[n->decl]);
        if (n->child != CC_NODE_NONE)
            statement(l, n->child);
        return;
    case CC_N_BREAK:
    case CC_N_CONTINUE:
    case CC_N_RETURN:
    case CC_N_GOTO:
        lower_jump(l, n);
        return;
    case CC_N_ASM:
        begin(l);
        eval_children(l, n->child);
        item(l);
        return;
    default:
        begin(l);
        expression_statement(l, node);
    }
}

void cc_lower(const struct cc_tree *tree, struct cc_cfg *cfg, double m[CC_METRIC_COUNT])
{
    struct lower l = {.t = tree, .cfg = cfg, .m = m, .region = 1, .trips = 1, .switch_head = NO_BLOCK};
    l.states = cc_alloc_array(tree->ndecls + 1, sizeof *l.states);
    l.label_block = cc_alloc_array(tree->ndecls + 1, sizeof *l.label_block);
    for (size_t i = 0; i <= tree->ndecls; i++)
        l.label_block[i] = NO_BLOCK;
    new_block(&l);
    new_block(&l);
    l.cur = CC_CFG_ENTRY;
    for (size_t i = 0; i < tree->nparams; i++)
        event(&l, (int32_t)i, true);
    statement(&l, tree->body);
    edge(&l, l.cur, CC_CFG_EXIT);
    m[CC_M_statements] = l.stmt;
    double steps = m[CC_M_operations] + m[CC_M_loads] + m[CC_M_stores];
    m[CC_M_parallelism] = m[CC_M_critical_path] > 0 ? steps / m[CC_M_critical_path] : 0;
    CC_VEC_FINI(&l.targets);
    free(l.states);
    free(l.label_block);
}

void cc_cfg_fini(struct cc_cfg *cfg)
{
    CC_VEC_FINI(&cfg->events);
    CC_VEC_FINI(&cfg->blocks);
    CC_VEC_FINI(&cfg->edges);
}
