/* A list that is gone through element by element, `for (p = head; p; p = p->next)` or a `while`: one thread
 * can hand the elements out, if nothing in the body changes where the walk goes. */
#include "live.h"
#include "proof.h"
#include "scan.h"

#include <ctype.h>

/* --- fields that are written --- */

struct name {
    const char *s;
    size_t n;
};

/* Of `p->next`: next. */
static struct name field_of(const struct cc_tree *t, uint32_t member)
{
    const struct cc_tree_node *x = cc_tree_at(t, member);
    uint32_t end = x->end;
    while (end > x->begin && isspace((unsigned char)t->text[end - 1]))
        end--;
    uint32_t from = end;
    while (from > x->begin && (isalnum((unsigned char)t->text[from - 1]) || t->text[from - 1] == '_'))
        from--;
    return (struct name){t->text + from, end - from};
}

static bool is_written(const struct cc_tree_node *x)
{
    return x->kind == CC_N_ASSIGN ||
           (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR));
}

/* Calls `each` with every field that something from begin to end writes, or takes the address of; with "*"
 * where that may be any: a whole record behind a pointer, or a function that is not called by name. */
static void written_fields(const struct cc_tree *t, uint32_t begin, uint32_t end,
                           void (*each)(void *data, struct name field), void *data)
{
    const struct name any = {"*", 1};
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->begin < begin || x->end > end)
            continue;
        if (x->kind == CC_N_ASM || (x->kind == CC_N_CALL && (x->decl < 0 || !t->decls[x->decl].usr)))
            each(data, any);
        if (!is_written(x))
            continue;
        uint32_t to = cc_tree_bare(t, x->child);
        bool member = false, own = to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_REF,
             record = to != CC_NODE_NONE && cc_tree_at(t, to)->type.class == CC_T_RECORD;
        for (; to != CC_NODE_NONE &&
               (cc_tree_at(t, to)->kind == CC_N_MEMBER || cc_tree_at(t, to)->kind == CC_N_SUBSCRIPT);
             to = cc_tree_bare(t, cc_tree_at(t, to)->child))
            if (cc_tree_at(t, to)->kind == CC_N_MEMBER) {
                each(data, field_of(t, to));
                member = true;
            }
        if (record && !member && !own && x->kind == CC_N_ASSIGN)
            each(data, any);
    }
}

static void tell_field(void *data, struct name field)
{
    fprintf(data, "M\t%.*s\n", (int)field.n, field.s);
}

void cc_source_fields(const struct cc_tree *t, FILE *out)
{
    written_fields(t, 0, UINT32_MAX, tell_field, out);
}

struct wanted {
    struct name field;
    bool found;
};

static void compare_field(void *data, struct name field)
{
    struct wanted *w = data;
    w->found =
        w->found || *field.s == '*' || (field.n == w->field.n && memcmp(field.s, w->field.s, field.n) == 0);
}

/* --- the loop --- */

/* A jump out of the body: a task cannot be left. */
static bool leaves(const struct cc_tree *t, uint32_t n, bool in_loop, bool in_switch, unsigned depth)
{
    int kind = cc_tree_at(t, n)->kind;
    bool found = kind == CC_N_GOTO || kind == CC_N_LABEL || kind == CC_N_RETURN || kind == CC_N_ASM ||
                 (kind == CC_N_CONTINUE && !in_loop) || (kind == CC_N_BREAK && !in_loop && !in_switch) ||
                 depth > SCAN_DEPTH;
    in_loop = in_loop || cc_tree_is_loop(kind);
    in_switch = in_switch || kind == CC_N_SWITCH;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = leaves(t, c, in_loop, in_switch, depth + 1);
    return found;
}

/* The variable of `p = p->next`; *ret_member: the right side. */
static int32_t walker(const struct cc_tree *t, uint32_t step, uint32_t *ret_member)
{
    if (step == CC_NODE_NONE || cc_tree_at(t, step)->kind != CC_N_ASSIGN ||
        cc_tree_at(t, step)->op != CC_OP_NONE)
        return -1;
    int32_t decl = cc_scan_plain(t, cc_tree_at(t, step)->child);
    uint32_t from = cc_tree_bare(t, cc_tree_part(t, step, 1));
    *ret_member = from;
    return decl >= 0 && from != CC_NODE_NONE && cc_tree_at(t, from)->kind == CC_N_MEMBER &&
                   cc_scan_plain(t, cc_tree_at(t, from)->child) == decl
               ? decl
               : -1;
}

/* A number, NULL, or a variable that stays. */
static bool stays(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    n = cc_tree_bare(t, n);
    int32_t decl = n == CC_NODE_NONE ? -1 : cc_scan_plain(t, n);
    if (decl < 0)
        return n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_LITERAL;
    int kind = t->decls[decl].kind;
    return (kind == CC_D_LOCAL || kind == CC_D_PARAM) && !s->variables[decl].write_line &&
           !s->variables[decl].address;
}

/* `p` or `p != end`. */
static bool tests_walker(const struct scan *s, uint32_t test, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    if (test == CC_NODE_NONE)
        return false;
    if (cc_scan_plain(t, test) == decl)
        return true;
    test = cc_tree_bare(t, test);
    if (cc_tree_at(t, test)->kind != CC_N_BINARY || cc_tree_at(t, test)->op != CC_OP_NE)
        return false;
    uint32_t left = cc_tree_part(t, test, 0), right = cc_tree_part(t, test, 1);
    return (cc_scan_plain(t, left) == decl && stays(s, right)) ||
           (cc_scan_plain(t, right) == decl && stays(s, left));
}

/* What a walk consists of: `for (…; test; step) body`, or `while (test) { body… step; }`. */
struct walk {
    uint32_t test, step;
    uint32_t first, last; /* statements of the body but for the step */
};

/* The directive and its block stand in lines of their own: so has the step of a `while` to. */
static bool find_walk(const struct cc_tree *t, uint32_t loop, struct walk *ret)
{
    bool counts = cc_tree_at(t, loop)->kind == CC_N_FOR;
    if (!counts && (cc_tree_at(t, loop)->kind != CC_N_WHILE || cc_tree_at(t, loop)->op))
        return false;
    uint32_t body = cc_tree_part(t, loop, counts ? 3 : 1);
    bool block = body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_COMPOUND;
    *ret = (struct walk){.test = cc_tree_part(t, loop, counts ? 1 : 0),
                         .step = counts ? cc_tree_part(t, loop, 2) : CC_NODE_NONE,
                         .first = block ? cc_tree_at(t, body)->child : body};
    ret->last = ret->first;
    for (uint32_t c = ret->first; block && c != CC_NODE_NONE; c = cc_tree_at(t, c)->next) {
        bool ends = cc_tree_at(t, c)->next == CC_NODE_NONE;
        if (!counts && ends)
            ret->step = c;
        else
            ret->last = c;
    }
    if (ret->first == CC_NODE_NONE)
        return false;
    return counts || (block && ret->step != ret->first &&
                      cc_tree_at(t, ret->step)->line > cc_tree_at(t, ret->last)->last_line);
}

/* Whether the body writes what the walk goes by, or is left. */
static bool is_disturbed(const struct cc_tree *t, const struct walk *w, int32_t p)
{
    bool found = false, over = false;
    for (uint32_t c = w->first; c != CC_NODE_NONE && !over && !found; c = cc_tree_at(t, c)->next) {
        found = cc_scan_writes(t, c, p) || leaves(t, c, false, false, 0);
        over = c == w->last;
    }
    return found;
}

void cc_source_walk(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    uint32_t member = CC_NODE_NONE;
    struct walk way;
    if (s->exit_line || !cc_proof_named(s) || !find_walk(t, s->loop, &way))
        return;
    int32_t p = walker(t, way.step, &member);
    if (p < 0 || t->decls[p].type.class != CC_T_POINTER ||
        (t->decls[p].kind != CC_D_LOCAL && t->decls[p].kind != CC_D_PARAM) || s->variables[p].address ||
        !tests_walker(s, way.test, p) || is_disturbed(t, &way, p))
        return;
    struct wanted w = {.field = field_of(t, member)};
    written_fields(t, cc_tree_at(t, way.first)->begin, cc_tree_at(t, way.last)->end, compare_field, &w);
    if (!w.found)
        fprintf(out, "P\t%u\t%u\t%.*s\t%s\n", cc_tree_at(t, way.first)->line,
                cc_tree_at(t, way.last)->last_line, (int)w.field.n, w.field.s, t->decls[p].name);
}
