/* What the head of a loop says: what it counts with, and where that ends. */
#include "scan.h"

/* The variable that `i = 0` or `int i = 0` sets, `i < n` tests, `i++` or `i += 2` moves; -1: none. */
int32_t cc_scan_plain(const struct cc_tree *t, uint32_t n)
{
    n = cc_tree_bare(t, n);
    return n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_REF ? cc_tree_at(t, n)->decl : -1;
}

static int32_t moved(const struct cc_tree *t, uint32_t step)
{
    if (step == CC_NODE_NONE)
        return -1;
    const struct cc_tree_node *x = cc_tree_at(t, step);
    if (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC))
        return cc_scan_plain(t, x->child);
    if (x->kind != CC_N_ASSIGN)
        return -1;
    if (x->op == CC_OP_ADD || x->op == CC_OP_SUB)
        return cc_scan_plain(t, x->child);
    uint32_t sum = cc_tree_part(t, step, 1);
    bool adds = x->op == CC_OP_NONE && sum != CC_NODE_NONE && cc_tree_at(t, sum)->kind == CC_N_BINARY &&
                (cc_tree_at(t, sum)->op == CC_OP_ADD || cc_tree_at(t, sum)->op == CC_OP_SUB);
    int32_t decl = cc_scan_plain(t, x->child);
    return adds && (cc_scan_plain(t, cc_tree_part(t, sum, 0)) == decl ||
                    cc_scan_plain(t, cc_tree_part(t, sum, 1)) == decl)
               ? decl
               : -1;
}

static bool compares(const struct cc_tree *t, uint32_t n)
{
    int op = cc_tree_at(t, n)->kind == CC_N_BINARY ? cc_tree_at(t, n)->op : CC_OP_NONE;
    return op == CC_OP_LT || op == CC_OP_GT || op == CC_OP_LE || op == CC_OP_GE || op == CC_OP_NE;
}

/* Whether data that the variable leads to have a say in n: `v[i]`. */
static bool leads_to(const struct cc_tree *t, uint32_t n, int32_t decl)
{
    bool found = false;
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool loads = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER || x->kind == CC_N_CALL ||
                     (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
        found = loads && cc_tree_holds(t, n, i) && cc_tree_mentions(t, i, decl);
    }
    return found;
}

static bool tests(const struct cc_tree *t, uint32_t n, int32_t decl)
{
    return n != CC_NODE_NONE && compares(t, n) && !leads_to(t, n, decl) &&
           (cc_scan_plain(t, cc_tree_part(t, n, 0)) == decl ||
            cc_scan_plain(t, cc_tree_part(t, n, 1)) == decl);
}

/* The same of sums (`i + 1 < n`) and of one of several conditions. */
static bool tests_somehow(const struct cc_tree *t, uint32_t n, int32_t decl, unsigned depth)
{
    if (n == CC_NODE_NONE || cc_tree_at(t, n)->kind != CC_N_BINARY || depth > SCAN_DEPTH)
        return false;
    int op = cc_tree_at(t, n)->op;
    if (tests(t, n, decl))
        return true;
    bool sums = op == CC_OP_ADD || op == CC_OP_SUB;
    if (sums &&
        (cc_scan_plain(t, cc_tree_part(t, n, 0)) == decl || cc_scan_plain(t, cc_tree_part(t, n, 1)) == decl))
        return true;
    bool into =
        sums || op == CC_OP_LT || op == CC_OP_GT || op == CC_OP_LE || op == CC_OP_GE || op == CC_OP_LAND;
    return into && (tests_somehow(t, cc_tree_part(t, n, 0), decl, depth + 1) ||
                    tests_somehow(t, cc_tree_part(t, n, 1), decl, depth + 1));
}

/* Whether a call is an overloaded operator by which an iterator moves. */
static bool changes_object(const struct cc_tree *t, uint32_t call, int32_t decl)
{
    static const char *const moving[] = {"operator++", "operator--", "operator+=", "operator-=", "operator="};
    int32_t callee = cc_tree_at(t, call)->decl;
    bool moves = false, mentioned = false;
    for (size_t i = 0; callee >= 0 && i < CC_COUNT(moving); i++)
        moves = moves || strcmp(t->decls[callee].name, moving[i]) == 0;
    for (uint32_t c = cc_tree_at(t, call)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        mentioned = mentioned || cc_scan_plain(t, c) == decl;
    return moves && mentioned;
}

static bool writes(const struct cc_tree *t, uint32_t n, int32_t decl, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool changes =
        x->kind == CC_N_ASSIGN ||
        (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR));
    if (changes && cc_scan_plain(t, x->child) == decl)
        return true;
    if (x->kind == CC_N_CALL && t->decls[decl].type.class == CC_T_RECORD && changes_object(t, n, decl))
        return true;
    for (uint32_t c = x->child; c != CC_NODE_NONE && depth < SCAN_DEPTH; c = cc_tree_at(t, c)->next)
        if (writes(t, c, decl, depth + 1))
            return true;
    return depth >= SCAN_DEPTH;
}

bool cc_head_begins(const struct cc_tree *t, uint32_t loop, int32_t counter)
{
    uint32_t n = cc_tree_bare(t, cc_tree_part(t, loop, 0)), first = cc_tree_at(t, n)->child;
    if (cc_tree_at(t, n)->kind == CC_N_ASSIGN)
        return cc_tree_at(t, n)->op == CC_OP_NONE && cc_scan_plain(t, first) == counter;
    bool one = first != CC_NODE_NONE && cc_tree_at(t, first)->next == CC_NODE_NONE;
    return cc_tree_at(t, n)->kind == CC_N_CALL || (cc_tree_at(t, n)->kind == CC_N_DECL && one);
}

bool cc_scan_writes(const struct cc_tree *t, uint32_t n, int32_t decl)
{
    return writes(t, n, decl, 0);
}

/* Whether the data decide, or the body, how far a head goes on: `i += length[i]`, `i += gap` of a gap that
 * the body sets. */
static bool moves_unevenly(const struct cc_tree *t, uint32_t loop, int32_t counter)
{
    uint32_t step = cc_tree_part(t, loop, 2), body = cc_tree_part(t, loop, 3);
    bool uneven = leads_to(t, step, counter);
    for (int32_t d = 0; cc_tree_at(t, step)->kind == CC_N_ASSIGN && !uneven && d < (int32_t)t->ndecls; d++)
        uneven = d != counter && cc_tree_mentions(t, step, d) && writes(t, body, d, 0);
    return uneven;
}

int32_t cc_scan_counter(const struct cc_tree *t, uint32_t n)
{
    int32_t decl = cc_tree_at(t, n)->kind == CC_N_FOR ? moved(t, cc_tree_part(t, n, 2)) : -1;
    if (decl < 0 || !tests(t, cc_tree_part(t, n, 1), decl) || writes(t, cc_tree_part(t, n, 3), decl, 0) ||
        moves_unevenly(t, n, decl))
        return -1;
    return decl;
}

bool cc_scan_is_counter(const struct cc_tree *t, int32_t decl)
{
    for (CC_TREE_EACH(t, i, CC_N_FOR, CC_N_FOR))
        if (moved(t, cc_tree_part(t, *i, 2)) == decl && cc_scan_counter(t, *i) == decl)
            return true;
    return false;
}

/* What a `while` counts with: the variable of its test that goes on by the same in every iteration; -1: none.
 */
int32_t cc_head_stepping(const struct scan *s, uint32_t test)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++) {
        const struct scan_variable *v = &s->variables[d];
        if (v->updates == 1 && v->steps == 1 && !v->address && !v->mixed && v->op &&
            strcmp(v->op, "+") == 0 && tests_somehow(s->tree, test, d, 0))
            return d;
    }
    return -1;
}

/* Whether it is the counter, or that and what stays the same: `i + 1`. */
static bool is_about(const struct scan *s, uint32_t n, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    uint32_t sum = n == CC_NODE_NONE ? n : cc_tree_bare(t, n);
    if (sum == CC_NODE_NONE || cc_scan_plain(t, sum) == counter)
        return sum != CC_NODE_NONE;
    const struct cc_tree_node *x = cc_tree_at(t, sum);
    uint32_t other = cc_scan_plain(t, x->child) == counter ? cc_tree_part(t, sum, 1) : x->child;
    return x->kind == CC_N_BINARY && (x->op == CC_OP_ADD || x->op == CC_OP_SUB) && other != CC_NODE_NONE &&
           (other != x->child || cc_scan_plain(t, cc_tree_part(t, sum, 1)) == counter) &&
           !cc_scan_varies(s, other, counter, false, 1);
}

/* Whether a `while` ends where its counter gets to what stays the same, and for no other reason. A `for` that
 * only counts says so by its form (`i + 1 < v.size()`), as a canonical one does. */
bool cc_head_bounded(const struct scan *s, uint32_t test, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    if (counter < 0 || test == CC_NODE_NONE || !compares(t, test))
        return false;
    bool left = is_about(s, cc_tree_part(t, test, 0), counter);
    uint32_t bound = cc_tree_part(t, test, left);
    if (bound == CC_NODE_NONE || (!left && !is_about(s, cc_tree_part(t, test, 1), counter)))
        return false;
    bool heads = cc_tree_at(t, s->loop)->kind == CC_N_FOR &&
                 moved(t, cc_tree_part(t, s->loop, 2)) == counter &&
                 !writes(t, cc_tree_part(t, s->loop, 3), counter, 0);
    return heads ? !leads_to(t, test, counter) : !cc_scan_varies(s, bound, counter, false, 1);
}
