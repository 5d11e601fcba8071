/* What functions of the library do to objects of classes: move them on, put something into them, read them to
 * write it elsewhere. */
#include "live.h"
#include "scan.h"

/* `++out`: an object goes on from what it was. Of what the loop tests, that is how it counts. */
bool cc_given_goes_on(const struct scan *s, uint32_t call, int32_t decl)
{
    static const char operators[] = " operator++ operator-- operator+= operator-= operator*= ";
    const struct cc_tree *t = s->tree;
    int32_t callee = cc_tree_at(t, call)->decl;
    int kind = cc_tree_at(t, s->loop)->kind;
    uint32_t test = cc_tree_part(t, s->loop, kind == CC_N_FOR || kind == CC_N_DO ? 1 : 0);
    bool operates = callee >= 0 && cc_text_listed(operators, t->decls[callee].name);
    return operates && s->loop && t->decls[decl].type.class == CC_T_RECORD &&
           !(test != CC_NODE_NONE && cc_tree_mentions(t, test, decl));
}

static bool gives(const struct cc_tree *t, uint32_t call)
{
    static const char names[] = " swap exchange advance ";
    int32_t callee = cc_tree_at(t, call)->decl;
    return callee >= 0 && t->decls[callee].in_system_header && cc_text_listed(names, t->decls[callee].name);
}

bool cc_given_swaps(const struct scan *s, uint32_t call, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    return gives(t, call) && s->loop && t->decls[decl].type.class == CC_T_RECORD &&
           !s->variables[decl].inside;
}

/* An object of a class that is a part of another: `last` in a method, `m.last`. */
static bool is_part(const struct cc_tree *t, uint32_t n)
{
    return n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_MEMBER &&
           cc_tree_at(t, n)->type.class == CC_T_RECORD;
}

bool cc_given_swaps_part(const struct scan *s, uint32_t call, uint32_t n)
{
    return is_part(s->tree, n) && gives(s->tree, call);
}

/* Not so of complex numbers, which no register counts on: what is left of them is a load or a sum. */
bool cc_given_part(const struct scan *s, uint32_t call, uint32_t n)
{
    static const char operators[] = " operator= operator++ operator-- operator+= operator-= ";
    const struct cc_tree *t = s->tree;
    int32_t callee = cc_tree_at(t, call)->decl;
    const struct cc_decl *d = callee >= 0 ? &t->decls[callee] : NULL;
    return d && d->in_system_header && cc_text_listed(operators, d->name) && is_part(t, n) &&
           (strcmp(d->name, "operator=") == 0 || !d->usr || !strstr(d->usr, "complex")) &&
           (!s->loop || cc_scan_variable(s, cc_tree_at(t, n)->child) >= 0);
}

bool cc_given_sets_part(const struct scan *s, uint32_t call)
{
    int32_t callee = cc_tree_at(s->tree, call)->decl;
    return callee >= 0 && strcmp(s->tree->decls[callee].name, "operator=") == 0;
}

/* `last.value_or(0)`: a method of the library looks at a part. */
bool cc_given_asked(const struct scan *s, uint32_t call, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    int32_t callee = cc_tree_at(t, call)->decl;
    uint32_t of =
        n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_MEMBER ? cc_tree_at(t, n)->child : CC_NODE_NONE;
    return callee >= 0 && !s->loop && t->decls[callee].in_system_header && is_part(t, of);
}

/* The part that a call of the library's sets or changes, where that may lead elsewhere; CC_NODE_NONE: none.
 */
static uint32_t changed_part(const struct scan *s, uint32_t call)
{
    const struct cc_tree *t = s->tree;
    int32_t callee = cc_tree_at(t, call)->kind == CC_N_CALL ? cc_tree_at(t, call)->decl : -1;
    if (callee < 0 || (t->decls[callee].usr && strstr(t->decls[callee].usr, "complex")))
        return CC_NODE_NONE;
    uint32_t first = cc_tree_part(t, call, 0), second = cc_tree_part(t, call, 1);
    uint32_t n = first == CC_NODE_NONE ? first : cc_scan_strip(s, first);
    uint32_t m = second == CC_NODE_NONE ? second : cc_scan_strip(s, second);
    return cc_given_part(s, call, n) ? n : cc_given_swaps_part(s, call, m) ? m : CC_NODE_NONE;
}

/* `int v = *it;` of a member that `++it` changes: the load of what it leads to is none of where it stands. */
void cc_moves_parts(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        uint32_t part = changed_part(s, i);
        for (uint32_t k = 0; part != CC_NODE_NONE && k < t->nnodes; k++) {
            const struct cc_tree_node *y = cc_tree_at(t, k);
            if (y->kind == CC_N_MEMBER && k != part && cc_scan_same_text(s, part, k))
                fprintf(out, "U\t%u\t%d\t\t\n", y->line, cc_source_always(t, y->line) | 2);
        }
    }
}

/* The object of the library's that a call moves on: `*it++`, `it += n`, `std::advance(it, n)`. Not so of
 * complex numbers, which are summed, and of atomics, which all may count. */
static uint32_t moved_on(const struct cc_tree *t, uint32_t call)
{
    static const char operators[] = " operator++ operator-- operator+= operator-= ";
    int32_t callee = cc_tree_at(t, call)->decl;
    const struct cc_decl *d = callee >= 0 ? &t->decls[callee] : NULL;
    bool advances = gives(t, call);
    if (!d || !d->in_system_header || !(advances || cc_text_listed(operators, d->name)) ||
        (d->usr && (strstr(d->usr, "complex") || strstr(d->usr, "atomic"))))
        return CC_NODE_NONE;
    uint32_t n = cc_tree_part(t, call, advances ? 1 : 0);
    return n == CC_NODE_NONE ? n : cc_tree_bare(t, n);
}

/* What a function leaves further on for its next call: that it loads there is what the object leads to, and
 * where that is may be in a register. */
void cc_moves_on(const struct scan *s, FILE *out)
{
    enum { GIVEN = 2, WITHOUT_LOAD = 4, OBJECT = 32 };
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL)) {
        uint32_t n = moved_on(t, *i);
        if (n == CC_NODE_NONE || cc_tree_at(t, n)->type.class != CC_T_RECORD)
            continue;
        int32_t decl = cc_scan_base(s, n);
        const struct cc_decl *d = decl >= 0 ? &t->decls[decl] : NULL;
        bool captured = d && cc_source_captures(t, decl), param = d && d->kind == CC_D_PARAM && !captured;
        if (d && !captured && !d->reference && (param || d->kind == CC_D_LOCAL))
            continue;
        bool given = cc_tree_at(t, n)->kind == CC_N_MEMBER || param;
        unsigned line = cc_tree_at(t, *i)->line;
        fprintf(out, "U\t%u\t%d\t\t\n", line,
                (int)(cc_source_always(t, line) | WITHOUT_LOAD | (given ? GIVEN : OBJECT)));
    }
}

/* Whether a function sets a place to what follows what was there: `++p`, `p += 2`, `p = p + 1`. */
bool cc_moves_steps(const struct scan *s, uint32_t write)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool counts = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
        if ((!counts && x->kind != CC_N_ASSIGN) || cc_tree_bare(t, x->child) != write)
            continue;
        for (uint32_t k = 0; k < t->nnodes && !counts; k++)
            counts =
                x->op != CC_OP_NONE || (k != write && cc_tree_at(t, k)->kind == cc_tree_at(t, write)->kind &&
                                        cc_scan_same_text(s, write, k));
        if (counts)
            return true;
    }
    return false;
}

/* Whether somebody needs the value of an expression itself. */
static bool is_used(const struct cc_tree *t, uint32_t n)
{
    for (CC_TREE_EACH(t, i, CC_N_COMPOUND, CC_N_COMPOUND))
        for (uint32_t c = cc_tree_at(t, *i)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            if (cc_tree_bare(t, c) == n)
                return false;
    return true;
}

/* What the names in a place are of: of the call's own (it may be another one for each), of others. */
enum { NAMES_OWN = 1, NAMES_GIVEN = 2, NAMES_KEPT = 4 };
static unsigned names_in(const struct cc_tree *t, uint32_t place)
{
    unsigned found = 0;
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF)) {
        int32_t decl = cc_tree_at(t, *i)->decl;
        if (!cc_tree_holds(t, place, *i) || decl < 0 || t->decls[decl].kind == CC_D_FUNCTION ||
            t->decls[decl].has_value)
            continue;
        const struct cc_decl *d = &t->decls[decl];
        bool captured = cc_source_captures(t, decl), param = d->kind == CC_D_PARAM && !captured;
        found |= captured || (!param && d->kind != CC_D_LOCAL) ? NAMES_KEPT
                 : d->reference                                ? NAMES_GIVEN
                                                               : NAMES_OWN;
    }
    return found;
}

/* A whole number or a pointer that a call hands out, `std::get<0>(t)++`, `(*p)++`, `a[0] += 2`: where it is
 * the same one for each call, or decides something right away, compilers have it in a register that only
 * counts, and what the line loads is what that leads to. */
bool cc_moves_given(const struct scan *s, uint32_t assignment, unsigned *ret_flags)
{
    enum { GIVEN = 2, WITHOUT_LOAD = 4, OBJECT = 32 };
    const struct cc_tree *t = s->tree;
    uint32_t place = cc_tree_bare(t, cc_tree_at(t, assignment)->child);
    int class = place == CC_NODE_NONE ? CC_T_NONE : cc_tree_at(t, place)->type.class;
    unsigned names = place == CC_NODE_NONE ? 0 : names_in(t, place);
    *ret_flags = WITHOUT_LOAD | (names & NAMES_KEPT ? OBJECT : GIVEN);
    return (class == CC_T_INT || class == CC_T_POINTER) && names != NAMES_OWN &&
           (!(names & NAMES_OWN) || is_used(t, assignment)) && cc_moves_steps(s, place);
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
        "lock unlock exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor ";
    int32_t decl = cc_tree_at(s->tree, call)->decl;
    const struct cc_decl *d = decl >= 0 ? &s->tree->decls[decl] : NULL;
    return cc_given_resumes(s->tree, call) ||
           (d && d->changes && d->in_system_header && strncmp(d->name, "operator", 8) != 0 &&
            !cc_text_listed(hands_out, d->name));
}

/* What functions of the library read to write it elsewhere: compilers make loads and stores of them, and keep
 * in a register what the next iteration would load. */
void cc_moves_copies(const struct scan *s, FILE *out)
{
    static const char copying[] = " memcpy memmove mempcpy bcopy strcpy stpcpy strncpy wmemcpy wmemmove "
                                  "__builtin_memcpy __builtin_memmove copy copy_n copy_backward copy_if move "
                                  "move_backward transform rotate swap_ranges reverse_copy merge ";
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
