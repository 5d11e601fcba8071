/* Loops of numbers, and of arrays and records of them, that call nothing: no function is in one, whatever
 * code compilers have moved there. Where a type is not known (a template's parameter) an operator may be a
 * function; of objects of classes there are such that nobody calls by name. */
#include "scan.h"

static bool is_of_numbers(const struct cc_ctype *type)
{
    return type->class == CC_T_INT || type->class == CC_T_FLOAT || type->class == CC_T_POINTER ||
           type->class == CC_T_ARRAY;
}

/* `p` of `p.x`. */
static bool is_of_member(const struct cc_tree *t, uint32_t n)
{
    bool found = false;
    for (CC_TREE_EACH(t, i, CC_N_MEMBER, CC_N_MEMBER))
        found = found || (cc_tree_at(t, *i)->child != CC_NODE_NONE &&
                          cc_tree_bare(t, cc_tree_at(t, *i)->child) == cc_tree_bare(t, n));
    return found;
}

static bool is_bare(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    switch (x->kind) {
    case CC_N_COMPOUND:
    case CC_N_IF:
    case CC_N_FOR:
    case CC_N_CONTINUE:
    case CC_N_NULL:
    case CC_N_DECL:
    case CC_N_LITERAL:
        return true;
    case CC_N_WHILE:
        return x->op == 0; /* and not over a range, whose iterators may do anything */
    case CC_N_VAR:
        return x->decl >= 0 && is_of_numbers(&t->decls[x->decl].type);
    case CC_N_REF:
    case CC_N_MEMBER:
    case CC_N_SUBSCRIPT:
        return is_of_numbers(&x->type) || (x->type.class == CC_T_RECORD && is_of_member(t, n));
    case CC_N_CAST:
    case CC_N_UNARY:
    case CC_N_BINARY:
    case CC_N_ASSIGN:
    case CC_N_SELECT:
        return is_of_numbers(&x->type);
    case CC_N_OTHER: /* what only wraps one expression; `delete` is no number */
        return cc_tree_bare(t, n) != n &&
               (is_of_numbers(&x->type) || (x->type.class == CC_T_RECORD && is_of_member(t, n)));
    default:
        return false;
    }
}

bool cc_source_bare(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    bool bare = !t->trait_line[CC_TRAIT_ASM] && !t->trait_line[CC_TRAIT_NEW];
    for (uint32_t i = 0; i < t->nnodes && bare; i++)
        bare = !cc_tree_holds(t, s->loop, i) || is_bare(s, i);
    return bare;
}

unsigned cc_source_alert(const struct scan *s)
{
    const struct cc_tree_node *loop = cc_tree_at(s->tree, s->loop);
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(s->tree, i);
        if (x->alert && x->begin >= loop->begin && x->end <= loop->end)
            return x->line;
    }
    return 0;
}
