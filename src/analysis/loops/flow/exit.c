/* What decides that a loop ends. */
#include "body.h"

static bool sees_carried(const struct cc_flow_body *b, uint32_t load)
{
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->store || a->value != load)
            continue;
        for (size_t k = 0; k < b->loop.nfacts; k++)
            if (b->loop.facts[k].space == CC_SPACE_MEMORY && b->loop.facts[k].kind <= CC_DEPENDENCE_WAW &&
                (b->loop.facts[k].first == a->insn || b->loop.facts[k].second == a->insn))
                return true;
    }
    return false;
}

static enum cc_flow_exit leaf(struct cc_flow_body *b, uint32_t v)
{
    const struct cc_value *p = cc_value(&b->values, v);
    const uint64_t *cell = cc_map_get(&b->uses.cell, v);
    switch (p->kind) {
    case CC_VALUE_INIT:
        return !cell                                    ? CC_FLOW_EXIT_CARRIED
               : cc_flow_counts(b, (uint32_t)*cell - 1) ? CC_FLOW_EXIT_COUNTED
               : cc_flow_keeps(b, (uint32_t)*cell - 1)  ? CC_FLOW_EXIT_DATA
                                                        : CC_FLOW_EXIT_CARRIED;
    case CC_VALUE_LOAD:
        return sees_carried(b, v) ? CC_FLOW_EXIT_CARRIED : CC_FLOW_EXIT_DATA;
    case CC_VALUE_PHI:
        return CC_FLOW_EXIT_DATA;
    case CC_VALUE_UNKNOWN: /* what a call gives it has from its arguments or from memory, and both are judged
                            */
        return cc_flow_from_call(p) ? CC_FLOW_EXIT_DATA : CC_FLOW_EXIT_CARRIED;
    case CC_VALUE_MEMORY:
        return CC_FLOW_EXIT_CARRIED;
    default:
        return CC_FLOW_EXIT_COUNTED;
    }
}

static enum cc_flow_exit decides(struct cc_flow_body *b, uint32_t condition)
{
    enum cc_flow_exit worst = CC_FLOW_EXIT_COUNTED;
    struct cc_flow_walk w = cc_flow_walk_new(b, condition);
    for (uint32_t v; cc_flow_walk_next(&w, &v); cc_flow_walk_into(&w, v, 0))
        worst = CC_MAX(worst, leaf(b, v));
    cc_flow_walk_free(&w);
    return worst;
}

/* What has to be so that control takes an edge: a value, or that two are equal (b), and whether it has to
 * hold. */
struct need {
    uint32_t a, b;
    bool holds;
};

static struct need need_of(const struct cc_flow_body *b, const struct cc_flow_edge *e)
{
    struct need n = {.a = e->condition, .holds = e->taken};
    const struct cc_value *v = cc_value(&b->values, n.a);
    for (; v->kind == CC_VALUE_OP && v->op == CC_CODE_NOT; n.holds = !n.holds) {
        n.a = v->a;
        v = cc_value(&b->values, n.a);
    }
    if (v->kind == CC_VALUE_OP && (v->op == CC_CODE_EQ || v->op == CC_CODE_NE)) {
        n.holds ^= v->op == CC_CODE_NE;
        n.a = v->a;
        n.b = v->b;
    }
    return n;
}

/* Compilers copy the test to the ends of several ways: whether a node leaves the loop for the same reason. */
static bool leaves_likewise(const struct cc_flow_body *b, uint32_t node, const struct cc_flow_edge *e)
{
    struct need want = need_of(b, e);
    for (uint32_t i = 0; i < b->nodes.v[node].nedges && want.a; i++) {
        const struct cc_flow_edge *x = &b->edges.v[b->nodes.v[node].edge + i];
        struct need n = need_of(b, x);
        if (x->to == CC_TO_OUTSIDE && x->state && n.a == want.a && n.b == want.b && n.holds == want.holds)
            return true;
    }
    return false;
}

/* Marks the nodes that are reached from the tick without coming by that exit; whether the next iteration is.
 */
static bool reach_without(const struct cc_flow_body *b, const struct cc_flow_edge *e, uint64_t insn,
                          bool *mark)
{
    cc_number_vec todo = {0};
    bool again = false;
    CC_VEC_PUSH(&todo, b->tick);
    while (todo.n) {
        uint32_t n = todo.v[--todo.n];
        if (mark[n] || cc_flow_has_branch(b, n, insn) || leaves_likewise(b, n, e))
            continue;
        mark[n] = true;
        for (uint32_t i = 0; i < b->nodes.v[n].nedges; i++) {
            uint32_t to = b->edges.v[b->nodes.v[n].edge + i].to;
            again |= to == CC_TO_TICK;
            if (to < b->nodes.n)
                CC_VEC_PUSH(&todo, to);
        }
    }
    CC_VEC_FINI(&todo);
    return again;
}

static enum cc_flow_exit conditions_of(struct cc_flow_body *b, uint32_t node, uint64_t *ret_at)
{
    enum cc_flow_exit worst = CC_FLOW_EXIT_COUNTED;
    for (size_t i = 0; i < b->roots.n; i++) {
        const struct cc_flow_root *r = &b->roots.v[i];
        if (r->node != node || r->edge == CC_NONE || (r->use != CC_USE_CONDITION && r->use != CC_USE_JUMP))
            continue;
        enum cc_flow_exit kind = decides(b, r->value);
        if (kind > worst || !*ret_at)
            *ret_at = r->insn;
        worst = CC_MAX(worst, kind);
    }
    return worst;
}

static uint64_t last_insn(const struct cc_flow_body *b, uint32_t node)
{
    const struct cc_flow_piece *p = b->nodes.v[node].piece;
    uint64_t insn = 0;
    for (uint32_t i = 1; i < p->n; i++)
        if (p->code[i].kind == CC_CODE_INSN)
            insn = p->code[i].value;
    return insn;
}

/* An exit that not every iteration comes by is also decided by what leads to it. */
static enum cc_flow_exit edge_decides(struct cc_flow_body *b, const struct cc_flow_edge *e, uint64_t *ret_at)
{
    uint32_t node = e->from;
    enum cc_flow_exit worst = conditions_of(b, node, ret_at);
    bool *mark = cc_alloc_array(b->nodes.n, sizeof *mark);
    if (reach_without(b, e, last_insn(b, node), mark))
        for (uint32_t i = 0; i < b->nodes.n; i++) {
            uint64_t at = 0;
            enum cc_flow_exit kind = mark[i] ? conditions_of(b, i, &at) : CC_FLOW_EXIT_COUNTED;
            if (kind > worst) {
                worst = kind;
                *ret_at = at;
            }
        }
    free(mark);
    return worst;
}

enum cc_flow_exit cc_flow_exits(struct cc_flow_body *b, struct cc_flow_result *ret)
{
    static const char *const why[] = {"inductions and invariants decide", "data that the loop reads decides",
                                      "what iterations compute decides"};
    enum cc_flow_exit worst = CC_FLOW_EXIT_COUNTED;
    bool any = false;
    *ret = (struct cc_flow_result){0};
    if (b->failed) {
        cc_flow_say(ret, CC_FLOW_RECURRENCE, b->failed, 0);
        return CC_FLOW_EXIT_CARRIED;
    }
    uint64_t at = 0;
    for (size_t k = 0; k < b->edges.n; k++) {
        const struct cc_flow_edge *e = &b->edges.v[k];
        if (e->to != CC_TO_OUTSIDE || !e->state)
            continue;
        uint64_t here = 0;
        enum cc_flow_exit kind = edge_decides(b, e, &here);
        if (!any || kind > worst) {
            worst = CC_MAX(worst, kind);
            at = here;
        }
        any = true;
    }
    worst = any ? worst : CC_FLOW_EXIT_CARRIED;
    cc_flow_say(ret, CC_FLOW_RECURRENCE, any ? why[worst] : "no way out of it was seen", at);
    return worst;
}
