/* What a variable of a loop stands for where it is used, and which variables of the file stay as they are;
 * for form.c. */
#include "form.h"
#include "live.h"

enum { STANDS_DEPTH = 4 };

static const struct cc_tree_node *at(const struct forms *f, uint32_t n)
{
    return cc_tree_at(f->scan->tree, n);
}

/* Whether a write may be to whole numbers: to those of an array by its name, or to what has another type, it
 * is not. Characters may be anything. */
static bool may_be_whole_numbers(const struct forms *f, uint32_t write)
{
    const struct cc_tree *t = f->scan->tree;
    const struct cc_tree_node *x = at(f, cc_tree_bare(t, write));
    bool number = x->type.class == CC_T_FLOAT || x->type.class == CC_T_POINTER;
    for (uint32_t n = cc_tree_bare(t, write); !number && at(f, n)->child != CC_NODE_NONE;) {
        n = cc_tree_bare(t, at(f, n)->child);
        bool row = at(f, n)->kind == CC_N_SUBSCRIPT || at(f, n)->kind == CC_N_REF;
        if (!row || at(f, n)->type.class != CC_T_ARRAY)
            return true;
        if (at(f, n)->kind == CC_N_REF) /* a parameter is a pointer, whatever it looks like */
            return at(f, n)->decl < 0 || t->decls[at(f, n)->decl].kind == CC_D_PARAM;
    }
    return !number;
}

bool cc_stands_at_file(const struct forms *f, int32_t decl, uint32_t loop)
{
    const struct scan *s = f->scan;
    const struct cc_tree *t = s->tree;
    const struct cc_decl *d = &t->decls[decl];
    bool told = (d->kind == CC_D_GLOBAL || d->kind == CC_D_STATIC) &&
                (d->type.class == CC_T_INT || d->type.class == CC_T_ARRAY) && !s->calls &&
                !s->variables[decl].write_line && !s->variables[decl].address && cc_class_is_c(t) &&
                !t->trait_line[CC_TRAIT_ASM] && cc_tree_holds(t, s->loop, loop);
    for (size_t i = 0; i < s->arrays.n && told; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        told = a->decl != decl || (!a->write_line && !a->passed);
        for (size_t k = 0; k < a->writes.n && told; k++)
            told = !may_be_whole_numbers(f, a->writes.v[k]);
    }
    return told;
}

/* What `int b = i + j;` in the loop stands for, if nothing else ever sets b. */
static uint32_t definition(const struct forms *f, int32_t decl)
{
    const struct scan_variable *v = &f->scan->variables[decl];
    const struct cc_tree *t = f->scan->tree;
    if (!v->inside || v->write_line || v->address || t->decls[decl].kind != CC_D_LOCAL)
        return CC_NODE_NONE;
    for (CC_TREE_EACH(t, i, CC_N_VAR, CC_N_VAR))
        if (at(f, *i)->decl == decl)
            return at(f, *i)->child;
    return CC_NODE_NONE;
}

/* Whether an expression has the same value where a variable that got it is used: its counters are of loops
 * around both, or of none around either, and what else is made of counters is declared. */
static bool is_same_at(const struct forms *f, uint32_t value, uint32_t use, unsigned depth)
{
    const struct cc_tree *t = f->scan->tree;
    if (value == CC_NODE_NONE || depth > STANDS_DEPTH)
        return false;
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF)) {
        int32_t decl = cc_tree_holds(t, value, *i) ? at(f, *i)->decl : -1;
        const struct scan_variable *v = decl < 0 ? NULL : &f->scan->variables[decl];
        if (!v || (!v->counts && !v->inside && !v->write_line))
            continue;
        for (CC_TREE_EACH(t, k, CC_N_FOR, CC_N_FOR))
            if (v->counts && cc_tree_holds(t, *k, use) && !cc_tree_holds(t, *k, value) &&
                cc_scan_counter(t, *k) == decl)
                return false;
        if (!v->counts && decl != f->counter && !is_same_at(f, definition(f, decl), use, depth + 1))
            return false;
    }
    return true;
}

static bool is_jumped_to(const struct forms *f, uint32_t from, uint32_t to)
{
    for (CC_TREE_EACH(f->scan->tree, i, CC_N_CASE, CC_N_LABEL)) {
        int kind = at(f, *i)->kind;
        bool label = kind == CC_N_LABEL || kind == CC_N_CASE || kind == CC_N_DEFAULT;
        if (label && at(f, *i)->begin >= from && at(f, *i)->begin <= to)
            return true;
    }
    return false;
}

/* Whether a statement sets something that the expression is made of. */
static bool changes(const struct forms *f, uint32_t statement, uint32_t n)
{
    const struct cc_tree *t = f->scan->tree;
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF))
        if (cc_tree_holds(t, n, *i) && at(f, *i)->decl >= 0 && cc_scan_writes(t, statement, at(f, *i)->decl))
            return true;
    return false;
}

/* What `b = i + j;` in the loop stands for where it is used: a statement of a block around both that comes
 * first, with nothing between them that sets b, or what it was made of. */
static uint32_t assigned(const struct forms *f, int32_t decl, uint32_t use)
{
    const struct scan *s = f->scan;
    const struct cc_tree *t = s->tree;
    int kind = t->decls[decl].kind;
    uint32_t block = CC_NODE_NONE, set = CC_NODE_NONE;
    if ((kind != CC_D_LOCAL && kind != CC_D_PARAM) || t->decls[decl].reference ||
        !s->variables[decl].write_line || s->variables[decl].address || s->variables[decl].counts ||
        !cc_class_is_c(t))
        return CC_NODE_NONE;
    for (CC_TREE_EACH(t, i, CC_N_COMPOUND, CC_N_COMPOUND)) { /* the innermost block that sets it before */
        uint32_t last = CC_NODE_NONE;
        if (!cc_tree_holds(t, s->loop, *i) || !cc_tree_holds(t, *i, use) ||
            (block != CC_NODE_NONE && !cc_tree_holds(t, block, *i)))
            continue;
        for (uint32_t c = at(f, *i)->child; c != CC_NODE_NONE && at(f, c)->begin <= at(f, use)->begin;
             c = at(f, c)->next)
            last = cc_scan_writes(t, c, decl) ? c : last;
        block = last == CC_NODE_NONE ? block : *i;
        set = last == CC_NODE_NONE ? set : last;
    }
    bool plain = set != CC_NODE_NONE && at(f, set)->kind == CC_N_ASSIGN && at(f, set)->op == CC_OP_NONE &&
                 cc_scan_plain(t, at(f, set)->child) == decl && at(f, set)->end <= at(f, use)->begin;
    uint32_t value = plain ? cc_tree_part(t, set, 1) : CC_NODE_NONE;
    if (!plain || cc_scan_writes(t, value, decl) || cc_tree_mentions(t, value, decl) ||
        is_jumped_to(f, at(f, set)->end, at(f, use)->begin))
        return CC_NODE_NONE;
    for (uint32_t c = at(f, set)->next; c != CC_NODE_NONE && at(f, c)->begin <= at(f, use)->begin;
         c = at(f, c)->next)
        if (changes(f, c, value))
            return CC_NODE_NONE;
    return value;
}

bool cc_stands_for(const struct forms *f, int32_t decl, uint32_t use, uint32_t *ret)
{
    uint32_t stands = definition(f, decl);
    *ret = stands == CC_NODE_NONE ? assigned(f, decl, use) : stands;
    return *ret == CC_NODE_NONE || is_same_at(f, *ret, use, 0);
}
