/* Assignments to what a call hands back: in C++ `v[i] = x` of a container. Which element that is, and whether
 * two are the same, the source does not tell. */
#include "source_scan.h"

void cc_given_note(struct scan *s, uint32_t n, const char *op)
{
    uint32_t to = cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child);
    if (to != CC_NODE_NONE && cc_tree_at(s->tree, to)->kind == CC_N_CALL)
        CC_VEC_PUSH(&s->given, ((struct scan_given){n, op}));
}

/* The variable that the call is about: `v` of `v[i]`; -1: unknown. */
static int32_t about(const struct scan *s, uint32_t n)
{
    uint32_t call = cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child);
    int32_t decl = cc_scan_base(s, cc_tree_at(s->tree, call)->child);
    return decl >= 0 && s->tree->decls[decl].kind != CC_D_FUNCTION ? decl : -1;
}

/* Whether each iteration has another: a `std::array` that the loop declares, but not a reference to one. */
static bool is_own(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; decl >= 0 && s->variables[decl].inside && i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->kind != CC_N_VAR || x->decl != decl)
            continue;
        CC_CLEANUP(cc_free_ptr) char *text = cc_strndup(t->text + x->begin, x->end - x->begin);
        text[strcspn(text, "={(")] = '\0';
        return strstr(text, "array<") && !strchr(text, '&');
    }
    return false;
}

void cc_given_tell(const struct scan *s, FILE *out)
{
    for (size_t i = 0; i < s->given.n; i++) {
        int32_t decl = about(s, s->given.v[i].node);
        if (!is_own(s, decl))
            fprintf(out, "B\t%u\t%s\t%s\n", cc_tree_at(s->tree, s->given.v[i].node)->line,
                    s->given.v[i].op ? s->given.v[i].op : "", decl >= 0 ? s->tree->decls[decl].name : "");
    }
}
