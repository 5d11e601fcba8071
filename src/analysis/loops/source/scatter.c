/* Elements of a table that a function finds by what its parameters say and more: a rest, a quotient, a hash,
 * what lies in memory, a search. That two calls have elements of their own is then the input's doing, however
 * plain the numbers are that the calls get. */
#include "scan.h"

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

/* What an expression does to the numbers in it. */
enum { QUOTIENT = 1, REST = 2, DATA = 4 };

static unsigned of_expression(const struct scan *s, uint32_t n, unsigned depth);

/* What a variable of the function's own, or a parameter, has been set to; a counter goes through all. */
static unsigned of_variable(const struct scan *s, int32_t decl, unsigned depth)
{
    const struct cc_tree *t = s->tree;
    unsigned found = 0;
    if (!cc_scan_is_own(t, decl) || cc_scan_is_counter(t, decl))
        return 0;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
        bool sets = (steps || x->kind == CC_N_ASSIGN) && cc_scan_plain(t, x->child) == decl;
        if (sets && (steps || x->op != CC_OP_NONE))
            return DATA; /* it moves on */
        uint32_t value = sets                                     ? cc_tree_part(t, i, 1)
                         : x->kind == CC_N_VAR && x->decl == decl ? x->child
                                                                  : CC_NODE_NONE;
        found |= value == CC_NODE_NONE ? 0 : of_expression(s, value, depth + 1);
    }
    return found;
}

static unsigned of_expression(const struct scan *s, uint32_t n, unsigned depth)
{
    enum { DEEP = 6 };
    const struct cc_tree *t = s->tree;
    unsigned found = depth > DEEP ? DATA : 0;
    for (uint32_t i = 0; i < t->nnodes && !(found & DATA); i++) {
        const struct cc_tree_node *x = at(s, i);
        if ((i != n && !cc_tree_holds(t, n, i)))
            continue;
        bool binary = x->kind == CC_N_BINARY;
        if (x->kind == CC_N_CALL || x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_SELECT ||
            (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF) ||
            (binary && (x->op == CC_OP_OR || x->op == CC_OP_XOR)))
            found |= DATA;
        else if (binary && (x->op == CC_OP_DIV || x->op == CC_OP_SHR))
            found |= QUOTIENT;
        else if (binary && (x->op == CC_OP_MOD || x->op == CC_OP_AND))
            found |= REST;
        else if (x->kind == CC_N_REF && x->decl >= 0)
            found |= of_variable(s, x->decl, depth);
    }
    return found;
}

/* What tells which element it is; of `v[k]` and `v.at(k)` that call a function, too. */
static uint32_t subscript(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind == CC_N_SUBSCRIPT)
        return cc_tree_part(t, n, 1);
    uint32_t last = CC_NODE_NONE;
    if (x->kind == CC_N_CALL && x->decl >= 0 && cc_text_listed(" operator[] at ", t->decls[x->decl].name))
        for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            last = c;
    return last;
}

bool cc_scan_scattered(const struct scan *s, uint32_t place)
{
    const struct cc_tree *t = s->tree;
    unsigned found = 0;
    for (unsigned depth = 0; place != CC_NODE_NONE && depth < SCAN_DEPTH; depth++) {
        const struct cc_tree_node *x = at(s, place);
        uint32_t by = subscript(t, place);
        found |= by == CC_NODE_NONE ? 0 : of_expression(s, by, 0);
        if (by == CC_NODE_NONE && x->kind != CC_N_MEMBER)
            break;
        place = x->child == CC_NODE_NONE ? CC_NODE_NONE : cc_tree_bare(t, x->child);
    }
    return (found & DATA) || found == QUOTIENT || found == REST; /* both: a row and a place in it */
}
