/* Elements of a table that a function finds by what its parameters say and more: a rest, a quotient, a hash,
 * what lies in memory, a search. That two calls have elements of their own is then the input's doing, however
 * plain the numbers are that the calls get. */
#include "form.h"
#include "scan.h"

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

/* What an expression does to the numbers in it. */
enum { QUOTIENT = 1, REST = 2, DATA = 4 };

/* A conversion that may cut something off. */
static bool cuts(const struct cc_ctype *to, const struct cc_ctype *from)
{
    enum { INT_BITS = 32 };
    return to->class == CC_T_INT && to->bits > 1 && to->bits < INT_BITS &&
           (from->class != CC_T_INT || from->bits > to->bits);
}

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
        bool cut = value != CC_NODE_NONE && cuts(&t->decls[decl].type, &at(s, cc_tree_bare(t, value))->type);
        found |= value == CC_NODE_NONE ? 0 : cut ? DATA : of_expression(s, value, depth + 1);
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
        bool binary = x->kind == CC_N_BINARY,
             cut = x->kind == CC_N_CAST && x->child != CC_NODE_NONE && cuts(&x->type, &at(s, x->child)->type);
        if (cut || x->kind == CC_N_CALL || x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_SELECT ||
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

static bool divides(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = at(s, cc_tree_bare(s->tree, n));
    return x->kind == CC_N_BINARY &&
           (x->op == CC_OP_DIV || x->op == CC_OP_SHR || x->op == CC_OP_MOD || x->op == CC_OP_AND);
}

/* Whether a row and a place in it are told by the same division: `t[k / 16][k % 16]`, `t[k / 16 * 32 + k %
 * 16]`, with shifts and masks too. Where what is divided, or by what, is another thing, or the row is but
 * added, several numbers have one element. */
static bool is_place_in_row(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    uint32_t of = CC_NODE_NONE, by[2] = {CC_NODE_NONE, CC_NODE_NONE};
    for (CC_TREE_EACH(t, i, CC_N_BINARY, CC_N_BINARY)) {
        const struct cc_tree_node *x = at(s, *i);
        if (x->op == CC_OP_ADD && cc_tree_holds(t, n, *i) && divides(s, cc_tree_part(t, *i, 0)) &&
            divides(s, cc_tree_part(t, *i, 1)))
            return false;
        bool quotient = x->op == CC_OP_DIV || x->op == CC_OP_SHR,
             rest = x->op == CC_OP_MOD || x->op == CC_OP_AND;
        if (!cc_tree_holds(t, n, *i) || (!quotient && !rest))
            continue;
        uint32_t left = cc_tree_bare(t, cc_tree_part(t, *i, 0)), right = cc_tree_part(t, *i, 1);
        if (of != CC_NODE_NONE && !cc_scan_same_text(s, of, left))
            return false;
        if (by[rest] != CC_NODE_NONE && !cc_scan_same_text(s, by[rest], right))
            return false;
        of = left, by[rest] = right;
    }
    if (by[0] == CC_NODE_NONE || by[1] == CC_NODE_NONE)
        return true; /* in variables */
    long shift, mask;
    bool literals = cc_form_literal(t, cc_tree_bare(t, by[0]), &shift) &&
                    cc_form_literal(t, cc_tree_bare(t, by[1]), &mask);
    return cc_scan_same_text(s, by[0], by[1]) || (literals && shift < 31 && mask == (1L << shift) - 1);
}

bool cc_scan_scattered(const struct scan *s, uint32_t place)
{
    const struct cc_tree *t = s->tree;
    unsigned found = 0;
    const uint32_t whole = place;
    for (unsigned depth = 0; place != CC_NODE_NONE && depth < SCAN_DEPTH; depth++) {
        const struct cc_tree_node *x = at(s, place);
        uint32_t by = subscript(t, place);
        found |= by == CC_NODE_NONE ? 0 : of_expression(s, by, 0);
        if (by == CC_NODE_NONE && x->kind != CC_N_MEMBER)
            break;
        place = x->child == CC_NODE_NONE ? CC_NODE_NONE : cc_tree_bare(t, x->child);
    }
    return (found & DATA) || found == QUOTIENT || found == REST || (found && !is_place_in_row(s, whole));
}
