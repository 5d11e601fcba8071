/* Elements that an iteration has written before it comes here: what it reads of them is its own, whatever the
 * compiler made of the load. Told by the text: `c[i * n + j]`, as long as nothing changes i, n or j. */
#include "live.h"
#include "scan.h"

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return &s->tree->nodes[n];
}

static bool is_number(int class)
{
    return class == CC_T_INT || class == CC_T_FLOAT;
}

bool cc_cover_own_record(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    size_t size = strlen(t->file);
    bool own = decl >= 0 && t->decls[decl].type.class == CC_T_RECORD &&
               (t->decls[decl].kind == CC_D_LOCAL || t->decls[decl].kind == CC_D_PARAM) && size > 2 &&
               strcmp(t->file + size - 2, ".c") == 0 && !t->trait_line[CC_TRAIT_ASM];
    for (uint32_t i = 0; i < t->nnodes && own; i++) {
        bool address = at(s, i)->kind == CC_N_UNARY && at(s, i)->op == CC_OP_ADDR,
             array = at(s, i)->kind == CC_N_MEMBER && at(s, i)->type.class == CC_T_ARRAY;
        own = !(address || array) || cc_scan_base(s, at(s, i)->child) != decl;
    }
    return own;
}

/* A variable that only an assignment by its name can change. */
static bool is_own(const struct scan *s, int32_t decl)
{
    int kind = s->tree->decls[decl].kind;
    if (s->tree->decls[decl].type.class == CC_T_RECORD)
        return cc_cover_own_record(s, decl);
    return (kind == CC_D_LOCAL || kind == CC_D_PARAM) && !s->variables[decl].address &&
           !cc_source_addressed(s->tree, decl);
}

enum { PLAIN_DEPTH = 50 };

/* An element of an array that nobody changes. */
static bool is_table(const struct scan *s, uint32_t n)
{
    int32_t decl = cc_scan_base(s, n);
    return decl >= 0 && s->tree->decls[decl].constant && s->tree->decls[decl].type.class == CC_T_ARRAY &&
           s->tree->decls[decl].kind != CC_D_PARAM;
}

/* A subscript, or what an element is part of, that only mentions such variables and numbers; shared: or ones
 * that a store or a call could change as well. */
static bool mentions_plain(const struct scan *s, uint32_t n, bool base, bool shared, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    if (depth > PLAIN_DEPTH || x->kind == CC_N_CALL || x->kind == CC_N_ASSIGN || x->kind == CC_N_UNARY)
        return false;
    if (x->kind == CC_N_REF && x->decl >= 0) {
        const struct cc_decl *d = &s->tree->decls[x->decl];
        bool array = d->type.class == CC_T_ARRAY && d->kind != CC_D_PARAM;
        if (base && array)
            return true;
        bool global = shared && (d->kind == CC_D_GLOBAL || d->kind == CC_D_STATIC);
        return (is_number(d->type.class) ||
                (base &&
                 (d->type.class == CC_T_POINTER || d->type.class == CC_T_RECORD || d->kind == CC_D_PARAM))) &&
               (global || is_own(s, x->decl));
    }
    bool element = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER,
         table = x->kind == CC_N_SUBSCRIPT && is_table(s, n);
    if ((element && !base && !table) || (x->kind == CC_N_REF && x->decl < 0))
        return false;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = at(s, c)->next)
        if (!mentions_plain(s, c, (base || table) && c == x->child, shared, depth + 1))
            return false;
    return true;
}

static bool is_plain(const struct scan *s, uint32_t n, bool base, unsigned depth)
{
    return mentions_plain(s, n, base, false, depth);
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

/* `*p` of a pointer that only an assignment by its name can change. */
static bool is_followed(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = at(s, n);
    uint32_t p =
        x->kind == CC_N_UNARY && x->op == CC_OP_DEREF ? cc_tree_bare(s->tree, x->child) : CC_NODE_NONE;
    return p != CC_NODE_NONE && at(s, p)->kind == CC_N_REF && is_plain(s, p, true, 0);
}

/* Not in C++, where a reference may be another name for a subscript. */
static bool is_told_by_text(const struct scan *s, uint32_t n)
{
    int kind = at(s, n)->kind;
    bool element =
        (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER) && !through_memory(s, n) && is_plain(s, n, true, 0);
    return cc_class_is_c(s->tree) && (element || is_followed(s, n));
}

void cc_cover_add(struct scan *s, uint32_t n)
{
    if (is_told_by_text(s, n))
        CC_VEC_PUSH(&s->covered, n);
}

/* Two members of a union that take the same bytes, of one object by its text. */
static bool are_one(const struct scan *s, uint32_t a, uint32_t b)
{
    const struct cc_tree_node *x = at(s, a), *y = at(s, b);
    return x->kind == CC_N_MEMBER && y->kind == CC_N_MEMBER && x->record && x->record == y->record &&
           x->value == y->value && x->type.bits && x->type.bits == y->type.bits &&
           cc_scan_same_text(s, x->child, y->child);
}

bool cc_cover_has(const struct scan *s, uint32_t n)
{
    for (size_t i = 0; i < s->covered.n; i++)
        if (s->covered.v[i] != CC_NODE_NONE &&
            (cc_scan_same_text(s, s->covered.v[i], n) || are_one(s, s->covered.v[i], n)))
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
    for (size_t i = 0; i < s->seen.n; i++)
        if (s->seen.v[i] != CC_NODE_NONE && mentions(s, s->seen.v[i], decl))
            s->seen.v[i] = CC_NODE_NONE;
}

void cc_cover_none(struct scan *s)
{
    for (size_t i = 0; i < s->covered.n; i++)
        s->covered.v[i] = CC_NODE_NONE;
    cc_seen_none(s);
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
    cc_seen_none(s);
    if (s->covered.n)
        changes_in(s, n, 0);
}

/* Whether an iteration comes to n, or none does: all that decides it in the loop stays the same there. */
static bool is_always(const struct scan *s, uint32_t n, int32_t counter)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        bool inside = i != s->loop && x->begin >= at(s, s->loop)->begin && x->end <= at(s, s->loop)->end;
        bool holds = x->begin <= at(s, n)->begin && x->end >= at(s, n)->end;
        bool logical = x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR);
        bool chooses =
            x->kind == CC_N_SWITCH || x->kind == CC_N_SELECT || logical || cc_tree_is_loop(x->kind);
        bool jumps = x->kind == CC_N_CONTINUE || x->kind == CC_N_GOTO || x->kind == CC_N_LABEL;
        if (inside && (jumps || (holds && chooses) ||
                       (holds && x->kind == CC_N_IF && cc_scan_varies(s, x->child, counter, false, 1))))
            return false;
    }
    return true;
}

bool cc_cover_settles(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    if (!a->writes.n || a->reads[0] || a->exposed || a->passed || !a->alike || s->loop == 0)
        return false;
    bool same = is_told_by_text(s, a->first) && !cc_scan_varies(s, a->first, counter, true, 0),
         always = false;
    for (size_t i = 0; same && i < a->writes.n; i++)
        always = always || is_always(s, a->writes.v[i], counter);
    return always;
}

bool cc_cover_chosen(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    bool fixed = false;
    for (size_t i = 0; i < a->writes.n; i++) {
        bool here = !cc_scan_varies(s, a->writes.v[i], counter, true, 0);
        if (here && is_always(s, a->writes.v[i], counter))
            return false;
        fixed = fixed || here;
    }
    return fixed;
}

/* Bytes that an argument says, by literals, constants and sizeof; 0: it cannot be told. */
static uint64_t bytes_said(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    n = n == CC_NODE_NONE ? n : cc_tree_bare(t, n);
    if (n == CC_NODE_NONE)
        return 0;
    const struct cc_tree_node *x = at(s, n);
    if (x->kind == CC_N_SIZEOF)
        return x->op == 1 && x->value > 0 ? (uint64_t)x->value : 0;
    if (x->kind == CC_N_LITERAL)
        return strtoul(t->text + x->begin, NULL, 0);
    if (x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].has_value)
        return (uint64_t)t->decls[x->decl].value;
    return x->kind == CC_N_BINARY && x->op == CC_OP_MUL
               ? bytes_said(s, cc_tree_part(t, n, 0)) * bytes_said(s, cc_tree_part(t, n, 1))
               : 0;
}

/* Whether the call of memset or memcpy sets as many bytes as the variable has. */
static bool fills(const struct scan *s, uint32_t call, int32_t decl)
{
    static const char names[] = " memset memcpy memmove __builtin_memset __builtin_memcpy __builtin_memmove ";
    const struct cc_tree *t = s->tree;
    int32_t callee = at(s, call)->decl;
    uint32_t size = cc_tree_part(t, call, 3);
    return callee >= 0 && decl >= 0 && size != CC_NODE_NONE && cc_text_listed(names, t->decls[callee].name) &&
           t->decls[decl].type.bits && bytes_said(s, size) * 8 == t->decls[decl].type.bits;
}

int32_t cc_cover_filled(const struct scan *s, uint32_t call)
{
    uint32_t to = cc_tree_part(s->tree, call, 1);
    int32_t decl = to == CC_NODE_NONE ? -1 : cc_scan_plain(s->tree, to);
    bool array = decl >= 0 && s->tree->decls[decl].type.class == CC_T_ARRAY;
    return array && fills(s, call, decl) ? decl : -1;
}

void cc_cover_tell_fills(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL)) {
        int32_t decl = cc_tree_holds(t, s->loop, *i) ? cc_cover_filled(s, *i) : -1;
        if (decl >= 0)
            fprintf(out, "W\t%u\t%u\n", at(s, *i)->line, (unsigned)(t->decls[decl].type.bits / 8));
    }
}

int32_t cc_cover_copied(const struct scan *s, uint32_t call, uint32_t argument)
{
    const struct cc_tree *t = s->tree;
    uint32_t to = cc_tree_part(t, call, 1), from = cc_tree_part(t, call, 2);
    uint32_t n = to == argument ? cc_tree_bare(t, to) : CC_NODE_NONE;
    bool address = n != CC_NODE_NONE && at(s, n)->kind == CC_N_UNARY && at(s, n)->op == CC_OP_ADDR;
    int32_t decl = address ? cc_scan_plain(t, at(s, n)->child) : -1;
    if (decl < 0 || from == CC_NODE_NONE || t->decls[decl].reference || cc_tree_mentions(t, from, decl))
        return -1;
    const struct cc_decl *d = &t->decls[decl];
    bool plain = is_number(d->type.class) || d->type.class == CC_T_POINTER;
    bool own = d->kind == CC_D_LOCAL || d->kind == CC_D_PARAM;
    return own && plain && fills(s, call, decl) ? decl : -1;
}

/* --- what was read --- */

/* What a variable of the file leads to, or a row behind a pointer in memory, is the same as long as nothing
 * was stored that could be it. */
void cc_seen_add(struct scan *s, uint32_t n)
{
    bool element = cc_class_is_c(s->tree) && at(s, n)->kind == CC_N_SUBSCRIPT;
    if (is_told_by_text(s, n) || (element && mentions_plain(s, n, true, true, 0)))
        CC_VEC_PUSH(&s->seen, n);
}

static bool changes_something(const struct scan *s, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    bool changes = x->kind == CC_N_ASSIGN || x->kind == CC_N_CALL || x->kind == CC_N_STMT_EXPR ||
                   (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC));
    for (uint32_t c = x->child; c != CC_NODE_NONE && !changes; c = at(s, c)->next)
        changes = depth > SCAN_DEPTH || changes_something(s, c, depth + 1);
    return changes;
}

static void seen_in_test(struct scan *s, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *x = at(s, n);
    bool logical = x->kind == CC_N_BINARY && x->op == CC_OP_LAND,
         either = x->kind == CC_N_SELECT || (x->kind == CC_N_BINARY && x->op == CC_OP_LOR),
         negated = x->kind == CC_N_UNARY && x->op == CC_OP_NOT;
    if (depth > SCAN_DEPTH || negated)
        return;
    if (x->kind == CC_N_SUBSCRIPT)
        cc_seen_add(s, n);
    for (uint32_t c = x->child; c != CC_NODE_NONE && (logical || !either || c == x->child);
         c = at(s, c)->next)
        seen_in_test(s, c, depth + 1);
}

void cc_seen_by_test(struct scan *s, uint32_t test)
{
    if (test != CC_NODE_NONE && !changes_something(s, test, 0))
        seen_in_test(s, test, 0);
}

uint32_t cc_seen_find(const struct scan *s, uint32_t n)
{
    for (size_t i = 0; i < s->seen.n; i++)
        if (s->seen.v[i] != CC_NODE_NONE && cc_scan_same_text(s, s->seen.v[i], n))
            return s->seen.v[i];
    return CC_NODE_NONE;
}

void cc_seen_none(struct scan *s)
{
    for (size_t i = 0; i < s->seen.n; i++)
        s->seen.v[i] = CC_NODE_NONE;
}

static uint32_t bare(const struct scan *s, uint32_t n)
{
    while (n != CC_NODE_NONE && (at(s, n)->kind == CC_N_CAST || at(s, n)->kind == CC_N_OTHER) &&
           at(s, n)->child != CC_NODE_NONE && at(s, at(s, n)->child)->next == CC_NODE_NONE)
        n = at(s, n)->child;
    return n;
}

/* `j - 1` is j and -1; anything else is itself and 0. */
static uint32_t without_literal(const struct scan *s, uint32_t n, long *ret)
{
    n = bare(s, n);
    *ret = 0;
    bool sum = at(s, n)->kind == CC_N_BINARY && (at(s, n)->op == CC_OP_ADD || at(s, n)->op == CC_OP_SUB);
    uint32_t right = sum ? bare(s, cc_tree_part(s->tree, n, 1)) : CC_NODE_NONE;
    if (right == CC_NODE_NONE || at(s, right)->kind != CC_N_LITERAL)
        return n;
    char digits[8] = {0}, *end;
    size_t size = at(s, right)->end - at(s, right)->begin;
    memcpy(digits, s->tree->text + at(s, right)->begin, CC_MIN(size, sizeof digits - 1));
    long value = strtol(digits, &end, 10);
    if (end == digits || *end || size >= sizeof digits || digits[0] == '0')
        return n;
    *ret = at(s, n)->op == CC_OP_SUB ? -value : value;
    return bare(s, cc_tree_part(s->tree, n, 0));
}

bool cc_scan_differ(const struct scan *s, uint32_t a, uint32_t b)
{
    for (;;) {
        a = bare(s, a), b = bare(s, b);
        if (a == CC_NODE_NONE || b == CC_NODE_NONE || at(s, a)->kind != CC_N_SUBSCRIPT ||
            at(s, b)->kind != CC_N_SUBSCRIPT)
            return false;
        long m, n;
        uint32_t x = without_literal(s, cc_tree_part(s->tree, a, 1), &m),
                 y = without_literal(s, cc_tree_part(s->tree, b, 1), &n);
        a = at(s, a)->child, b = at(s, b)->child;
        /* of the same rows: others may begin anywhere */
        if (m != n && cc_scan_same_text(s, x, y) && cc_scan_same_text(s, bare(s, a), bare(s, b)))
            return true;
    }
}

bool cc_scan_above(const struct scan *s, uint32_t a, uint32_t b)
{
    long more;
    uint32_t rest = without_literal(s, a, &more);
    return more > 0 && cc_scan_same_text(s, rest, bare(s, b));
}

static bool is_object(const struct scan *s, int32_t decl)
{
    return decl >= 0 && s->tree->decls[decl].type.class == CC_T_ARRAY &&
           s->tree->decls[decl].kind != CC_D_PARAM;
}

void cc_seen_written(struct scan *s, uint32_t n)
{
    int32_t to = cc_scan_base(s, n);
    for (size_t i = 0; i < s->seen.n; i++) {
        int32_t from = s->seen.v[i] == CC_NODE_NONE ? -1 : cc_scan_base(s, s->seen.v[i]);
        bool others = from != to && is_object(s, from) && is_object(s, to) && !through_memory(s, n) &&
                      !through_memory(s, s->seen.v[i]);
        if (s->seen.v[i] != CC_NODE_NONE && !others && !(from == to && cc_scan_differ(s, s->seen.v[i], n)))
            s->seen.v[i] = CC_NODE_NONE;
    }
}

enum { NEAR = 3 };

bool cc_scan_near(const struct scan *s, uint32_t a, uint32_t b)
{
    for (unsigned depth = 0; depth < SCAN_DEPTH; depth++) {
        a = bare(s, a), b = bare(s, b);
        if (a == CC_NODE_NONE || b == CC_NODE_NONE || at(s, a)->kind != at(s, b)->kind)
            return false;
        bool element = at(s, a)->kind == CC_N_SUBSCRIPT;
        if (!element && at(s, a)->kind != CC_N_MEMBER)
            return cc_scan_same_text(s, a, b);
        long m = 0, n = 0;
        if (element && !cc_scan_same_text(s, without_literal(s, cc_tree_part(s->tree, a, 1), &m),
                                          without_literal(s, cc_tree_part(s->tree, b, 1), &n)))
            return false;
        if (labs(m - n) > NEAR)
            return false;
        a = at(s, a)->child, b = at(s, b)->child;
    }
    return false;
}
