#include "updates.h"

enum { MAX_DEPTH = 2000 };

static int32_t first_mentioned(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    if (n == CC_NODE_NONE || depth > MAX_DEPTH)
        return -1;
    if (cc_tree_at(t, n)->kind == CC_N_REF && cc_tree_at(t, n)->decl >= 0 &&
        t->decls[cc_tree_at(t, n)->decl].kind != CC_D_FUNCTION)
        return cc_tree_at(t, n)->decl;
    int32_t found = -1;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && found < 0; c = cc_tree_at(t, c)->next)
        found = first_mentioned(t, c, depth + 1);
    return found;
}

int32_t cc_patch_first_mentioned(const struct cc_tree *t, uint32_t n)
{
    return first_mentioned(t, n, 0);
}

void cc_patch_tell_text(const struct cc_tree *t, uint32_t n, FILE *out)
{
    bool blank = false;
    unsigned written = 0;
    for (uint32_t i = cc_tree_at(t, n)->begin; i < cc_tree_at(t, n)->end && written < CC_PATCH_MAX_STATEMENT;
         i++) {
        unsigned char c = (unsigned char)t->text[i];
        if (c <= ' ') {
            blank = written > 0;
            continue;
        }
        if (blank)
            fputc(' ', out);
        fputc(c, out);
        blank = false;
        written++;
    }
}

static bool combines(int op)
{
    return op == CC_OP_ADD || op == CC_OP_SUB || op == CC_OP_MUL || op == CC_OP_AND || op == CC_OP_OR ||
           op == CC_OP_XOR;
}

static bool same_text(const struct cc_tree *t, uint32_t a, uint32_t b)
{
    if (a == CC_NODE_NONE || b == CC_NODE_NONE)
        return false;
    uint32_t size = cc_tree_at(t, a)->end - cc_tree_at(t, a)->begin;
    return size == cc_tree_at(t, b)->end - cc_tree_at(t, b)->begin &&
           memcmp(t->text + cc_tree_at(t, a)->begin, t->text + cc_tree_at(t, b)->begin, size) == 0;
}

/* `x++`, `x += e`, `x = x + e` and `x = e + x`, where e does not mention the array. */
static bool is_atomic(const struct cc_tree *t, uint32_t n, int32_t decl)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind == CC_N_UNARY)
        return x->op == CC_OP_INC || x->op == CC_OP_DEC;
    uint32_t place = cc_tree_bare(t, x->child), value = cc_tree_bare(t, cc_tree_part(t, n, 1));
    if (x->op != CC_OP_NONE)
        return combines(x->op) && cc_tree_mentions(t, value, decl) == 0;
    if (value == CC_NODE_NONE || cc_tree_at(t, value)->kind != CC_N_BINARY ||
        !combines(cc_tree_at(t, value)->op))
        return false;
    uint32_t left = cc_tree_bare(t, cc_tree_part(t, value, 0)),
             right = cc_tree_bare(t, cc_tree_part(t, value, 1));
    if (same_text(t, left, place))
        return cc_tree_mentions(t, right, decl) == 0;
    return cc_tree_at(t, value)->op != CC_OP_SUB && same_text(t, right, place) &&
           cc_tree_mentions(t, left, decl) == 0;
}

/* The array, struct or pointer that a statement changes an element of, or the number; -1: it does something
 * else. */
static int32_t changed(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
    uint32_t place = steps || x->kind == CC_N_ASSIGN ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
    int kind = place == CC_NODE_NONE ? CC_N_ABSENT : cc_tree_at(t, place)->kind;
    if (kind == CC_N_REF) {
        int class = cc_tree_at(t, place)->type.class;
        return class == CC_T_INT || class == CC_T_FLOAT ? cc_tree_at(t, place)->decl : -1;
    }
    bool element = kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER ||
                   (kind == CC_N_UNARY && cc_tree_at(t, place)->op == CC_OP_DEREF);
    return element ? first_mentioned(t, place, 0) : -1;
}

/* What a statement changes by way of a function that returns a reference: `mesh.force(k) += x`. */
static uint32_t accessor(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
    uint32_t place = steps || x->kind == CC_N_ASSIGN ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
    if (place == CC_NODE_NONE || cc_tree_at(t, place)->kind != CC_N_CALL)
        return CC_NODE_NONE;
    int class = cc_tree_at(t, place)->type.class;
    return class == CC_T_INT || class == CC_T_FLOAT ? place : CC_NODE_NONE;
}

/* Whether the text in front of its first parenthesis is mentioned again below n. */
static bool calls_again(const struct cc_tree *t, uint32_t n, uint32_t call, unsigned depth)
{
    if (n == CC_NODE_NONE || depth > MAX_DEPTH)
        return depth > MAX_DEPTH;
    bool found = cc_tree_at(t, n)->kind == CC_N_CALL && cc_tree_at(t, n)->decl == cc_tree_at(t, call)->decl;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = calls_again(t, c, call, depth + 1);
    return found;
}

/* Named "force()": the run has to show that what it leads to is only ever combined. */
static void tell_accessor(const struct cc_tree *t, uint32_t n, uint32_t call, bool statement, FILE *out)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    const char *name = cc_tree_at(t, call)->decl >= 0 ? t->decls[cc_tree_at(t, call)->decl].name : NULL;
    bool steps = x->kind == CC_N_UNARY,
         sum = x->kind == CC_N_ASSIGN && combines(x->op) && !calls_again(t, cc_tree_part(t, n, 1), call, 0);
    if (!name)
        return;
    if (!statement || (!steps && !sum)) {
        fprintf(out, "X\t%s()\n", name);
        return;
    }
    fprintf(out, "U\t%u\t%s()\t", x->line, name);
    cc_patch_tell_text(t, n, out);
    fputc('\n', out);
}

/* Statements of the form that `omp atomic` takes, and arrays that others change. */
static void tell_update(const struct cc_tree *t, uint32_t n, bool statement, FILE *out)
{
    int32_t decl = changed(t, n);
    uint32_t call = accessor(t, n);
    if (call != CC_NODE_NONE)
        tell_accessor(t, n, call, statement, out);
    if (decl < 0)
        return;
    bool plain = cc_tree_at(t, cc_tree_bare(t, cc_tree_at(t, n)->child))->kind == CC_N_REF;
    if (!statement || !is_atomic(t, n, decl)) {
        fprintf(out, "%c\t%s\n", plain ? 'Q' : 'X', t->decls[decl].name);
        return;
    }
    fprintf(out, "%c\t%u\t%s\t", plain ? 'O' : 'U', cc_tree_at(t, n)->line, t->decls[decl].name);
    cc_patch_tell_text(t, n, out);
    fputc('\n', out);
}

/* The member of a struct that a place is, or whose elements it is one of: `p->sum`, `dom.fx[k]`. Bytes that
 * members share have none. */
static uint32_t member_of(const struct cc_tree *t, uint32_t place)
{
    for (place = cc_tree_bare(t, place); place != CC_NODE_NONE;) {
        const struct cc_tree_node *x = cc_tree_at(t, place);
        if (x->kind == CC_N_MEMBER)
            return x->record ? place : CC_NODE_NONE;
        if (x->kind != CC_N_SUBSCRIPT && !(x->kind == CC_N_UNARY && x->op == CC_OP_DEREF))
            return CC_NODE_NONE;
        place = cc_tree_bare(t, x->child);
    }
    return CC_NODE_NONE;
}

static bool same_member(const struct cc_tree *t, uint32_t a, uint32_t b)
{
    const struct cc_tree_node *x = cc_tree_at(t, a), *y = cc_tree_at(t, b);
    return y->kind == CC_N_MEMBER && x->record == y->record && x->value == y->value;
}

/* How often a member is mentioned, of whichever object. */
static unsigned mentions_member(const struct cc_tree *t, uint32_t n, uint32_t member, unsigned depth)
{
    if (n == CC_NODE_NONE || depth > MAX_DEPTH)
        return 0;
    unsigned found = same_member(t, member, n);
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        found += mentions_member(t, c, member, depth + 1);
    return found;
}

/* The member that a statement updates as `omp atomic` takes it; CC_NODE_NONE: it does something else. */
static uint32_t member_updated(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
    uint32_t place = steps || x->kind == CC_N_ASSIGN ? cc_tree_bare(t, x->child) : CC_NODE_NONE,
             member = member_of(t, place);
    int class = member == CC_NODE_NONE ? CC_T_NONE : cc_tree_at(t, place)->type.class;
    if ((class != CC_T_INT && class != CC_T_FLOAT) || !is_atomic(t, n, -1) ||
        mentions_member(t, place, member, 0) != 1)
        return CC_NODE_NONE;
    unsigned again = x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE; /* x = x + e */
    return mentions_member(t, n, member, 0) == 1 + again ? member : CC_NODE_NONE;
}

struct walk {
    void (*see)(const struct cc_tree *t, uint32_t n, bool statement, const struct walk *w);
    FILE *out;
    uint32_t body, member;
    unsigned *count;
};

static void walk(const struct cc_tree *t, uint32_t n, bool statement, const struct walk *w, unsigned depth)
{
    if (n == CC_NODE_NONE || depth > MAX_DEPTH)
        return;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    w->see(t, n, statement, w);
    bool holds = x->kind == CC_N_COMPOUND || x->kind == CC_N_IF || cc_tree_is_loop(x->kind) ||
                 x->kind == CC_N_SWITCH || x->kind == CC_N_CASE || x->kind == CC_N_DEFAULT ||
                 x->kind == CC_N_LABEL;
    int which = 0;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next, which++) {
        bool head = x->kind == CC_N_FOR ? which < 3 : x->kind == CC_N_DO ? which == 1 : which == 0;
        walk(t, c, holds && (x->kind == CC_N_COMPOUND || !head), w, depth + 1);
    }
}

static void count_update(const struct cc_tree *t, uint32_t n, bool statement, const struct walk *w)
{
    uint32_t member = statement ? member_updated(t, n) : CC_NODE_NONE;
    if (member != CC_NODE_NONE && same_member(t, w->member, member))
        *w->count += mentions_member(t, n, member, 0);
}

/* Named by its type and its place there, if nothing else in the body mentions it; that nothing else leads to
 * the same memory the run has to show. */
static void tell_member(const struct cc_tree *t, uint32_t n, const struct walk *w)
{
    unsigned updates = 0;
    uint32_t member = member_updated(t, n);
    if (member == CC_NODE_NONE)
        return;
    walk(t, w->body, true, &(struct walk){.see = count_update, .member = member, .count = &updates}, 0);
    if (mentions_member(t, w->body, member, 0) != updates)
        return;
    fprintf(w->out, "V\t%u\t.%u.%lld\t", cc_tree_at(t, n)->line, cc_tree_at(t, member)->record,
            (long long)cc_tree_at(t, member)->value);
    cc_patch_tell_text(t, n, w->out);
    fputc('\n', w->out);
}

static void see_update(const struct cc_tree *t, uint32_t n, bool statement, const struct walk *w)
{
    tell_update(t, n, statement, w->out);
    if (statement)
        tell_member(t, n, w);
}

void cc_patch_tell_updates(const struct cc_tree *t, uint32_t body, FILE *out)
{
    walk(t, body, true, &(struct walk){.see = see_update, .out = out, .body = body}, 0);
}
