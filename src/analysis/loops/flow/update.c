/* Memory that is only updated: the same place is loaded, combined with something by one associative
 * operation, and stored, and nobody else looks: `h[b[i]] += x`. And values that each iteration could compute
 * by itself. */
#include "body.h"

/* --- updates --- */

static bool is_update(struct cc_flow_body *b, const struct cc_flow_access *store,
                      const struct cc_flow_access *load, struct cc_flow_chain *c)
{
    *c = (struct cc_flow_chain){.cell = CC_NONE,
                                .start = load->value,
                                .store = store->insn,
                                .stored = store->guarded ? 0 : store->value,
                                .node = store->node};
    return cc_flow_chain_find(b, c, store->value, false) && cc_flow_chain_alone(b, c);
}

static bool may_pair(const struct cc_flow_body *b, const struct cc_flow_access *store,
                     const struct cc_flow_access *load)
{
    return store->store && !load->store && load->address == store->address && load->bytes == store->bytes &&
           cc_value(&b->values, load->value)->kind == CC_VALUE_LOAD;
}

struct update {
    enum cc_code_op family; /* CC_CODE_OTHER: not seen yet */
    bool floating;
    const char *why;
    uint64_t at;
};

static bool agree(struct update *u, const struct cc_flow_chain *c)
{
    if (u->family != CC_CODE_OTHER && (u->family != c->family || u->floating != c->floating)) {
        u->why = "different operations are mixed";
        return false;
    }
    u->family = c->family;
    u->floating = c->floating;
    return true;
}

/* Whether an access is a half of an update. */
static bool access_updates(struct cc_flow_body *b, const struct cc_flow_access *a, struct update *u)
{
    bool found = false;
    for (size_t i = 0; !found && i < b->accesses.n; i++) {
        const struct cc_flow_access *other = &b->accesses.v[i];
        const struct cc_flow_access *store = a->store ? a : other, *load = a->store ? other : a;
        struct cc_flow_chain c;
        if (!may_pair(b, store, load))
            continue;
        found = is_update(b, store, load, &c) && agree(u, &c);
        if (!found && c.why) {
            u->why = c.why;
            u->at = c.at;
        }
        cc_flow_chain_fini(&c);
    }
    return found;
}

/* Whether all that an instruction accesses is updated. */
static bool site_updates(struct cc_flow_body *b, uint64_t insn, struct update *u)
{
    bool any = false;
    for (size_t i = 0; i < b->accesses.n; i++) {
        if (b->accesses.v[i].insn != insn)
            continue;
        if (!access_updates(b, &b->accesses.v[i], u))
            return false;
        any = true;
    }
    if (!any)
        u->why = "it happens in a function that is called";
    return any;
}

/* The instruction itself, and those that load what it stores anew or store what it loads. */
static bool is_half_of(const struct cc_flow_body *b, uint64_t insn, uint64_t of)
{
    if (insn == of)
        return true;
    for (size_t i = 0; i < b->accesses.n; i++)
        for (size_t k = 0; b->accesses.v[i].insn == of && k < b->accesses.n; k++) {
            const struct cc_flow_access *a = &b->accesses.v[i], *other = &b->accesses.v[k];
            if (other->insn == insn && may_pair(b, a->store ? a : other, a->store ? other : a))
                return true;
        }
    return false;
}

static bool partner_updates(struct cc_flow_body *b, const struct cc_pdependence *d, uint64_t insn,
                            struct update *u)
{
    return insn == d->first || insn == d->second || site_updates(b, insn, u);
}

/* Each instruction that met one of the two, or the other half of its update, somewhere, in one iteration or
 * in two, has to be such an update too. */
static bool partners_update(struct cc_flow_body *b, const struct cc_pdependence *d, struct update *u)
{
    for (size_t i = 0; i < b->loop.nfacts + b->loop.nmeetings; i++) {
        bool within = i >= b->loop.nfacts;
        const struct cc_pdependence *f = within ? &b->loop.meetings[i - b->loop.nfacts] : &b->loop.facts[i];
        if (f->space != CC_SPACE_MEMORY || (!within && f->kind > CC_DEPENDENCE_WAW))
            continue;
        bool first = is_half_of(b, f->first, d->first) || is_half_of(b, f->first, d->second),
             second = is_half_of(b, f->second, d->first) || is_half_of(b, f->second, d->second);
        /* an instruction that loads a pair may be a half of one update and look at something else */
        if ((f->flags & CC_DEPENDENCE_FOLDED) ||
            ((first || second) &&
             (!partner_updates(b, d, f->first, u) || !partner_updates(b, d, f->second, u)))) {
            u->why = "it is also accessed elsewhere";
            u->at = first ? f->second : f->first;
            return false;
        }
    }
    return true;
}

static bool is_pointer(struct cc_flow_body *b, uint32_t v)
{
    const uint64_t *cell = cc_map_get(&b->uses.cell, v);
    return cell && cc_flow_counts(b, (uint32_t)*cell - 1);
}

/* The pointer an address starts from, if there is but one: an INIT that does not change, or counts; 0: it is
 * not known. */
static uint32_t pointer_of(struct cc_flow_body *b, uint32_t address)
{
    const struct cc_value *v = cc_value(&b->values, address);
    for (unsigned depth = 0; v->kind == CC_VALUE_OP && v->op == CC_CODE_ADD && depth < 16; depth++) {
        bool first = cc_flow_is_fixed(b, v->a), second = cc_flow_is_fixed(b, v->b);
        uint32_t fixed = first ? v->a : v->b;
        if (first != second && cc_value(&b->values, fixed)->kind == CC_VALUE_INIT)
            return fixed;
        address = first ? v->b : v->a;
        v = cc_value(&b->values, address);
    }
    return is_pointer(b, address) ? address : 0;
}

static bool may_meet(struct cc_flow_body *b, const struct cc_flow_access *p, const struct cc_flow_access *q)
{
    uint32_t from = pointer_of(b, p->address), to = pointer_of(b, q->address);
    return !from || !to || from == to;
}

static bool is_slot(const struct cc_flow_body *b, const struct cc_flow_access *a)
{
    return a->fixed && cc_flow_slot_at(b, a->base, a->offset, a->bytes) != CC_NONE;
}

/* Whether the run showed that a load finds what the store left in the same iteration; without such facts, it
 * may. */
static bool has_met(const struct cc_flow_body *b, uint64_t store, uint64_t load)
{
    for (size_t i = 0; i < b->loop.nmeetings; i++) {
        const struct cc_pdependence *d = &b->loop.meetings[i];
        bool folded = (d->flags & CC_DEPENDENCE_FOLDED) != 0;
        if (d->space == CC_SPACE_MEMORY && cc_flow_is_raw(d->kind) &&
            (folded || (d->first == store && d->second == load)))
            return true;
    }
    return !b->loop.met;
}

/* A look between two updates in one iteration leaves no trace in what iterations carry: where there are two,
 * nothing else may load from there. */
static bool nobody_looks(struct cc_flow_body *b, uint64_t insn, struct update *u)
{
    const struct cc_flow_access *store = NULL;
    CC_VEC(const struct cc_flow_access *) stores = {0};
    bool seen = false;
    for (size_t i = 0; i < b->accesses.n; i++)
        if (b->accesses.v[i].store && b->accesses.v[i].insn == insn)
            store = &b->accesses.v[i];
    for (size_t i = 0; store && i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        struct update other = {0};
        if (a->store && a->insn != insn && !is_slot(b, a) && may_meet(b, a, store) &&
            access_updates(b, a, &other))
            CC_VEC_PUSH(&stores, a);
    }
    for (size_t i = 0; stores.n && !seen && i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->store || is_slot(b, a) || !may_meet(b, a, store) || access_updates(b, a, u))
            continue;
        seen = has_met(b, insn, a->insn);
        for (size_t k = 0; !seen && k < stores.n; k++)
            seen = has_met(b, stores.v[k]->insn, a->insn);
        if (seen) {
            u->why = "it may be looked at between two updates";
            u->at = a->insn;
        }
    }
    CC_VEC_FINI(&stores);
    return !seen;
}

void cc_flow_classify_update(struct cc_flow_body *b, const struct cc_pdependence *d,
                             struct cc_flow_result *ret)
{
    struct update u = {0};
    bool call = cc_flow_is_call(b, d->first) || cc_flow_is_call(b, d->second);
    bool is = !call && site_updates(b, d->first, &u) && site_updates(b, d->second, &u) &&
              partners_update(b, d, &u) && nobody_looks(b, d->first, &u);
    if (call)
        u.why = "it happens in a function that is called";
    if (!is) {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, u.why ? u.why : "what is read is not only updated", u.at);
        return;
    }
    ret->operation = cc_flow_operation_name(u.family);
    ret->floating = u.floating;
    cc_flow_say(ret, CC_FLOW_REDUCTION, "memory that is only updated", 0);
}

/* --- what each iteration could compute by itself --- */

static bool is_known(const struct cc_flow_body *b, uint64_t insn)
{
    for (size_t i = 0; i < b->loop.nfacts; i++)
        if (b->loop.facts[i].space == CC_SPACE_MEMORY && b->loop.facts[i].kind <= CC_DEPENDENCE_WAW &&
            (b->loop.facts[i].first == insn || b->loop.facts[i].second == insn))
            return true;
    return false;
}

/* Whether an instruction found what its own iteration had written. */
static bool finds_own(const struct cc_flow_body *b, uint64_t insn)
{
    bool found = false;
    for (size_t i = 0; i < b->loop.nmeetings && !found; i++) {
        const struct cc_pdependence *d = &b->loop.meetings[i];
        found = d->space == CC_SPACE_MEMORY && cc_flow_is_raw(d->kind) &&
                (d->second == insn || (d->flags & CC_DEPENDENCE_FOLDED));
    }
    return found;
}

/* Whether the run showed that a load never found what the loop had written, in its iteration or before: what
 * the compiler then keeps of it for the next ones, they would find there as well. */
static bool is_apart(const struct cc_flow_body *b, uint32_t load)
{
    bool any = false, folded = false;
    for (size_t i = 0; i < b->loop.nfacts; i++)
        folded = folded || (b->loop.facts[i].flags & CC_DEPENDENCE_FOLDED);
    for (size_t i = 0; i < b->accesses.n && b->loop.met && !folded; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->store || a->value != load)
            continue;
        any = true;
        if (is_known(b, a->insn) || finds_own(b, a->insn))
            return false;
    }
    return any;
}

bool cc_flow_is_written(struct cc_flow_body *b, uint32_t load)
{
    uint32_t pointer = pointer_of(b, cc_value(&b->values, load)->a);
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (!a->store && a->value == load && is_known(b, a->insn))
            return true;
        uint32_t cell = a->fixed ? cc_flow_slot_at(b, a->base, a->offset, a->bytes) : CC_NONE;
        bool elsewhere = cell != CC_NONE && !b->cells.v[cell].looked;
        if (a->store && !elsewhere &&
            (!pointer || pointer_of(b, a->address) == pointer || !pointer_of(b, a->address)))
            return true;
    }
    for (size_t i = 0; i < b->nodes.n; i++) {
        const struct cc_rec_loop_code *next = &b->nodes.v[i].piece->code[b->nodes.v[i].piece->n - 1];
        if (b->nodes.v[i].reached && next->op == CC_CODE_CALL && !cc_flow_is_pure(b->flow, next))
            return true;
    }
    return false;
}

enum { MAX_ROTATION = 8 }; /* iterations that a value may go back */

static bool rotates_within(struct cc_flow_body *b, uint32_t cell, unsigned depth);

/* Looked at once: 1: it does, 2: it does not, or is being looked at. */
static bool rotates_before(struct cc_flow_body *b, uint32_t cell, unsigned depth)
{
    bool fresh;
    uint64_t *known = cc_map_put(&b->rotating, cell, &fresh);
    if (fresh) {
        *known = 2;
        bool rotates = rotates_within(b, cell, depth);
        known = cc_map_put(&b->rotating, cell, NULL);
        *known = rotates ? 1 : 2;
    }
    return *known == 1;
}

/* From what each iteration knows: its number, what does not change, memory that the loop does not write, and
 * what iterations before it knew in this way. */
static bool rotates_within(struct cc_flow_body *b, uint32_t cell, unsigned depth)
{
    struct cc_flow_walk w = cc_flow_walk_new(b, b->end.v[cell]);
    bool rotates = depth < MAX_ROTATION;
    for (uint32_t v; rotates && cc_flow_walk_next(&w, &v); cc_flow_walk_into(&w, v, 0)) {
        const struct cc_value *p = cc_value(&b->values, v);
        const uint64_t *at = cc_map_get(&b->uses.cell, v);
        if (p->kind == CC_VALUE_INIT)
            rotates = at && (cc_flow_counts(b, (uint32_t)*at - 1) || cc_flow_toggles(b, (uint32_t)*at - 1) ||
                             rotates_before(b, (uint32_t)*at - 1, depth + 1));
        else if (p->kind == CC_VALUE_LOAD)
            rotates = !cc_flow_is_written(b, v) || is_apart(b, v);
        else
            rotates = p->kind != CC_VALUE_PHI && p->kind != CC_VALUE_UNKNOWN && p->kind != CC_VALUE_MEMORY;
    }
    cc_flow_walk_free(&w);
    return rotates;
}

bool cc_flow_follows(struct cc_flow_body *b, uint32_t cell)
{
    struct cc_flow_walk w = cc_flow_walk_new(b, b->end.v[cell]);
    bool follows = b->end.v[cell] != 0;
    for (uint32_t v; follows && cc_flow_walk_next(&w, &v); cc_flow_walk_into(&w, v, 0)) {
        const struct cc_value *p = cc_value(&b->values, v);
        const uint64_t *at = cc_map_get(&b->uses.cell, v);
        follows = p->kind == CC_VALUE_INIT
                      ? at && (b->end.v[*at - 1] == v || cc_flow_counts(b, (uint32_t)*at - 1))
                      : p->kind <= CC_VALUE_SELECT;
    }
    cc_flow_walk_free(&w);
    return follows;
}

bool cc_flow_rotates(struct cc_flow_body *b, uint32_t cell)
{
    return rotates_before(b, cell, 0);
}

/* --- what is only kept of memory --- */

/* Whether an expression is the same in all iterations. */
static bool stays(struct cc_flow_body *b, uint32_t v, unsigned depth)
{
    const struct cc_value *p = cc_value(&b->values, v);
    const uint64_t *at = cc_map_get(&b->uses.cell, v);
    if (p->kind == CC_VALUE_CONST)
        return true;
    if (p->kind == CC_VALUE_INIT)
        return at && b->end.v[*at - 1] == v;
    const uint32_t *of;
    uint32_t n = cc_value_operands(&b->values, v, &of);
    bool same = n && depth && p->kind >= CC_VALUE_OP && p->kind <= CC_VALUE_SELECT;
    for (uint32_t i = 0; i < n && same; i++)
        same = stays(b, of[i], depth - 1);
    return same;
}

/* The bound of a loop inside, say, which is a variable of the file and is loaded anew in each of its
 * iterations: what it leaves in the register is what is there, as long as nobody writes it. */
bool cc_flow_keeps(struct cc_flow_body *b, uint32_t cell)
{
    enum { DEEP = 16 };
    struct cc_flow_walk w = cc_flow_walk_new(b, b->end.v[cell]);
    uint32_t start = cc_flow_cell_init(b, cell), address = 0;
    bool keeps = b->end.v[cell] != 0;
    for (uint32_t v; keeps && cc_flow_walk_next(&w, &v);) {
        if (v == start)
            continue;
        const struct cc_value *p = cc_value(&b->values, v);
        bool widens = p->kind == CC_VALUE_PART || p->kind == CC_VALUE_JOIN ||
                      (p->kind == CC_VALUE_OP && (p->op == CC_CODE_ZEXT || p->op == CC_CODE_SEXT));
        if (p->kind == CC_VALUE_INIT && p->a &&
            stays(b, v, 0)) { /* a place that is followed as registers are */
            keeps = !address || address == v;
            address = v;
            continue;
        }
        if (p->kind == CC_VALUE_LOAD) {
            keeps = (!address || address == p->a) && stays(b, p->a, DEEP) && is_apart(b, v);
            address = p->a;
            continue;
        }
        keeps = widens || p->kind == CC_VALUE_PHI || p->kind == CC_VALUE_SELECT ||
                (p->kind == CC_VALUE_CONST && p->data == 0) ||
                (p->kind == CC_VALUE_INIT && cc_map_get(&b->uses.cell, v) &&
                 *cc_map_get(&b->uses.cell, v) == cell + 1);
        cc_flow_walk_into(&w, v, p->kind == CC_VALUE_SELECT); /* what it is one of: not the condition */
    }
    cc_flow_walk_free(&w);
    return keeps && address;
}
