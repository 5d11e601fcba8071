/* What stands in one line with a condition on which it depends: that code of the line ran does not tell that
 * this did, `b[i] += x[i] > most ? b[i - 1] : 1`. */
#include "scan.h"

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

static bool chooses(const struct cc_tree_node *x)
{
    return x->kind == CC_N_IF || x->kind == CC_N_SELECT || x->kind == CC_N_SWITCH ||
           (x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR));
}

/* Whether numbers and the counter alone decide: `i > 0`. */
static bool is_counted(const struct scan *s, uint32_t test, int32_t counter)
{
    bool counted = true;
    for (uint32_t i = 0; i < s->tree->nnodes && counted; i++) {
        const struct cc_tree_node *x = at(s, i);
        bool other = x->kind == CC_N_CALL || (x->kind == CC_N_REF && x->decl >= 0 && x->decl != counter &&
                                              !s->tree->decls[x->decl].has_value);
        counted = !other || !cc_tree_holds(s->tree, test, i);
    }
    return counted;
}

/* Whether something in the loop decides about a node, and is written in the same line. */
static bool is_in_arm(const struct scan *s, uint32_t n, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        if (!chooses(x) || x->child == CC_NODE_NONE || !cc_tree_holds(t, s->loop, i) ||
            !cc_tree_holds(t, i, n) || cc_tree_holds(t, x->child, n) ||
            at(s, n)->line > CC_MAX(x->line, at(s, x->child)->last_line))
            continue;
        if (!is_counted(s, x->child, counter))
            return true;
    }
    return false;
}

unsigned cc_arm_line(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; i < a->all.n && s->loop; i++) {
        bool sure = !is_in_arm(s, a->all.v[i], counter);
        for (size_t k = 0; k < a->all.n && !sure; k++)
            sure = cc_scan_same_text(s, a->all.v[i], a->all.v[k]) && !is_in_arm(s, a->all.v[k], counter);
        if (!sure)
            return at(s, a->all.v[i])->line;
    }
    return 0;
}

static bool holds_choice(const struct scan *s, uint32_t n)
{
    bool found = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !found; i++)
        found = at(s, i)->kind == CC_N_SELECT && cc_tree_holds(s->tree, n, i);
    return found;
}

unsigned cc_arm_leads(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    bool pointer = decl >= 0 && s->loop && t->decls[decl].type.class == CC_T_POINTER;
    for (uint32_t i = 0; pointer && i < t->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        uint32_t value = x->kind == CC_N_VAR && x->decl == decl ? x->child : CC_NODE_NONE;
        if (x->kind == CC_N_ASSIGN && x->child != CC_NODE_NONE && cc_scan_plain(t, x->child) == decl)
            value = cc_tree_part(t, i, 1);
        if (value != CC_NODE_NONE && cc_tree_holds(t, s->loop, i) && holds_choice(s, value))
            return x->line;
    }
    return 0;
}

bool cc_arm_gets_choice(const struct scan *s, uint32_t call)
{
    for (uint32_t c = cc_tree_part(s->tree, call, 1); s->loop && c != CC_NODE_NONE; c = at(s, c)->next) {
        int class = at(s, c)->type.class;
        if ((class == CC_T_POINTER || class == CC_T_ARRAY) && holds_choice(s, c))
            return true;
    }
    return false;
}
