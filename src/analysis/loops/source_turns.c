/* The statements of a loop's body, and which variables that it changes each of them mentions: what has to
 * keep its order may be a part of them. */
#include "source_live.h"
#include "source_scan.h"

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
    fprintf(out, "T\t%u\t%u\t%d\t", cc_tree_at(t, n)->line, cc_source_last_line(t, n), flags);
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
        unsigned last = cc_source_last_line(t, i);
        if (last == x->line || last > x->line + MOST_LINES || !is_one_piece(t, i, 0))
            continue;
        fprintf(out, "J\t%u\t%u\n", x->line, last);
        end = x->end;
    }
}
