/* The pieces of code that a loop has, and how control goes between them in one iteration. */
#include "body.h"

enum { MAX_TARGETS = 64, UNSEEN = UINT32_MAX };

static bool fail(struct cc_flow_body *b, const char *why)
{
    if (!b->failed)
        b->failed = why;
    return false;
}

bool cc_flow_is_inside(const struct cc_flow_body *b, uint64_t address)
{
    for (size_t i = 0; i < b->loop.nblocks; i++)
        if (address >= b->loop.blocks[i].start && address < b->loop.blocks[i].end)
            return true;
    return false;
}

static bool crosses_tick(const struct cc_flow_body *b, const struct cc_flow_piece *p)
{
    for (uint32_t i = 1; i < p->n; i++)
        if (p->code[i].kind == CC_CODE_INSN && p->code[i].value == b->loop.tick && p->address != b->loop.tick)
            return true;
    return false;
}

static bool add_nodes(struct cc_flow_body *b)
{
    const struct cc_flow *f = b->flow;
    for (size_t i = 0; i < f->pieces.n; i++) {
        const struct cc_flow_piece *p = &f->pieces.v[i];
        if (!cc_flow_is_inside(b, p->address))
            continue;
        if (p->n == 1)
            return fail(b, "what some of its code does is not known");
        if (crosses_tick(b, p))
            return fail(b, "an iteration begins in the middle of a piece of code");
        if (b->nodes.n == CC_FLOW_NODES)
            return fail(b, "it has too much code");
        if (p->address == b->loop.tick)
            b->tick = (uint32_t)b->nodes.n;
        CC_VEC_PUSH(&b->nodes, (struct cc_flow_node){.piece = p, .order = UNSEEN, .component = UNSEEN});
    }
    return b->tick != UNSEEN || fail(b, "no second iteration was seen");
}

static uint32_t node_at(const struct cc_flow_body *b, uint64_t address)
{
    size_t i;
    CC_FIRST(i, b->nodes.n, b->nodes.v[i].piece->address >= address);
    return i < b->nodes.n && b->nodes.v[i].piece->address == address ? (uint32_t)i : UNSEEN;
}

static void add_edge(struct cc_flow_body *b, uint32_t from, const struct cc_flow_exit_to *to, uint32_t node)
{
    CC_VEC_PUSH(&b->edges, (struct cc_flow_edge){.from = from,
                                                 .to = node == b->tick ? CC_TO_TICK : node,
                                                 .target = to->target,
                                                 .record = to->record});
    b->nodes.v[from].nedges++;
    if (node == CC_TO_OUTSIDE && b->once)
        add_edge(b, from, to, b->tick);
}

/* An indirect jump goes where it was seen to go; nothing seen: anywhere. */
static bool add_jumps(struct cc_flow_body *b, uint32_t from, const struct cc_flow_exit_to *to)
{
    const struct cc_flow_jump *seen;
    size_t n = cc_flow_jumps(b->flow, b->nodes.v[from].piece, &seen);
    for (size_t i = 0; i < n; i++) {
        uint32_t node = node_at(b, seen[i].to);
        struct cc_flow_exit_to there = {.target = seen[i].to, .record = to->record};
        if (node == UNSEEN && cc_flow_is_inside(b, seen[i].to))
            return fail(b, "some of its code is not known");
        add_edge(b, from, &there, node == UNSEEN ? CC_TO_OUTSIDE : node);
    }
    for (uint32_t k = 0; n == 0 && k < b->nodes.n; k++)
        add_edge(b, from, to, k);
    if (n == 0)
        add_edge(b, from, to, CC_TO_OUTSIDE);
    return true;
}

static bool add_target(struct cc_flow_body *b, uint32_t from, const struct cc_flow_exit_to *to)
{
    uint32_t node = to->leaves ? UNSEEN : node_at(b, to->target);
    if (to->anywhere) {
        return add_jumps(b, from, to);
    } else if (node != UNSEEN) {
        add_edge(b, from, to, node);
    } else if (to->leaves || !cc_flow_is_inside(b, to->target)) {
        add_edge(b, from, to, CC_TO_OUTSIDE);
    } else if (b->flow->cut) {
        return fail(b, "some of its code is not known");
    } else {
        b->cold = to->target;
    }
    return true;
}

static bool add_all_edges(struct cc_flow_body *b)
{
    b->edges.n = 0;
    for (uint32_t i = 0; i < b->nodes.n; i++) {
        struct cc_flow_exit_to to[MAX_TARGETS];
        uint32_t n = cc_flow_targets(b->nodes.v[i].piece, to, MAX_TARGETS);
        if (n == MAX_TARGETS || b->edges.n > (size_t)8 * CC_FLOW_NODES)
            return fail(b, "its code branches too much");
        b->nodes.v[i].edge = (uint32_t)b->edges.n;
        b->nodes.v[i].nedges = 0;
        for (uint32_t k = 0; k < n; k++)
            if (!add_target(b, i, &to[k]))
                return false;
    }
    return true;
}

/* Code that never goes round is one iteration of a loop that a compiler took it out of: where it ends, the
 * next one begins, wherever that is. */
static bool add_edges(struct cc_flow_body *b)
{
    bool goes_round = false;
    if (!add_all_edges(b))
        return false;
    for (size_t i = 0; i < b->edges.n; i++)
        goes_round = goes_round || b->edges.v[i].to == CC_TO_TICK;
    b->once = !goes_round;
    return goes_round || add_all_edges(b);
}

/* --- order: a walk in depth from the tick, without recursion ---
 *
 * A piece that is not reached began, when the loop was entered, in the middle of what is one piece later:
 * branches end pieces, so what follows from a branch is reached, and what such a piece does, others do too.
 */

struct visit {
    uint32_t node, next;
};

static void number_nodes(struct cc_flow_body *b)
{
    CC_VEC(struct visit) stack = {0};
    CC_VEC(uint32_t) done = {0};
    CC_VEC_PUSH(&stack, (struct visit){b->tick, 0});
    b->nodes.v[b->tick].reached = true;
    while (stack.n) {
        struct visit *v = &stack.v[stack.n - 1];
        struct cc_flow_node *node = &b->nodes.v[v->node];
        if (v->next == node->nedges) {
            CC_VEC_PUSH(&done, v->node);
            stack.n--;
            continue;
        }
        uint32_t to = b->edges.v[node->edge + v->next++].to;
        if (to < b->nodes.n && !b->nodes.v[to].reached) {
            b->nodes.v[to].reached = true;
            CC_VEC_PUSH(&stack, (struct visit){to, 0});
        }
    }
    for (size_t i = done.n; i-- > 0;) {
        b->nodes.v[done.v[i]].order = (uint32_t)b->walk.n;
        CC_VEC_PUSH(&b->walk, done.v[i]);
    }
    CC_VEC_FINI(&stack);
    CC_VEC_FINI(&done);
}

static bool goes_back(const struct cc_flow_body *b, const struct cc_flow_edge *e)
{
    return e->to < b->nodes.n && b->nodes.v[e->to].order <= b->nodes.v[e->from].order;
}

static void find_headers(struct cc_flow_body *b)
{
    for (size_t i = 0; i < b->edges.n; i++)
        if (b->nodes.v[b->edges.v[i].from].reached && goes_back(b, &b->edges.v[i]))
            b->nodes.v[b->edges.v[i].to].header = true;
}

/* --- components: nodes that reach each other; Kosaraju's second walk, along preds --- */

static void add_preds(struct cc_flow_body *b)
{
    for (size_t i = 0; i < b->edges.n; i++)
        if (b->edges.v[i].to < b->nodes.n && b->nodes.v[b->edges.v[i].from].reached)
            b->nodes.v[b->edges.v[i].to].npreds++;
    uint32_t at = 0;
    for (size_t i = 0; i < b->nodes.n; i++) {
        b->nodes.v[i].pred = at;
        at += b->nodes.v[i].npreds;
        b->nodes.v[i].npreds = 0;
    }
    for (uint32_t i = 0; i < at; i++)
        CC_VEC_PUSH(&b->preds, 0);
    for (uint32_t i = 0; i < b->edges.n; i++) {
        const struct cc_flow_edge *e = &b->edges.v[i];
        if (e->to >= b->nodes.n || !b->nodes.v[e->from].reached)
            continue;
        struct cc_flow_node *to = &b->nodes.v[e->to];
        b->preds.v[to->pred + to->npreds++] = i;
    }
}

static void find_components(struct cc_flow_body *b)
{
    CC_VEC(uint32_t) stack = {0};
    for (uint32_t k = 0; k < b->walk.n; k++) {
        uint32_t root = b->walk.v[k];
        if (b->nodes.v[root].component != UNSEEN)
            continue;
        b->nodes.v[root].component = root;
        CC_VEC_PUSH(&stack, root);
        while (stack.n) {
            const struct cc_flow_node *node = &b->nodes.v[stack.v[--stack.n]];
            for (uint32_t i = 0; i < node->npreds; i++) {
                uint32_t from = b->edges.v[b->preds.v[node->pred + i]].from;
                if (b->nodes.v[from].component != UNSEEN)
                    continue;
                b->nodes.v[from].component = root;
                CC_VEC_PUSH(&stack, from);
            }
        }
    }
    CC_VEC_FINI(&stack);
}

bool cc_flow_graph(struct cc_flow_body *b)
{
    b->tick = UNSEEN;
    if (!add_nodes(b) || !add_edges(b))
        return false;
    number_nodes(b);
    find_headers(b);
    add_preds(b);
    find_components(b);
    return true;
}
