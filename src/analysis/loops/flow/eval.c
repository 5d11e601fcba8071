/* One iteration of a loop, computed with values that are expressions. Rounds are made until nothing new is
 * learnt: which registers do not change, so which memory is always the same, so what is kept there. */
#include "body.h"

/* Kinds of unknown values, above the number of what made them. */
enum { FROM_RECORD = 1, FROM_CALL, FROM_MEMORY, AT_START };

bool cc_flow_from_call(const struct cc_value *v)
{
    return v->kind == CC_VALUE_UNKNOWN && v->data >> 56 == FROM_CALL;
}

struct evaluation {
    struct cc_flow_body *b;
    uint32_t node;
    const struct cc_flow_piece *piece;
    struct cc_flow_byte *state;
    uint32_t memory;
    uint32_t *of; /* value of each number of the piece */
    uint64_t insn;
    uint32_t record;
    bool dead; /* control never comes here */
};

static uint64_t which(uint32_t kind, uint32_t node, uint32_t what)
{
    return (uint64_t)kind << 56 | (uint64_t)node << 32 | what;
}

uint32_t cc_flow_read(struct cc_flow_body *b, const struct cc_flow_byte *state, uint32_t start,
                      uint32_t bytes)
{
    uint32_t all = 0;
    for (uint32_t i = 0, n; i < bytes; i += n) {
        const struct cc_flow_byte *s = &state[start + i];
        for (n = 1; i + n < bytes && s[n].value == s->value && s[n].at == s->at + n; n++)
            ;
        uint32_t part = cc_value_part(&b->values, s->value, s->at * 8, n * 8);
        all = all ? cc_value_join(&b->values, all, part) : part;
    }
    return all;
}

static void write_state(struct cc_flow_byte *state, uint32_t start, uint32_t bytes, uint32_t value)
{
    for (uint32_t i = 0; i < bytes; i++)
        state[start + i] = (struct cc_flow_byte){value, i};
}

uint32_t cc_flow_cell_init(struct cc_flow_body *b, uint32_t cell)
{
    const struct cc_flow_cell *c = &b->cells.v[cell];
    return c->memory ? cc_value_init(&b->values, c->base + 1, (uint64_t)c->offset, c->bytes * 8)
                     : cc_value_init(&b->values, 0, c->start, c->bytes * 8);
}

uint32_t cc_flow_cell_at(const struct cc_flow_body *b, uint64_t guest_offset)
{
    return guest_offset < b->bytes && !b->cells.v[b->cell_of[guest_offset]].memory ? b->cell_of[guest_offset]
                                                                                   : CC_NONE;
}

/* --- what does not change --- */

static bool fixed_within(struct cc_flow_body *b, uint32_t v, unsigned depth)
{
    enum { MAX_DEPTH = 64 };
    const struct cc_value *p = cc_value(&b->values, v);
    if (p->kind == CC_VALUE_CONST)
        return true;
    if (p->kind == CC_VALUE_INIT) {
        const uint64_t *known = cc_map_get(&b->fixed, v);
        return known && *known == 1;
    }
    if (p->kind > CC_VALUE_SELECT || depth == MAX_DEPTH)
        return false;
    const uint64_t *low = p->kind == CC_VALUE_PART ? cc_map_get(&b->fixed, v) : NULL;
    if (low && *low == 1)
        return true;
    const uint64_t *done = cc_map_get(&b->known_fixed, v);
    if (done)
        return *done == 1;
    const uint32_t *of;
    uint32_t n = cc_value_operands(&b->values, v, &of);
    bool fixed = true;
    for (uint32_t i = 0; fixed && i < n; i++)
        fixed = fixed_within(b, of[i], depth + 1);
    *cc_map_put(&b->known_fixed, v, NULL) = fixed ? 1 : 2;
    return fixed;
}

bool cc_flow_is_fixed(struct cc_flow_body *b, uint32_t value)
{
    return fixed_within(b, value, 0);
}

/* --- statements --- */

static void use(struct evaluation *e, enum cc_flow_use how, uint32_t value, uint32_t edge)
{
    if (value)
        CC_VEC_PUSH(
            &e->b->roots,
            (struct cc_flow_root){
                .value = value, .node = e->node, .cell = CC_NONE, .edge = edge, .use = how, .insn = e->insn});
}

static struct cc_flow_access access_of(struct evaluation *e, uint32_t address, uint32_t bytes)
{
    struct cc_flow_access a = {.insn = e->insn, .node = e->node, .address = address, .bytes = bytes};
    a.offset = cc_value_offset(&e->b->values, address, &a.base);
    a.fixed = a.base == 0 || cc_flow_is_fixed(e->b, a.base);
    return a;
}

/* looked: others load what lies there. */
static struct cc_flow_byte *slot_of(struct evaluation *e, const struct cc_flow_access *a, bool *looked)
{
    uint32_t cell = a->fixed ? cc_flow_slot_at(e->b, a->base, a->offset, a->bytes) : CC_NONE;
    *looked = cell != CC_NONE && e->b->cells.v[cell].looked;
    if (cell == CC_NONE)
        return NULL;
    const struct cc_flow_cell *c = &e->b->cells.v[cell];
    return e->state + c->start + (a->offset - c->offset);
}

static uint32_t load(struct evaluation *e, const struct cc_rec_loop_code *r)
{
    struct cc_flow_access a = access_of(e, e->of[r->a], r->bits / 8);
    bool looked;
    struct cc_flow_byte *slot = slot_of(e, &a, &looked);
    a.value = slot ? cc_flow_read(e->b, slot, 0, a.bytes)
                   : cc_value_load(&e->b->values, a.address, e->memory, r->bits);
    a.guarded = r->b != 0;
    CC_VEC_PUSH(&e->b->accesses, a);
    return a.value;
}

static void store(struct evaluation *e, const struct cc_rec_loop_code *r)
{
    struct cc_flow_access a = access_of(e, e->of[r->a], r->bits / 8);
    bool looked;
    struct cc_flow_byte *slot = slot_of(e, &a, &looked);
    a.store = true;
    a.guarded = r->c != 0;
    a.value = e->of[r->b];
    CC_VEC_PUSH(&e->b->accesses, a);
    if (slot) {
        uint32_t value = a.value;
        if (r->c)
            value = cc_value_select(&e->b->values, e->of[r->c], value, cc_flow_read(e->b, slot, 0, a.bytes));
        write_state(slot, 0, a.bytes, value);
        if (!looked)
            return;
    }
    e->b->nodes.v[e->node].effects = true;
    use(e, CC_USE_ADDRESS, a.address, CC_NONE);
    use(e, CC_USE_STORED, a.value, CC_NONE);
    if (r->c) {
        use(e, CC_USE_CONDITION, e->of[r->c], CC_NONE);
        e->memory = cc_value_unknown(&e->b->values, which(FROM_MEMORY, e->node, e->record), 1);
    } else {
        e->memory = cc_value_memory(&e->b->values, e->memory, a.address, a.value);
    }
}

static void effect(struct evaluation *e, const struct cc_rec_loop_code *r)
{
    e->b->nodes.v[e->node].effects = true;
    use(e, CC_USE_EFFECT, e->of[r->a], CC_NONE);
    use(e, CC_USE_EFFECT, e->of[r->b], CC_NONE);
    use(e, CC_USE_EFFECT, e->of[r->c], CC_NONE);
    e->memory = cc_value_unknown(&e->b->values, which(FROM_MEMORY, e->node, e->record), 1);
}

/* Whether a value changes from one turn of an inner loop to the next, as far as a short look tells. */
static bool turns(const struct cc_flow_body *b, uint32_t v, unsigned depth)
{
    const struct cc_value *p = cc_value(&b->values, v);
    const uint32_t *of;
    if (p->kind == CC_VALUE_PHI)
        return true;
    uint32_t n = depth < 6 ? cc_value_operands(&b->values, v, &of) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (turns(b, of[i], depth + 1))
            return true;
    return false;
}

/* Two values that are known to be equal on this way: what a loop has counted up to is the bound. */
static void substitute(struct cc_flow_body *b, struct cc_flow_edge *e)
{
    const struct cc_value *c = cc_value(&b->values, e->condition);
    bool holds = e->taken;
    for (; c->kind == CC_VALUE_OP && c->op == CC_CODE_NOT; holds = !holds)
        c = cc_value(&b->values, c->a);
    if (c->kind != CC_VALUE_OP || c->op != (holds ? CC_CODE_EQ : CC_CODE_NE))
        return;
    bool first = turns(b, c->a, 0), second = turns(b, c->b, 0);
    uint32_t from = first ? c->a : c->b, to = first ? c->b : c->a;
    if (first == second)
        return;
    struct cc_operation wide = {.op = CC_CODE_ZEXT, .bits = 64, .a = from};
    bool narrow = cc_value(&b->values, from)->bits < 64;
    uint32_t wide_from = narrow ? cc_value_op(&b->values, wide) : 0;
    wide.a = to;
    uint32_t wide_to = narrow ? cc_value_op(&b->values, wide) : 0;
    for (uint32_t i = 0; i < b->bytes; i++) {
        if (e->state[i].value == from)
            e->state[i].value = to;
        else if (narrow && e->state[i].value == wide_from)
            e->state[i].value = wide_to;
    }
}

/* The way a piece ends is told apart by its condition if it has but one. */
static void leave(struct evaluation *e, uint32_t condition, bool taken)
{
    struct cc_flow_node *node = &e->b->nodes.v[e->node];
    for (uint32_t i = 0; i < node->nedges; i++) {
        struct cc_flow_edge *x = &e->b->edges.v[node->edge + i];
        if (x->record != e->record || e->dead)
            continue;
        x->state = cc_arena_alloc(&e->b->arena, e->b->bytes * sizeof *x->state);
        memcpy(x->state, e->state, e->b->bytes * sizeof *x->state);
        x->memory = e->memory;
        x->condition = condition;
        x->taken = taken;
        if (condition)
            substitute(e->b, x);
    }
}

/* Whether an instruction is the loop's own, and no call, which stands for those of the function. */
static bool is_own(const struct cc_flow_body *b, uint64_t insn)
{
    bool own = false;
    for (size_t i = 0; i < b->nodes.n && !own; i++)
        own = insn >= b->nodes.v[i].piece->address && insn < b->nodes.v[i].piece->end;
    return own && !cc_flow_is_call(b, insn);
}

/* Whether the run showed that a function read what an iteration found there. */
static bool read_by_call(const struct cc_flow_body *b, uint32_t cell)
{
    for (size_t i = 0; i < b->loop.nfacts; i++) {
        const struct cc_pdependence *d = &b->loop.facts[i];
        if (d->space == CC_SPACE_REGISTER && d->kind == CC_DEPENDENCE_RAW &&
            cc_flow_cell_at(b, d->place) == cell &&
            (!is_own(b, d->second) || d->flags & CC_DEPENDENCE_FOLDED))
            return true;
    }
    return false;
}

static bool read_before(const struct cc_flow_body *b, uint32_t cell)
{
    bool read = false;
    for (size_t i = 0; i < b->loop.nfacts && !read; i++)
        read = b->loop.facts[i].space == CC_SPACE_REGISTER && b->loop.facts[i].kind == CC_DEPENDENCE_RAW &&
               cc_flow_cell_at(b, b->loop.facts[i].place) == cell;
    return read;
}

/* What an iteration found in a register is not an argument if the run shows that no function read it. */
static void use_arguments(struct evaluation *e, const struct cc_registers *taken)
{
    struct cc_flow_body *b = e->b;
    for (uint32_t g = 0; g < CC_GRANULES; g++) {
        uint32_t cell = cc_register_is(taken, g) ? cc_flow_cell_at(b, g * 8) : CC_NONE;
        if (cell == CC_NONE)
            continue;
        uint32_t value = cc_flow_read(b, e->state, g * 8, 8);
        const struct cc_value *v = cc_value(&b->values, value);
        uint32_t found = v->kind == CC_VALUE_PART ? v->a : value;
        if (found != cc_flow_cell_init(b, cell) || read_by_call(b, cell))
            use(e, CC_USE_CALL, value, CC_NONE);
        else
            b->cells.v[cell].untaken = b->cells.v[cell].untaken || read_before(b, cell);
    }
}

static void forget_registers(struct evaluation *e, const struct cc_registers *written)
{
    struct cc_flow_body *b = e->b;
    const struct cc_registers *kept = &b->flow->abi.kept;
    for (uint32_t g = 0; g < CC_GRANULES; g++)
        if (cc_register_is(written, g) && !cc_register_is(kept, g) && cc_flow_cell_at(b, g * 8) != CC_NONE)
            write_state(e->state, g * 8, 8, cc_value_unknown(&b->values, which(FROM_CALL, e->node, g), 64));
}

static void call(struct evaluation *e, const struct cc_rec_loop_code *next)
{
    struct cc_flow_body *b = e->b;
    const struct cc_flow_abi *abi = &b->flow->abi;
    struct cc_registers written;
    bool same = cc_flow_hands_back(b->flow, next) && cc_flow_cell_at(b, abi->first) != CC_NONE &&
                cc_flow_cell_at(b, abi->result) != CC_NONE;
    uint32_t first = same ? cc_flow_read(b, e->state, abi->first, 8) : 0;
    memset(&written, 0xff, sizeof written);
    if (next->op == CC_CODE_CALL && !next->a)
        written = cc_flow_callee_writes(b->flow, next->value);
    /* what it hands back and never writes is still there */
    struct cc_registers taken = cc_flow_taken_with(b->flow, next, &written);
    b->nodes.v[e->node].effects = true;
    use(e, CC_USE_JUMP, e->of[next->a], CC_NONE);
    use_arguments(e, &taken);
    forget_registers(e, &written);
    if (same)
        write_state(e->state, abi->result, 8, first);
    if (!cc_flow_is_pure(b->flow, next))
        e->memory = cc_value_unknown(&b->values, which(FROM_MEMORY, e->node, e->record), 1);
    if (next->op == CC_CODE_CALL && abi->pushed && cc_flow_cell_at(b, abi->sp) != CC_NONE) {
        struct cc_operation up = {.op = CC_CODE_ADD,
                                  .bits = 64,
                                  .a = cc_flow_read(b, e->state, abi->sp, 8),
                                  .b = cc_value_const(&b->values, abi->pushed, 64)};
        write_state(e->state, abi->sp, 8, cc_value_op(&b->values, up));
    }
}

static uint32_t exits_of(const struct cc_flow_piece *p, uint32_t *ret_last)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < p->n; i++)
        if (p->code[i].kind == CC_CODE_EXIT) {
            n++;
            *ret_last = i;
        }
    return n;
}

static void end_piece(struct evaluation *e, const struct cc_rec_loop_code *next)
{
    uint32_t last = 0, exits = exits_of(e->piece, &last);
    if (next->op == CC_CODE_CALL || next->op == CC_CODE_SYSTEM)
        call(e, next);
    else if (next->op == CC_CODE_PLAIN)
        use(e, CC_USE_JUMP, e->of[next->a], CC_NONE);
    leave(e, exits == 1 ? e->of[e->piece->code[last].a] : 0, false);
}

static void exit_here(struct evaluation *e, const struct cc_rec_loop_code *r)
{
    const struct cc_flow_node *node = &e->b->nodes.v[e->node];
    uint32_t condition = e->of[r->a], last;
    for (uint32_t i = 0; i < node->nedges; i++)
        if (e->b->edges.v[node->edge + i].record == e->record)
            use(e, CC_USE_CONDITION, condition, node->edge + i);
    uint64_t k = 2;
    cc_value_is_const(&e->b->values, condition, &k);
    if (k != 0)
        leave(e, exits_of(e->piece, &last) == 1 ? condition : 0, true);
    e->dead |= k == 1;
}

/* A register that the instruction leaves as it was in some cases, and had from the iteration before. The run
 * shows that it never did: nothing was read there. */
static bool is_never_left(const struct evaluation *e, const struct cc_rec_loop_code *r)
{
    const struct cc_flow_body *b = e->b;
    const struct cc_value *v = cc_value(&b->values, e->of[r->c]);
    while (v->kind == CC_VALUE_PART || (v->kind == CC_VALUE_OP && v->op == CC_CODE_ZEXT))
        v = cc_value(&b->values, v->a);
    bool never = r->value == 1 && v->kind == CC_VALUE_INIT && !v->a;
    for (size_t i = 0; never && i < b->loop.nfacts; i++) {
        const struct cc_pdependence *d = &b->loop.facts[i];
        never = d->kind != CC_DEPENDENCE_RAW || d->space != CC_SPACE_REGISTER ||
                (d->second != e->insn && !(d->flags & CC_DEPENDENCE_FOLDED));
    }
    return never;
}

static uint32_t compute(struct evaluation *e, const struct cc_rec_loop_code *r)
{
    struct cc_values *v = &e->b->values;
    switch (r->kind) {
    case CC_CODE_CONST:
        return cc_value_const(v, r->value, r->bits);
    case CC_CODE_GET:
        return cc_flow_read(e->b, e->state, (uint32_t)r->value, r->bits / 8);
    case CC_CODE_LOAD:
        return load(e, r);
    case CC_CODE_OP:
        return cc_value_op(v, (struct cc_operation){.op = r->op,
                                                    .bits = r->bits,
                                                    .lane = r->lane,
                                                    .a = e->of[r->a],
                                                    .b = e->of[r->b],
                                                    .c = e->of[r->c],
                                                    .number = r->value});
    case CC_CODE_PART:
        return cc_value_part(v, e->of[r->a], (unsigned)r->value, r->bits);
    case CC_CODE_JOIN:
        return cc_value_join(v, e->of[r->a], e->of[r->b]);
    case CC_CODE_SELECT:
        return is_never_left(e, r) ? e->of[r->b] : cc_value_select(v, e->of[r->a], e->of[r->b], e->of[r->c]);
    default:
        return cc_value_unknown(v, which(FROM_RECORD, e->node, e->record), r->bits);
    }
}

static void statement(struct evaluation *e, const struct cc_rec_loop_code *r)
{
    switch (r->kind) {
    case CC_CODE_INSN:
        e->insn = r->value;
        break;
    case CC_CODE_PUT:
        write_state(e->state, (uint32_t)r->value, r->bits / 8, e->of[r->a]);
        break;
    case CC_CODE_CLOBBER:
        for (uint32_t i = 0; i < r->bits / 8; i++)
            write_state(e->state, (uint32_t)r->value + i, 1,
                        cc_value_unknown(&e->b->values, which(FROM_RECORD, e->node, e->record | i << 16), 8));
        break;
    case CC_CODE_STORE:
        store(e, r);
        break;
    case CC_CODE_EFFECT:
        effect(e, r);
        break;
    case CC_CODE_EXIT:
        exit_here(e, r);
        break;
    case CC_CODE_NEXT:
        end_piece(e, r);
        break;
    default:
        e->of[r->to] = compute(e, r);
        break;
    }
}

/* --- where ways meet --- */

static uint64_t phi_key(const struct cc_flow_body *b, uint32_t node, uint32_t cell)
{
    const struct cc_flow_cell *c = &b->cells.v[cell];
    return (uint64_t)(node + 1) << 32 | (c->memory ? UINT32_C(1) << 31 | c->key : c->start);
}

/* Operands from all ways in whose states are known; the value they all have, or 0. */
static uint32_t gather(struct cc_flow_body *b, const struct cc_flow_node *node, uint32_t cell,
                       cc_number_vec *ret)
{
    const struct cc_flow_cell *c = &b->cells.v[cell];
    bool same = true;
    ret->n = 0;
    for (uint32_t i = 0; i < node->npreds; i++) {
        const struct cc_flow_edge *e = &b->edges.v[b->preds.v[node->pred + i]];
        if (!e->state)
            continue;
        CC_VEC_PUSH(ret, cc_flow_read(b, e->state, c->start, c->bytes));
        same &= ret->v[ret->n - 1] == ret->v[0];
    }
    return same && ret->n ? ret->v[0] : 0;
}

static bool bytes_agree(const struct cc_flow_body *b, const struct cc_flow_node *node,
                        const struct cc_flow_cell *c, const struct cc_flow_byte **ret)
{
    *ret = NULL;
    for (uint32_t i = 0; i < node->npreds; i++) {
        const struct cc_flow_edge *e = &b->edges.v[b->preds.v[node->pred + i]];
        if (!e->state)
            continue;
        if (*ret && memcmp(*ret, e->state + c->start, c->bytes * sizeof **ret) != 0)
            return false;
        *ret = e->state + c->start;
    }
    return true;
}

static void meet_cell(struct cc_flow_body *b, uint32_t n, uint32_t cell, struct cc_flow_byte *state,
                      cc_number_vec *scratch)
{
    const struct cc_flow_node *node = &b->nodes.v[n];
    const struct cc_flow_cell *c = &b->cells.v[cell];
    const bool differs = node->header && cc_map_get(&b->differs, phi_key(b, n, cell));
    const struct cc_flow_byte *same;
    if (bytes_agree(b, node, c, &same) && same && !differs) {
        memcpy(state + c->start, same, c->bytes * sizeof *same);
        return;
    }
    uint32_t value = differs ? 0 : gather(b, node, cell, scratch);
    if (!value) {
        value = cc_value_phi(&b->values, phi_key(b, n, cell), c->bytes * 8);
        if (!node->header)
            cc_value_phi_set(&b->values, value, scratch->v, (uint32_t)scratch->n);
    }
    write_state(state, c->start, c->bytes, value);
}

/* Memory as a whole: told apart where ways meet. */
static uint32_t meet_memory(struct cc_flow_body *b, uint32_t n)
{
    const struct cc_flow_node *node = &b->nodes.v[n];
    uint32_t same = 0;
    bool differ = node->header;
    for (uint32_t i = 0; i < node->npreds; i++) {
        const struct cc_flow_edge *e = &b->edges.v[b->preds.v[node->pred + i]];
        differ |= e->state && same && same != e->memory;
        same = e->state ? e->memory : same;
    }
    return differ || !same ? cc_value_unknown(&b->values, which(AT_START, n + 1, 0), 1) : same;
}

static void start_node(struct cc_flow_body *b, uint32_t n, struct cc_flow_byte *state, uint32_t *ret_memory)
{
    cc_number_vec scratch = {0};
    for (uint32_t i = 0; i < b->cells.n; i++) {
        if (n == b->tick)
            write_state(state, b->cells.v[i].start, b->cells.v[i].bytes, cc_flow_cell_init(b, i));
        else
            meet_cell(b, n, i, state, &scratch);
    }
    *ret_memory = n == b->tick ? cc_value_unknown(&b->values, which(AT_START, 0, 0), 1) : meet_memory(b, n);
    CC_VEC_FINI(&scratch);
}

static bool is_reached(const struct cc_flow_body *b, uint32_t n)
{
    const struct cc_flow_node *node = &b->nodes.v[n];
    bool is = n == b->tick;
    for (uint32_t i = 0; !is && i < node->npreds; i++)
        is = b->edges.v[b->preds.v[node->pred + i]].state != NULL;
    return is;
}

static void evaluate_node(struct cc_flow_body *b, uint32_t n)
{
    struct cc_flow_node *node = &b->nodes.v[n];
    struct evaluation e = {.b = b, .node = n, .piece = node->piece};
    node->start = NULL;
    node->effects = false;
    if (!is_reached(b, n))
        return;
    e.state = cc_arena_alloc(&b->arena, (b->bytes + 1) * sizeof *e.state);
    e.of = cc_alloc_array(e.piece->values + 1, sizeof *e.of);
    start_node(b, n, e.state, &e.memory);
    if (node->header) {
        node->start = cc_arena_alloc(&b->arena, (b->bytes + 1) * sizeof *e.state);
        memcpy(node->start, e.state, b->bytes * sizeof *e.state);
    }
    for (e.record = 1; e.record < e.piece->n; e.record++)
        statement(&e, &e.piece->code[e.record]);
    free(e.of);
}

/* --- what a round has shown --- */

/* 1: it holds; 2: it does not, as far as is known; 3: it did hold once, and shall not be believed again. What
 * holds in the last round was assumed in it, and found again: so it holds from one iteration to the next. */
static void note(struct cc_flow_body *b, struct cc_map *m, uint64_t key, bool holds)
{
    bool fresh;
    uint64_t *known = cc_map_put(m, key, &fresh);
    uint64_t now = *known == 3 || (*known == 1 && !holds) ? 3 : holds ? 1 : 2;
    b->changed |= fresh || now != *known;
    *known = now;
}

/* Until it is shown to differ, what an inner loop finds is taken to be the same in each of its turns. Whether
 * all that was taken so, is. */
static bool settle_headers(struct cc_flow_body *b)
{
    cc_number_vec of = {0};
    bool settled = true;
    for (uint32_t k = 0; k < b->walk.n; k++) {
        uint32_t n = b->walk.v[k];
        const struct cc_flow_node *node = &b->nodes.v[n];
        for (uint32_t i = 0; node->start && n != b->tick && i < b->cells.n; i++) {
            const struct cc_flow_cell *c = &b->cells.v[i];
            uint32_t phi = cc_value_phi(&b->values, phi_key(b, n, i), c->bytes * 8);
            uint32_t used = cc_flow_read(b, node->start, c->start, c->bytes), same = gather(b, node, i, &of);
            if (used == phi) {
                cc_value_phi_set(&b->values, phi, of.v, (uint32_t)of.n);
            } else if (same != used) {
                *cc_map_put(&b->differs, phi_key(b, n, i), NULL) = 1;
                settled = false;
            }
        }
    }
    CC_VEC_FINI(&of);
    return settled;
}

/* A register of 64 bits that was put aside by its lower 32 comes back with zeroes above them. */
static uint32_t low_half(struct cc_flow_body *b, uint32_t value)
{
    return cc_value_part(&b->values, value, 0, 32);
}

static void settle_ends(struct cc_flow_body *b)
{
    cc_number_vec of = {0};
    b->end.n = 0;
    for (uint32_t i = 0; i < b->cells.n; i++) {
        uint32_t same = 0, init = cc_flow_cell_init(b, i);
        bool differ = false, half = !b->cells.v[i].memory && b->cells.v[i].bytes == 8, low = half;
        of.n = 0;
        for (size_t k = 0; k < b->edges.n; k++) {
            const struct cc_flow_edge *e = &b->edges.v[k];
            if (e->to != CC_TO_TICK || !e->state)
                continue;
            uint32_t v = cc_flow_read(b, e->state, b->cells.v[i].start, b->cells.v[i].bytes);
            differ |= same && same != v;
            low = low && low_half(b, v) == low_half(b, init);
            same = v;
            CC_VEC_PUSH(&of, v);
        }
        if (differ) {
            same = cc_value_phi(&b->values, phi_key(b, CC_FLOW_NODES, i), b->cells.v[i].bytes * 8);
            cc_value_phi_set(&b->values, same, of.v, (uint32_t)of.n);
        }
        CC_VEC_PUSH(&b->end, same);
        note(b, &b->fixed, init, same == init);
        if (half)
            note(b, &b->fixed, low_half(b, init), low);
    }
    CC_VEC_FINI(&of);
}

static uint64_t digest(const struct cc_flow_body *b)
{
    uint64_t h = b->cells.n;
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        h = (h ^ a->address) * UINT64_C(0x100000001b3);
        h = (h ^ a->fixed ^ (uint64_t)a->bytes << 8) * UINT64_C(0x100000001b3);
    }
    return h;
}

static void clear_round(struct cc_flow_body *b)
{
    for (size_t i = 0; i < b->edges.n; i++)
        b->edges.v[i].state = NULL;
    cc_arena_fini(&b->arena);
    b->arena = (struct cc_arena){0};
    b->roots.n = b->accesses.n = 0;
    cc_map_fini(&b->known_fixed);
    b->known_fixed = (struct cc_map){0};
    b->changed = false;
}

/* --- cells of registers --- */

/* Eight bytes each, or as many as are read together. */
static void register_cells(struct cc_flow_body *b)
{
    bool joined[CC_GRANULES + 1] = {0}; /* with the granule before */
    uint64_t top = 8;
    for (size_t k = 0; k < b->walk.n; k++) {
        const struct cc_flow_piece *p = b->nodes.v[b->walk.v[k]].piece;
        for (uint32_t i = 1; i < p->n; i++) {
            const struct cc_rec_loop_code *r = &p->code[i];
            if (r->kind != CC_CODE_GET && r->kind != CC_CODE_PUT && r->kind != CC_CODE_CLOBBER)
                continue;
            uint64_t end = r->value + r->bits / 8;
            top = CC_MAX(top, end);
            for (uint64_t g = r->value / 8 + 1; r->kind == CC_CODE_GET && g * 8 < end; g++)
                joined[g] = true;
        }
    }
    top = CC_MIN((top + 7) / 8 * 8, CC_GUEST_BYTES);
    for (uint32_t at = 0; at < top; at += 8) {
        if (!joined[at / 8])
            CC_VEC_PUSH(&b->cells, (struct cc_flow_cell){.start = at});
        b->cells.v[b->cells.n - 1].bytes += 8;
        for (uint32_t i = 0; i < 8; i++)
            b->cell_of[at + i] = (uint32_t)b->cells.n - 1;
    }
    b->bytes = (uint32_t)top;
}

void cc_flow_evaluate(struct cc_flow_body *b)
{
    b->cell_of = cc_alloc_array(CC_GUEST_BYTES + CC_FLOW_SLOTS, sizeof *b->cell_of);
    register_cells(b);
    for (unsigned round = 0; round < CC_FLOW_ROUNDS && !b->failed; round++) {
        clear_round(b);
        for (size_t k = 0; k < b->walk.n; k++)
            evaluate_node(b, b->walk.v[k]);
        if (!settle_headers(b))
            continue;
        settle_ends(b);
        cc_flow_share(b);
        uint64_t seen = digest(b);
        if (!b->changed && seen == b->seen)
            return;
        b->seen = seen;
        cc_flow_slots(b);
        cc_map_fini(&b->differs);
        b->differs = (struct cc_map){0};
    }
    if (!b->failed)
        b->failed = "its code is too tangled";
}
