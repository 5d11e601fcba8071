/* Loops that compute elements in floating point from elements: `density(i, j) = d(i, j) * e(i - 1, j)`, with
 * whatever class hands them out. What such an iteration stores no compiler knows but from what it has loaded:
 * no count tells it. So where another iteration needs it, that comes by way of memory or in a register, and
 * both show. */
#include "scan.h"
#include "../../../base/text.h"

enum { DEEP = 16 };

static bool is_float(const struct cc_tree_node *x)
{
    return x->type.class == CC_T_FLOAT;
}

/* The place of an assignment that is an element, as a call hands it out; CC_NODE_NONE: it is none. */
static uint32_t element_of(const struct scan *s, uint32_t assignment)
{
    uint32_t to = cc_tree_bare(s->tree, cc_tree_at(s->tree, assignment)->child);
    bool element = to != CC_NODE_NONE && cc_given_hands_out(s, to) && is_float(cc_tree_at(s->tree, to));
    return element ? to : CC_NODE_NONE;
}

static bool is_own_number(const struct scan *s, int32_t decl)
{
    const struct cc_decl *d = decl < 0 ? NULL : &s->tree->decls[decl];
    return d && d->kind == CC_D_LOCAL && !d->reference && !s->variables[decl].address &&
           (d->type.class == CC_T_INT || d->type.class == CC_T_FLOAT);
}

/* What a node sets a variable of the function's own to; CC_NODE_NONE: it does not. */
static uint32_t set_to(const struct scan *s, uint32_t n, int32_t decl)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    if (x->kind == CC_N_VAR && x->decl == decl)
        return x->child;
    bool sets = x->kind == CC_N_ASSIGN && cc_scan_plain(s->tree, cc_tree_bare(s->tree, x->child)) == decl;
    return sets ? cc_tree_part(s->tree, n, 1) : CC_NODE_NONE;
}

static bool is_arithmetic(int op)
{
    return op == CC_OP_ADD || op == CC_OP_SUB || op == CC_OP_MUL || op == CC_OP_DIV;
}

/* Whether an element was loaded for the value of n, which arithmetic in floating point has made of it. */
static bool is_data(const struct scan *s, uint32_t n, unsigned depth)
{
    const struct cc_tree *t = s->tree;
    n = n == CC_NODE_NONE ? n : cc_tree_bare(t, n);
    if (n == CC_NODE_NONE || depth > DEEP || !is_float(cc_tree_at(t, n)))
        return false;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (cc_given_hands_out(s, n))
        return true;
    bool found = false;
    switch (x->kind) {
    case CC_N_REF:
        for (uint32_t i = 0; i < t->nnodes && !found && is_own_number(s, x->decl); i++)
            found = cc_tree_holds(t, s->loop, i) && is_data(s, set_to(s, i, x->decl), depth + 1);
        return found && s->variables[x->decl].inside;
    case CC_N_BINARY:
        return is_arithmetic(x->op) &&
               (is_data(s, cc_tree_part(t, n, 0), depth + 1) || is_data(s, cc_tree_part(t, n, 1), depth + 1));
    case CC_N_UNARY:
        return x->op == CC_OP_NEG && is_data(s, x->child, depth + 1);
    case CC_N_CAST:
        return is_data(s, x->child, depth + 1);
    case CC_N_SELECT:
        return is_data(s, cc_tree_part(t, n, 1), depth + 1) || is_data(s, cc_tree_part(t, n, 2), depth + 1);
    case CC_N_CALL:
        for (uint32_t c = cc_tree_part(t, n, 1); c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
            found = is_data(s, c, depth + 1);
        return found && cc_source_looks_at_none(s, n);
    default:
        return false;
    }
}

/* Whether all that an assignment, or a step, does is to set a number of the function's own, or to store data,
 * in a line that stores nothing else. */
static bool sets_plainly(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (is_own_number(s, cc_scan_plain(t, cc_tree_bare(t, x->child))))
        return true;
    if (x->kind != CC_N_ASSIGN || element_of(s, n) == CC_NODE_NONE)
        return false;
    for (CC_TREE_EACH(t, i, CC_N_ASSIGN, CC_N_ASSIGN))
        if (*i != n && cc_tree_at(t, *i)->line == x->line && cc_tree_holds(t, s->loop, *i) &&
            !is_own_number(s, cc_scan_plain(t, cc_tree_bare(t, cc_tree_at(t, *i)->child))))
            return false;
    return x->op == CC_OP_NONE ? is_data(s, cc_tree_part(t, n, 1), 0) : is_arithmetic(x->op);
}

/* Whether a node of the loop writes nothing, but what is known, and calls nothing that may. */
static bool is_known(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    const struct cc_decl *d = x->decl < 0 ? NULL : &t->decls[x->decl];
    if (x->alert)
        return false;
    switch (x->kind) {
    case CC_N_CALL:
        return d && (cc_given_hands_out(s, n) || cc_source_looks_at_none(s, n));
    case CC_N_REF:
        return d &&
               (d->kind == CC_D_FUNCTION || x->type.class == CC_T_RECORD || x->type.class == CC_T_ARRAY ||
                (!d->reference && (d->kind != CC_D_OTHER || d->has_value)));
    case CC_N_VAR:
        return is_own_number(s, x->decl);
    case CC_N_UNARY:
        return x->op != CC_OP_DEREF && x->op != CC_OP_ADDR &&
               ((x->op != CC_OP_INC && x->op != CC_OP_DEC) || sets_plainly(s, n));
    case CC_N_ASSIGN:
        return sets_plainly(s, n);
    case CC_N_OTHER:
        return cc_tree_bare(t, n) != n;
    case CC_N_MEMBER:
    case CC_N_SUBSCRIPT:
    case CC_N_COMPOUND:
    case CC_N_IF:
    case CC_N_FOR:
    case CC_N_CONTINUE:
    case CC_N_NULL:
    case CC_N_DECL:
    case CC_N_BINARY:
    case CC_N_SELECT:
    case CC_N_LITERAL:
    case CC_N_CAST:
        return true;
    default:
        return false;
    }
}

bool cc_source_stores_data(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    bool fine = s->given.n && !t->trait_line[CC_TRAIT_NEW] && !t->trait_line[CC_TRAIT_ASM] &&
                cc_tree_at(t, s->loop)->kind == CC_N_FOR;
    for (uint32_t i = 0; i < t->nnodes && fine; i++)
        fine = i == s->loop || !cc_tree_holds(t, s->loop, i) || is_known(s, i);
    return fine;
}

/* Whether something is set again by its name alone, and whatever it was, behind a place. */
static bool is_set_again(const struct scan *s, int32_t decl, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_ASSIGN, CC_N_ASSIGN)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        bool sets = x->begin >= cc_tree_at(t, n)->end && x->op == CC_OP_NONE &&
                    cc_tree_holds(t, s->loop, *i) && set_to(s, *i, decl) != CC_NODE_NONE,
             chosen = false;
        for (CC_TREE_EACH(t, k, CC_N_IF, CC_N_IF))
            chosen = chosen || (cc_tree_holds(t, *k, *i) && cc_tree_holds(t, s->loop, *k));
        if (sets && !chosen)
            return true;
    }
    return false;
}

static bool stores_in(const struct scan *s, uint32_t within)
{
    bool found = false;
    for (size_t i = 0; i < s->given.n && !found; i++)
        found = cc_tree_holds(s->tree, within, s->given.v[i].node);
    return found;
}

/* Whether what is stored is computed from n, or whether anything is. */
static bool is_stored(const struct scan *s, uint32_t n, unsigned depth)
{
    const struct cc_tree *t = s->tree;
    for (size_t i = 0; i < s->given.n; i++) {
        uint32_t value = cc_tree_part(t, s->given.v[i].node, 1); /* none: `v[i]++` */
        if (value != CC_NODE_NONE && cc_tree_holds(t, value, n))
            return true;
    }
    for (CC_TREE_EACH(t, i, CC_N_IF, CC_N_IF))
        if (cc_tree_holds(t, s->loop, *i) && cc_tree_holds(t, cc_tree_at(t, *i)->child, n) &&
            stores_in(s, *i))
            return true;
    for (uint32_t i = 0; i < t->nnodes && depth < DEEP; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        int32_t decl = x->kind == CC_N_VAR      ? x->decl
                       : x->kind == CC_N_ASSIGN ? cc_scan_plain(t, cc_tree_bare(t, x->child))
                                                : -1;
        uint32_t to = is_own_number(s, decl) && s->variables[decl].inside ? set_to(s, i, decl) : CC_NODE_NONE;
        if (to == CC_NODE_NONE || !cc_tree_holds(t, s->loop, i) || !cc_tree_holds(t, to, n) ||
            is_set_again(s, decl, i))
            continue;
        for (CC_TREE_EACH(t, k, CC_N_REF, CC_N_REF))
            if (cc_tree_at(t, *k)->decl == decl && cc_tree_at(t, *k)->begin >= x->end &&
                is_stored(s, *k, depth + 1))
                return true;
    }
    return false;
}

bool cc_source_of_data(const struct scan *s, uint32_t look)
{
    return is_float(cc_tree_at(s->tree, look)) && is_stored(s, look, 0);
}

/* Whether places differ by the same number from one iteration to the next: sums, and what stays. */
bool cc_source_even(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t n = 0; n < t->nnodes; n++) {
        if (!cc_tree_holds(t, s->loop, n) || !cc_given_hands_out(s, n))
            continue;
        for (uint32_t i = 0; i < t->nnodes; i++) {
            const struct cc_tree_node *x = cc_tree_at(t, i);
            uint32_t first = cc_tree_part(t, n, 1);
            if (first == CC_NODE_NONE || x->begin < cc_tree_at(t, first)->begin || !cc_tree_holds(t, n, i))
                continue;
            bool number = x->kind == CC_N_REF || x->kind == CC_N_LITERAL || x->kind == CC_N_CAST ||
                          x->kind == CC_N_OTHER || x->kind == CC_N_MEMBER ||
                          (x->kind == CC_N_BINARY && (x->op == CC_OP_ADD || x->op == CC_OP_SUB));
            bool own = x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].kind == CC_D_LOCAL &&
                       s->variables[x->decl].inside && !s->variables[x->decl].counts;
            if (!number || own)
                return false;
        }
    }
    return true;
}
