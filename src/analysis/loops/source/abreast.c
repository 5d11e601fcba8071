/* Loops that go through vectors of the library side by side: `to[i] = from[i] * 2`, `c[i][j] = a[i][j] +
 * b[i][j]`. A vector has what lies in it for itself, vectors in it with all that is theirs: two of them are
 * one, or have nothing in common, whatever leads to them. So where all that the loop accesses is numbers in
 * vectors, and the counter alone says which, in the same of their subscripts everywhere, no two iterations
 * meet, whichever vectors these are. */
#include "scan.h"
#include "../../../base/text.h"

/* In which subscript of `v[i]`, `v[k][i]` it stands alone, from the last one on; 0: in none, or it is no
 * number that lies in a vector of the library. */
static unsigned place_of(const struct scan *s, uint32_t call, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    unsigned at = 0, level = 1;
    if (cc_tree_at(t, call)->kind != CC_N_CALL || !cc_given_of_vector(s, call) ||
        cc_tree_at(t, call)->type.class == CC_T_RECORD)
        return 0;
    for (uint32_t n = call; n != CC_NODE_NONE && cc_given_of_vector(s, n); level++) {
        uint32_t by = CC_NODE_NONE;
        for (uint32_t c = cc_tree_part(t, n, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            by = c;
        bool alone = by != CC_NODE_NONE && cc_scan_plain(t, cc_tree_bare(t, by)) == counter;
        at = !at && alone ? level : at;
        n = cc_tree_bare(t, cc_tree_at(t, n)->child);
    }
    return at;
}

static bool is_number_type(int class)
{
    return class == CC_T_INT || class == CC_T_FLOAT;
}

static bool is_number(const struct cc_tree_node *x)
{
    return is_number_type(x->type.class);
}

/* Whether a method is called on it, or it is the vector that something is an element of. */
static bool is_begun_by(const struct cc_tree *t, uint32_t call, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, call);
    if (x->kind != CC_N_CALL || x->child == CC_NODE_NONE)
        return false;
    uint32_t callee = cc_tree_bare(t, x->child);
    if (callee == n)
        return true;
    const struct cc_tree_node *m = cc_tree_at(t, callee);
    return m->kind == CC_N_MEMBER && m->child != CC_NODE_NONE && cc_tree_bare(t, m->child) == n;
}

/* Calls that look at no element: how many there are, and of numbers. */
static bool looks_at_none(const struct scan *s, uint32_t call)
{
    static const char numbers_of[] = " abs fabs fabsf sqrt sqrtf hypot exp expf log logf pow powf fmin fmax "
                                     "sin cos tan atan2 floor ceil min max ";
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    const struct cc_decl *d = &t->decls[x->decl];
    if (!d->in_system_header || !is_number(x))
        return false;
    uint32_t callee = cc_tree_bare(t, x->child);
    if (strcmp(d->name, "size") == 0)
        return !d->changes && cc_tree_at(t, callee)->kind == CC_N_MEMBER;
    bool numbers = cc_tree_at(t, callee)->kind == CC_N_REF && cc_text_listed(numbers_of, d->name);
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE && numbers; c = cc_tree_at(t, c)->next)
        numbers = is_number(cc_tree_at(t, c));
    return numbers;
}

/* A vector on the way to its element, or to how many it has. */
static bool is_on_the_way(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    bool is = false;
    for (uint32_t i = 0; i < t->nnodes && !is; i++)
        is = is_begun_by(t, i, n) && (cc_given_of_vector(s, i) || looks_at_none(s, i));
    return is;
}

/* The name of what is called, which leads to nothing by itself. */
static bool is_callee(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool callee = x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].kind == CC_D_FUNCTION;
    for (uint32_t i = 0; i < t->nnodes && !callee; i++)
        callee = cc_tree_at(t, i)->kind == CC_N_CALL && cc_tree_bare(t, cc_tree_at(t, i)->child) == n;
    return callee;
}

/* Whether nothing of another iteration's is got at here: what is not known may lead anywhere. */
static bool is_harmless(const struct scan *s, uint32_t n, int32_t counter, unsigned place)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool record = x->type.class == CC_T_RECORD;
    if (x->alert)
        return false;
    switch (x->kind) {
    case CC_N_CALL:
        return x->decl >= 0 && (record ? cc_given_of_vector(s, n) && is_on_the_way(s, n)
                                       : place_of(s, n, counter) == place || looks_at_none(s, n));
    case CC_N_REF:
        return x->decl >= 0 && (is_callee(t, n) || (record ? is_on_the_way(s, n)
                                                           : is_number(x) && !t->decls[x->decl].reference));
    case CC_N_MEMBER:
        return record ? is_on_the_way(s, n) : is_callee(t, n);
    case CC_N_VAR:
        return x->decl >= 0 && is_number_type(t->decls[x->decl].type.class) && !t->decls[x->decl].reference;
    case CC_N_OTHER: { /* what only wraps one expression is that one */
        uint32_t of = cc_tree_bare(t, n);
        return of != n && (is_number(x) || record || is_callee(t, of));
    }
    case CC_N_UNARY:
        return x->op != CC_OP_DEREF && x->op != CC_OP_ADDR;
    case CC_N_COMPOUND:
    case CC_N_IF:
    case CC_N_FOR:
    case CC_N_CONTINUE:
    case CC_N_NULL:
    case CC_N_DECL:
    case CC_N_BINARY:
    case CC_N_ASSIGN:
    case CC_N_SELECT:
    case CC_N_LITERAL:
    case CC_N_CAST:
        return true;
    default:
        return false;
    }
}

bool cc_source_abreast(const struct scan *s, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    unsigned place = 0;
    if (!s->given.n || counter < 0 || cc_tree_at(t, s->loop)->kind != CC_N_FOR)
        return false;
    for (size_t i = 0; i < s->given.n; i++) {
        unsigned one = place_of(s, cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child), counter);
        if (!one || (place && one != place))
            return false;
        place = one;
    }
    uint32_t body = cc_tree_part(t, s->loop, 3);
    bool fine = body != CC_NODE_NONE && !cc_scan_writes(t, body, counter);
    for (uint32_t i = 0; i < t->nnodes && fine; i++)
        fine = i == s->loop || !cc_tree_holds(t, s->loop, i) || is_harmless(s, i, counter, place);
    return fine;
}
