/* Backwards through the statements of a function: is the variable read, from here on, before it is set? Loops
 * are gone through twice, which is enough: what is live only grows. */
#include "live.h"

enum { MAX_DEPTH = 2000, MAX_STEPS = 20000000 };

struct walk {
    const struct cc_tree *t;
    int32_t decl;
    uint32_t loop;
    bool at_break, at_continue; /* what is live where these go */
    bool met, live;             /* the loop; and behind it */
    bool lost;                  /* something is not understood */
    unsigned depth;
    uint64_t steps;
};

static const struct cc_tree_node *at(const struct walk *w, uint32_t n)
{
    return cc_tree_at(w->t, n);
}

static uint32_t part(const struct walk *w, uint32_t n, int which)
{
    return cc_tree_part(w->t, n, which);
}

static bool is_it(const struct walk *w, uint32_t n)
{
    while (n != CC_NODE_NONE && (at(w, n)->kind == CC_N_CAST || at(w, n)->kind == CC_N_OTHER) &&
           at(w, n)->child != CC_NODE_NONE && at(w, at(w, n)->child)->next == CC_NODE_NONE)
        n = at(w, n)->child;
    return n != CC_NODE_NONE && at(w, n)->kind == CC_N_REF && at(w, n)->decl == w->decl;
}

static bool enter(struct walk *w)
{
    if (++w->depth > MAX_DEPTH || ++w->steps > MAX_STEPS)
        w->lost = true;
    return !w->lost;
}

/* --- expressions: in whatever order they are evaluated --- */

static bool is_set(const struct walk *w, uint32_t n)
{
    return at(w, n)->kind == CC_N_ASSIGN && at(w, n)->op == CC_OP_NONE && is_it(w, at(w, n)->child);
}

static bool reads(struct walk *w, uint32_t n)
{
    bool found = true;
    if (n == CC_NODE_NONE)
        return false;
    if (enter(w)) {
        found = at(w, n)->kind == CC_N_REF && at(w, n)->decl == w->decl;
        uint32_t c = at(w, n)->child;
        for (c = is_set(w, n) ? at(w, c)->next : c; c != CC_NODE_NONE && !found; c = at(w, c)->next)
            found = reads(w, c);
    }
    w->depth--;
    return found;
}

/* A statement that leaves its place, or the loop, where only values are expected. */
static bool jumps(struct walk *w, uint32_t n)
{
    int kind = at(w, n)->kind;
    bool found = !enter(w) || kind == CC_N_BREAK || kind == CC_N_CONTINUE || kind == CC_N_ASM || n == w->loop;
    for (uint32_t c = at(w, n)->child; c != CC_NODE_NONE && !found; c = at(w, c)->next)
        found = jumps(w, c);
    w->depth--;
    return found;
}

/* Whether evaluating it sets the variable in any case. */
static bool sets(struct walk *w, uint32_t n)
{
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : at(w, n);
    if (!x || w->depth > MAX_DEPTH)
        return false;
    if (is_set(w, n))
        return true;
    bool maybe = x->kind == CC_N_SELECT || x->kind == CC_N_STMT_EXPR || x->kind == CC_N_SIZEOF ||
                 (x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR));
    bool found = false;
    w->depth++;
    for (uint32_t c = x->child; c != CC_NODE_NONE && !found; c = at(w, c)->next) {
        found = sets(w, c);
        if (maybe) /* only the first is evaluated in any case */
            break;
    }
    w->depth--;
    return found && x->kind != CC_N_STMT_EXPR && x->kind != CC_N_SIZEOF;
}

static bool expression(struct walk *w, uint32_t n, bool after)
{
    if (n == CC_NODE_NONE || at(w, n)->kind == CC_N_ABSENT)
        return after;
    w->lost = w->lost || jumps(w, n);
    return reads(w, n) || (after && !sets(w, n));
}

/* --- statements --- */

static bool statement(struct walk *w, uint32_t n, bool after);

static bool sequence(struct walk *w, uint32_t first, bool after)
{
    CC_VEC(uint32_t) all = {0};
    for (uint32_t c = first; c != CC_NODE_NONE; c = at(w, c)->next)
        CC_VEC_PUSH(&all, c);
    for (size_t i = all.n; i-- > 0;)
        after = statement(w, all.v[i], after);
    CC_VEC_FINI(&all);
    return after;
}

static bool loop(struct walk *w, uint32_t n, bool after)
{
    const struct cc_tree_node *x = at(w, n);
    bool counts = x->kind == CC_N_FOR, outer_break = w->at_break, outer_continue = w->at_continue;
    uint32_t test = part(w, n, x->kind == CC_N_WHILE ? 0 : 1);
    uint32_t body = part(w, n, counts ? 3 : x->kind == CC_N_WHILE ? 1 : 0);
    bool again = false, head = false; /* live where the body begins; where the test is made */
    for (int round = 0; round < 2; round++) {
        head = expression(w, test, after || again);
        bool next = counts ? expression(w, part(w, n, 2), head) : head;
        w->at_break = after;
        w->at_continue = next;
        again = statement(w, body, next);
    }
    head = expression(w, test, after || again);
    w->at_break = outer_break;
    w->at_continue = outer_continue;
    if (x->kind == CC_N_DO)
        return again;
    return counts ? statement(w, part(w, n, 0), head) : head;
}

/* Control may come to any of its cases. */
static bool choice(struct walk *w, uint32_t n, bool after)
{
    bool outer = w->at_break;
    w->at_break = after;
    bool first = statement(w, part(w, n, 1), after);
    w->at_break = outer;
    return expression(w, part(w, n, 0), after || first || reads(w, part(w, n, 1)) || w->at_continue);
}

static bool declaration(struct walk *w, uint32_t n, bool after)
{
    const struct cc_tree_node *x = at(w, n);
    if (x->decl == w->decl)
        return false;
    return expression(w, x->child, after);
}

static bool any_statement(struct walk *w, uint32_t n, bool after)
{
    const struct cc_tree_node *x = at(w, n);
    uint32_t last = CC_NODE_NONE;
    switch (x->kind) {
    case CC_N_ABSENT:
    case CC_N_NULL:
        return after;
    case CC_N_COMPOUND:
    case CC_N_DECL:
        return sequence(w, x->child, after);
    case CC_N_VAR:
        return declaration(w, n, after);
    case CC_N_IF: {
        uint32_t other = part(w, n, 2);
        bool then = statement(w, part(w, n, 1), after);
        return expression(w, part(w, n, 0),
                          then || (other == CC_NODE_NONE ? after : statement(w, other, after)));
    }
    case CC_N_FOR:
    case CC_N_WHILE:
    case CC_N_DO:
        return loop(w, n, after);
    case CC_N_SWITCH:
        return choice(w, n, after);
    case CC_N_CASE:
    case CC_N_DEFAULT:
    case CC_N_LABEL:
        for (uint32_t c = x->child; c != CC_NODE_NONE; c = at(w, c)->next)
            last = c;
        return last == CC_NODE_NONE ? after : statement(w, last, after);
    case CC_N_BREAK:
        return w->at_break;
    case CC_N_CONTINUE:
        return w->at_continue;
    case CC_N_RETURN:
        return expression(w, x->child, false);
    default:
        return expression(w, n, after);
    }
}

static bool statement(struct walk *w, uint32_t n, bool after)
{
    if (n == CC_NODE_NONE)
        return after;
    bool live = true;
    if (n == w->loop) {
        w->met = true;
        w->live = w->live || after;
    }
    if (enter(w))
        live = any_statement(w, n, after);
    w->depth--;
    return live;
}

bool cc_source_addressed(const struct cc_tree *t, int32_t decl)
{
    struct walk w = {.t = t, .decl = decl};
    int class = t->decls[decl].type.class;
    bool pointer = class == CC_T_POINTER || (class == CC_T_ARRAY && t->decls[decl].kind == CC_D_PARAM);
    if (t->trait_line[CC_TRAIT_LAMBDA] || t->trait_line[CC_TRAIT_ASM] ||
        (class != CC_T_INT && class != CC_T_FLOAT && !pointer))
        return true;
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (t->nodes[i].kind == CC_N_UNARY && t->nodes[i].op == CC_OP_ADDR && is_it(&w, t->nodes[i].child))
            return true;
    return false;
}

bool cc_source_live(const struct cc_tree *t, uint32_t loop, int32_t decl)
{
    int kind = t->decls[decl].kind;
    struct walk w = {.t = t, .decl = decl, .loop = loop};
    if ((kind != CC_D_LOCAL && kind != CC_D_PARAM) || cc_source_addressed(t, decl) ||
        t->trait_line[CC_TRAIT_THROW] || t->trait_line[CC_TRAIT_COMPUTED_GOTO])
        return true;
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (t->nodes[i].kind == CC_N_GOTO)
            return true;
    statement(&w, t->body, false);
    return w.lost || !w.met || w.live;
}

bool cc_source_always(const struct cc_tree *t, unsigned line)
{
    for (CC_TREE_EACH(t, i, CC_N_IF, CC_N_SWITCH)) /* and loops */
        if (line > cc_tree_at(t, *i)->line && line <= cc_tree_at(t, *i)->last_line)
            return false;
    return true;
}
