/* Elements that an iteration has written before it comes here: what it reads of them is its own, whatever the
 * compiler made of the load. Told by the text: `c[i * n + j]`, as long as nothing changes i, n or j. */
#include "source_live.h"
#include "source_scan.h"

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return &s->tree->nodes[n];
}

static bool is_number(int class)
{
    return class == CC_T_INT || class == CC_T_FLOAT;
}

/* A variable that only an assignment by its name can change. */
static bool is_own(const struct scan *s, int32_t decl)
{
    int kind = s->tree->decls[decl].kind;
    return (kind == CC_D_LOCAL || kind == CC_D_PARAM) && !s->variables[decl].address &&
           !cc_source_addressed(s->tree, decl);
}

enum { PLAIN_DEPTH = 50 };

/* A subscript, or what an element is part of, that only mentions such variables and numbers. */
static bool is_plain(const struct scan *s, uint32_t n, bool base, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    if (depth > PLAIN_DEPTH || x->kind == CC_N_CALL || x->kind == CC_N_ASSIGN || x->kind == CC_N_UNARY)
        return false;
    if (x->kind == CC_N_REF && x->decl >= 0) {
        const struct cc_decl *d = &s->tree->decls[x->decl];
        bool array = d->type.class == CC_T_ARRAY && d->kind != CC_D_PARAM;
        if (base && array)
            return true;
        return (is_number(d->type.class) ||
                (base && (d->type.class == CC_T_POINTER || d->kind == CC_D_PARAM))) &&
               is_own(s, x->decl);
    }
    bool element = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER;
    if ((element && !base) || (x->kind == CC_N_REF && x->decl < 0))
        return false;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = at(s, c)->next)
        if (!is_plain(s, c, base && c == x->child, depth + 1))
            return false;
    return true;
}

/* A row that is reached through a pointer in memory may be another by now. */
static bool through_memory(const struct scan *s, uint32_t n)
{
    for (n = at(s, n)->child; n != CC_NODE_NONE; n = at(s, n)->child) {
        bool element = at(s, n)->kind == CC_N_SUBSCRIPT || at(s, n)->kind == CC_N_MEMBER;
        if (element && at(s, n)->type.class == CC_T_POINTER)
            return true;
    }
    return false;
}

/* Not in C++, where a reference may be another name for a subscript. */
void cc_cover_add(struct scan *s, uint32_t n)
{
    size_t size = strlen(s->tree->file);
    int kind = at(s, n)->kind;
    if (size > 2 && strcmp(s->tree->file + size - 2, ".c") == 0 &&
        (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER) && !through_memory(s, n) && is_plain(s, n, true, 0))
        CC_VEC_PUSH(&s->covered, n);
}

bool cc_cover_has(const struct scan *s, uint32_t n)
{
    for (size_t i = 0; i < s->covered.n; i++)
        if (s->covered.v[i] != CC_NODE_NONE && cc_scan_same_text(s, s->covered.v[i], n))
            return true;
    return false;
}

/* What is covered is not deep: is_plain has looked at it. */
static bool mentions(const struct scan *s, uint32_t n, int32_t decl)
{
    if (at(s, n)->kind == CC_N_REF && at(s, n)->decl == decl)
        return true;
    for (uint32_t c = at(s, n)->child; c != CC_NODE_NONE; c = at(s, c)->next)
        if (mentions(s, c, decl))
            return true;
    return false;
}

void cc_cover_changed(struct scan *s, int32_t decl)
{
    for (size_t i = 0; i < s->covered.n; i++)
        if (s->covered.v[i] != CC_NODE_NONE && mentions(s, s->covered.v[i], decl))
            s->covered.v[i] = CC_NODE_NONE;
}

void cc_cover_none(struct scan *s)
{
    for (size_t i = 0; i < s->covered.n; i++)
        s->covered.v[i] = CC_NODE_NONE;
}

static void changes_in(struct scan *s, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    bool changes =
        x->kind == CC_N_ASSIGN ||
        (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR));
    int32_t decl = x->kind == CC_N_VAR ? x->decl : changes ? cc_scan_plain(s->tree, x->child) : -1;
    if (decl >= 0)
        cc_cover_changed(s, decl);
    if (x->kind == CC_N_LABEL || depth > SCAN_DEPTH)
        cc_cover_none(s);
    for (uint32_t c = x->child; c != CC_NODE_NONE && depth <= SCAN_DEPTH; c = at(s, c)->next)
        changes_in(s, c, depth + 1);
}

void cc_cover_loop(struct scan *s, uint32_t n)
{
    if (s->covered.n)
        changes_in(s, n, 0);
}
