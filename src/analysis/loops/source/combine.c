/* `static void add(double *sum, double v) { *sum += v; }`: a function that does nothing but combine what one
 * of its parameters leads to with values. A call of it, where the argument says what that is (`add(&s, x)`,
 * `add(s, x)` of a reference), is taken for the assignment. Only functions that were read before. */
#include "scan.h"

void cc_combiners_fini(struct combiners *c)
{
    for (size_t i = 0; i < c->v.n; i++)
        free(c->v.v[i].usr);
    CC_VEC_FINI(&c->v);
    for (size_t i = 0; i < c->borrowers.n; i++)
        free(c->borrowers.v[i].usr);
    CC_VEC_FINI(&c->borrowers);
}

static bool is_param(const struct cc_tree *t, int32_t decl)
{
    return decl >= 0 && (size_t)decl < t->nparams && t->decls[decl].kind == CC_D_PARAM;
}

/* Whether the body is one statement, and mentions only parameters and constants. */
static bool is_simple(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    uint32_t only = t->body == CC_NODE_NONE ? CC_NODE_NONE : cc_tree_at(t, t->body)->child;
    if (only == CC_NODE_NONE || cc_tree_at(t, only)->next != CC_NODE_NONE || s->calls || s->given.n)
        return false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool mentions = x->kind == CC_N_REF && x->decl >= 0 && !t->decls[x->decl].has_value;
        if ((mentions && !is_param(t, x->decl)) || x->kind == CC_N_ASM || x->kind == CC_N_LABEL ||
            x->kind == CC_N_RETURN || cc_tree_is_loop(x->kind))
            return false;
    }
    return true;
}

/* The parameter behind which all is combined by one operator; -1: none. */
static int32_t combined(const struct scan *s, const char **ret_op)
{
    const struct cc_tree *t = s->tree;
    int32_t found = -1;
    unsigned written = 0;
    for (int32_t d = 0; d < (int32_t)t->ndecls; d++) {
        const struct scan_variable *v = &s->variables[d];
        written += v->write_line || v->address;
        if (v->write_line && v->op && cc_class_combined(v) && is_param(t, d) && t->decls[d].reference)
            found = d, *ret_op = v->op;
    }
    if (written || s->arrays.n != 1)
        return written == 1 && !s->arrays.n ? found : -1;
    const struct scan_array *a = &s->arrays.v[0];
    bool one = a->op && !a->mixed && !a->passed && !a->whole && a->accounted == a->accesses &&
               !a->field.size && cc_tree_at(t, a->first)->kind == CC_N_UNARY;
    for (size_t i = 0; i < a->all.n; i++)
        one = one && cc_scan_plain(t, cc_tree_at(t, a->all.v[i])->child) == a->decl;
    *ret_op = a->op;
    return one && is_param(t, a->decl) ? a->decl : -1;
}

const char *cc_combiners_learn(struct combiners *c, const struct scan *s)
{
    const char *op = NULL;
    int32_t param = s->tree->usr && is_simple(s) ? combined(s, &op) : -1;
    if (param < 0)
        return NULL;
    CC_VEC_PUSH(&c->v,
                ((struct combiner){cc_strdup(s->tree->usr), param, s->tree->decls[param].reference, op}));
    return op;
}

uint32_t cc_combine_place(const struct scan *s, uint32_t n, const char **ret_op)
{
    const struct cc_tree *t = s->tree;
    int32_t callee = cc_tree_at(t, n)->kind == CC_N_CALL ? cc_tree_at(t, n)->decl : -1;
    const char *usr = callee >= 0 ? t->decls[callee].usr : NULL;
    for (size_t i = 0; usr && s->combiners && i < s->combiners->v.n; i++) {
        const struct combiner *c = &s->combiners->v.v[i];
        uint32_t arg = strcmp(c->usr, usr) == 0 ? cc_tree_part(t, n, c->param + 1) : CC_NODE_NONE;
        uint32_t place = arg == CC_NODE_NONE ? CC_NODE_NONE : cc_tree_bare(t, arg);
        if (place == CC_NODE_NONE)
            continue;
        const struct cc_tree_node *x = cc_tree_at(t, place);
        *ret_op = c->op;
        if (!c->reference)
            return x->kind == CC_N_UNARY && x->op == CC_OP_ADDR ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        bool simple = x->kind == CC_N_REF || x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER;
        return simple ? place : CC_NODE_NONE;
    }
    return CC_NODE_NONE;
}

/* Whether it is a variable that is declared in there: the next iteration, or call, has another. */
static bool is_own(const struct scan *s, int32_t decl, bool address)
{
    if (decl >= 0 && address && s->loop && cc_class_set_first(s, s->loop, decl))
        return true;
    if (decl >= 0 && address && s->loop && s->variables[decl].lent && !s->variables[decl].address &&
        cc_class_of(s, s->loop, decl, -1) == CC_SOURCE_PRIVATE)
        return true;
    if (decl < 0 || !s->variables[decl].inside || s->tree->decls[decl].kind != CC_D_LOCAL ||
        s->tree->decls[decl].reference)
        return false;
    int class = s->tree->decls[decl].type.class;
    return address ? class != CC_T_POINTER : class == CC_T_ARRAY;
}

/* The object that a method is called of, `s` of `s.grow(x)` and of `s += x`; CC_NODE_NONE: none, or another
 * part of the caller's own. */
static uint32_t object_of(const struct scan *s, uint32_t call, bool *ret_any)
{
    const struct cc_tree *t = s->tree;
    uint32_t n = cc_tree_bare(t, cc_tree_at(t, call)->child);
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    bool function = x && x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].kind == CC_D_FUNCTION;
    int32_t callee = cc_tree_at(t, call)->decl;
    bool builds = callee >= 0 && t->decls[callee].builds; /* what it makes is new */
    *ret_any = x && !function && !builds;
    return *ret_any && x->kind == CC_N_MEMBER ? x->child : n;
}

/* An argument: a number, the address of what is declared in there, or an object that stays as it is. */
bool cc_combine_owns(const struct scan *s, uint32_t c)
{
    const struct cc_tree *t = s->tree;
    uint32_t n = cc_tree_bare(t, c);
    const struct cc_tree_node *x = cc_tree_at(t, n == CC_NODE_NONE ? c : n);
    bool address = x->kind == CC_N_UNARY && x->op == CC_OP_ADDR, handed = cc_tree_at(t, c)->handed;
    int32_t decl = cc_scan_plain(t, address ? x->child : c);
    bool value = x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT || x->type.class == CC_T_RECORD;
    return is_own(s, decl, address || handed) || (!address && !handed && value);
}

unsigned cc_combine_operands(const struct scan *s, uint32_t call)
{
    const struct cc_tree *t = s->tree;
    unsigned n = 0;
    for (uint32_t c = cc_tree_at(t, call)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next) {
        const struct cc_tree_node *x = cc_tree_at(t, cc_tree_bare(t, c));
        n += x->kind != CC_N_REF || x->decl < 0 || t->decls[x->decl].kind != CC_D_FUNCTION;
    }
    return n;
}

/* `a + b` of a class: a value, and no place. */
static bool is_value(const struct scan *s, uint32_t n)
{
    static const char names[] = " operator+ operator- operator* operator/ operator% ";
    int32_t callee = cc_tree_at(s->tree, n)->kind == CC_N_CALL ? cc_tree_at(s->tree, n)->decl : -1;
    return callee >= 0 && cc_text_listed(names, s->tree->decls[callee].name) && cc_combine_operands(s, n) > 1;
}

bool cc_combine_owns_object(const struct scan *s, uint32_t call)
{
    bool method = false;
    uint32_t object = object_of(s, call, &method);
    return !method || (object != CC_NODE_NONE &&
                       (is_value(s, object) || is_own(s, cc_scan_plain(s->tree, object), true)));
}

bool cc_combine_gets_own(const struct scan *s, uint32_t call)
{
    const struct cc_tree *t = s->tree;
    bool own = true;
    if (!cc_combine_owns_object(s, call))
        return false;
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE && own; c = cc_tree_at(t, c)->next) {
        uint32_t n = cc_tree_bare(t, c);
        int32_t decl = n == CC_NODE_NONE ? -1 : cc_tree_at(t, n)->decl;
        bool name = decl >= 0 && decl == cc_tree_at(t, call)->decl; /* `+=` of `s += x` */
        own = name || cc_combine_owns(s, c);
    }
    return own;
}
