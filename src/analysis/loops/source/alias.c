/* `struct body *x = &all[i];`, `struct body *x = all + i;`: a pointer that a loop declares, that nothing
 * changes, and that is only used to get at what it points to is another name for elements of what it was made
 * from. */
#include "live.h"
#include "scan.h"

static uint32_t bare(const struct cc_tree *t, uint32_t n)
{
    while (n != CC_NODE_NONE &&
           (cc_tree_at(t, n)->kind == CC_N_OTHER ||
            (cc_tree_at(t, n)->kind == CC_N_CAST && cc_tree_at(t, n)->op != 1)) &&
           cc_tree_at(t, n)->child != CC_NODE_NONE &&
           cc_tree_at(t, cc_tree_at(t, n)->child)->next == CC_NODE_NONE)
        n = cc_tree_at(t, n)->child;
    return n;
}

/* A variable that is an array or a pointer, or an element or field of one that is not reached through another
 * pointer. */
static bool is_place(const struct cc_tree *t, uint32_t n)
{
    n = bare(t, n);
    while (n != CC_NODE_NONE &&
           (cc_tree_at(t, n)->kind == CC_N_SUBSCRIPT || cc_tree_at(t, n)->kind == CC_N_MEMBER)) {
        n = bare(t, cc_tree_at(t, n)->child);
        if (n != CC_NODE_NONE && cc_tree_at(t, n)->kind != CC_N_REF &&
            cc_tree_at(t, n)->type.class == CC_T_POINTER)
            return false;
    }
    if (n == CC_NODE_NONE || cc_tree_at(t, n)->kind != CC_N_REF || cc_tree_at(t, n)->decl < 0)
        return false;
    int class = t->decls[cc_tree_at(t, n)->decl].type.class;
    return class == CC_T_POINTER || class == CC_T_ARRAY;
}

uint32_t cc_alias_base(const struct cc_tree *t, uint32_t n)
{
    return bare(t, cc_tree_at(t, n)->child);
}

/* `&a[i]` or `a + i`; CC_NODE_NONE: it is something else. */
static uint32_t made_from(const struct cc_tree *t, uint32_t value)
{
    uint32_t n = value == CC_NODE_NONE ? CC_NODE_NONE : bare(t, value);
    if (n == CC_NODE_NONE || cc_tree_at(t, n)->child == CC_NODE_NONE)
        return CC_NODE_NONE;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    uint32_t from = cc_alias_base(t, n);
    bool address =
        x->kind == CC_N_UNARY && x->op == CC_OP_ADDR && cc_tree_at(t, from)->kind == CC_N_SUBSCRIPT;
    bool whole = cc_tree_at(t, from)->kind == CC_N_REF ||
                 (cc_tree_at(t, from)->kind == CC_N_MEMBER && cc_tree_at(t, from)->type.class == CC_T_ARRAY);
    bool sum = x->kind == CC_N_BINARY && x->op == CC_OP_ADD && whole;
    return (address || sum) && is_place(t, from) ? n : CC_NODE_NONE;
}

/* Whether the variable is only mentioned where something it points to is accessed. from: asked of what stands
 * behind it in the loop, and nothing in front of it; CC_NODE_NONE: of all. */
static bool only_followed(const struct scan *s, int32_t decl, uint32_t from)
{
    const struct cc_tree *t = s->tree;
    size_t mentions = 0, followed = 0;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (from != CC_NODE_NONE && (!cc_tree_holds(t, s->loop, i) || cc_tree_holds(t, from, i)))
            continue;
        bool mentioned = x->kind == CC_N_REF && x->decl == decl;
        if (mentioned && from != CC_NODE_NONE && x->begin < cc_tree_at(t, from)->begin)
            return false;
        mentions += mentioned;
        bool follows = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                       (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
        uint32_t of = follows && x->child != CC_NODE_NONE ? bare(t, x->child) : CC_NODE_NONE;
        followed +=
            of != CC_NODE_NONE && cc_tree_at(t, of)->kind == CC_N_REF && cc_tree_at(t, of)->decl == decl;
    }
    return mentions == followed;
}

/* Whether memory tells where it leads. */
static bool loads(const struct cc_tree *t, uint32_t n)
{
    int kind = cc_tree_at(t, n)->kind;
    bool found = kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER || kind == CC_N_CALL ||
                 (kind == CC_N_UNARY && cc_tree_at(t, n)->op == CC_OP_DEREF);
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = loads(t, c);
    return found;
}

/* `row = &a[i];` as a statement of the loop's body that is the only one to set row, which is declared in
 * front of the loop and used behind the statement alone: as if it were declared there, if counters alone tell
 * which element it is. */
static void find_set(struct scan *s)
{
    const struct cc_tree *t = s->tree;
    int kind = cc_tree_at(t, s->loop)->kind;
    uint32_t body = cc_tree_part(t, s->loop, kind == CC_N_FOR ? 3 : kind == CC_N_WHILE ? 1 : 0);
    if (body == CC_NODE_NONE || cc_tree_at(t, body)->kind != CC_N_COMPOUND)
        return;
    for (uint32_t i = cc_tree_at(t, body)->child; i != CC_NODE_NONE; i = cc_tree_at(t, i)->next) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        int32_t decl = x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE ? cc_scan_plain(t, x->child) : -1;
        if (decl < 0 || t->decls[decl].kind != CC_D_LOCAL || t->decls[decl].type.class != CC_T_POINTER ||
            t->decls[decl].reference || cc_source_addressed(t, decl) || cc_tree_mentions(t, i, decl) != 1)
            continue;
        uint32_t from = only_followed(s, decl, i) ? made_from(t, cc_tree_part(t, i, 1)) : CC_NODE_NONE;
        uint32_t element =
            from == CC_NODE_NONE || cc_tree_at(t, from)->kind == CC_N_BINARY ? from : cc_alias_base(t, from);
        if (from != CC_NODE_NONE && !loads(t, cc_tree_part(t, element, 1)))
            s->alias[decl] = from;
    }
}

/* In C++ a lambda may capture it. */
void cc_alias_find(struct scan *s)
{
    const struct cc_tree *t = s->tree;
    s->alias = cc_alloc_array(t->ndecls + 1, sizeof *s->alias);
    for (size_t i = 0; i < t->ndecls; i++)
        s->alias[i] = CC_NODE_NONE;
    for (uint32_t i = 0; i < t->nnodes && !t->trait_line[CC_TRAIT_LAMBDA]; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool pointer = x->kind == CC_N_VAR && x->decl >= 0 && t->decls[x->decl].kind == CC_D_LOCAL &&
                       t->decls[x->decl].type.class == CC_T_POINTER;
        bool inside =
            !s->loop || (x->begin >= cc_tree_at(t, s->loop)->begin && x->end <= cc_tree_at(t, s->loop)->end);
        if (pointer && inside && only_followed(s, x->decl, CC_NODE_NONE))
            s->alias[x->decl] = made_from(t, x->child);
    }
    if (s->loop && !t->trait_line[CC_TRAIT_LAMBDA])
        find_set(s);
}

uint32_t cc_alias_of(const struct scan *s, int32_t decl)
{
    return decl < 0 || !s->alias ? CC_NODE_NONE : s->alias[decl];
}

bool cc_alias_behind(const struct scan *s, const struct scan_array *a)
{
    for (size_t i = 0; i < a->all.n; i++) {
        uint32_t n = cc_tree_at(s->tree, a->all.v[i])->child;
        for (; n != CC_NODE_NONE; n = cc_tree_at(s->tree, n)->child) {
            const struct cc_tree_node *x = cc_tree_at(s->tree, n);
            if ((x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER) && x->type.class == CC_T_POINTER)
                return true;
        }
    }
    return false;
}

/* `p = malloc(…)` */
static bool is_allocation(const struct cc_tree *t, uint32_t n)
{
    static const char *const names[] = {"malloc", "calloc", "aligned_alloc", "alloca", "__builtin_alloca"};
    while (n != CC_NODE_NONE && (cc_tree_at(t, n)->kind == CC_N_CAST || cc_tree_at(t, n)->kind == CC_N_OTHER))
        n = cc_tree_at(t, n)->child;
    bool named = n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_CALL && cc_tree_at(t, n)->decl >= 0;
    for (size_t k = 0; named && k < CC_COUNT(names); k++)
        if (strcmp(t->decls[cc_tree_at(t, n)->decl].name, names[k]) == 0)
            return true;
    return false;
}

/* Whether all that a pointer of the function's own is ever set to is fresh memory. */
static bool is_fresh(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    bool found = false;
    if (decl < 0 || s->variables[decl].address || t->decls[decl].kind != CC_D_LOCAL ||
        t->decls[decl].type.class != CC_T_POINTER)
        return false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC),
             set = x->kind == CC_N_ASSIGN, declared = x->kind == CC_N_VAR && x->decl == decl;
        if (declared && x->child == CC_NODE_NONE)
            continue;
        if (!declared && !((steps || set) && cc_scan_plain(t, x->child) == decl))
            continue;
        if (steps || !is_allocation(t, declared ? x->child : cc_tree_part(t, i, 1)))
            return false;
        found = true;
    }
    return found;
}

bool cc_alias_led(const struct scan *s, const struct scan_array *a)
{
    uint32_t n = cc_tree_bare(s->tree, a->first);
    return cc_alias_behind(s, a) && cc_tree_at(s->tree, n)->kind != CC_N_MEMBER;
}

/* Whether only its name can set it. */
static bool is_set_by_name(const struct cc_tree *t, int32_t decl)
{
    return cc_class_is_c(t) && !cc_source_addressed(t, decl);
}

bool cc_alias_fresh(const struct scan *s, const struct scan_array *a)
{
    return a->decl >= 0 && is_set_by_name(s->tree, a->decl) && is_fresh(s, a->decl) && !cc_alias_behind(s, a);
}

bool cc_alias_given(const struct scan *s, const struct scan_array *a)
{
    return a->decl >= 0 && s->tree->decls[a->decl].kind == CC_D_PARAM && is_set_by_name(s->tree, a->decl) &&
           !cc_scan_writes(s->tree, s->tree->body, a->decl) && !cc_alias_behind(s, a);
}

bool cc_alias_allocated(const struct scan *s, int32_t decl)
{
    return decl >= 0 && s->variables[decl].inside && is_fresh(s, decl);
}

/* --- numbers that a pointer leads to --- */

/* Whether a function of the program's hands back a place, which it may have from what it gets. */
static bool hands_out(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    return x->kind == CC_N_CALL && x->type.class == CC_T_POINTER &&
           !(x->decl >= 0 && t->decls[x->decl].in_system_header);
}

/* Whether a function gets it as it stands, and does not hand it back. */
static bool is_argument(const struct cc_tree *t, uint32_t n)
{
    bool is = false;
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL))
        for (uint32_t c = cc_tree_part(t, *i, 1); c != CC_NODE_NONE && !is; c = cc_tree_at(t, c)->next)
            is = cc_tree_bare(t, c) == n && !hands_out(t, *i);
    return is;
}

static bool is_own(const struct cc_decl *d)
{
    return d && (d->type.class == CC_T_ARRAY || d->type.class == CC_T_RECORD) && d->kind != CC_D_PARAM;
}

/* Whether the address of it, or of a part of it, is the value of something else than an argument: `p = &x`,
 * `p = row`. */
static bool is_pointed_to(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    bool found = false, array = t->decls[decl].type.class == CC_T_ARRAY;
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        uint32_t from = x->kind == CC_N_VAR      ? x->child
                        : x->kind == CC_N_ASSIGN ? cc_tree_part(t, i, 1)
                                                 : CC_NODE_NONE;
        bool pointer = x->kind == CC_N_VAR ? x->decl >= 0 && t->decls[x->decl].type.class == CC_T_POINTER
                                           : x->type.class == CC_T_POINTER;
        found = array && from != CC_NODE_NONE && pointer && cc_tree_mentions(t, from, decl);
        bool bound =
            x->kind == CC_N_VAR && x->decl >= 0 && t->decls[x->decl].reference && from != CC_NODE_NONE;
        if (bound && is_own(&t->decls[decl]))
            found = cc_scan_base(s, from) == decl;
        if (array && hands_out(t, i))
            found = cc_tree_mentions(t, i, decl);
        if (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR && !is_argument(t, i) && !found)
            found =
                (is_own(&t->decls[decl]) ? cc_scan_base(s, x->child) : cc_scan_plain(t, x->child)) == decl;
    }
    return found;
}

/* Whether what is accessed may be a number of that type, of a record's field or of none, and lies behind a
 * pointer that may lead anywhere: not what a caller has given, and nobody has set since. */
static bool may_be(const struct scan *s, const struct scan_array *a, uint32_t n,
                   const struct cc_tree_node *of)
{
    enum { BYTE = 8 };
    const struct cc_tree_node *x = cc_tree_at(s->tree, cc_tree_bare(s->tree, n));
    const struct cc_decl *d = a->decl < 0 ? NULL : &s->tree->decls[a->decl];
    bool given = d && d->kind == CC_D_PARAM && !cc_scan_writes(s->tree, s->tree->body, a->decl);
    if ((is_own(d) || given || is_fresh(s, a->decl)) && !cc_alias_behind(s, a))
        return false;
    bool both = x->kind == CC_N_MEMBER && of->kind == CC_N_MEMBER && x->record;
    if (both && x->record == of->record && x->value == of->value) /* of a union: of another type, even */
        return true;
    bool byte = x->type.class == CC_T_INT && x->type.bits <= BYTE,
         field = x->kind == CC_N_MEMBER && (x->record != of->record || x->value != of->value),
         whole = x->type.class == CC_T_RECORD && of->kind == CC_N_MEMBER;
    return whole || (!field && (byte || (x->type.class == of->type.class && x->type.bits == of->type.bits)));
}

/* The same of references, which C++ has beside pointers. */
static unsigned referred_at(const struct scan *s, const struct cc_tree_node *of, bool any)
{
    unsigned line = 0;
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls && !line; d++) {
        const struct cc_decl *r = &s->tree->decls[d];
        const struct scan_variable *v = &s->variables[d];
        bool same = r->reference && r->kind == CC_D_LOCAL && !v->inside && r->type.class == of->type.class &&
                    r->type.bits == of->type.bits;
        line = !same ? 0 : v->write_line ? v->write_line : any && v->mentions ? v->exposed_line : 0;
    }
    return line;
}

/* The first line in which the loop writes what may be that number; accesses it: if `any`. */
static unsigned met_at(const struct scan *s, const struct cc_tree_node *of, bool any)
{
    unsigned line = referred_at(s, of, any);
    for (size_t i = 0; i < s->arrays.n && !line; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        for (size_t k = 0; k < a->writes.n && !line; k++)
            line = may_be(s, a, a->writes.v[k], of) ? cc_tree_at(s->tree, a->writes.v[k])->line : 0;
        for (size_t k = 0; any && k < a->all.n && !line; k++)
            line = may_be(s, a, a->all.v[k], of) ? cc_tree_at(s->tree, a->all.v[k])->line : 0;
    }
    return line;
}

/* The same of an element that is looked at in every iteration, by one place. */
static unsigned element_met(const struct scan *s, int32_t decl, int32_t counter)
{
    unsigned line = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        for (size_t k = 0; a->decl == decl && k < a->asked.n && !line; k++) {
            const struct cc_tree_node *x = cc_tree_at(s->tree, cc_tree_bare(s->tree, a->asked.v[k]));
            bool number = x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT;
            line = number && !cc_scan_varies(s, a->asked.v[k], counter, true, 0) ? met_at(s, x, false) : 0;
        }
    }
    return line;
}

/* Whether a value tells where the variable is, or where that leads. A number has to have its address taken:
 * one that only says which element it is (`p = &a[k]`) is nowhere near. */
static bool tells_of(const struct cc_tree *t, uint32_t value, int32_t decl)
{
    int class = t->decls[decl].type.class;
    bool found = false;
    if (class != CC_T_INT && class != CC_T_FLOAT)
        return cc_tree_mentions(t, value, decl);
    for (CC_TREE_EACH(t, i, CC_N_UNARY, CC_N_UNARY))
        found = found || (cc_tree_at(t, *i)->op == CC_OP_ADDR && cc_tree_holds(t, value, *i) &&
                          cc_scan_plain(t, cc_tree_at(t, *i)->child) == decl);
    return found;
}

/* Whether a pointer is set to where the variable is, somewhere. */
static bool leads_to(const struct scan *s, int32_t pointer, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    bool leads = false;
    for (uint32_t i = 0; i < t->nnodes && pointer >= 0 && !leads; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        uint32_t from = x->kind == CC_N_VAR && x->decl == pointer ? x->child
                        : x->kind == CC_N_ASSIGN && cc_scan_plain(t, x->child) == pointer
                            ? cc_tree_part(t, i, 1)
                            : CC_NODE_NONE;
        bool bound = x->kind == CC_N_VAR && t->decls[pointer].reference;
        leads = from != CC_NODE_NONE && (bound ? cc_tree_mentions(t, from, decl) : tells_of(t, from, decl));
    }
    return leads;
}

/* The same of what the loop looks at by one pointer in every iteration, at one place, and writes by another,
 * both of which lead to the variable. */
static unsigned pointers_met(const struct scan *s, int32_t decl, int32_t counter)
{
    unsigned line = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        if (!leads_to(s, a->decl, decl))
            continue;
        for (size_t k = 0; k < a->asked.n && !line; k++) {
            const struct cc_tree_node *of = cc_tree_at(s->tree, cc_tree_bare(s->tree, a->asked.v[k]));
            for (size_t m = 0; m < s->arrays.n && !line; m++) {
                const struct scan_array *b = &s->arrays.v[m];
                bool other = b->writes.n && b->decl != a->decl && leads_to(s, b->decl, decl) &&
                             !cc_scan_varies(s, a->asked.v[k], counter, true, 0);
                for (size_t w = 0; other && w < b->writes.n && !line; w++)
                    line = may_be(s, b, b->writes.v[w], of) ? cc_tree_at(s->tree, b->writes.v[w])->line : 0;
            }
        }
    }
    return line;
}

unsigned cc_alias_meets(const struct scan *s, int32_t decl, int32_t counter)
{
    const struct scan_variable *v = &s->variables[decl];
    const struct cc_decl *d = &s->tree->decls[decl];
    const struct cc_tree_node as = {.type = d->type};
    bool number = d->type.class == CC_T_INT || d->type.class == CC_T_FLOAT || d->type.class == CC_T_POINTER;
    unsigned line = 0;
    if (v->inside || decl == counter || d->reference || d->kind == CC_D_FUNCTION || d->kind == CC_D_OTHER)
        return 0;
    if (number)
        line = v->mentions ? met_at(s, &as, v->write_line) : 0;
    else if (is_own(d) && !v->write_line)
        line = element_met(s, decl, counter);
    line =
        line && (is_pointed_to(s, decl) || cc_hold_at_file(s, decl)) ? line : pointers_met(s, decl, counter);
    return line ? line : cc_hold_meets(s, decl);
}
