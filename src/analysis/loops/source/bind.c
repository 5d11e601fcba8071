/* `auto [a, b] = p;`: libclang says nothing of such names but where they stand. A loop that sets one which it
 * does not declare, or one by which it gets at something that others have as well, may hand a value on by it.
 */
#include "scan.h"

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_between(char c)
{
    return is_name(c) || c == ',' || c == ' ' || c == '\t' || c == '\n';
}

/* Where the `[` of the names stands, and what is behind their `]`; 0: it is no such name. */
static uint32_t opening(const struct cc_tree *t, const struct cc_decl *d, uint32_t *ret_behind)
{
    uint32_t at = d->begin, to = d->begin;
    if (d->kind != CC_D_OTHER || d->has_value || d->usr || !d->begin)
        return 0;
    while (at && is_between(t->text[at]))
        at--;
    while (is_between(t->text[to]))
        to++;
    if (t->text[at] != '[' || t->text[to] != ']')
        return 0;
    for (to++; t->text[to] == ' ' || t->text[to] == '\n'; to++) {
    }
    *ret_behind = to;
    return at;
}

/* Whether the binding is by a reference, as `auto &[a, b]` is. */
static bool refers(const struct cc_tree *t, const struct cc_decl *d, uint32_t at)
{
    while (at && (t->text[at - 1] == ' ' || t->text[at - 1] == '\n'))
        at--;
    return d->reference || (at && t->text[at - 1] == '&');
}

/* The line in which the loop sets it, or lets others do so; 0: it does not. */
static unsigned set_in(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool sets =
                 x->kind == CC_N_ASSIGN ||
                 (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR)),
             handed = x->handed;
        if (!cc_tree_holds(t, s->loop, i) || (!sets && !handed))
            continue;
        uint32_t of = sets ? x->child : i;
        if (of != CC_NODE_NONE && cc_tree_mentions(t, of, decl))
            return x->line;
    }
    return 0;
}

/* Whether what it is bound to, `p` of `auto &[a, b] = p`, is set by the loop under that name. */
static bool is_set_besides(const struct scan *s, uint32_t behind)
{
    const struct cc_tree *t = s->tree;
    uint32_t at = behind + 1, end;
    for (; t->text[at] == ' ' || t->text[at] == '\n'; at++) {
    }
    for (end = at; is_name(t->text[end]); end++) {
    }
    bool set = false;
    for (int32_t d = 0; d < (int32_t)t->ndecls; d++) {
        const struct cc_decl *x = &t->decls[d];
        bool same = x->name && strlen(x->name) == end - at && memcmp(x->name, t->text + at, end - at) == 0;
        set = set || (same && s->variables[d].write_line);
        for (size_t i = 0; i < s->arrays.n && same; i++)
            set = set || (s->arrays.v[i].decl == d && s->arrays.v[i].write_line);
    }
    return set;
}

void cc_bind_tell(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    for (int32_t i = 0; i < (int32_t)t->ndecls; i++) {
        const struct cc_decl *d = &t->decls[i];
        uint32_t behind = 0, at = opening(t, d, &behind);
        if (!at || !cc_tree_mentions(t, s->loop, i))
            continue;
        bool inside = d->begin >= loop->begin && d->begin < loop->end, led = refers(t, d, at),
             ranged = t->text[behind] == ':';
        unsigned line = set_in(s, i);
        bool harms = line && (!inside || (led && !ranged));
        if (!harms && led && t->text[behind] == '=' && is_set_besides(s, behind))
            harms = true, line = line ? line : loop->line;
        if (harms)
            fprintf(out, "V\t%d\t\t%u\t%u\t%s\n", CC_SOURCE_CARRIED, line, line, d->name);
    }
}
