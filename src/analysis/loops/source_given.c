/* What calls do to objects of classes, in C++. Assignments to what a call hands back, `v[i] = x` of a
 * container: which element that is, and whether two are the same, the source does not tell. */
#include "source_live.h"
#include "source_scan.h"

void cc_given_note(struct scan *s, uint32_t n, const char *op)
{
    uint32_t to = cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child);
    if (to != CC_NODE_NONE && cc_tree_at(s->tree, to)->kind == CC_N_CALL)
        CC_VEC_PUSH(&s->given, ((struct scan_given){n, op}));
}

/* The variable that an element belongs to: `v` of `v[i]` and of `v[i][j]`; -1: unknown. */
static int32_t holder(const struct scan *s, uint32_t call)
{
    uint32_t n = cc_tree_bare(s->tree, cc_tree_at(s->tree, call)->child);
    for (unsigned depth = 0; n != CC_NODE_NONE && cc_tree_at(s->tree, n)->kind == CC_N_CALL && depth < 16;
         depth++)
        n = cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child);
    int32_t decl = n == CC_NODE_NONE ? -1 : cc_scan_base(s, n);
    return decl >= 0 && s->tree->decls[decl].kind != CC_D_FUNCTION ? decl : -1;
}

/* The variable that an assignment to what a call hands back is about. */
static int32_t about(const struct scan *s, uint32_t n)
{
    return holder(s, cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child));
}

/* Whether each iteration has another: a `std::array` that the loop declares, but not a reference to one. */
static bool is_own(const struct scan *s, int32_t decl)
{
    return decl >= 0 && s->variables[decl].inside && s->tree->decls[decl].own_array &&
           s->tree->decls[decl].kind == CC_D_LOCAL;
}

/* Whether a call hands back an element of what it is about. */
static bool is_element(const struct scan *s, uint32_t n)
{
    static const char *const names[] = {"operator[]", "operator()", "at"};
    int32_t callee = cc_tree_at(s->tree, n)->kind == CC_N_CALL ? cc_tree_at(s->tree, n)->decl : -1;
    bool found = false;
    for (size_t i = 0; callee >= 0 && i < CC_COUNT(names); i++)
        found = found || strcmp(s->tree->decls[callee].name, names[i]) == 0;
    return found;
}

/* Whether it is only on the way to another: `v[i]` of `v[i][j]`. */
static bool is_row(const struct scan *s, uint32_t n)
{
    bool row = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !row; i++)
        row = is_element(s, i) && cc_tree_bare(s->tree, cc_tree_at(s->tree, i)->child) == n;
    return row;
}

/* Whether the element is one by what does not change within an iteration. */
static bool is_steady(const struct scan *s, uint32_t n, int32_t counter)
{
    const struct cc_tree_node *at = cc_tree_at(s->tree, n);
    bool steady = true;
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(s->tree, i);
        if (x->kind == CC_N_REF && x->decl >= 0 && x->begin >= at->begin && x->end <= at->end)
            steady = steady && (x->decl == counter || !s->variables[x->decl].write_line);
    }
    return steady;
}

/* Whether something in the loop decides that a is run, and b all the same. */
static bool is_chosen(const struct scan *s, uint32_t a, uint32_t b)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool chooses = x->kind == CC_N_IF || x->kind == CC_N_SWITCH || x->kind == CC_N_SELECT ||
                       x->kind == CC_N_BINARY || cc_tree_is_loop(x->kind);
        if (i == s->loop || !chooses || !cc_tree_holds(t, s->loop, i) || !cc_tree_holds(t, i, a))
            continue;
        if (!cc_tree_is_loop(x->kind) || !cc_tree_holds(t, i, b))
            return true;
    }
    return false;
}

/* Whether the iteration has set the element before, whatever happens. */
static bool is_set_before(const struct scan *s, uint32_t n, int32_t counter)
{
    for (size_t i = 0; i < s->given.n; i++) {
        const struct scan_given *g = &s->given.v[i];
        uint32_t place = cc_tree_bare(s->tree, cc_tree_at(s->tree, g->node)->child);
        if (!g->op && cc_tree_at(s->tree, g->node)->end <= cc_tree_at(s->tree, n)->begin &&
            cc_scan_same_text(s, place, n) && is_steady(s, n, counter) && !is_chosen(s, g->node, n))
            return true;
    }
    return false;
}

/* The element whose place is told somebody, `&v[i]` or by a reference: who gets it may change it. */
static uint32_t handed_out(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool taken = x->kind == CC_N_UNARY && x->op == CC_OP_ADDR;
    uint32_t place = taken       ? cc_tree_bare(s->tree, x->child)
                     : x->handed ? cc_tree_bare(s->tree, n)
                                 : CC_NODE_NONE;
    return place != CC_NODE_NONE && cc_tree_holds(s->tree, s->loop, n) && is_element(s, place) ? place
                                                                                               : CC_NODE_NONE;
}

int32_t cc_given_met(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    int32_t decl = is_element(s, n) && !is_row(s, n) ? holder(s, n) : -1;
    for (size_t k = 0; decl >= 0 && k < s->given.n; k++)
        if (about(s, s->given.v[k].node) == decl &&
            !cc_scan_same_text(s, cc_tree_bare(t, cc_tree_at(t, s->given.v[k].node)->child), n))
            return decl;
    return -1;
}

/* Looks at elements of what the loop assigns to by way of calls, each text of a line once. */
static void tell_looks(const struct scan *s, int32_t counter, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i), *loop = cc_tree_at(t, s->loop);
        int32_t decl = is_element(s, i) && x->begin >= loop->begin && x->end <= loop->end && !is_row(s, i)
                           ? holder(s, i)
                           : -1;
        bool given = false, assigned = false;
        for (uint32_t k = 0; decl >= 0 && k < t->nnodes; k++) {
            uint32_t place = handed_out(s, k);
            given = given || (place != CC_NODE_NONE && holder(s, place) == decl);
            assigned = assigned || place == i;
        }
        for (size_t k = 0; k < s->given.n; k++) {
            uint32_t place = cc_tree_bare(t, cc_tree_at(t, s->given.v[k].node)->child);
            given = given || (decl >= 0 && about(s, s->given.v[k].node) == decl);
            assigned = assigned || (place == i && !s->given.v[k].op);
        }
        for (uint32_t k = 0; k < i && given; k++)
            assigned = assigned || (is_element(s, k) && cc_tree_at(t, k)->line == x->line &&
                                    cc_tree_at(t, k)->begin >= loop->begin && cc_scan_same_text(s, k, i));
        if (given && !assigned && !is_own(s, decl) && !is_set_before(s, i, counter))
            fprintf(out, "Q\t%u\t%s\n", x->line, t->decls[decl].name);
    }
}

/* Whether the loop does nothing with it but assign to what calls about it hand back. */
static bool is_result(const struct scan *s, int32_t decl)
{
    size_t assigned = 0;
    for (size_t i = 0; i < s->given.n; i++)
        assigned += !s->given.v[i].op && about(s, s->given.v[i].node) == decl;
    return decl >= 0 && !s->variables[decl].inside && cc_tree_mentions(s->tree, s->loop, decl) == assigned;
}

/* What functions of the library read to write it elsewhere: compilers make loads and stores of them, and keep
 * in a register what the next iteration would load. */
static void tell_copies(const struct scan *s, FILE *out)
{
    static const char copying[] = " memcpy memmove mempcpy bcopy strcpy stpcpy strncpy wmemcpy wmemmove "
                                  "__builtin_memcpy __builtin_memmove ";
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->kind != CC_N_CALL || x->decl < 0 || !cc_tree_holds(t, s->loop, i) ||
            !cc_text_listed(copying, t->decls[x->decl].name) || cc_tree_part(t, i, 2) == CC_NODE_NONE)
            continue;
        int32_t a = cc_scan_base(s, cc_tree_part(t, i, 1)), b = cc_scan_base(s, cc_tree_part(t, i, 2));
        bool apart = a >= 0 && b >= 0 && a != b && t->decls[a].type.class == CC_T_ARRAY &&
                     t->decls[b].type.class == CC_T_ARRAY && t->decls[a].kind != CC_D_PARAM &&
                     t->decls[b].kind != CC_D_PARAM;
        bool own = (a >= 0 && s->variables[a].inside && t->decls[a].type.class != CC_T_POINTER) ||
                   (b >= 0 && s->variables[b].inside && t->decls[b].type.class != CC_T_POINTER);
        if (!apart && !own)
            fprintf(out, "K\t%u\t%s\n", x->line, b >= 0 ? t->decls[b].name : "");
    }
}

void cc_given_tell(const struct scan *s, int32_t counter, FILE *out)
{
    tell_copies(s, out);
    tell_looks(s, counter, out);
    for (size_t i = 0; i < s->given.n; i++) {
        int32_t decl = about(s, s->given.v[i].node);
        if (!is_own(s, decl))
            fprintf(out, "B\t%u\t%s\t%d\t%s\n", cc_tree_at(s->tree, s->given.v[i].node)->line,
                    s->given.v[i].op ? s->given.v[i].op : "", is_result(s, decl),
                    decl >= 0 ? s->tree->decls[decl].name : "");
    }
}

/* Whether a call hands out a place of what it is about: an element, or what an iterator is at. */
static bool hands_out(const struct scan *s, uint32_t n)
{
    static const char names[] = " operator* operator-> front back ";
    int32_t callee = cc_tree_at(s->tree, n)->kind == CC_N_CALL ? cc_tree_at(s->tree, n)->decl : -1;
    return is_element(s, n) || (callee >= 0 && cc_text_listed(names, s->tree->decls[callee].name));
}

/* The line where a function looks at what it also assigns to by way of calls; 0: nowhere. */
static unsigned looked_at(const struct scan *s, const struct scan_given *g)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, g->node);
    if (g->op || x->kind == CC_N_UNARY || x->op != CC_OP_NONE)
        return x->line;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        bool assigned = !hands_out(s, i) || is_row(s, i);
        for (size_t k = 0; k < s->given.n && !assigned; k++)
            assigned = i == cc_tree_bare(t, cc_tree_at(t, s->given.v[k].node)->child);
        if (!assigned && holder(s, i) == about(s, g->node))
            return cc_tree_at(t, i)->line;
    }
    return 0;
}

void cc_given_states(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (size_t i = 0; i < s->given.n; i++) {
        const struct scan_given *g = &s->given.v[i];
        unsigned line = looked_at(s, g);
        int32_t decl = about(s, g->node);
        bool param = decl >= 0 && t->decls[decl].kind == CC_D_PARAM && t->decls[decl].reference;
        if (line && !is_own(s, decl))
            fprintf(out, "U\t%u\t%d\t\n", line, cc_source_always(t, line) | param << 1);
    }
}

/* `h.resume()` of a library's handle. */
bool cc_given_resumes(const struct cc_tree *t, uint32_t n)
{
    int32_t callee = cc_tree_at(t, n)->kind == CC_N_CALL ? cc_tree_at(t, n)->decl : -1;
    return callee >= 0 && t->decls[callee].in_system_header && strcmp(t->decls[callee].name, "resume") == 0;
}

bool cc_given_inserts(const struct scan *s, uint32_t call)
{
    int32_t decl = cc_tree_at(s->tree, call)->decl;
    const struct cc_decl *d = decl >= 0 ? &s->tree->decls[decl] : NULL;
    return d && d->changes && d->in_system_header && d->usr && strcmp(d->name, "operator[]") == 0 &&
           (strstr(d->usr, "@map@") || strstr(d->usr, "@unordered_map@"));
}

/* `v.push_back(x)` of a library's class changes v as `v += x` would: compilers keep where its end is in a
 * register, and of its source nothing is known. Not so where a method only hands out a place or a value, and
 * for operators (`v[i]`, `++it`), which are looked at where they stand. */
bool cc_given_moves(const struct scan *s, uint32_t call)
{
    static const char hands_out[] =
        " at begin end rbegin rend data front back get find lower_bound upper_bound equal_range value top "
        "lock unlock load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor ";
    int32_t decl = cc_tree_at(s->tree, call)->decl;
    const struct cc_decl *d = decl >= 0 ? &s->tree->decls[decl] : NULL;
    return cc_given_resumes(s->tree, call) ||
           (d && d->changes && d->in_system_header && strncmp(d->name, "operator", 8) != 0 &&
            !cc_text_listed(hands_out, d->name));
}
