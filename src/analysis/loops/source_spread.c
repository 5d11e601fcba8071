/* Subscripts that do not tell by themselves whether iterations meet: sampled iterations speak for others only
 * as far as these do the same. */
#include "source_scan.h"

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

/* Whether some variable that is mentioned in n is set in the loop inside. */
static bool is_set_by(const struct scan *s, uint32_t loop, uint32_t n)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (cc_tree_mentions(s->tree, n, d) && cc_scan_writes(s->tree, loop, d))
            return true;
    return false;
}

bool cc_scan_probes(const struct scan *s, const struct scan_array *a)
{
    for (uint32_t i = 0; i < s->tree->nnodes && a->decl >= 0 && a->writes.n; i++) {
        bool inner = i != s->loop && cc_tree_is_loop(at(s, i)->kind) && cc_tree_holds(s->tree, s->loop, i);
        uint32_t test = inner ? cc_tree_part(s->tree, i, at(s, i)->kind != CC_N_WHILE) : CC_NODE_NONE;
        if (test == CC_NODE_NONE || !cc_tree_mentions(s->tree, test, a->decl))
            continue;
        for (size_t k = 0; k < a->writes.n; k++)
            if (is_set_by(s, i, a->writes.v[k]))
                return true;
    }
    return false;
}
