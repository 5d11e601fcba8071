/* What a function has in common with others, and with the loops that call it: variables of the program's that
 * it accesses by their names. */
#include "live.h"
#include "scan.h"

/* A variable of the program's that somebody else may set or look at, by its name. */
static bool is_common(const struct cc_tree *t, int32_t decl)
{
    const struct cc_decl *d = &t->decls[decl];
    return (d->kind == CC_D_GLOBAL || d->kind == CC_D_STATIC) && !d->has_value && !d->constant;
}

static void tell_access(const struct cc_tree *t, int32_t decl, unsigned line, enum cc_source_shares how,
                        FILE *out)
{
    if (line)
        fprintf(out, "Y\t%u\t%d\t%s\n", line, (int)how, t->decls[decl].name);
}

/* Whether no way through the function is sure to set it. */
static enum cc_source_shares maybe(const struct scan *s, int32_t decl)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(s->tree, i);
        if (x->kind == CC_N_REF && x->decl == decl)
            return cc_source_passed_by(s, i) ? CC_SHARES_MAYBE : 0;
    }
    return 0;
}

/* An array that is mentioned and not subscripted. */
static bool is_handed_out(const struct cc_tree *t, uint32_t n)
{
    bool out = t->decls[cc_tree_at(t, n)->decl].type.class == CC_T_ARRAY;
    for (uint32_t i = 0; i < t->nnodes && out; i++)
        out = cc_tree_at(t, i)->kind != CC_N_SUBSCRIPT ||
              cc_tree_bare(t, cc_tree_at(t, i)->child) != cc_tree_bare(t, n);
    return out;
}

bool cc_scan_of_thread(const struct cc_tree *t, int32_t decl)
{
    static const char *const words[] = {"_Thread_local", "thread_local", "__thread"};
    uint32_t end = t->decls[decl].begin, from = end;
    while (from && !strchr(";{}", t->text[from - 1]))
        from--;
    for (size_t i = 0; i < CC_COUNT(words); i++)
        if (memmem(t->text + from, end - from, words[i], strlen(words[i])))
            return true;
    return false;
}

/* Whether a write is to the same elements in each call: numbers, and counters of loops, tell which. */
static enum cc_source_shares same(const struct scan *s, const struct scan_array *a)
{
    const struct cc_tree *t = s->tree;
    bool same = a->writes.n && t->decls[a->decl].type.class == CC_T_ARRAY && !a->op;
    for (size_t k = 0; k < a->writes.n && same; k++)
        for (uint32_t i = 0; i < t->nnodes && same; i++) {
            const struct cc_tree_node *x = cc_tree_at(t, i);
            bool other = (x->kind == CC_N_REF && x->decl != a->decl) || x->kind == CC_N_CALL;
            same = !other || !cc_tree_holds(t, a->writes.v[k], i) ||
                   (x->kind == CC_N_REF && x->decl >= 0 && cc_scan_is_counter(t, x->decl));
        }
    for (uint32_t i = 0; i < t->nnodes && same; i++) { /* nothing chooses, but for loops */
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool chooses = x->kind == CC_N_IF || x->kind == CC_N_SWITCH || x->kind == CC_N_SELECT;
        same = !(chooses && cc_tree_holds(t, i, a->writes.v[0])) &&
               !(x->kind == CC_N_RETURN && x->end <= cc_tree_at(t, a->writes.v[0])->begin);
    }
    return same && !cc_scan_of_thread(t, a->decl) ? CC_SHARES_SAME : 0;
}

static enum cc_source_shares scattered(const struct scan *s, const struct scan_array *a)
{
    bool found = false;
    for (size_t i = 0; i < a->writes.n && !found; i++)
        found = cc_scan_scattered(s, a->writes.v[i]);
    return found ? CC_SHARES_SCATTERED : 0;
}

/* The same of a variable that is set, and not only combined with something. */
static enum cc_source_shares set_each(const struct scan *s, int32_t decl)
{
    const struct scan_variable *v = &s->variables[decl];
    int class = s->tree->decls[decl].type.class;
    bool number = class == CC_T_INT || class == CC_T_FLOAT || class == CC_T_POINTER;
    return number && !v->op && cc_source_always(s->tree, v->write_line) && !maybe(s, decl) &&
                   !cc_scan_of_thread(s->tree, decl)
               ? CC_SHARES_SAME
               : 0;
}

void cc_source_common(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (size_t i = 0; i < s->arrays.n; i++)
        for (uint32_t k = 0; s->arrays.v[i].decl >= 0 && s->arrays.v[i].write_line && k < t->nnodes; k++)
            if (cc_tree_at(t, k)->kind == CC_N_REF && cc_tree_at(t, k)->decl == s->arrays.v[i].decl &&
                is_common(t, s->arrays.v[i].decl) && is_handed_out(t, k))
                tell_access(t, s->arrays.v[i].decl, s->arrays.v[i].write_line, CC_SHARES_OUT, out);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        int32_t decl = x->kind == CC_N_REF ? x->decl : -1;
        if (decl >= 0 && is_common(t, decl) && s->variables[decl].address)
            tell_access(t, decl, x->line, CC_SHARES_READ | CC_SHARES_WRITE, out);
    }
    for (int32_t d = 0; d < (int32_t)t->ndecls; d++)
        if (is_common(t, d)) {
            tell_access(t, d, s->variables[d].exposed_line, CC_SHARES_READ, out);
            tell_access(t, d, s->variables[d].write_line, CC_SHARES_WRITE | maybe(s, d) | set_each(s, d),
                        out);
        }
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        if (a->decl < 0 || !is_common(t, a->decl))
            continue;
        for (int k = 0; k < CC_SOURCE_READS && a->reads[k]; k++)
            tell_access(t, a->decl, a->reads[k], CC_SHARES_READ, out);
        tell_access(t, a->decl, a->write_line,
                    CC_SHARES_WRITE | (a->write_line ? same(s, a) | scattered(s, a) : 0), out);
        if (a->passed)
            tell_access(t, a->decl, cc_tree_at(t, a->first)->line, CC_SHARES_READ | CC_SHARES_WRITE, out);
    }
}
