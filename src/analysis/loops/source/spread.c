/* Subscripts that do not tell by themselves whether iterations meet: sampled iterations speak for others only
 * as far as these do the same. */
#include "form.h"
#include "scan.h"

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

static bool mentions_inner(const struct scan *s, uint32_t n, int32_t counter)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (d != counter && s->variables[d].counts && cc_tree_mentions(s->tree, n, d))
            return true;
    return false;
}

/* One subscript has both the counter and that of a loop inside: `a[i * w + j]`. */
static bool is_spread(const struct scan *s, uint32_t n, int32_t counter)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        uint32_t by = at(s, i)->kind == CC_N_SUBSCRIPT && cc_tree_holds(s->tree, n, i)
                          ? cc_tree_part(s->tree, i, 1)
                          : CC_NODE_NONE;
        if (by != CC_NODE_NONE && cc_tree_mentions(s->tree, by, counter) && mentions_inner(s, by, counter))
            return true;
    }
    return false;
}

bool cc_scan_spread(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; counter >= 0 && i < a->writes.n; i++)
        if (is_spread(s, a->writes.v[i], counter) && !cc_scan_tells_apart(s, a->writes.v[i], counter))
            return true;
    return false;
}

/* Whether an expression is a number, or some loop of the function counts up to it: then it is not zero where
 * that runs. */
static bool is_positive(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    n = cc_tree_bare(t, n);
    if (n == CC_NODE_NONE || at(s, n)->kind == CC_N_LITERAL || at(s, n)->kind == CC_N_SIZEOF ||
        (at(s, n)->kind == CC_N_REF && at(s, n)->decl >= 0 && t->decls[at(s, n)->decl].has_value))
        return true;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        uint32_t test = at(s, i)->kind == CC_N_FOR ? cc_tree_part(t, i, 1) : CC_NODE_NONE;
        for (uint32_t k = 0; test != CC_NODE_NONE && k < t->nnodes; k++)
            if (cc_tree_holds(s->tree, test, k) && at(s, k)->kind == at(s, n)->kind &&
                cc_scan_same_text(s, k, n))
                return true;
    }
    return false;
}

/* `a[i * step]`, and nothing says that the step is not zero. */
static bool is_scaled(const struct scan *s, uint32_t n, int32_t counter)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        if (x->kind != CC_N_BINARY || x->op != CC_OP_MUL || !cc_tree_holds(s->tree, n, i))
            continue;
        uint32_t one = cc_tree_part(s->tree, i, 0), two = cc_tree_part(s->tree, i, 1);
        bool first = cc_tree_mentions(s->tree, one, counter) > 0,
             second = cc_tree_mentions(s->tree, two, counter) > 0;
        uint32_t by = first ? two : one;
        if (first != second && !cc_scan_varies(s, by, counter, false, 1) && !is_positive(s, by))
            return true;
    }
    return false;
}

bool cc_scan_scaled(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; counter >= 0 && i < a->writes.n; i++)
        if (is_scaled(s, a->writes.v[i], counter))
            return true;
    return false;
}

/* Calls it of each expression that a variable of the loop's own is set to. */
static bool any_set(const struct scan *s, int32_t decl, int32_t counter, unsigned depth,
                    bool (*holds)(const struct scan *, uint32_t, int32_t, unsigned))
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes && depth < 4; i++) {
        const struct cc_tree_node *x = at(s, i);
        uint32_t to = CC_NODE_NONE;
        if (x->kind == CC_N_VAR && x->decl == decl)
            to = x->child;
        else if (x->kind == CC_N_ASSIGN && cc_scan_plain(t, cc_tree_part(t, i, 0)) == decl)
            to = cc_tree_part(t, i, 1);
        if (to != CC_NODE_NONE && cc_tree_holds(t, s->loop, i) && holds(s, to, counter, depth + 1))
            return true;
    }
    return false;
}

static bool any_own(const struct scan *s, uint32_t n, int32_t counter, unsigned depth,
                    bool (*holds)(const struct scan *, uint32_t, int32_t, unsigned))
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (d != counter && s->variables[d].inside && !s->variables[d].counts &&
            cc_tree_mentions(s->tree, n, d) && any_set(s, d, counter, depth, holds))
            return true;
    return false;
}

static bool is_scaled_by(const struct scan *s, uint32_t n, int32_t counter, unsigned depth)
{
    (void)depth;
    return is_scaled(s, n, counter);
}

/* `int *row = a + i * step; row[j] = x`. */
static bool is_strided(const struct scan *s, uint32_t n, int32_t counter)
{
    return any_own(s, n, counter, 0, is_scaled_by);
}

bool cc_scan_strided(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; counter >= 0 && i < a->writes.n; i++)
        if (is_strided(s, a->writes.v[i], counter))
            return true;
    return false;
}

/* Whether some variable that is mentioned in n is set in the loop inside. */
static bool is_set_by(const struct scan *s, uint32_t loop, uint32_t n)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (cc_tree_mentions(s->tree, n, d) && cc_scan_writes(s->tree, loop, d))
            return true;
    return false;
}

/* The member by which an access begins: `b->next[k]` by b's next; CC_NODE_NONE: by something else. */
static uint32_t first_member(const struct scan *s, uint32_t n)
{
    uint32_t found = CC_NODE_NONE;
    for (n = cc_tree_bare(s->tree, n); n != CC_NODE_NONE; n = cc_tree_bare(s->tree, at(s, n)->child)) {
        const struct cc_tree_node *x = at(s, n);
        if (x->kind == CC_N_REF)
            return found;
        bool goes_on = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                       (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
        if (!goes_on || x->child == CC_NODE_NONE)
            return CC_NODE_NONE;
        found = x->kind == CC_N_MEMBER && x->record ? n : CC_NODE_NONE;
    }
    return CC_NODE_NONE;
}

/* `p < end`: how many of two things that are compared are the variable, and not what it leads to. */
static unsigned compared(const struct scan *s, uint32_t n, int32_t decl)
{
    const struct cc_tree_node *x = at(s, n);
    unsigned found = 0;
    for (int k = 0; k < 2 && x->kind == CC_N_BINARY && x->op >= CC_OP_LT && x->op <= CC_OP_NE; k++)
        found += cc_scan_plain(s->tree, cc_tree_part(s->tree, n, k)) == decl;
    return found;
}

/* Whether n looks at a struct only for numbers that the loop does not write: `x < image->width`, where it
 * writes `image->data[x]`; or compares where it is, and not what is there. */
static bool looks_beside(const struct scan *s, uint32_t n, const struct scan_array *a)
{
    unsigned beside = 0;
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        if (cc_tree_holds(s->tree, n, i))
            beside += compared(s, i, a->decl);
        bool number = x->kind == CC_N_MEMBER && (x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT);
        if (!number || !cc_tree_holds(s->tree, n, i) || first_member(s, i) != i ||
            cc_scan_plain(s->tree, x->child) != a->decl)
            continue;
        bool apart = true;
        for (size_t k = 0; k < a->writes.n && apart; k++) {
            uint32_t m = first_member(s, a->writes.v[k]);
            apart = m != CC_NODE_NONE && at(s, m)->record == x->record && at(s, m)->value != x->value;
        }
        beside += apart;
    }
    return beside == cc_tree_mentions(s->tree, n, a->decl);
}

static bool is_access(const struct cc_tree_node *x)
{
    return x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
           (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
}

/* Whether a write is to that member, or to another that shares its bytes, as a union's do. */
static bool lies_in(const struct scan *s, uint32_t write, const struct cc_tree_node *member)
{
    uint32_t n = cc_tree_bare(s->tree, write);
    while (n != CC_NODE_NONE && is_access(at(s, n))) {
        const struct cc_tree_node *x = at(s, n);
        if (x->kind == CC_N_MEMBER && x->record == member->record && x->value == member->value)
            return true;
        n = cc_tree_bare(s->tree, x->child);
        if (n != CC_NODE_NONE && at(s, n)->type.class == CC_T_POINTER)
            break;
    }
    return false;
}

static bool any_lies_in(const struct scan *s, const struct scan_array *a, const struct cc_tree_node *member)
{
    bool lies = !member->record;
    for (size_t i = 0; i < a->writes.n && !lies; i++)
        lies = lies_in(s, a->writes.v[i], member);
    return lies;
}

/* Whether an access goes on from there, to a part of it. */
static bool is_passed_through(const struct scan *s, uint32_t n, uint32_t access)
{
    bool through = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !through; i++)
        through = is_access(at(s, i)) && cc_tree_holds(s->tree, n, i) &&
                  cc_tree_bare(s->tree, at(s, i)->child) == access;
    return through;
}

bool cc_scan_looks_at_others(const struct scan *s, uint32_t n, const struct scan_array *a)
{
    bool others = true;
    for (size_t i = 0; i < a->writes.n && others; i++)
        others = at(s, cc_tree_bare(s->tree, a->writes.v[i]))->type.class == CC_T_FLOAT;
    for (uint32_t i = 0; i < s->tree->nnodes && others; i++) {
        const struct cc_tree_node *x = at(s, i);
        if (is_access(x) && cc_tree_holds(s->tree, n, i) && cc_scan_base(s, i) == a->decl)
            others =
                (x->type.class == CC_T_INT || x->type.class == CC_T_POINTER || is_passed_through(s, n, i)) &&
                (x->kind != CC_N_MEMBER || !any_lies_in(s, a, x));
    }
    return others;
}

bool cc_scan_probes(const struct scan *s, const struct scan_array *a)
{
    for (uint32_t i = 0; i < s->tree->nnodes && a->decl >= 0 && a->writes.n; i++) {
        bool inner = i != s->loop && cc_tree_is_loop(at(s, i)->kind) && cc_tree_holds(s->tree, s->loop, i);
        uint32_t test = inner ? cc_tree_part(s->tree, i, at(s, i)->kind != CC_N_WHILE) : CC_NODE_NONE;
        if (test == CC_NODE_NONE || !cc_tree_mentions(s->tree, test, a->decl) || looks_beside(s, test, a) ||
            cc_scan_looks_at_others(s, test, a))
            continue;
        for (size_t k = 0; k < a->writes.n; k++)
            if (is_set_by(s, i, a->writes.v[k]))
                return true;
    }
    return false;
}

/* Whether an expression has the counter, by itself or by way of variables of the loop's own. */
static bool depends(const struct scan *s, uint32_t n, int32_t counter, unsigned depth)
{
    return cc_tree_mentions(s->tree, n, counter) || any_own(s, n, counter, depth, depends);
}

static uint64_t literal(const struct scan *s, uint32_t n)
{
    n = n == CC_NODE_NONE ? n : cc_tree_bare(s->tree, n);
    return n != CC_NODE_NONE && at(s, n)->kind == CC_N_LITERAL
               ? strtoul(s->tree->text + at(s, n)->begin, NULL, 0)
               : 0;
}

bool cc_scan_is_stepped(const struct scan *s, uint32_t quotient)
{
    const struct cc_tree *t = s->tree;
    uint32_t step = at(s, s->loop)->kind == CC_N_FOR ? cc_tree_part(t, s->loop, 2) : CC_NODE_NONE;
    uint64_t by = literal(s, cc_tree_part(t, quotient, 1)),
             on = step != CC_NODE_NONE && at(s, step)->kind == CC_N_ASSIGN &&
                          (at(s, step)->op == CC_OP_ADD || at(s, step)->op == CC_OP_SUB)
                      ? literal(s, cc_tree_part(t, step, 1))
                      : 0;
    if (at(s, quotient)->op == CC_OP_SHR)
        by = by && by < 64 ? UINT64_C(1) << by : 0;
    return by && on && on % by == 0;
}

static bool looks_up(const struct scan *s, uint32_t n)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++)
        if (cc_tree_holds(s->tree, n, i) &&
            (at(s, i)->kind == CC_N_SUBSCRIPT || at(s, i)->kind == CC_N_CALL ||
             (at(s, i)->kind == CC_N_UNARY && at(s, i)->op == CC_OP_DEREF)))
            return true;
    return false;
}

/* What numbers alone make: `~1`, `-LINE`, `~(8 - 1)`. */
static bool number_of(const struct scan *s, uint32_t n, long *ret, unsigned depth)
{
    n = n == CC_NODE_NONE ? n : cc_tree_bare(s->tree, n);
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : at(s, n);
    if (!x || depth > SCAN_DEPTH)
        return false;
    if (x->kind == CC_N_REF && x->decl >= 0 && s->tree->decls[x->decl].has_value) {
        *ret = (long)s->tree->decls[x->decl].value;
        return true;
    }
    if (x->kind == CC_N_LITERAL)
        return cc_form_literal(s->tree, n, ret);
    long a, b;
    if ((x->kind != CC_N_UNARY && x->kind != CC_N_BINARY) || !number_of(s, x->child, &a, depth + 1))
        return false;
    if (x->kind == CC_N_UNARY) {
        *ret = x->op == CC_OP_COMPL ? ~a : -a;
        return x->op == CC_OP_COMPL || x->op == CC_OP_NEG;
    }
    if (!number_of(s, cc_tree_part(s->tree, n, 1), &b, depth + 1) || labs(a) > INT32_MAX ||
        labs(b) > INT32_MAX || (x->op != CC_OP_ADD && x->op != CC_OP_SUB))
        return false;
    *ret = x->op == CC_OP_ADD ? a + b : a - b;
    return true;
}

/* By what the counter goes on, if a number says so; 0: nobody knows. */
static long goes_on_by(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    uint32_t step = at(s, s->loop)->kind == CC_N_FOR ? cc_tree_part(t, s->loop, 2) : CC_NODE_NONE;
    const struct cc_tree_node *x = step == CC_NODE_NONE ? NULL : at(s, step);
    long by = 0;
    if (x && x->kind == CC_N_UNARY)
        return x->op == CC_OP_INC || x->op == CC_OP_DEC;
    return x && x->kind == CC_N_ASSIGN && (x->op == CC_OP_ADD || x->op == CC_OP_SUB) &&
                   number_of(s, cc_tree_part(t, step, 1), &by, 0)
               ? labs(by)
               : 0;
}

/* Of `i & ~1`, `i | 3`, by what the counter has to go on that no two become one; 0: they do not, or only
 * those that all others become as well, which a run shows (`i & 7`). */
static long merged(int op, long mask)
{
    enum { BITS = 31 };
    long all = 0;
    for (int bit = 0; bit < BITS; bit++) {
        bool dropped = ((mask >> bit) & 1) == (op == CC_OP_OR), above = op == CC_OP_OR || mask >> bit;
        all = dropped && above ? 2L << bit : all;
    }
    return all;
}

/* Whether a piece of a subscript leaves low bits of the counter out: `i & ~1`, `i | 1`, `i - i % 4`; or
 * chooses by the counter what it is. */
static bool drops_bits(const struct scan *s, uint32_t n, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = at(s, n);
    if (x->kind == CC_N_SELECT)
        return depends(s, x->child, counter, 0) && !looks_up(s, n);
    if (x->kind != CC_N_BINARY || (x->op != CC_OP_AND && x->op != CC_OP_OR && x->op != CC_OP_SUB))
        return false;
    uint32_t left = cc_tree_bare(t, cc_tree_part(t, n, 0)), right = cc_tree_bare(t, cc_tree_part(t, n, 1));
    long mask = 0, one = 0;
    if (x->op == CC_OP_SUB) {
        bool rest = at(s, right)->kind == CC_N_BINARY &&
                    (at(s, right)->op == CC_OP_MOD || at(s, right)->op == CC_OP_AND) &&
                    cc_scan_same_text(s, left, cc_tree_part(t, right, 0)) &&
                    number_of(s, cc_tree_part(t, right, 1), &mask, 0);
        one = rest ? mask + (at(s, right)->op == CC_OP_AND) : 0;
    } else {
        if (number_of(s, left, &mask, 0))
            left = right;
        else if (!number_of(s, right, &mask, 0))
            return false;
        one = merged(x->op, mask);
    }
    bool scaled = false; /* `i << 1 | 1` leaves nothing out */
    for (uint32_t i = 0; i < t->nnodes && !scaled; i++)
        scaled = at(s, i)->kind == CC_N_BINARY && (at(s, i)->op == CC_OP_SHL || at(s, i)->op == CC_OP_MUL) &&
                 cc_tree_holds(t, left, i);
    long by = goes_on_by(s);
    return one > 1 && !scaled && !(by && by % one == 0) && depends(s, left, counter, 0) && !looks_up(s, left);
}

/* Whether a rest is what something is made a multiple by, `i % 4` of `i - i % 4`, or what is chosen by. */
static bool is_taken_off(const struct scan *s, uint32_t n, uint32_t rest, int32_t counter)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        bool sum = x->kind == CC_N_BINARY && x->op == CC_OP_SUB &&
                   cc_tree_bare(s->tree, cc_tree_part(s->tree, i, 1)) == rest,
             choice = x->kind == CC_N_SELECT && cc_tree_holds(s->tree, x->child, rest);
        if ((sum || choice) && cc_tree_holds(s->tree, n, i) && drops_bits(s, i, counter))
            return true;
    }
    return false;
}

static bool has_operator(const struct scan *s, uint32_t n, int32_t counter, bool quotient)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        bool divides = x->op == CC_OP_DIV || x->op == CC_OP_SHR,
             rest = x->op == CC_OP_MOD || x->op == CC_OP_AND;
        if ((x->kind != CC_N_BINARY && x->kind != CC_N_SELECT) || !cc_tree_holds(s->tree, n, i))
            continue;
        bool drops = drops_bits(s, i, counter);
        if (drops && quotient)
            return true;
        if (drops || x->kind == CC_N_SELECT || !(quotient ? divides : rest) || is_taken_off(s, n, i, counter))
            continue;
        uint32_t left = cc_tree_part(s->tree, i, 0);
        if (depends(s, left, counter, 0) && (!quotient || (!looks_up(s, left) && !cc_scan_is_stepped(s, i))))
            return true;
    }
    return false;
}

static bool has_quotient(const struct scan *s, uint32_t n, int32_t counter, unsigned depth)
{
    return has_operator(s, n, counter, true) || any_own(s, n, counter, depth, has_quotient);
}

static bool has_rest(const struct scan *s, uint32_t n, int32_t counter, unsigned depth)
{
    return has_operator(s, n, counter, false) || any_own(s, n, counter, depth, has_rest);
}

static bool divides(const struct scan *s)
{
    bool found = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !found; i++) {
        bool chooses = at(s, i)->kind == CC_N_SELECT;
        int op = at(s, i)->kind == CC_N_BINARY ? at(s, i)->op : CC_OP_NONE;
        found = (chooses || op == CC_OP_DIV || op == CC_OP_SHR || op == CC_OP_AND || op == CC_OP_OR ||
                 op == CC_OP_MOD) &&
                cc_tree_holds(s->tree, s->loop, i);
    }
    return found;
}

bool cc_scan_is_half(const struct scan *s, uint32_t n, int32_t counter)
{
    return counter >= 0 && divides(s) && has_quotient(s, n, counter, 0) && !has_rest(s, n, counter, 0) &&
           !cc_scan_tells_apart(s, n, counter);
}

/* `&a[i / 2]` alone writes nothing there. */
static bool is_address(const struct scan *s, uint32_t n)
{
    bool found = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !found; i++)
        found = at(s, i)->kind == CC_N_UNARY && at(s, i)->op == CC_OP_ADDR &&
                cc_tree_bare(s->tree, at(s, i)->child) == n;
    return found;
}

bool cc_scan_halves(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; i < a->writes.n; i++)
        if (cc_scan_is_half(s, a->writes.v[i], counter) && !is_address(s, a->writes.v[i]))
            return true;
    return false;
}

/* --- what calls get --- */

static int32_t counter_of(const struct scan *s)
{
    return at(s, s->loop)->kind == CC_N_FOR ? cc_scan_counter(s->tree, s->loop) : -1;
}

bool cc_scan_gets_data(const struct scan *s, uint32_t call)
{
    int32_t counter = s->loop ? counter_of(s) : -1;
    for (uint32_t c = cc_tree_part(s->tree, call, 1); counter >= 0 && c != CC_NODE_NONE; c = at(s, c)->next)
        if (at(s, c)->type.class == CC_T_INT && cc_scan_varies(s, c, counter, false, 1) &&
            !cc_scan_is_sum(s, c, counter))
            return true;
    return false;
}

/* Whether some variable of n, but for the counter, is one of `of`. */
static bool shares_variable(const struct scan *s, uint32_t n, uint32_t of, int32_t counter)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (d != counter && cc_tree_mentions(s->tree, n, d) && cc_tree_mentions(s->tree, of, d))
            return true;
    return false;
}

static bool has_variable(const struct scan *s, uint32_t n, int32_t counter)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (d != counter && cc_tree_mentions(s->tree, n, d) && !s->tree->decls[d].has_value)
            return true;
    return false;
}

/* `a + i * step`, `&a[4 * i]`. */
static bool is_place(const struct scan *s, uint32_t n, int32_t counter)
{
    n = cc_tree_bare(s->tree, n);
    if (n == CC_NODE_NONE || !cc_tree_mentions(s->tree, n, counter))
        return false;
    const struct cc_tree_node *x = at(s, n);
    return (x->kind == CC_N_BINARY && (x->op == CC_OP_ADD || x->op == CC_OP_SUB) &&
            (x->type.class == CC_T_POINTER || x->type.class == CC_T_ARRAY)) ||
           (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR);
}

bool cc_scan_gets_place(const struct scan *s, uint32_t call)
{
    const struct cc_tree *t = s->tree;
    int32_t counter = s->loop ? counter_of(s) : -1, callee = at(s, call)->decl;
    const char *name = callee >= 0 && t->decls[callee].name ? t->decls[callee].name : "";
    bool fills = strcmp(name, "memset") == 0 || strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0;
    uint32_t first = counter >= 0 ? cc_tree_part(t, call, 1) : CC_NODE_NONE;
    if (fills && first != CC_NODE_NONE) {
        uint32_t size = cc_tree_part(t, call, 3);
        return size != CC_NODE_NONE && is_place(s, first, counter) && has_variable(s, size, counter) &&
               !shares_variable(s, size, first, counter);
    }
    for (uint32_t c = first; c != CC_NODE_NONE; c = at(s, c)->next) {
        bool told = false;
        for (uint32_t k = first; k != CC_NODE_NONE; k = at(s, k)->next)
            told = told || (k != c && at(s, k)->type.class == CC_T_INT && shares_variable(s, k, c, counter));
        if (is_place(s, c, counter) && is_scaled(s, c, counter) && !told)
            return true;
    }
    return false;
}
