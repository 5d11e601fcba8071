/* What becomes of a variable that is declared outside a loop and written in it, by what the walk has found.
 */
#include "live.h"
#include "scan.h"

/* The mention of the variable that `x`, `a[i]` or `s.x` is or is a part of; otherwise the node itself. */
static uint32_t named_by(const struct cc_tree *t, uint32_t n)
{
    uint32_t down = n;
    while (down != CC_NODE_NONE &&
           (cc_tree_at(t, down)->kind == CC_N_SUBSCRIPT || cc_tree_at(t, down)->kind == CC_N_MEMBER ||
            cc_tree_at(t, down)->kind == CC_N_CAST || cc_tree_at(t, down)->kind == CC_N_OTHER))
        down = cc_tree_at(t, down)->child;
    return down != CC_NODE_NONE && cc_tree_at(t, down)->kind == CC_N_REF ? down : n;
}

/* Whether a mention outside the loop may see what the loop left: after it, or in a loop around it, unless it
 * is set there. */
bool cc_class_seen_after(const struct cc_tree *t, uint32_t loop, int32_t decl)
{
    uint32_t begin = cc_tree_at(t, loop)->begin, end = cc_tree_at(t, loop)->end, around = begin;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool loops = x->kind == CC_N_FOR || x->kind == CC_N_WHILE || x->kind == CC_N_DO;
        if (loops && x->begin < begin && x->end >= end)
            around = CC_MIN(around, x->begin);
    }
    bool *set = cc_alloc(t->nnodes + 1);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool unused = x->kind == CC_N_CAST && x->op == 1 && x->type.class == CC_T_NONE; /* `(void)x` */
        if ((x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE) || unused)
            set[named_by(t, x->child)] = true;
    }
    bool seen = false;
    for (uint32_t i = 0; i < t->nnodes && !seen; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool outside = x->begin >= end || (x->begin >= around && x->begin < begin);
        seen = x->kind == CC_N_REF && x->decl == decl && outside && !set[i];
    }
    free(set);
    return seen;
}

/* The operator of a reduction; NULL: it is none. What every iteration sets is its last value. */
const char *cc_class_combined(const struct scan_variable *v)
{
    if (v->op && !v->mixed && v->accounted == v->mentions)
        return v->op;
    bool always = v->sets && v->sets == v->mentions;
    return always ? v->set ? "||" : "&&" : NULL;
}

/* Of a sum what is behind the point; of a minimum what is above its bits, or its sign, where the comparison
 * is one of wider numbers; of a truth value all but whether it is nothing. Sums and products of whole numbers
 * lose only what no order could keep. */
bool cc_class_loses(struct cc_ctype to, struct cc_ctype from, const char *op)
{
    enum { INT_BITS = 32 }; /* what narrower ones are compared as */
    bool extreme = strcmp(op, "min") == 0 || strcmp(op, "max") == 0, masks = *op == '&' || *op == '|';
    if (to.class != CC_T_INT || from.class != CC_T_INT)
        return to.class == CC_T_INT && from.class == CC_T_FLOAT;
    if (!extreme)
        return to.bits == 1 && from.bits != 1 && !masks;
    if (from.bits > to.bits || to.is_unsigned == from.is_unsigned)
        return from.bits > to.bits;
    return to.is_unsigned ? to.bits < INT_BITS : from.bits == to.bits;
}

/* Whether its address is taken anywhere else, and somebody may have it still. */
static bool is_addressed_outside(const struct scan *s, uint32_t loop, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    uint32_t begin = cc_tree_at(t, loop)->begin, end = cc_tree_at(t, loop)->end;
    bool found = false;
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool outside = x->begin < begin || x->begin >= end;
        uint32_t of = x->kind == CC_N_UNARY && x->op == CC_OP_ADDR ? named_by(t, x->child)
                      : x->handed                                  ? named_by(t, i)
                                                                   : CC_NODE_NONE;
        found = outside && of != CC_NODE_NONE && cc_tree_at(t, of)->kind == CC_N_REF &&
                cc_tree_at(t, of)->decl == decl && !cc_lend_is_lent(s, i);
    }
    return found;
}

bool cc_class_set_first(const struct scan *s, uint32_t loop, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    const struct scan_variable *v = &s->variables[decl];
    bool own = t->decls[decl].kind == CC_D_LOCAL || t->decls[decl].kind == CC_D_PARAM;
    bool first = v->write_line && v->addresses && !v->early && !v->bare && !v->handed;
    return own && first && !t->decls[decl].reference && !t->trait_line[CC_TRAIT_LAMBDA] &&
           !t->trait_line[CC_TRAIT_ASM] && !cc_class_seen_after(t, loop, decl) &&
           !is_addressed_outside(s, loop, decl);
}

/* Its address is taken: whoever has that may set it or look at it, which the run shows, but not on ways that
 * it did not go. */
static enum cc_source_class passed(const struct scan *s, uint32_t loop, int32_t decl)
{
    const struct scan_variable *v = &s->variables[decl];
    int kind = s->tree->decls[decl].kind;
    bool combined = v->op && !v->mixed && v->accounted + v->addresses == v->mentions;
    bool lasts = kind == CC_D_GLOBAL || kind == CC_D_STATIC || cc_class_seen_after(s->tree, loop, decl);
    bool kept = lasts && (!s->assigned[decl] || v->skipped); /* by the last iteration, from one before */
    if (v->write_line && !combined && (v->handed || v->bare || kept))
        return CC_SOURCE_CARRIED;
    if (cc_class_set_first(s, loop, decl))
        return CC_SOURCE_PRIVATE;
    return lasts ? CC_SOURCE_ADDRESS_LAST : CC_SOURCE_ADDRESS;
}

bool cc_class_is_c(const struct cc_tree *t)
{
    size_t size = strlen(t->file);
    return size > 2 && strcmp(t->file + size - 2, ".c") == 0;
}

bool cc_class_of_range(const struct cc_tree *t, const struct cc_tree_node *x)
{
    bool found = false;
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        const struct cc_tree_node *loop = cc_tree_at(t, i);
        uint32_t body = loop->kind == CC_N_WHILE && loop->op ? cc_tree_part(t, i, 1) : CC_NODE_NONE;
        found = body != CC_NODE_NONE && x->begin >= loop->begin && x->end <= cc_tree_at(t, body)->begin;
    }
    return found;
}

void cc_class_declared(struct scan *s, const struct cc_tree_node *x)
{
    if (x->decl < 0)
        return;
    cc_cover_changed(s, x->decl);
    const struct cc_decl *d = &s->tree->decls[x->decl];
    int class = d->type.class;
    if (d->kind == CC_D_STATIC)
        return;
    bool unset = x->child == CC_NODE_NONE && !d->reference && !cc_class_of_range(s->tree, x) &&
                 (class == CC_T_INT || class == CC_T_FLOAT || class == CC_T_POINTER);
    s->variables[x->decl].inside = true;
    s->variables[x->decl].unset = unset;
    bool record = class == CC_T_RECORD && cc_class_is_c(s->tree); /* elsewhere constructors may set it */
    s->variables[x->decl].blank = x->child == CC_NODE_NONE && (class == CC_T_ARRAY || record);
    s->assigned[x->decl] = !unset && !(record && x->child == CC_NODE_NONE);
}

bool cc_class_left_over(const struct scan *s, int32_t decl)
{
    const struct scan_variable *v = &s->variables[decl];
    if (v->blank && s->tree->decls[decl].type.class == CC_T_RECORD)
        return v->exposed_line && cc_cover_own_record(s, decl);
    return v->inside && v->unset && v->write_line && (v->address ? v->bare : v->exposed_line);
}

bool cc_class_lasts(const struct scan *s, int32_t decl)
{
    int kind = s->tree->decls[decl].kind;
    return kind == CC_D_GLOBAL || kind == CC_D_STATIC || s->variables[decl].address ||
           (cc_class_seen_after(s->tree, s->loop, decl) && cc_source_live(s->tree, s->loop, decl));
}

enum cc_source_class cc_class_of(const struct scan *s, uint32_t loop, int32_t decl, int32_t counter)
{
    const struct scan_variable *v = &s->variables[decl];
    int kind = s->tree->decls[decl].kind;
    if (decl == counter)
        return CC_SOURCE_COUNTER;
    if (v->address)
        return passed(s, loop, decl);
    if (cc_class_combined(v))
        return CC_SOURCE_REDUCTION;
    if (v->exposed_line)
        return v->updates && v->steps == v->updates && v->op && strcmp(v->op, "+") == 0 ? CC_SOURCE_STEP
                                                                                        : CC_SOURCE_CARRIED;
    bool shared = kind == CC_D_GLOBAL || kind == CC_D_STATIC;
    if (!shared && (!cc_class_seen_after(s->tree, loop, decl) || !cc_source_live(s->tree, loop, decl)))
        return CC_SOURCE_PRIVATE;
    return s->assigned[decl] && !v->skipped ? CC_SOURCE_LAST : CC_SOURCE_CARRIED;
}
