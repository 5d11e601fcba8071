/* What leaves a loop before its end: a break, and what is thrown. */
#include "scan.h"

static bool begins_with(const struct cc_tree *t, uint32_t n, const char *word)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    size_t size = strlen(word);
    return x->kind == CC_N_OTHER && x->end >= x->begin + size && memcmp(t->text + x->begin, word, size) == 0;
}

/* Whether a `try` that is, or is not, in the loop holds the node. */
static bool is_tried(const struct cc_tree *t, const struct cc_tree_node *x, const struct cc_tree_node *loop,
                     bool inside)
{
    bool tried = false;
    for (uint32_t k = 0; k < t->nnodes && !tried; k++) {
        const struct cc_tree_node *y = cc_tree_at(t, k);
        bool is_inside = y->begin >= loop->begin && y->end <= loop->end;
        tried = begins_with(t, k, "try") && is_inside == inside && y->begin < x->begin && y->end >= x->end;
    }
    return tried;
}

bool cc_throw_tries(const struct cc_tree *t, uint32_t n)
{
    return begins_with(t, n, "try");
}

/* `v.at(i)`. */
static bool is_checked(const struct scan *s, uint32_t n)
{
    uint32_t of = cc_tree_at(s->tree, n)->kind == CC_N_CALL ? cc_tree_part(s->tree, n, 0) : CC_NODE_NONE;
    of = of == CC_NODE_NONE ? of : cc_scan_strip(s, of);
    if (of == CC_NODE_NONE || cc_tree_at(s->tree, of)->kind != CC_N_MEMBER)
        return false;
    struct scan_field name = cc_scan_field(s, of);
    return name.size == strlen("at") && memcmp(name.name, "at", name.size) == 0;
}

/* Whether a lambda that stands in the function, in front of the loop say, throws something. */
static bool lambda_throws(const struct cc_tree *t)
{
    for (uint32_t i = 0; t->trait_line[CC_TRAIT_THROW] && i < t->nnodes; i++)
        for (uint32_t k = 0; begins_with(t, i, "throw") && k < t->nnodes; k++)
            if (begins_with(t, k, "[") && cc_tree_holds(t, k, i))
                return true;
    return false;
}

/* The line in which the loop calls one, if what that throws is caught around the loop; 0: it does not. */
static unsigned thrown_by_lambda(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    bool throws = cc_throw_ready(t, s->loop) && lambda_throws(t);
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL)) {
        const char *usr = cc_tree_at(t, *i)->decl < 0 ? NULL : t->decls[cc_tree_at(t, *i)->decl].usr;
        if (throws && usr && strstr(usr, "@Sa@F@operator()") && cc_tree_holds(t, s->loop, *i))
            return cc_tree_at(t, *i)->line;
    }
    return 0;
}

unsigned cc_throw_exit(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    unsigned line = s->exit_line;
    bool tries = false;
    for (uint32_t i = 0; i < t->nnodes && !tries; i++)
        tries = begins_with(t, i, "try");
    for (uint32_t i = 0; (t->trait_line[CC_TRAIT_THROW] || tries) && !line && i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool here = x->begin >= loop->begin && x->end <= loop->end;
        bool leaves = here && (begins_with(t, i, "throw") ||
                               (tries && is_checked(s, i) && is_tried(t, x, loop, false)));
        line = leaves && !is_tried(t, x, loop, true) ? x->line : 0;
    }
    return line ? line : thrown_by_lambda(s);
}

bool cc_throw_ready(const struct cc_tree *t, uint32_t loop)
{
    bool inside = false, around = false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        bool tries = begins_with(t, i, "try");
        inside = inside || (tries && cc_tree_holds(t, loop, i));
        around = around || (tries && i != loop && cc_tree_holds(t, i, loop));
    }
    return around && !inside;
}

bool cc_throw_throws(const struct cc_tree *t)
{
    const struct cc_tree_node none = {.begin = UINT32_MAX};
    bool throws = false;
    for (uint32_t i = 0; t->trait_line[CC_TRAIT_THROW] && i < t->nnodes && !throws; i++)
        throws = begins_with(t, i, "throw") && !is_tried(t, cc_tree_at(t, i), &none, false);
    return throws;
}
