/* Who else may look at a number that a loop sets by its name: an object that holds where it is (`look f{k};`
 * with `int &k` in it, `std::ref(k)`, `f.bind(k)`), also by way of others, if the loop mentions that; and
 * functions of the program, if one of them was told where it is. Compilers see through all of it, and hand
 * the number on in a register. */
#include "scan.h"

#include <ctype.h>

enum { DEEP = 4 }; /* objects that hold objects are followed so far */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether n, or something in it, is where the variable is, and not what it holds: its address, or in C++ its
 * name where nothing takes the value. */
static bool tells_place(const struct cc_tree *t, uint32_t n, int32_t decl, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (depth > SCAN_DEPTH)
        return true;
    if (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR && cc_scan_plain(t, x->child) == decl)
        return true;
    if (x->kind == CC_N_REF && x->decl == decl)
        return !cc_class_is_c(t) && !x->taken;
    bool found = false;
    for (uint32_t c = x->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = tells_place(t, c, decl, depth + 1);
    return found;
}

/* Whether a lambda that is written there captures the variable by a reference, by its name or with all
 * others: in its body nothing tells. */
static bool captures(const struct cc_tree *t, uint32_t n, int32_t decl)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    const char *name = t->decls[decl].name;
    size_t size = strlen(name);
    for (uint32_t at = x->begin; t->trait_line[CC_TRAIT_LAMBDA] && at < x->end; at++) {
        bool opens = t->text[at] == '[' && (at == x->begin || strchr("(,={ \t\n", t->text[at - 1]));
        if (!opens)
            continue;
        const char *from = t->text + at + 1, *to = strchr(from, ']');
        bool all = *from == '&' && to && (from[1] == ',' || from + 1 == to);
        for (const char *p = from; to && p < to && !all; p++)
            all = *p == '&' && strncmp(p + 1, name, size) == 0 && !is_name(p[1 + size]);
        if (all && cc_tree_mentions(t, n, decl))
            return true;
    }
    return false;
}

static bool may_hold(const struct cc_decl *d)
{
    int class = d->type.class;
    return d->holds && d->kind != CC_D_FUNCTION && d->kind != CC_D_OTHER &&
           (d->reference || class == CC_T_RECORD || class == CC_T_NONE || class == CC_T_ARRAY);
}

static bool holds(const struct scan *s, int32_t holder, int32_t decl, unsigned depth);

/* Whether n mentions the place of the variable, or something that holds it. */
static bool leads(const struct scan *s, uint32_t n, int32_t holder, int32_t decl, unsigned depth)
{
    const struct cc_tree *t = s->tree;
    if (n == CC_NODE_NONE)
        return false;
    bool found = tells_place(t, n, decl, 0) || captures(t, n, decl);
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF)) {
        int32_t d = cc_tree_at(t, *i)->decl;
        found = found || (depth < DEEP && d >= 0 && d != decl && d != holder && cc_tree_holds(t, n, *i) &&
                          may_hold(&t->decls[d]) && holds(s, d, decl, depth + 1));
    }
    return found;
}

/* What stands outside of functions is in the text alone: from the object's name to the end of its
 * declaration. */
static bool holds_at_file(const struct cc_tree *t, const struct cc_decl *holder, const char *name)
{
    size_t size = strlen(name);
    const char *end = strchr(t->text + holder->begin, ';'), *at = t->text + holder->begin;
    for (; end && (at = strstr(at, name)) && at < end; at += size)
        if (at > t->text && !is_name(at[-1]) && !is_name(at[size]))
            return true;
    return false;
}

static bool is_at_file(const struct cc_decl *d)
{
    return d->kind == CC_D_GLOBAL || d->kind == CC_D_STATIC;
}

bool cc_hold_at_file(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    const char *name = t->decls[decl].name;
    size_t size = strlen(name);
    if (!is_at_file(&t->decls[decl]) || !size)
        return false;
    for (const char *at = t->text; (at = strstr(at, name)); at += size) {
        const char *before = at;
        while (before > t->text && isspace((unsigned char)before[-1]))
            before--;
        bool address = before > t->text + 1 && before[-1] == '&' && before[-2] != '&';
        if (address && !is_name(at[size]))
            return true;
    }
    return false;
}

static bool holds(const struct scan *s, int32_t holder, int32_t decl, unsigned depth)
{
    const struct cc_tree *t = s->tree;
    if (is_at_file(&t->decls[holder]) && is_at_file(&t->decls[decl]) &&
        holds_at_file(t, &t->decls[holder], t->decls[decl].name))
        return true;
    bool found = false;
    for (CC_TREE_EACH(t, i, CC_N_VAR, CC_N_CALL)) { /* and assignments */
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        uint32_t from = x->kind == CC_N_VAR && x->decl == holder ? x->child
                        : x->kind == CC_N_ASSIGN && cc_scan_base(s, x->child) == holder
                            ? cc_tree_part(t, *i, 1)
                        : x->kind == CC_N_CALL && cc_tree_mentions(t, *i, holder) ? *i
                                                                                  : CC_NODE_NONE;
        found = found || leads(s, from, holder, decl, depth);
    }
    return found;
}

/* --- functions --- */

static bool is_of_program(const struct cc_tree *t, const struct cc_tree_node *x)
{
    return x->kind == CC_N_CALL && (x->decl < 0 || !t->decls[x->decl].in_system_header);
}

/* Whether a function of the program was told, outside of the loop, where the variable is, and may have kept
 * that. */
static bool is_told(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    bool told = false;
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL))
        for (uint32_t c = cc_tree_part(t, *i, 1); c != CC_NODE_NONE && !told; c = cc_tree_at(t, c)->next) {
            const struct cc_tree_node *x = cc_tree_at(t, cc_tree_bare(t, c));
            bool address = x->kind == CC_N_UNARY && x->op == CC_OP_ADDR &&
                           cc_scan_plain(t, x->child) == decl && !cc_lend_is_lent(s, cc_tree_bare(t, c)),
                 reference = cc_tree_at(t, c)->handed && cc_scan_plain(t, c) == decl;
            told = (address || reference) && is_of_program(t, cc_tree_at(t, *i)) &&
                   !cc_tree_holds(t, s->loop, *i);
        }
    return told;
}

/* Something that the loop mentions and that holds where the variable is: its line; 0: there is none. */
static unsigned held_at(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    bool *asked = cc_alloc(t->ndecls + 1);
    unsigned line = 0;
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        if (line || x->decl < 0 || x->decl == decl || asked[x->decl] || !cc_tree_holds(t, s->loop, *i))
            continue;
        asked[x->decl] = true;
        if (may_hold(&t->decls[x->decl]) && holds(s, x->decl, decl, 0))
            line = x->line;
    }
    free(asked);
    return line;
}

static bool is_number(const struct cc_decl *d)
{
    int class = d->type.class;
    return d->kind != CC_D_FUNCTION && d->kind != CC_D_OTHER && !d->reference && class != CC_T_RECORD &&
           class != CC_T_ARRAY && class != CC_T_FUNCTION;
}

void cc_hold_tell(const struct scan *s, FILE *out)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (is_number(&s->tree->decls[d]) && !s->variables[d].inside && !s->variables[d].mentions &&
            held_at(s, d))
            fprintf(out, "H\t%s\n", s->tree->decls[d].name);
}

unsigned cc_hold_meets(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    if (!s->variables[decl].write_line || !is_number(&t->decls[decl]))
        return 0;
    unsigned line = held_at(s, decl);
    bool told = !line && is_told(s, decl);
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL))
        if (told && !line && cc_tree_holds(t, s->loop, *i) && is_of_program(t, cc_tree_at(t, *i)))
            line = cc_tree_at(t, *i)->line;
    return line;
}
