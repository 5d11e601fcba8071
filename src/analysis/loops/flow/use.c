/* Who uses a value, and whether that is of any consequence. */
#include "body.h"

static void count_users(const struct cc_values *x, uint32_t *user)
{
    for (uint32_t v = 1; v < x->v.n; v++) {
        const uint32_t *of;
        uint32_t n = cc_value_operands(x, v, &of);
        for (uint32_t i = 0; i < n; i++)
            user[of[i] + 1]++;
    }
    for (size_t v = 1; v <= x->v.n; v++)
        user[v] += user[v - 1];
}

void cc_flow_uses_init(struct cc_flow_body *b)
{
    struct cc_flow_uses *u = &b->uses;
    for (uint32_t i = 0; i < b->cells.n; i++)
        *cc_map_put(&u->cell, cc_flow_cell_init(b, i), NULL) = i + 1;
    const struct cc_values *x = &b->values;
    u->n = x->v.n;
    u->user = cc_alloc_array(u->n + 2, sizeof *u->user);
    u->sites = cc_alloc_array(u->n + 1, sizeof *u->sites);
    count_users(x, u->user);
    u->users = cc_alloc_array(u->user[u->n] + 1u, sizeof *u->users);
    CC_CLEANUP(cc_free_ptr) uint32_t *at = cc_alloc_array(u->n + 2, sizeof *at);
    memcpy(at, u->user, (u->n + 1) * sizeof *at);
    for (uint32_t v = 1; v < u->n; v++) {
        const uint32_t *of;
        uint32_t n = cc_value_operands(x, v, &of);
        for (uint32_t i = 0; i < n; i++)
            u->users[at[of[i]]++] = v;
    }
    for (size_t i = b->accesses.n; i-- > 0;)
        if (!b->accesses.v[i].store)
            u->sites[b->accesses.v[i].value] = (uint32_t)i + 1;
}

void cc_flow_uses_fini(struct cc_flow_body *b)
{
    free(b->uses.user);
    free(b->uses.users);
    free(b->uses.sites);
    cc_map_fini(&b->uses.cell);
}

struct cc_flow_set cc_flow_set_new(const struct cc_flow_body *b)
{
    return (struct cc_flow_set){cc_alloc(b->uses.n + 1), b->uses.n};
}

void cc_flow_set_free(struct cc_flow_set *s)
{
    free(s->is);
    s->is = NULL;
}

struct cc_flow_walk cc_flow_walk_new(const struct cc_flow_body *b, uint32_t v)
{
    struct cc_flow_walk w = {b, cc_flow_set_new(b), {0}};
    CC_VEC_PUSH(&w.todo, v);
    return w;
}

bool cc_flow_walk_next(struct cc_flow_walk *w, uint32_t *ret)
{
    while (w->todo.n) {
        uint32_t v = w->todo.v[--w->todo.n];
        if (v >= w->seen.n || w->seen.is[v])
            continue;
        w->seen.is[v] = 1;
        *ret = v;
        return true;
    }
    return false;
}

void cc_flow_walk_into(struct cc_flow_walk *w, uint32_t v, uint32_t but)
{
    const uint32_t *of;
    uint32_t n = cc_value_operands(&w->b->values, v, &of);
    for (uint32_t i = but; i < n; i++)
        CC_VEC_PUSH(&w->todo, of[i]);
}

void cc_flow_walk_free(struct cc_flow_walk *w)
{
    cc_flow_set_free(&w->seen);
    CC_VEC_FINI(&w->todo);
}

static void add(struct cc_flow_set *s, cc_number_vec *todo, uint32_t v)
{
    if (!v || v >= s->n || s->is[v]) /* what was made since nobody uses */
        return;
    s->is[v] = 1;
    CC_VEC_PUSH(todo, v);
}

struct cc_flow_set cc_flow_dependents(const struct cc_flow_body *b, uint32_t v)
{
    struct cc_flow_set s = cc_flow_set_new(b);
    cc_number_vec todo = {0};
    add(&s, &todo, v);
    while (todo.n) {
        uint32_t now = todo.v[--todo.n];
        for (uint32_t i = b->uses.user[now]; i < b->uses.user[now + 1]; i++)
            add(&s, &todo, b->uses.users[i]);
    }
    CC_VEC_FINI(&todo);
    return s;
}

bool cc_flow_is_own_branch(const struct cc_flow_chain *but, const struct cc_flow_root *r)
{
    if (!but || r->use != CC_USE_CONDITION)
        return false;
    for (size_t i = 0; i < but->branches.n; i++)
        if (but->branches.v[i] == r->node && r->edge != CC_NONE)
            return true;
    return false;
}

/* Whether every way from the start of an iteration over the edge comes by the node. */
static bool passes(const struct cc_flow_body *b, uint32_t node, uint32_t edge)
{
    cc_number_vec todo = {0};
    bool *seen = cc_alloc_array(b->nodes.n, sizeof *seen);
    if (b->tick != node)
        CC_VEC_PUSH(&todo, b->tick);
    while (todo.n) {
        uint32_t n = todo.v[--todo.n];
        for (uint32_t i = 0; !seen[n] && i < b->nodes.v[n].nedges; i++) {
            uint32_t to = b->edges.v[b->nodes.v[n].edge + i].to;
            if (to < b->nodes.n && to != node)
                CC_VEC_PUSH(&todo, to);
        }
        seen[n] = true;
    }
    bool is = !seen[b->edges.v[edge].from];
    free(seen);
    CC_VEC_FINI(&todo);
    return is;
}

bool cc_flow_is_left(struct cc_flow_body *b, const struct cc_flow_chain *c, const struct cc_flow_root *r,
                     uint32_t ret[2])
{
    uint32_t end = c->stored;
    if (r->use != CC_USE_AFTER || b->cells.v[r->cell].memory)
        return false;
    if (c->cell != CC_NONE)
        end =
            cc_flow_read(b, b->edges.v[r->edge].state, b->cells.v[c->cell].start, b->cells.v[c->cell].bytes);
    const struct cc_value *v = cc_value(&b->values, r->value);
    bool half =
        v->a == end && (v->kind == CC_VALUE_JOIN || (v->kind == CC_VALUE_OP && v->op == CC_CODE_ZEXT));
    ret[0] = end;
    ret[1] = half && v->kind == CC_VALUE_JOIN ? v->b : 0;
    return end && (half || r->value == end) && (c->cell != CC_NONE || passes(b, c->node, r->edge));
}

bool cc_flow_has_branch(const struct cc_flow_body *b, uint32_t node, uint64_t insn)
{
    for (size_t i = 0; i < b->roots.n; i++) {
        const struct cc_flow_root *r = &b->roots.v[i];
        if (r->node == node && r->insn == insn && (r->use == CC_USE_CONDITION || r->use == CC_USE_JUMP))
            return true;
    }
    return false;
}

/* --- nothing else uses it --- */

static bool fail(struct cc_flow_chain *c, const char *why, uint64_t at)
{
    c->why = why;
    c->at = at;
    return false;
}

bool cc_flow_loads_from(const struct cc_flow_body *b, uint32_t cell)
{
    const struct cc_flow_cell *c = &b->cells.v[cell];
    if (c->looked)
        return true;
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (!a->store && a->fixed && a->base == c->base && a->offset >= c->offset &&
            a->offset < c->offset + c->bytes)
            return true;
    }
    return false;
}

/* Memory that nobody in the loop loads from, and that has what the chain's cell has when the loop ends; or a
 * value of its own that is in the cell's low bytes, as `double` is in half a register. */
static bool is_copy(struct cc_flow_body *b, const struct cc_flow_chain *c, const struct cc_flow_root *r)
{
    const struct cc_flow_cell *own = &b->cells.v[c->cell], *other = &b->cells.v[r->cell];
    bool whole = other->bytes == own->bytes ||
                 (other->bytes < own->bytes && cc_value(&b->values, r->value)->kind != CC_VALUE_PART);
    return whole && other->memory && !cc_flow_loads_from(b, r->cell) &&
           cc_flow_read(b, b->edges.v[r->edge].state, own->start, other->bytes) == r->value;
}

/* The chain's own end; or memory that only has a copy of it when the loop ends. */
static bool may_see(struct cc_flow_body *b, const struct cc_flow_chain *c, const struct cc_flow_root *r)
{
    uint32_t parts[2];
    if (cc_flow_is_left(b, c, r, parts))
        return true;
    if (r->use == CC_USE_STORED)
        return c->store && r->insn == c->store;
    if (cc_flow_is_own_branch(c, r))
        return true;
    if (r->use != CC_USE_AFTER || c->cell == CC_NONE)
        return false;
    return r->cell == c->cell || is_copy(b, c, r);
}

static const char *seen_how(enum cc_flow_use use)
{
    static const char *const how[] = {
        [CC_USE_ADDRESS] = "it is used in an address",
        [CC_USE_STORED] = "it is stored",
        [CC_USE_CONDITION] = "a branch depends on it",
        [CC_USE_CALL] = "it may be passed to a function",
        [CC_USE_EFFECT] = "it is used in another way",
        [CC_USE_JUMP] = "a jump depends on it",
        [CC_USE_AFTER] = "a value on the way to the last is used after the loop",
    };
    return how[use];
}

static bool roots_fit(struct cc_flow_body *b, struct cc_flow_chain *c)
{
    for (size_t i = 0; i < b->roots.n; i++) {
        const struct cc_flow_root *r = &b->roots.v[i];
        if (r->value < c->members.n && c->members.is[r->value] && !may_see(b, c, r))
            return fail(c, seen_how(r->use), r->insn);
    }
    return true;
}

static uint64_t where(const struct cc_value *v)
{
    return v->kind == CC_VALUE_PHI ? (v->data >> 32) - 1 : UINT64_MAX;
}

/* What else is decided by a branch that finds the smaller or larger of two. */
static bool meetings_fit(struct cc_flow_body *b, struct cc_flow_chain *c, const struct cc_flow_set *demanded)
{
    for (uint32_t v = 1; v < demanded->n; v++)
        for (size_t k = 0; demanded->is[v] && !c->members.is[v] && k < c->meetings.n; k++)
            if (where(cc_value(&b->values, v)) == c->meetings.v[k])
                return fail(c, "something else depends on the same branch", 0);
    return true;
}

bool cc_flow_chain_alone(struct cc_flow_body *b, struct cc_flow_chain *c)
{
    struct cc_flow_set demanded = cc_flow_demanded(b, c);
    bool fits = roots_fit(b, c) && meetings_fit(b, c, &demanded);
    for (uint32_t v = 1; fits && v < c->members.n; v++) {
        for (uint32_t i = b->uses.user[v]; fits && c->members.is[v] && i < b->uses.user[v + 1]; i++) {
            uint32_t user = b->uses.users[i];
            if (demanded.is[user] && !c->members.is[user])
                fits = fail(c, "it is also used in another computation", 0);
        }
        const uint64_t *cell = cc_map_get(&b->uses.cell, v);
        if (fits && cell && demanded.is[v] && *cell - 1 != c->cell && b->end.v[*cell - 1] < c->members.n &&
            c->members.is[b->end.v[*cell - 1]])
            fits = fail(c, "another variable takes it to the next iteration", 0);
    }
    cc_flow_set_free(&demanded);
    return fits;
}

void cc_flow_chain_fini(struct cc_flow_chain *c)
{
    cc_flow_set_free(&c->members);
    cc_flow_set_free(&c->dependents);
    cc_flow_set_free(&c->decided);
    CC_VEC_FINI(&c->branches);
    CC_VEC_FINI(&c->meetings);
}
