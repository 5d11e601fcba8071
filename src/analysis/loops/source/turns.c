/* The statements of a loop's body, and which variables that it changes each of them mentions: what has to
 * keep its order may be a part of them. */
#include "live.h"
#include "scan.h"

/* Something that a block in the middle of the body cannot hold: a jump out of it, or a label. */
static bool jumps(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    int kind = cc_tree_at(t, n)->kind;
    bool found = kind == CC_N_CONTINUE || kind == CC_N_BREAK || kind == CC_N_GOTO || kind == CC_N_RETURN ||
                 kind == CC_N_LABEL || kind == CC_N_ASM || depth > SCAN_DEPTH;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = jumps(t, c, depth + 1);
    return found;
}

static void tell(const struct scan *s, uint32_t n, int flags, FILE *out)
{
    const struct cc_tree *t = s->tree;
    const char *comma = "";
    fprintf(out, "T\t%u\t%u\t%d\t", cc_tree_at(t, n)->line, cc_tree_at(t, n)->last_line, flags);
    for (int32_t d = 0; d < (int32_t)t->ndecls; d++) {
        const struct scan_variable *v = &s->variables[d];
        bool changed = v->write_line || v->address;
        for (size_t i = 0; i < s->arrays.n; i++)
            changed = changed || (s->arrays.v[i].decl == d && s->arrays.v[i].write_line);
        if (v->inside || !changed || !cc_tree_mentions(t, n, d))
            continue;
        fprintf(out, "%s%s", comma, t->decls[d].name);
        comma = ",";
    }
    fputc('\n', out);
}

void cc_source_statements(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    uint32_t body = cc_tree_at(t, s->loop)->kind == CC_N_FOR ? cc_tree_part(t, s->loop, 3) : CC_NODE_NONE;
    if (body == CC_NODE_NONE || cc_tree_at(t, body)->kind != CC_N_COMPOUND)
        return;
    for (int k = 0; k < 3; k++)
        if (cc_tree_part(t, s->loop, k) != CC_NODE_NONE)
            tell(s, cc_tree_part(t, s->loop, k), CC_SOURCE_HEAD, out);
    for (uint32_t n = cc_tree_at(t, body)->child; n != CC_NODE_NONE; n = cc_tree_at(t, n)->next)
        tell(s, n,
             (jumps(t, n, 0) ? CC_SOURCE_JUMPS : 0) |
                 (cc_tree_at(t, n)->kind == CC_N_DECL ? CC_SOURCE_DECLARES : 0),
             out);
}

static bool is_one_piece(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    bool one = cc_tree_at(t, n)->kind != CC_N_STMT_EXPR && depth <= SCAN_DEPTH;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && one; c = cc_tree_at(t, c)->next)
        one = is_one_piece(t, c, depth + 1);
    return one;
}

void cc_source_spans(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    enum { MOST_LINES = 64 };
    uint32_t end = 0; /* of the one before: what is inside it is a part of it */
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool whole = x->kind == CC_N_ASSIGN || x->kind == CC_N_CALL || x->kind == CC_N_VAR;
        if (!whole || x->begin < cc_tree_at(t, s->loop)->begin || x->end > cc_tree_at(t, s->loop)->end ||
            x->begin < end)
            continue;
        unsigned last = cc_tree_at(t, i)->last_line;
        if (last == x->line || last > x->line + MOST_LINES || !is_one_piece(t, i, 0))
            continue;
        fprintf(out, "J\t%u\t%u\n", x->line, last);
        end = x->end;
    }
}

static bool lies_in(const struct cc_tree *t, uint32_t n, uint32_t around)
{
    return around != CC_NODE_NONE && cc_tree_at(t, n)->begin >= cc_tree_at(t, around)->begin &&
           cc_tree_at(t, n)->end <= cc_tree_at(t, around)->end;
}

/* Whether something in there sets a variable that an expression mentions. */
static bool sets_some(const struct cc_tree *t, uint32_t around, uint32_t n)
{
    bool found = false;
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool sets =
            x->kind == CC_N_ASSIGN || x->kind == CC_N_CALL ||
            (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR));
        int32_t decl = sets && lies_in(t, i, around) ? cc_scan_plain(t, x->child) : -1;
        found = (sets && x->kind == CC_N_CALL && lies_in(t, i, around)) ||
                (decl >= 0 && cc_tree_mentions(t, n, decl) > 0);
    }
    return found;
}

/* Whether one is set where a condition holds, and the other, which is the same by its text, where not: a
 * compiler makes one store of them. */
static bool are_ways(const struct scan *s, uint32_t a, uint32_t b)
{
    const struct cc_tree *t = s->tree;
    bool found = false;
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        bool chooses = cc_tree_at(t, i)->kind == CC_N_IF && lies_in(t, i, s->loop);
        uint32_t then = chooses ? cc_tree_part(t, i, 1) : CC_NODE_NONE,
                 other = chooses ? cc_tree_part(t, i, 2) : CC_NODE_NONE;
        found = chooses &&
                ((lies_in(t, a, then) && lies_in(t, b, other)) ||
                 (lies_in(t, b, then) && lies_in(t, a, other))) &&
                !sets_some(t, i, a);
    }
    return found;
}

/* The text of an element, without the parentheses that macros put around it. */
static struct scan_field text_of(const struct cc_tree *t, uint32_t n)
{
    struct scan_field f = {t->text + cc_tree_at(t, n)->begin,
                           cc_tree_at(t, n)->end - cc_tree_at(t, n)->begin};
    while (f.size > 2 && *f.name == '(' && f.name[f.size - 1] == ')')
        f.name++, f.size -= 2;
    return f;
}

static bool is_same(const struct cc_tree *t, uint32_t a, uint32_t b)
{
    struct scan_field x = text_of(t, a), y = text_of(t, b);
    return x.size == y.size && memcmp(x.name, y.name, x.size) == 0;
}

static void tell_ways(const struct scan *s, const uint32_t *nodes, size_t n, char what, FILE *out)
{
    for (size_t k = 1; k < CC_MIN(n, (size_t)CC_SOURCE_READS); k++)
        for (size_t m = 0; m < k; m++)
            if (is_same(s->tree, nodes[k], nodes[m]) && are_ways(s, nodes[k], nodes[m]))
                fprintf(out, "%c\t%u\t%u\n", what, cc_tree_at(s->tree, nodes[m])->line,
                        cc_tree_at(s->tree, nodes[k])->line);
}

void cc_source_ways(const struct scan *s, FILE *out)
{
    for (size_t i = 0; i < s->arrays.n; i++) {
        tell_ways(s, s->arrays.v[i].writes.v, s->arrays.v[i].writes.n, 'E', out);
        tell_ways(s, s->arrays.v[i].asked.v, s->arrays.v[i].asked.n, 'O', out);
    }
}
