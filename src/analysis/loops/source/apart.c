/* Whether the place that an iteration accesses is another in each iteration, by what its subscripts say. */
#include "form.h"

#include <ctype.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/* Without parentheses that are around all of it, as macros have them. */
static void unwrap(const char *text, uint32_t *begin, uint32_t *end)
{
    for (;;) {
        while (*begin < *end && is_space(text[*begin]))
            ++*begin;
        while (*begin < *end && is_space(text[*end - 1]))
            --*end;
        uint32_t i = *begin, open = 0;
        do
            open += (text[i] == '(') - (text[i] == ')');
        while (open && ++i < *end);
        if (*begin >= *end || text[*begin] != '(' || i + 1 != *end)
            return;
        ++*begin;
        --*end;
    }
}

static bool is_word(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

struct reader {
    const char *text;
    uint32_t begin, at, end;
    uint32_t close; /* a parenthesis to be left out */
};

/* Where the parentheses around a single name end, `(g)` of `(g)->n`, as macros have them; 0: these are
 * others, of a call or a cast. */
static uint32_t lone_name(const struct reader *r)
{
    uint32_t i = r->at + 1;
    while (i < r->end && is_word(r->text[i]))
        i++;
    char before = r->at > r->begin ? r->text[r->at - 1] : ' ', after = i + 1 < r->end ? r->text[i + 1] : ' ';
    bool around = r->text[r->at] == '(' && i > r->at + 1 && i < r->end && r->text[i] == ')';
    return around && !is_word(before) && before != ')' && before != ']' && !is_word(after) && after != '('
               ? i
               : 0;
}

/* The next letter that counts; 0: the end. */
static char read_on(struct reader *r)
{
    for (; r->at < r->end; r->at++) {
        uint32_t close = lone_name(r);
        if (close)
            r->close = close;
        else if (!is_space(r->text[r->at]) && !(r->close && r->at == r->close))
            return r->text[r->at++];
    }
    return 0;
}

static struct reader reader_of(const struct scan *s, uint32_t n)
{
    struct reader r = {s->tree->text, cc_tree_at(s->tree, n)->begin, 0, cc_tree_at(s->tree, n)->end, 0};
    unwrap(r.text, &r.begin, &r.end);
    r.at = r.begin;
    return r;
}

/* Whether two pieces of source read the same but for blanks and parentheses around them, and around names. */
bool cc_scan_same_text(const struct scan *s, uint32_t a, uint32_t b)
{
    struct reader one = reader_of(s, a), other = reader_of(s, b);
    char x = 1;
    while (x) {
        x = read_on(&one);
        if (x != read_on(&other))
            return false;
    }
    return true;
}

/* Whether they read the same, and each name in them is the same variable in both: one of a block inside may
 * have the name of one around it. */
bool cc_scan_same_things(const struct scan *s, uint32_t a, uint32_t b)
{
    const struct cc_tree *t = s->tree;
    const uint32_t *end = &t->by_kind[t->kind_begins[CC_N_REF + 1]];
    const uint32_t *other = &t->by_kind[t->kind_begins[CC_N_REF]];
    if (!cc_scan_same_text(s, a, b))
        return false;
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF)) {
        if (!cc_tree_holds(t, a, *i))
            continue;
        while (other < end && !cc_tree_holds(t, b, *other))
            other++;
        if (other < end && cc_tree_at(t, *i)->decl != cc_tree_at(t, *other)->decl)
            return false;
        other += other < end;
    }
    return true;
}

/* Too small for all values of a counter: beyond some, several become one. */
static bool is_narrow(struct cc_ctype t)
{
    enum { INT_BITS = 32 };
    return t.class == CC_T_FLOAT || (t.class == CC_T_INT && t.bits && t.bits < INT_BITS);
}

/* `i / 2`, or `i >> 1`, of a counter that begins at a number which is not below zero and goes up by a
 * multiple of two: each iteration has another quotient. */
static bool is_own_quotient(const struct scan *s, uint32_t n, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool divides = x->kind == CC_N_BINARY && (x->op == CC_OP_DIV || x->op == CC_OP_SHR);
    if (!divides || cc_scan_plain(t, cc_tree_part(t, n, 0)) != counter ||
        cc_tree_at(t, s->loop)->kind != CC_N_FOR || !cc_scan_is_stepped(s, n))
        return false;
    uint32_t start = cc_form_start(t, s->loop, counter), step = cc_tree_part(t, s->loop, 2);
    start = start == CC_NODE_NONE ? start : cc_tree_bare(t, start);
    return start != CC_NODE_NONE && cc_tree_at(t, start)->kind == CC_N_LITERAL &&
           cc_tree_at(t, step)->op == CC_OP_ADD;
}

/* Whether an expression is another in each iteration: the counter, once, and besides it only what stays the
 * same, by sums and products. */
static bool counts_up(const struct scan *s, uint32_t n, int32_t counter, bool *ret_mentions, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool sums =
        x->kind == CC_N_BINARY && (x->op == CC_OP_ADD || x->op == CC_OP_SUB || x->op == CC_OP_MUL ||
                                   x->op == CC_OP_MOD); /* which meets itself where the run shows it */
    if (depth > SCAN_DEPTH)
        return false;
    if (x->kind == CC_N_REF && x->decl == counter) {
        bool again = *ret_mentions;
        *ret_mentions = true;
        return !again;
    }
    if (is_own_quotient(s, n, counter)) {
        bool again = *ret_mentions;
        *ret_mentions = true;
        return !again;
    }
    bool narrowed = x->kind == CC_N_CAST && is_narrow(x->type);
    if ((!sums && x->kind != CC_N_CAST && x->kind != CC_N_OTHER) || narrowed)
        return !cc_scan_varies(s, n, counter, false, 1);
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(s->tree, c)->next)
        if (!counts_up(s, c, counter, ret_mentions, depth + 1))
            return false;
    return true;
}

bool cc_scan_counts_up(const struct scan *s, uint32_t n, int32_t counter)
{
    bool mentions = false;
    return counts_up(s, n, counter, &mentions, 0) && mentions;
}

static bool reads_same(const struct cc_tree *t, uint32_t a, uint32_t b)
{
    uint32_t size = cc_tree_at(t, a)->end - cc_tree_at(t, a)->begin;
    return size == cc_tree_at(t, b)->end - cc_tree_at(t, b)->begin &&
           memcmp(t->text + cc_tree_at(t, a)->begin, t->text + cc_tree_at(t, b)->begin, size) == 0;
}

/* What a subscript `k` stands for, if the only thing that sets k in the loop is a statement in front of the
 * access, in the body of the same loop; the subscript itself otherwise. */
static uint32_t stands_for(const struct scan *s, uint32_t by, uint32_t access)
{
    const struct cc_tree *t = s->tree;
    int32_t decl = cc_scan_plain(t, by);
    uint32_t found = CC_NODE_NONE;
    unsigned sets = 0;
    if (decl < 0 || s->variables[decl].address || s->variables[decl].exposed_line ||
        t->decls[decl].kind != CC_D_LOCAL)
        return by;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool changes =
            x->kind == CC_N_ASSIGN || (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC));
        if (changes && cc_scan_plain(t, x->child) == decl && cc_tree_holds(t, s->loop, i)) {
            sets++;
            found = i;
        }
    }
    if (sets != 1 || cc_tree_at(t, found)->kind != CC_N_ASSIGN || cc_tree_at(t, found)->op != CC_OP_NONE ||
        cc_tree_at(t, found)->end > cc_tree_at(t, access)->begin)
        return by;
    for (uint32_t i = 0; i < t->nnodes; i++) { /* the statement and the access in one body, in this order */
        uint32_t body = cc_tree_at(t, i)->kind == CC_N_FOR ? cc_tree_part(t, i, 3) : CC_NODE_NONE;
        for (uint32_t c = body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_COMPOUND &&
                                  cc_tree_holds(t, body, access)
                              ? cc_tree_at(t, body)->child
                              : CC_NODE_NONE;
             c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            if (c == found)
                return cc_tree_part(t, found, 1);
    }
    return by;
}

/* `i * n + j`, where a loop around the access counts j from 0 on to below n: a row for each i. */
static bool is_row(const struct scan *s, uint32_t by, uint32_t access, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    by = cc_tree_bare(t, by);
    if (by == CC_NODE_NONE || cc_tree_at(t, by)->kind != CC_N_BINARY || cc_tree_at(t, by)->op != CC_OP_ADD)
        return false;
    uint32_t row = cc_tree_bare(t, cc_tree_part(t, by, 0));
    int32_t column = cc_scan_plain(t, cc_tree_part(t, by, 1));
    if (column < 0 || cc_tree_at(t, row)->kind != CC_N_BINARY || cc_tree_at(t, row)->op != CC_OP_MUL)
        return false;
    bool first = cc_scan_plain(t, cc_tree_part(t, row, 0)) == counter,
         second = cc_scan_plain(t, cc_tree_part(t, row, 1)) == counter;
    uint32_t width = cc_tree_bare(t, cc_tree_part(t, row, first ? 1 : 0));
    if (first == second || cc_scan_varies(s, width, counter, false, 1))
        return false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        if (cc_tree_at(t, i)->kind != CC_N_FOR || i == s->loop || !cc_tree_holds(t, s->loop, i) ||
            !cc_tree_holds(t, i, access) || cc_scan_counter(t, i) != column)
            continue;
        uint32_t head = cc_tree_bare(t, cc_tree_part(t, i, 0)), test = cc_tree_bare(t, cc_tree_part(t, i, 1)),
                 step = cc_tree_bare(t, cc_tree_part(t, i, 2));
        uint32_t start = cc_tree_at(t, head)->kind == CC_N_ASSIGN ? cc_tree_part(t, head, 1)
                         : cc_tree_at(t, head)->kind == CC_N_DECL
                             ? cc_tree_at(t, cc_tree_at(t, head)->child)->child
                             : CC_NODE_NONE;
        if (start == CC_NODE_NONE || cc_tree_at(t, cc_tree_bare(t, start))->kind != CC_N_LITERAL ||
            cc_tree_at(t, step)->kind != CC_N_UNARY || cc_tree_at(t, step)->op != CC_OP_INC)
            continue;
        return cc_tree_at(t, test)->kind == CC_N_BINARY && cc_tree_at(t, test)->op == CC_OP_LT &&
               cc_scan_plain(t, cc_tree_part(t, test, 0)) == column &&
               reads_same(t, cc_tree_bare(t, cc_tree_part(t, test, 1)), width);
    }
    return false;
}

/* Whether some subscript of `a[i][j].x` tells iterations apart by itself. */
bool cc_scan_tells_apart(const struct scan *s, uint32_t n, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    const uint32_t access = n;
    for (unsigned depth = 0; n != CC_NODE_NONE && depth < SCAN_DEPTH; depth++) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        bool mentions = false;
        uint32_t by = x->kind == CC_N_SUBSCRIPT ? cc_tree_part(t, n, 1) : CC_NODE_NONE;
        by = by == CC_NODE_NONE ? by : stands_for(s, by, access);
        if (by != CC_NODE_NONE &&
            ((counts_up(s, by, counter, &mentions, 0) && mentions) || is_row(s, by, access, counter)))
            return true;
        bool deeper = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER || x->kind == CC_N_CAST ||
                      x->kind == CC_N_OTHER;
        uint32_t below = x->kind == CC_N_MEMBER ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        uint32_t to = below != CC_NODE_NONE && cc_tree_at(t, below)->kind == CC_N_REF
                          ? cc_alias_of(s, cc_tree_at(t, below)->decl)
                          : CC_NODE_NONE;
        if (to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_BINARY) {
            mentions = false;
            return counts_up(s, cc_tree_part(t, to, 1), counter, &mentions, 0) && mentions;
        }
        n = to != CC_NODE_NONE ? cc_alias_base(t, to) : deeper ? x->child : CC_NODE_NONE;
    }
    return false;
}

/* Whether what is subscripted is a variable, or lies in one: not what a pointer in memory leads to. */
static bool is_array(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    n = cc_tree_bare(t, n);
    if (n == CC_NODE_NONE || depth > SCAN_DEPTH)
        return false;
    int kind = cc_tree_at(t, n)->kind;
    if (kind == CC_N_REF)
        return true;
    return (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER) && cc_tree_at(t, n)->type.class != CC_T_POINTER &&
           is_array(t, cc_tree_at(t, n)->child, depth + 1);
}

/* A row that an array of pointers leads to, which is taken for another than all others. */
static bool is_row_of(const struct cc_tree *t, uint32_t n)
{
    n = cc_tree_bare(t, n);
    return n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_SUBSCRIPT &&
           cc_tree_at(t, n)->type.class == CC_T_POINTER;
}

/* Of a remainder the numbers tell, and how often the loop turns, whether it is another in each iteration. */
static bool has_rest(const struct scan *s, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool found = depth > SCAN_DEPTH || (x->kind == CC_N_BINARY && x->op == CC_OP_MOD);
    for (uint32_t c = x->child; c != CC_NODE_NONE && !found; c = cc_tree_at(s->tree, c)->next)
        found = has_rest(s, c, depth + 1);
    return found;
}

/* Whether two accesses to one array have the same subscript somewhere, which tells iterations apart: then
 * they meet in one iteration, if anywhere. */
bool cc_scan_share_row(const struct scan *s, uint32_t a, uint32_t b, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    for (unsigned depth = 0; counter >= 0 && depth < SCAN_DEPTH; depth++) {
        a = cc_tree_bare(t, a), b = cc_tree_bare(t, b);
        int kind = a == CC_NODE_NONE || b == CC_NODE_NONE ? CC_N_ABSENT : cc_tree_at(t, a)->kind;
        if ((kind != CC_N_SUBSCRIPT && kind != CC_N_MEMBER) || cc_tree_at(t, b)->kind != kind ||
            (depth && kind != CC_N_SUBSCRIPT && cc_tree_at(t, a)->type.class == CC_T_POINTER))
            return false; /* two may point to one thing */
        uint32_t x = kind == CC_N_SUBSCRIPT ? cc_tree_part(t, a, 1) : CC_NODE_NONE;
        bool mentions = false;
        bool row = x != CC_NODE_NONE && cc_scan_same_text(s, x, cc_tree_part(t, b, 1)) &&
                   counts_up(s, x, counter, &mentions, 0) && mentions && !has_rest(s, x, 0);
        uint32_t of = cc_tree_at(t, a)->child, with = cc_tree_at(t, b)->child;
        if (row && ((is_array(t, of, depth) && is_array(t, with, depth)) ||
                    (is_row_of(t, of) && is_row_of(t, with))))
            return true;
        a = cc_tree_at(t, a)->child, b = cc_tree_at(t, b)->child;
    }
    return false;
}

/* What the only thing that sets a variable in the loop sets it to; CC_NODE_NONE: there are more, or none. */
static uint32_t only_value(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    uint32_t value = CC_NODE_NONE;
    unsigned sets = 0;
    for (uint32_t i = 0; i < t->nnodes && !s->variables[decl].address; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool step = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC),
             begins = x->kind == CC_N_VAR && x->decl == decl && x->child != CC_NODE_NONE,
             set = (step || x->kind == CC_N_ASSIGN) && cc_scan_plain(t, x->child) == decl;
        if ((!begins && !set) || !cc_tree_holds(t, s->loop, i))
            continue;
        sets++;
        value = begins ? x->child : step || x->op != CC_OP_NONE ? CC_NODE_NONE : cc_tree_part(t, i, 1);
    }
    return sets == 1 ? value : CC_NODE_NONE;
}

static bool is_sum(const struct cc_tree_node *x)
{
    bool sums = x->kind == CC_N_BINARY && (x->op == CC_OP_ADD || x->op == CC_OP_SUB || x->op == CC_OP_MUL),
         sign = x->kind == CC_N_UNARY && (x->op == CC_OP_NEG || x->op == CC_OP_ADDR);
    return sums || sign || x->kind == CC_N_CAST || x->kind == CC_N_OTHER;
}

bool cc_scan_follows(const struct scan *s, uint32_t n, int32_t counter)
{
    for (uint32_t from; n != CC_NODE_NONE; n = from) {
        const struct cc_tree_node *x = cc_tree_at(s->tree, n);
        from = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                       (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF)
                   ? cc_tree_bare(s->tree, x->child)
                   : CC_NODE_NONE;
        if (x->kind == CC_N_SUBSCRIPT || from == CC_NODE_NONE)
            continue;
        const struct cc_tree_node *y = cc_tree_at(s->tree, from);
        bool loaded = y->kind == CC_N_SUBSCRIPT || y->kind == CC_N_MEMBER ||
                      (y->kind == CC_N_UNARY && y->op == CC_OP_DEREF);
        if (loaded && y->type.class == CC_T_POINTER && cc_scan_varies(s, from, counter, false, 1))
            return true;
    }
    return false;
}

/* Whether an expression, or where an access goes, is made of counters and of what stays the same alone, by
 * sums and products. The element may be reached by way of a row: `a[i][j]`. */
static bool is_counted(const struct scan *s, uint32_t n, int32_t counter, bool access, unsigned depth)
{
    enum { DEEP = 64 }; /* values that stand for values */
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    if (depth > DEEP)
        return false;
    if (x->kind == CC_N_REF && x->decl >= 0) {
        const struct scan_variable *v = &s->variables[x->decl];
        if (x->decl == counter || v->counts || (!v->inside && !v->write_line && !v->address))
            return true;
        uint32_t value = is_narrow(x->type) ? CC_NODE_NONE : only_value(s, x->decl);
        return value != CC_NODE_NONE && is_counted(s, value, counter, false, depth + 1);
    }
    bool goes = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF),
         taken = (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR) ||
                 (x->kind == CC_N_BINARY && x->op == CC_OP_ADD && x->type.class == CC_T_POINTER);
    if (!(goes && access) && (!is_sum(x) || is_narrow(x->type)))
        return !cc_scan_varies(s, n, counter, false, 1);
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(s->tree, c)->next)
        if (!is_counted(s, c, counter, (access || taken) && c == x->child, depth + 1))
            return false;
    return true;
}

bool cc_scan_is_counted(const struct scan *s, uint32_t n, int32_t counter)
{
    return is_counted(s, n, counter, true, 0);
}

bool cc_scan_is_sum(const struct scan *s, uint32_t n, int32_t counter)
{
    return is_counted(s, n, counter, false, 0);
}
