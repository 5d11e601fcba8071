/* Functions that only follow a pointer to a number that they get (`static void step(int *seed) { *seed = …;
 * }`): nobody has the address when the call is over, so a variable whose address is taken for such calls
 * alone is one that only its name leads to. Where the function sets the number before all else (`*end = 0;`),
 * the call is an assignment to it. In C, of functions that were read before. */
#include "scan.h"

enum { PARAMETERS = 32 };

static const struct borrower *borrower(const struct scan *s, uint32_t call)
{
    const struct cc_tree *t = s->tree;
    int32_t callee = cc_tree_at(t, call)->kind == CC_N_CALL ? cc_tree_at(t, call)->decl : -1;
    const char *usr = callee >= 0 ? t->decls[callee].usr : NULL;
    for (size_t i = 0; usr && s->combiners && i < s->combiners->borrowers.n; i++)
        if (strcmp(s->combiners->borrowers.v[i].usr, usr) == 0)
            return &s->combiners->borrowers.v[i];
    return NULL;
}

static bool is_number(const struct cc_tree_node *x)
{
    return x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT;
}

/* Whether a node follows the pointer: `*p`, `p[k]`. */
static bool is_following(const struct scan *s, const struct cc_tree_node *x, int32_t decl)
{
    bool follows = (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF) || x->kind == CC_N_SUBSCRIPT;
    return follows && is_number(x) && cc_scan_plain(s->tree, x->child) == decl;
}

/* How often a call hands it to one that only follows it. */
static size_t lends(const struct scan *s, uint32_t call, int32_t decl)
{
    const struct borrower *b = borrower(s, call);
    size_t n = 0;
    int at = 0;
    for (uint32_t c = b ? cc_tree_part(s->tree, call, 1) : CC_NODE_NONE; c != CC_NODE_NONE;
         c = cc_tree_at(s->tree, c)->next, at++)
        n += at < PARAMETERS && b->follows >> at & 1 && cc_scan_plain(s->tree, c) == decl;
    return n;
}

/* Whether nothing is done with a parameter but to follow it. */
static bool is_followed(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    size_t mentions = 0, follows = 0;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        mentions += x->kind == CC_N_REF && x->decl == decl;
        follows += is_following(s, x, decl) + (x->kind == CC_N_CALL ? lends(s, i, decl) : 0);
        if (x->kind == CC_N_ASM || (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR &&
                                    x->child != CC_NODE_NONE && cc_scan_base(s, x->child) == decl))
            return false;
    }
    return mentions && mentions == follows && !s->variables[decl].write_line && !s->variables[decl].address;
}

/* Whether the first thing that is done with it, on every way, is to set what it points to. */
static bool is_set_first(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *body = cc_tree_at(t, t->body), *first = NULL;
    uint32_t begin = UINT32_MAX;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        uint32_t to = x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE && x->child != CC_NODE_NONE
                          ? cc_tree_bare(t, x->child)
                          : CC_NODE_NONE;
        bool sets = to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_UNARY &&
                    is_following(s, cc_tree_at(t, to), decl);
        if (sets && (!first || x->begin < first->begin))
            first = x;
        if (x->kind == CC_N_LABEL || x->kind == CC_N_GOTO)
            return false;
    }
    if (!first || !cc_source_sure(t, first, body->begin, body->end))
        return false;
    uint32_t from = cc_tree_at(t, first->child)->next;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool mention = x->kind == CC_N_REF && x->decl == decl;
        begin = mention && x->begin < begin ? x->begin : begin;
        if (mention && from != CC_NODE_NONE && x->begin >= cc_tree_at(t, from)->begin &&
            x->begin < first->end)
            return false;
    }
    return begin >= first->begin && begin < first->end;
}

void cc_lend_learn(struct combiners *c, const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    struct borrower b = {0};
    if (!t->usr || !cc_class_is_c(t) || t->body == CC_NODE_NONE)
        return;
    for (int32_t d = 0; d < (int32_t)t->nparams && d < PARAMETERS; d++) {
        if (t->decls[d].type.class != CC_T_POINTER || !is_followed(s, d))
            continue;
        b.follows |= 1U << d;
        b.sets |= is_set_first(s, d) ? 1U << d : 0;
    }
    if (!b.follows)
        return;
    b.usr = cc_strdup(t->usr);
    CC_VEC_PUSH(&c->borrowers, b);
}

/* The variable of `&x`, if that is all of an argument; -1. */
static int32_t variable_of(const struct cc_tree *t, uint32_t c)
{
    uint32_t n = cc_tree_bare(t, c);
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    bool address = x && x->kind == CC_N_UNARY && x->op == CC_OP_ADDR;
    return address ? cc_scan_plain(t, x->child) : -1;
}

int32_t cc_lend_set(const struct scan *s, uint32_t call, uint32_t argument)
{
    const struct cc_tree *t = s->tree;
    const struct borrower *b = borrower(s, call);
    int32_t decl = b ? variable_of(t, argument) : -1;
    bool sets = false, alone = true;
    int at = 0;
    if (decl < 0 || t->decls[decl].kind != CC_D_LOCAL || t->decls[decl].reference ||
        (t->decls[decl].type.class != CC_T_INT && t->decls[decl].type.class != CC_T_FLOAT))
        return -1;
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next, at++)
        sets = sets || (c == argument && at < PARAMETERS && b->sets >> at & 1);
    for (uint32_t i = 0; i < t->nnodes; i++) { /* nothing else of the call is about it */
        const struct cc_tree_node *x = cc_tree_at(t, i), *all = cc_tree_at(t, call),
                                  *own = cc_tree_at(t, argument);
        bool inside = x->begin >= all->begin && x->end <= all->end,
             mine = x->begin >= own->begin && x->end <= own->end;
        alone = alone && !(x->kind == CC_N_REF && x->decl == decl && inside && !mine);
    }
    return sets && alone ? decl : -1;
}

bool cc_lend_is_lent(const struct scan *s, uint32_t address)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct borrower *b = borrower(s, i);
        int at = 0;
        for (uint32_t c = b ? cc_tree_part(t, i, 1) : CC_NODE_NONE; c != CC_NODE_NONE;
             c = cc_tree_at(t, c)->next, at++)
            if (at < PARAMETERS && b->follows >> at & 1 && cc_tree_bare(t, c) == address)
                return true;
    }
    return false;
}
