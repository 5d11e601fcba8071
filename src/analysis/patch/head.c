#include "head.h"

bool cc_head_descends(const struct cc_tree *t, uint32_t n, int32_t counter)
{
    uint32_t test = cc_tree_bare(t, cc_tree_part(t, n, 1)), step = cc_tree_bare(t, cc_tree_part(t, n, 2));
    int op = cc_tree_at(t, test)->op;
    if (op == CC_OP_NE)
        return cc_tree_at(t, step)->op == CC_OP_DEC;
    bool first = cc_tree_mentions(t, cc_tree_part(t, test, 0), counter) == 1;
    return first == (op == CC_OP_GT || op == CC_OP_GE);
}

/* The first part of a head: `i = 0` or `int i = 0`, and nothing else. */
static bool sets(const struct cc_tree *t, uint32_t n, int32_t decl, bool *ret_declared)
{
    *ret_declared = false;
    n = cc_tree_bare(t, n);
    if (n == CC_NODE_NONE || decl < 0)
        return false;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE) {
        uint32_t to = cc_tree_bare(t, x->child);
        return to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_REF && cc_tree_at(t, to)->decl == decl &&
               cc_tree_mentions(t, n, decl) == 1;
    }
    uint32_t var = x->kind == CC_N_DECL ? x->child : CC_NODE_NONE;
    *ret_declared = var != CC_NODE_NONE && cc_tree_at(t, var)->kind == CC_N_VAR &&
                    cc_tree_at(t, var)->decl == decl && cc_tree_at(t, var)->child != CC_NODE_NONE &&
                    cc_tree_at(t, var)->next == CC_NODE_NONE;
    return *ret_declared;
}

/* Whether a counter as wide as int or wider meets something wider still. */
static bool narrow(const struct cc_tree *t, uint32_t test, int32_t counter)
{
    bool first = cc_tree_mentions(t, cc_tree_part(t, test, 0), counter) == 1;
    uint32_t bound = cc_tree_bare(t, cc_tree_part(t, test, first));
    uint64_t bits = t->decls[counter].type.bits;
    return bits >= 32 && bound != CC_NODE_NONE && cc_tree_at(t, bound)->kind != CC_N_LITERAL &&
           cc_tree_at(t, bound)->type.class == CC_T_INT && cc_tree_at(t, bound)->type.bits > bits;
}

const char *cc_head_refused(const struct cc_tree *t, uint32_t n, int32_t counter, bool *ret_declared)
{
    uint32_t test = cc_tree_bare(t, cc_tree_part(t, n, 1)), step = cc_tree_bare(t, cc_tree_part(t, n, 2));
    if (!sets(t, cc_tree_part(t, n, 0), counter, ret_declared))
        return "its head does not begin with one assignment to its counter";
    int class = t->decls[counter].type.class;
    if (class != CC_T_INT && class != CC_T_POINTER && !(class == CC_T_RECORD && cc_tree_at(t, n)->op))
        return "its counter is no integer";
    if (t->decls[counter].type.is_enum) /* gcc 12 fails at it */
        return "its counter is an enumeration: let an int count";
    if (test == CC_NODE_NONE || cc_tree_at(t, test)->kind != CC_N_BINARY ||
        cc_tree_mentions(t, test, counter) != 1)
        return "its test is not one comparison of its counter";
    int op = cc_tree_at(t, test)->op;
    if (op != CC_OP_LT && op != CC_OP_GT && op != CC_OP_LE && op != CC_OP_GE && op != CC_OP_NE)
        return "its test is not one comparison of its counter";
    bool one = step != CC_NODE_NONE && cc_tree_at(t, step)->kind == CC_N_UNARY;
    if (op == CC_OP_NE && !one)
        return "it ends at !=, and steps by more than one";
    if (!one && t->decls[counter].type.is_unsigned && narrow(t, test, counter))
        return "its counter has fewer bits than what it is compared with, and with steps of more than one "
               "clang 14 counts wrong then: give both one type";
    return NULL;
}

uint32_t cc_head_inner(const struct cc_tree *t, uint32_t n)
{
    uint32_t body = cc_tree_part(t, n, 3);
    while (body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_COMPOUND &&
           cc_tree_at(t, body)->child != CC_NODE_NONE &&
           cc_tree_at(t, cc_tree_at(t, body)->child)->next == CC_NODE_NONE)
        body = cc_tree_at(t, body)->child;
    return body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_FOR ? body : CC_NODE_NONE;
}
