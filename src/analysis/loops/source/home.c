#include "home.h"
#include "../../../base/base.h"

struct home *cc_homes_find(const struct cc_tree *t)
{
    struct home *homes = cc_alloc((t->ndecls + 1) * sizeof *homes);
    for (size_t d = 0; d <= t->ndecls; d++)
        homes[d] = (struct home){CC_NODE_NONE, CC_NODE_NONE};
    for (CC_TREE_EACH(t, i, CC_N_VAR, CC_N_VAR)) {
        int32_t d = cc_tree_at(t, *i)->decl;
        if (d >= 0 && homes[d].var == CC_NODE_NONE)
            homes[d].var = *i;
    }
    for (CC_TREE_EACH(t, i, CC_N_COMPOUND, CC_N_COMPOUND))
        for (size_t d = 0; d < t->ndecls; d++)
            if (homes[d].var != CC_NODE_NONE && cc_tree_holds(t, *i, homes[d].var) &&
                (homes[d].block == CC_NODE_NONE || cc_tree_holds(t, homes[d].block, *i)))
                homes[d].block = *i;
    return homes;
}

bool cc_home_is_away(const struct cc_tree *t, const struct home *h, uint32_t loop)
{
    return h->var != CC_NODE_NONE && (cc_tree_at(t, h->var)->begin >= cc_tree_at(t, loop)->end ||
                                      (h->block != CC_NODE_NONE && !cc_tree_holds(t, h->block, loop)));
}
