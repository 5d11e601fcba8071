#include "body.h"
#include "../../../base/text.h"

const char *const cc_flow_class_names[CC_FLOW_CLASSES] = {"recurrence", "induction", "reduction", "unchanged",
                                                          "dead",       "rotating",  "last"};

/* --- a body --- */

static bool has_register_facts(const struct cc_flow_body *b)
{
    for (size_t i = 0; i < b->loop.nfacts; i++)
        if (b->loop.facts[i].space == CC_SPACE_REGISTER && b->loop.facts[i].kind == CC_DEPENDENCE_RAW)
            return true;
    return false;
}

static void use_after(struct cc_flow_body *b, uint32_t edge, uint32_t cell)
{
    const struct cc_flow_edge *e = &b->edges.v[edge];
    uint32_t start = b->cells.v[cell].start, bytes = b->cells.v[cell].bytes;
    CC_VEC_PUSH(&b->roots, (struct cc_flow_root){.value = cc_flow_read(b, e->state, start, bytes),
                                                 .node = e->from,
                                                 .cell = cell,
                                                 .edge = edge,
                                                 .use = CC_USE_AFTER,
                                                 .insn = e->target});
}

static struct cc_registers live_on(struct cc_flow_body *b, const struct cc_flow_edge *e)
{
    const struct cc_flow_piece *p = b->nodes.v[e->from].piece;
    const struct cc_rec_loop_code *by = &p->code[e->record];
    bool jumps = by->kind == CC_CODE_NEXT && p->n > 1;
    for (uint32_t i = 1; jumps && i < p->n; i++)
        jumps = p->code[i].kind != CC_CODE_EXIT;
    struct cc_registers r = cc_flow_results(b->flow, b->loop.flags);
    bool within = by->kind == CC_CODE_NEXT && by->op == CC_CODE_CALL ? e->target == p->end : by->lane != 0;
    if (by->kind != CC_CODE_NEXT || by->op != CC_CODE_RETURN)
        return cc_flow_live_at(b->flow, e->target, jumps, within, &r);
    for (size_t i = 0; i < CC_COUNT(r.bits); i++)
        r.bits[i] |= b->flow->abi.kept.bits[i];
    return r;
}

/* What the loop leaves. Code that keeps all its variables in memory, as compilers write it when they do not
 * optimise, leaves nothing in registers. */
static void use_what_stays(struct cc_flow_body *b)
{
    bool registers = has_register_facts(b);
    for (uint32_t k = 0; k < b->edges.n; k++) {
        const struct cc_flow_edge *e = &b->edges.v[k];
        if (e->to != CC_TO_OUTSIDE || !e->state)
            continue;
        struct cc_registers live = registers ? live_on(b, e) : (struct cc_registers){0};
        for (uint32_t i = 0; i < b->cells.n; i++) {
            const struct cc_flow_cell *c = &b->cells.v[i];
            bool stays = c->memory && cc_flow_stays(b, k, i);
            for (uint32_t at = c->start; !c->memory && !stays && at < c->start + c->bytes; at += 8)
                stays = cc_register_is(&live, at / 8);
            if (stays)
                use_after(b, k, i);
        }
    }
}

struct cc_flow_body *cc_flow_body_new(struct cc_flow *f, const struct cc_flow_loop *loop)
{
    struct cc_flow_body *b = cc_alloc(sizeof *b);
    b->flow = f;
    b->loop = *loop;
    cc_values_init(&b->values);
    if (cc_flow_graph(b))
        cc_flow_evaluate(b);
    if (!b->failed) {
        use_what_stays(b);
        cc_flow_uses_init(b);
    }
    return b;
}

void cc_flow_body_free(struct cc_flow_body *b)
{
    if (!b)
        return;
    cc_flow_uses_fini(b);
    cc_values_fini(&b->values);
    CC_VEC_FINI(&b->nodes);
    CC_VEC_FINI(&b->edges);
    CC_VEC_FINI(&b->preds);
    CC_VEC_FINI(&b->walk);
    CC_VEC_FINI(&b->cells);
    CC_VEC_FINI(&b->roots);
    CC_VEC_FINI(&b->accesses);
    CC_VEC_FINI(&b->end);
    CC_VEC_FINI(&b->places);
    cc_map_fini(&b->differs);
    cc_map_fini(&b->fixed);
    cc_map_fini(&b->known_fixed);
    cc_map_fini(&b->rotating);
    cc_arena_fini(&b->arena);
    free(b->cell_of);
    free(b->own_blocks);
    free(b->own_facts);
    free(b->own_meetings);
    free(b);
}

/* --- by a profile --- */

static bool is_within(const struct cc_profile *p, uint32_t loop, uint32_t outer)
{
    while (loop != CC_NONE && loop != outer)
        loop = p->loops[loop].outer;
    return loop == outer;
}

/* Whether some place of the frame of the loop's function was seen that has a name. */
static bool names_places(const struct cc_profile *p, uint32_t loop)
{
    bool named = false;
    for (size_t i = 0; i < p->ndependences && !named; i++) {
        const struct cc_pdependence *d = &p->dependences[i];
        named = d->area == CC_AREA_STACK && d->variable && !(d->flags & CC_DEPENDENCE_FRAME) &&
                p->loops[d->loop].function == p->loops[loop].function;
    }
    return named;
}

struct cc_flow_body *cc_flow_body_of(struct cc_flow *f, const struct cc_profile *p, uint32_t loop)
{
    const struct cc_ploop *l = &p->loops[loop];
    uint64_t bias = p->binaries[l->binary].bias;
    CC_VEC(struct cc_flow_range) blocks = {0};
    CC_VEC(struct cc_pdependence) facts = {0}, meetings = {0};
    for (size_t i = 0; i < p->nloop_blocks; i++)
        if (is_within(p, p->loop_blocks[i].loop, loop))
            CC_VEC_PUSH(&blocks,
                        (struct cc_flow_range){p->loop_blocks[i].start + bias, p->loop_blocks[i].end + bias});
    for (size_t i = 0; i < p->ndependences; i++) {
        const struct cc_pdependence *d = &p->dependences[i];
        bool within = d->kind >= CC_DEPENDENCE_WITHIN_RAW && d->kind <= CC_DEPENDENCE_WITHIN_WAW;
        bool inside = d->kind <= CC_DEPENDENCE_WAW || d->kind >= CC_DEPENDENCE_ACROSS_RAW;
        if (d->loop == loop)
            CC_VEC_PUSH(&facts, *d);
        if ((within || (inside && d->loop != loop)) && is_within(p, d->loop, loop))
            CC_VEC_PUSH(&meetings, *d);
    }
    struct cc_flow_body *b = cc_flow_body_new(f, &(struct cc_flow_loop){.header = l->header + bias,
                                                                        .tick = l->tick + bias,
                                                                        .blocks = blocks.v,
                                                                        .nblocks = blocks.n,
                                                                        .facts = facts.v,
                                                                        .nfacts = facts.n,
                                                                        .meetings = meetings.v,
                                                                        .nmeetings = meetings.n,
                                                                        .met = true,
                                                                        .named = names_places(p, loop),
                                                                        .flags = l->flags});
    b->own_blocks = blocks.v;
    b->own_facts = facts.v;
    b->own_meetings = meetings.v;
    return b;
}

uint64_t cc_flow_cold(const struct cc_flow_body *b)
{
    return b->cold;
}

/* --- classes --- */

static void add_place(struct cc_flow_result *r, uint64_t insn)
{
    for (unsigned i = 0; i < r->nat; i++)
        if (r->at[i] == insn)
            return;
    if (insn && r->nat < CC_COUNT(r->at))
        r->at[r->nat++] = insn;
}

void cc_flow_say(struct cc_flow_result *r, enum cc_flow_class class, const char *reason, uint64_t at)
{
    r->class = class;
    snprintf(r->reason, sizeof r->reason, "%s", reason);
    add_place(r, at);
}

const char *cc_flow_operation_name(enum cc_code_op family)
{
    static const char *const names[CC_CODE_OPS] = {
        [CC_CODE_ADD] = "+", [CC_CODE_MUL] = "*",   [CC_CODE_AND] = "&",   [CC_CODE_OR] = "|",
        [CC_CODE_XOR] = "^", [CC_CODE_MIN] = "min", [CC_CODE_MAX] = "max",
    };
    return names[family];
}

bool cc_flow_counts(struct cc_flow_body *b, uint32_t cell)
{
    struct cc_flow_result r = {0};
    return b->end.v[cell] == cc_flow_cell_init(b, cell) || (cc_flow_is_induction(b, cell, &r) && !r.floating);
}

static bool try_induction(struct cc_flow_body *b, uint32_t cell, bool floating, struct cc_flow_result *ret)
{
    struct cc_flow_result r = *ret;
    if (!cc_flow_is_induction(b, cell, &r) || r.floating != floating)
        return false;
    *ret = r;
    cc_flow_say(ret, CC_FLOW_INDUCTION, "each iteration adds the same", 0);
    return true;
}

static bool try_chain(struct cc_flow_body *b, uint32_t cell, bool last, struct cc_flow_result *ret)
{
    struct cc_flow_chain c = {.cell = cell, .start = cc_flow_cell_init(b, cell)};
    bool is = cc_flow_chain_find(b, &c, b->end.v[cell], last) && cc_flow_chain_alone(b, &c);
    if (is && last) {
        cc_flow_say(ret, CC_FLOW_LAST, "some iterations set it, none of the others uses it", 0);
    } else if (is) {
        ret->operation = cc_flow_operation_name(c.family);
        ret->floating = c.floating;
        cc_flow_say(ret, CC_FLOW_REDUCTION, "only combined by one operation", 0);
    } else if (!last) {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, c.why ? c.why : "where it goes is not known", c.at);
    }
    cc_flow_chain_fini(&c);
    return is;
}

static bool is_demanded(struct cc_flow_body *b, uint32_t v)
{
    struct cc_flow_set all = cc_flow_demanded(b, NULL);
    bool is = v < all.n && all.is[v];
    cc_flow_set_free(&all);
    return is;
}

/* Whether nothing looks at more of a value than its low bits; what merely goes by it is in `passes`. */
static bool looks_low(const struct cc_flow_body *b, uint32_t v, unsigned bits, const struct cc_flow_set *all,
                      const struct cc_flow_set *passes)
{
    bool low = true;
    for (size_t i = 0; i < b->roots.n && low; i++)
        low = b->roots.v[i].value != v;
    for (uint32_t i = b->uses.user[v]; low && i < b->uses.user[v + 1]; i++) {
        uint32_t user = b->uses.users[i];
        const struct cc_value *u = cc_value(&b->values, user);
        low = !all->is[user] || passes->is[user] ||
              (u->kind == CC_VALUE_PART && u->data == 0 && u->bits <= bits);
    }
    return low;
}

/* Whether the low part ends as it began, on whichever way, and nothing looks at the rest of what was there:
 * functions keep the low halves of some vector registers, and may leave anything in the others, which code
 * that did not run cannot look at either then. */
static bool keeps_low(struct cc_flow_body *b, uint32_t start, uint32_t end)
{
    const struct cc_value *v = cc_value(&b->values, end);
    unsigned bits = v->kind == CC_VALUE_JOIN ? cc_value(&b->values, v->a)->bits : 0;
    bool keeps = bits != 0, lost = false;
    struct cc_flow_set all = cc_flow_demanded(b, NULL), passes = cc_flow_set_new(b);
    struct cc_flow_walk w = cc_flow_walk_new(b, end);
    for (uint32_t now; keeps && cc_flow_walk_next(&w, &now);) {
        v = cc_value(&b->values, now);
        const struct cc_value *low = v->kind == CC_VALUE_JOIN ? cc_value(&b->values, v->a) : NULL;
        keeps =
            now < passes.n && (now == start || v->kind == CC_VALUE_PHI ||
                               (low && low->kind == CC_VALUE_PART && low->data == 0 && low->bits == bits &&
                                (!b->cold || cc_flow_from_call(cc_value(&b->values, v->b)))));
        lost = lost || low;
        if (keeps)
            passes.is[now] = !low;
        if (low && keeps)
            CC_VEC_PUSH(&w.todo, low->a);
        else if (now != start)
            cc_flow_walk_into(&w, now, 0);
    }
    cc_flow_walk_free(&w);
    for (uint32_t i = 1; i < passes.n && keeps; i++)
        keeps = !passes.is[i] || looks_low(b, i, bits, &all, &passes);
    cc_flow_set_free(&passes);
    cc_flow_set_free(&all);
    return keeps && lost;
}

/* Memory that something else looks at, wherever it does: that finds what it would have computed. */
static void classify_looked(struct cc_flow_body *b, uint32_t cell, struct cc_flow_result *ret)
{
    if (b->end.v[cell] && b->end.v[cell] == cc_flow_cell_init(b, cell)) {
        cc_flow_say(ret, CC_FLOW_UNCHANGED, "each iteration leaves what it found", 0);
    } else if (try_induction(b, cell, false, ret)) {
        ret->looked = true;
    } else if (cc_flow_follows(b, cell)) {
        ret->looked = true;
        cc_flow_say(ret, CC_FLOW_INDUCTION, "each iteration leaves what counters tell", 0);
    } else {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, "what is read is not only updated", 0);
    }
}

static void classify_cell(struct cc_flow_body *b, uint32_t cell, struct cc_flow_result *ret)
{
    if (b->cells.v[cell].looked) {
        classify_looked(b, cell, ret);
        return;
    }
    uint32_t start = cc_flow_cell_init(b, cell), end = b->end.v[cell];
    if (!end) {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, "no second iteration was seen", 0);
    } else if (end == start) {
        cc_flow_say(ret, CC_FLOW_UNCHANGED, "each iteration leaves what it found", 0);
    } else if (cc_flow_is_number(b, cell)) {
        cc_flow_say(ret, CC_FLOW_UNCHANGED, "it is the same number in each iteration", 0);
    } else if (!b->cold && !is_demanded(b, start)) {
        cc_flow_say(ret, CC_FLOW_DEAD, "what is computed from it is not used", 0);
    } else if (keeps_low(b, start, end)) {
        cc_flow_say(ret, CC_FLOW_UNCHANGED, "each iteration leaves what it found of what is used", 0);
    } else if (!try_induction(b, cell, false, ret) && !try_chain(b, cell, false, ret) &&
               (b->cells.v[cell].memory || !try_induction(b, cell, true, ret))) {
        struct cc_flow_result other = *ret;
        ret->turns = cc_flow_toggles(b, cell);
        if (ret->turns)
            cc_flow_say(ret, CC_FLOW_INDUCTION, "each iteration turns the same bits over", 0);
        else if ((ret->kept = cc_flow_keeps(b, cell)) || cc_flow_rotates(b, cell))
            cc_flow_say(ret, CC_FLOW_ROTATING, "each iteration computes it without the one before", 0);
        else if (!b->cold && try_chain(b, cell, true, &other))
            *ret = other;
    }
}

/* --- memory --- */

static bool accesses_cell(const struct cc_flow_body *b, uint64_t insn, bool store, uint32_t cell)
{
    const struct cc_flow_cell *c = &b->cells.v[cell];
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->insn == insn && a->store == store && a->fixed && a->base == c->base &&
            a->offset < c->offset + c->bytes && c->offset < a->offset + (int64_t)a->bytes)
            return true;
    }
    return false;
}

static int severity(enum cc_flow_class class)
{
    static const int of[CC_FLOW_CLASSES] = {
        [CC_FLOW_RECURRENCE] = 6, [CC_FLOW_LAST] = 5, [CC_FLOW_ROTATING] = 4,  [CC_FLOW_REDUCTION] = 3,
        [CC_FLOW_INDUCTION] = 2,  [CC_FLOW_DEAD] = 1, [CC_FLOW_UNCHANGED] = 0,
    };
    return of[class];
}

/* All that an instruction stores goes to variables that are followed. */
static bool stores_to_cells(const struct cc_flow_body *b, uint64_t insn)
{
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->insn == insn && a->store &&
            (!a->fixed || cc_flow_slot_at(b, a->base, a->offset, a->bytes) == CC_NONE))
            return false;
    }
    return true;
}

/* Of several variables that one instruction stores and the other loads, the worst. */
static bool classify_slots(struct cc_flow_body *b, const struct cc_pdependence *d, struct cc_flow_result *ret)
{
    bool any = false, known = !cc_flow_is_call(b, d->second), all = stores_to_cells(b, d->first);
    if (cc_flow_is_call(b, d->first))
        return false;
    for (uint32_t i = 0; i < b->cells.n; i++) {
        const struct cc_flow_cell *c = &b->cells.v[i];
        bool loads = (known && accesses_cell(b, d->second, false, i)) || (c->looked && all);
        if (!c->memory || !accesses_cell(b, d->first, true, i) || !loads)
            continue;
        struct cc_flow_result one = {.cold = b->cold};
        classify_cell(b, i, &one);
        if (!any || severity(one.class) > severity(ret->class))
            *ret = one;
        any = true;
    }
    return any;
}

bool cc_flow_combines(struct cc_flow_body *b, const struct cc_pdependence *d)
{
    bool any = false;
    if (b->failed || cc_flow_is_call(b, d->first) || cc_flow_is_call(b, d->second))
        return false;
    for (uint32_t i = 0; i < b->cells.n; i++) {
        struct cc_flow_result r = {0};
        if (!b->cells.v[i].memory || !accesses_cell(b, d->first, true, i) ||
            !accesses_cell(b, d->second, false, i))
            continue;
        if (!try_chain(b, i, false, &r))
            return false;
        any = true;
    }
    return any;
}

/* The cell that all stores of an instruction go to; CC_NONE: they do not go to one. */
static uint32_t stored_cell(const struct cc_flow_body *b, uint64_t insn)
{
    uint32_t cell = CC_NONE;
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        uint32_t at = a->insn == insn && a->store && a->fixed
                          ? cc_flow_slot_at(b, a->base, a->offset, a->bytes)
                          : CC_NONE;
        if (a->insn == insn && a->store && (at == CC_NONE || (cell != CC_NONE && cell != at)))
            return CC_NONE;
        cell = at != CC_NONE ? at : cell;
    }
    return cell;
}

/* Whether a register ends with what the memory has, or has it as a value of its own in its low bytes. */
static bool ends_as(struct cc_flow_body *b, uint32_t cell, uint32_t memory)
{
    uint32_t bits = b->cells.v[memory].bytes * 8, end = b->end.v[cell], other = b->end.v[memory];
    if (end == other || !end || !other)
        return end && end == other;
    return bits < b->cells.v[cell].bytes * 8 && cc_value(&b->values, other)->kind != CC_VALUE_PART &&
           cc_value_part(&b->values, end, 0, bits) == other;
}

const char *cc_flow_copied(struct cc_flow_body *b, uint64_t insn)
{
    uint32_t cell = b->failed ? CC_NONE : stored_cell(b, insn);
    if (cell == CC_NONE || cc_flow_is_call(b, insn) || cc_flow_loads_from(b, cell))
        return NULL;
    for (uint32_t i = 0; i < b->cells.n; i++) {
        struct cc_flow_result r = {0};
        if (b->cells.v[i].memory || !ends_as(b, i, cell) || b->end.v[i] == cc_flow_cell_init(b, i))
            continue;
        b->effort += b->uses.n * 3;
        if (b->effort < CC_FLOW_EFFORT && try_chain(b, i, false, &r))
            return r.operation;
    }
    return NULL;
}

const char *cc_flow_sets(const struct cc_flow_body *b, uint64_t insn)
{
    uint32_t cell = b->failed ? CC_NONE : stored_cell(b, insn);
    uint64_t value = 2, one;
    if (cell == CC_NONE || cc_flow_is_call(b, insn) || cc_flow_loads_from(b, cell))
        return NULL;
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->insn != insn || !a->store)
            continue;
        if (!cc_value_is_const(&b->values, a->value, &one) || one > 1 || (value != 2 && value != one))
            return NULL;
        value = one;
    }
    return value == 2 ? NULL : value ? "||" : "&&";
}

/* Whether a function that is called was seen to read a register in which it takes nothing: what it puts into
 * a part of it goes beside what is there. */
static bool is_beside_the_point(struct cc_flow_body *b, const struct cc_pdependence *d)
{
    const struct cc_rec_loop_code *call = cc_flow_is_call(b, d->second);
    if (!call || !cc_flow_in_registers(b->flow, call) || d->place / 8 >= CC_GRANULES)
        return false;
    struct cc_registers none = {0}, taken = cc_flow_taken_with(b->flow, call, &none);
    return !cc_register_is(&taken, (uint32_t)(d->place / 8)) &&
           !cc_register_is(&b->flow->abi.kept, (uint32_t)(d->place / 8));
}

void cc_flow_classify(struct cc_flow_body *b, const struct cc_pdependence *d, struct cc_flow_result *ret)
{
    *ret = (struct cc_flow_result){0};
    ret->cold = b->cold;
    b->effort += b->uses.n * 3;
    if (b->effort > CC_FLOW_EFFORT) {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, "its code is too tangled", 0);
    } else if (b->failed) {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, b->failed, 0);
    } else if (d->flags & CC_DEPENDENCE_FOLDED) {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, "there are more dependences than were kept", 0);
    } else if (d->space == CC_SPACE_REGISTER) {
        uint32_t cell = cc_flow_cell_at(b, d->place);
        if (cell == CC_NONE)
            cc_flow_say(ret, CC_FLOW_RECURRENCE, "the register is not known", 0);
        else if (is_beside_the_point(b, d))
            cc_flow_say(ret, CC_FLOW_DEAD, "the function that is called takes nothing there", 0);
        else
            classify_cell(b, cell, ret), ret->untaken = b->cells.v[cell].untaken;
    } else if (!classify_slots(b, d, ret)) {
        cc_flow_classify_update(b, d, ret);
    }
    add_place(ret, d->first);
    add_place(ret, d->second);
}
