/* Elements that an iteration reads though only something that need not hold has set them: `if (c[i]) t[0] =
 * …;`, or a loop inside that may turn no time at all. That it held in each iteration is this input's luck. */
#include "scan.h"

enum { DEEP = 6 }; /* conditions in each other that are gone into */

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

/* Whether an expression may be another in each iteration, but for what the loop inside itself sets. */
static bool decided_by_data(const struct scan *s, uint32_t n, uint32_t inner, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    if (x->kind == CC_N_REF)
        return x->decl >= 0 && !cc_scan_writes(s->tree, inner, x->decl) &&
               cc_scan_varies(s, n, cc_scan_counter(s->tree, s->loop), false, 1);
    bool loads = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                 (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
    bool found = depth > SCAN_DEPTH;
    for (uint32_t c = x->child; c != CC_NODE_NONE && !found; c = at(s, c)->next)
        found = !(x->kind == CC_N_VAR || (loads && c == x->child)) && decided_by_data(s, c, inner, depth + 1);
    return found;
}

/* Whether how often a loop inside turns is another in each iteration. */
static bool turns_vary(const struct scan *s, uint32_t inner)
{
    const struct cc_tree *t = s->tree;
    int kind = at(s, inner)->kind;
    uint32_t head = kind == CC_N_FOR ? cc_tree_part(t, inner, 0) : CC_NODE_NONE,
             test = kind == CC_N_FOR     ? cc_tree_part(t, inner, 1)
                    : kind == CC_N_WHILE ? cc_tree_part(t, inner, 0)
                                         : CC_NODE_NONE;
    if (head != CC_NODE_NONE && at(s, head)->kind == CC_N_DECL && at(s, head)->child != CC_NODE_NONE)
        head = at(s, at(s, head)->child)->child;
    return (head != CC_NODE_NONE && decided_by_data(s, head, inner, 0)) ||
           (test != CC_NODE_NONE && decided_by_data(s, test, inner, 0));
}

static bool is_inner(const struct scan *s, uint32_t n, uint32_t access)
{
    return n != s->loop && cc_tree_is_loop(at(s, n)->kind) && cc_tree_holds(s->tree, s->loop, n) &&
           cc_tree_holds(s->tree, n, access);
}

/* Whether an access is to the same elements in every iteration, but for what loops inside that hold it go
 * through. */
static bool is_same(const struct scan *s, uint32_t n, uint32_t access, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    if (cc_scan_repeats(s, n, n == access, depth))
        return true;
    bool same =
        x->child != CC_NODE_NONE && x->kind != CC_N_CALL && x->kind != CC_N_UNARY && depth < SCAN_DEPTH;
    bool loads = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER;
    if (x->kind == CC_N_REF && x->decl >= 0)
        for (uint32_t i = 0; i < s->tree->nnodes && !same; i++)
            same = is_inner(s, i, access) && cc_scan_writes(s->tree, i, x->decl);
    for (uint32_t c = x->child; c != CC_NODE_NONE && same; c = at(s, c)->next)
        same = (!loads || n == access) && is_same(s, c, access, depth + 1);
    return same;
}

/* Whether what is read there is the same elements in every iteration. */
static bool is_settled(const struct scan *s, uint32_t read)
{
    bool settled = is_same(s, read, read, 0);
    for (uint32_t i = 0; i < s->tree->nnodes && settled; i++)
        settled = !is_inner(s, i, read) || !turns_vary(s, i);
    return settled;
}

bool cc_unsure_settled(const struct scan *s, const struct scan_array *a)
{
    bool settled = false;
    for (size_t i = 0; i < a->asked.n && !settled; i++)
        settled = is_settled(s, a->asked.v[i]);
    return settled;
}

/* Whether the read stands below an `if` of the same text. */
static bool asks_too(const struct scan *s, uint32_t choice, uint32_t read)
{
    bool found = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !found; i++)
        found = at(s, i)->kind == CC_N_IF && i != choice && cc_tree_holds(s->tree, i, read) &&
                cc_tree_holds(s->tree, s->loop, i) &&
                cc_scan_same_text(s, at(s, i)->child, at(s, choice)->child);
    return found;
}

/* Whether a loop inside may be left before its end, and go on behind it. */
static bool is_left_early(const struct scan *s, uint32_t loop)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_BREAK, CC_N_BREAK)) {
        bool own = cc_tree_holds(t, loop, *i);
        for (uint32_t k = 0; k < t->nnodes && own; k++) {
            bool inner = k != loop && (cc_tree_is_loop(at(s, k)->kind) || at(s, k)->kind == CC_N_SWITCH);
            own = !(inner && cc_tree_holds(t, loop, k) && cc_tree_holds(t, k, *i));
        }
        if (own)
            return true;
    }
    return false;
}

static bool is_sure_in(const struct scan *s, const struct scan_array *a, uint32_t part, uint32_t write,
                       uint32_t read, unsigned depth);

/* Whether who goes through the part has written something there. */
static bool writes_in(const struct scan *s, const struct scan_array *a, uint32_t part, uint32_t read,
                      unsigned depth)
{
    bool found = false;
    for (size_t i = 0; part != CC_NODE_NONE && i < a->writes.n && !found; i++)
        found = cc_tree_holds(s->tree, part, a->writes.v[i]) &&
                (depth > DEEP || is_sure_in(s, a, part, a->writes.v[i], read, depth + 1));
    return found;
}

/* Whether what holds the write and not the read may go by it. */
static bool goes_by(const struct scan *s, const struct scan_array *a, uint32_t n, uint32_t write,
                    uint32_t read, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    if (x->kind == CC_N_IF) {
        uint32_t then = cc_tree_part(s->tree, n, 1), other = cc_tree_part(s->tree, n, 2);
        bool first = then != CC_NODE_NONE && cc_tree_holds(s->tree, then, write);
        return cc_scan_varies(s, x->child, cc_scan_counter(s->tree, s->loop), false, 1) &&
               !writes_in(s, a, first ? other : then, read, depth) && !asks_too(s, n, read);
    }
    return cc_tree_is_loop(x->kind) && (turns_vary(s, n) || is_left_early(s, n));
}

/* Whether an iteration that comes to the read, by way of a part of the loop, has come to the write there. */
static bool is_sure_in(const struct scan *s, const struct scan_array *a, uint32_t part, uint32_t write,
                       uint32_t read, unsigned depth)
{
    bool sure = true;
    for (uint32_t i = 0; i < s->tree->nnodes && sure; i++)
        sure = i == s->loop || !cc_tree_holds(s->tree, part, i) || !cc_tree_holds(s->tree, i, write) ||
               cc_tree_holds(s->tree, i, read) || !goes_by(s, a, i, write, read, depth);
    return sure;
}

bool cc_unsure_set(const struct scan *s, const struct scan_array *a)
{
    bool own = a->decl >= 0 && s->variables[a->decl].inside;
    if (own || a->passed || (a->op && !a->mixed) || !a->writes.n)
        return false;
    for (size_t i = 0; i < a->asked.n; i++) {
        bool same = false, sure = !is_settled(s, a->asked.v[i]);
        for (size_t k = 0; k < a->writes.n && !sure; k++) {
            same = same || is_same(s, a->writes.v[k], a->writes.v[k], 0);
            sure = is_sure_in(s, a, s->loop, a->writes.v[k], a->asked.v[i], 0);
        }
        if (same && !sure)
            return true;
    }
    return false;
}

enum { MASK_MOST = 16 }; /* parameters that are told */

unsigned cc_unsure_turns(const struct scan *s, uint32_t store)
{
    const struct cc_tree *t = s->tree;
    unsigned mask = 0;
    for (CC_TREE_EACH(t, i, CC_N_FOR, CC_N_WHILE)) {
        uint32_t body = cc_tree_part(t, *i, at(s, *i)->kind == CC_N_FOR ? 3 : 1);
        for (uint32_t c = at(s, *i)->child; cc_tree_holds(t, *i, store) && c != CC_NODE_NONE && c != body;
             c = at(s, c)->next)
            for (int32_t d = 0; d < MASK_MOST && (size_t)d < t->nparams; d++)
                mask |= cc_tree_mentions(t, c, d) ? 1U << d : 0;
    }
    return mask;
}

unsigned cc_unsure_given(const struct scan *s, uint32_t call)
{
    unsigned mask = 0, at_most = 0;
    for (uint32_t c = cc_tree_part(s->tree, call, 1); s->loop && c != CC_NODE_NONE && at_most < MASK_MOST;
         c = at(s, c)->next, at_most++)
        if (cc_scan_varies(s, c, cc_scan_counter(s->tree, s->loop), false, 1))
            mask |= 1U << at_most;
    return mask;
}

/* Numbers, variables that nothing in the loop sets but its head, and where they are in an array or behind a
 * pointer: what an argument is made of that is the same wherever in an iteration it is computed. counted: the
 * loop's counter is among them. */
static bool is_same_all_along(const struct scan *s, uint32_t n, int32_t counter, bool *counted,
                              unsigned depth)
{
    const struct cc_tree *t = s->tree;
    n = cc_tree_bare(t, n);
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind == CC_N_REF) {
        const struct scan_variable *v = x->decl < 0 ? NULL : &s->variables[x->decl];
        int kind = v ? t->decls[x->decl].kind : CC_D_OTHER;
        *counted = *counted || (v && x->decl == counter);
        return v && !t->decls[x->decl].reference &&
               (x->decl == counter ||
                (!v->write_line && !v->address && !v->counts && !v->inside &&
                 (kind == CC_D_LOCAL || kind == CC_D_PARAM || t->decls[x->decl].type.class == CC_T_ARRAY)));
    }
    bool place = x->kind == CC_N_UNARY && x->op == CC_OP_ADDR;
    uint32_t of = place ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
    if (place && cc_tree_at(t, of)->kind == CC_N_SUBSCRIPT)
        return is_same_all_along(s, cc_tree_at(t, of)->child, counter, counted, depth + 1) &&
               is_same_all_along(s, cc_tree_part(t, of, 1), counter, counted, depth + 1) &&
               cc_scan_plain(t, cc_tree_at(t, of)->child) >= 0;
    bool sum =
        x->kind == CC_N_BINARY || x->kind == CC_N_LITERAL || (x->kind == CC_N_UNARY && x->op == CC_OP_NEG);
    for (uint32_t c = x->child; c != CC_NODE_NONE && sum; c = cc_tree_at(t, c)->next)
        sum = depth < SCAN_DEPTH && is_same_all_along(s, c, counter, counted, depth + 1);
    return sum;
}

bool cc_unsure_repeated(const struct scan *s, uint32_t call, uint32_t begin, uint32_t end)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    int32_t counter = s->loop ? cc_scan_counter(t, s->loop) : -1;
    bool counted = false, same = counter >= 0 && cc_class_is_c(t);
    for (uint32_t c = same ? cc_tree_part(t, call, 1) : CC_NODE_NONE; c != CC_NODE_NONE && same;
         c = cc_tree_at(t, c)->next)
        same = is_same_all_along(s, c, counter, &counted, 0);
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL)) {
        const struct cc_tree_node *y = cc_tree_at(t, *i);
        if (same && counted && y->decl == x->decl && y->begin >= begin && y->end <= x->begin &&
            cc_source_sure(t, y, begin, end) && cc_scan_same_things(s, *i, call))
            return true;
    }
    return false;
}
