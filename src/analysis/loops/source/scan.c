/* One loop statement in the syntax tree of its function: a walk in the order of evaluation. */
#include "live.h"
#include "scan.h"

#include <ctype.h>

/* --- the tree --- */

static const struct cc_tree_node *node(const struct scan *s, uint32_t n)
{
    return &s->tree->nodes[n];
}

uint32_t cc_scan_strip(const struct scan *s, uint32_t n)
{
    while (n != CC_NODE_NONE && (node(s, n)->kind == CC_N_CAST || node(s, n)->kind == CC_N_OTHER) &&
           node(s, n)->child != CC_NODE_NONE && node(s, node(s, n)->child)->next == CC_NODE_NONE)
        n = node(s, n)->child;
    return n;
}

static uint32_t child(const struct scan *s, uint32_t n, int which)
{
    uint32_t c = node(s, n)->child;
    while (c != CC_NODE_NONE && which-- > 0)
        c = node(s, c)->next;
    return c;
}

int32_t cc_scan_variable(const struct scan *s, uint32_t n)
{
    n = cc_scan_strip(s, n);
    if (n == CC_NODE_NONE || node(s, n)->kind != CC_N_REF || node(s, n)->decl < 0)
        return -1;
    int kind = s->tree->decls[node(s, n)->decl].kind;
    return kind == CC_D_FUNCTION || kind == CC_D_OTHER ? -1 : node(s, n)->decl;
}

/* --- accesses --- */

enum { STRUCT_STORES = 16 }; /* instructions that one may take to copy, at most */
enum mode { READ, WRITE, UPDATE, ADDRESS };

static void expression(struct scan *s, uint32_t n, enum mode mode);

static void expressions(struct scan *s, uint32_t first)
{
    for (uint32_t c = first; c != CC_NODE_NONE; c = node(s, c)->next)
        expression(s, c, READ);
}

/* Whoever gets the address may set it, which the run shows; not so where the source sets it on some ways. */
static void hand_on(struct scan *s, int32_t decl)
{
    struct scan_variable *v = &s->variables[decl];
    int class = s->tree->decls[decl].type.class;
    v->address = true;
    v->addresses++;
    v->early = v->early || !s->assigned[decl];
    v->handed = v->handed || (v->write_line && !s->assigned[decl]);
    if (class != CC_T_RECORD && class != CC_T_ARRAY)
        s->assigned[decl] = true;
}

static void scalar(struct scan *s, int32_t decl, unsigned line, enum mode mode)
{
    struct scan_variable *v = &s->variables[decl];
    v->mentions++;
    if (mode == ADDRESS)
        hand_on(s, decl);
    if ((mode == READ || mode == UPDATE) && !s->assigned[decl]) {
        v->exposed_line = v->exposed_line ? v->exposed_line : line;
        v->bare = true;
    }
    int kind = s->tree->decls[decl].kind;
    bool shared = kind == CC_D_GLOBAL || kind == CC_D_STATIC;
    if (mode != READ)
        cc_cover_changed(s, decl);
    if (shared && mode != WRITE)
        CC_VEC_PUSH(&s->loads, line);
    if (mode == WRITE || mode == UPDATE) {
        v->write_line = v->write_line ? v->write_line : line;
        s->assigned[decl] = true;
        if (shared) {
            CC_VEC_PUSH(&s->stores, line);
            cc_seen_none(s);
        }
    }
}

int32_t cc_scan_base(const struct scan *s, uint32_t n)
{
    for (unsigned depth = 0; depth < SCAN_DEPTH; depth++) {
        n = cc_scan_strip(s, n);
        if (n == CC_NODE_NONE)
            return -1;
        int kind = node(s, n)->kind;
        uint32_t to = kind == CC_N_REF ? cc_alias_of(s, node(s, n)->decl) : CC_NODE_NONE;
        if (to != CC_NODE_NONE) {
            n = cc_alias_base(s->tree, to);
            continue;
        }
        if (kind == CC_N_REF)
            return cc_scan_variable(s, n);
        if (kind != CC_N_SUBSCRIPT && kind != CC_N_MEMBER && kind != CC_N_UNARY && kind != CC_N_BINARY)
            return -1;
        n = node(s, n)->child;
    }
    return -1;
}

/* The name behind the last dot or arrow; empty: the whole element. */
struct scan_field cc_scan_field(const struct scan *s, uint32_t n)
{
    while (node(s, n)->kind == CC_N_SUBSCRIPT && cc_scan_strip(s, node(s, n)->child) != CC_NODE_NONE)
        n = cc_scan_strip(s, node(s, n)->child);
    const struct cc_tree_node *x = node(s, n);
    const char *end = s->tree->text + x->end, *from = end;
    while (x->kind == CC_N_MEMBER && from > s->tree->text + x->begin &&
           (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
        from--;
    return (struct scan_field){from, (size_t)(end - from)};
}

/* Each field of an array of structs is an array of its own. */
struct scan_array *cc_scan_array(struct scan *s, uint32_t n)
{
    int32_t decl = cc_scan_base(s, n);
    struct scan_field field = cc_scan_field(s, n);
    for (size_t i = 0; i < s->arrays.n; i++) {
        struct scan_array *a = &s->arrays.v[i];
        if (a->decl == decl && a->field.size == field.size &&
            memcmp(a->field.name, field.name, field.size) == 0)
            return a;
    }
    CC_VEC_PUSH(&s->arrays, (struct scan_array){.decl = decl, .field = field, .first = n, .alike = true});
    return &s->arrays.v[s->arrays.n - 1];
}

/* Whether there was room. */
static bool note_line(unsigned lines[CC_SOURCE_READS], unsigned line)
{
    for (int i = 0; i < CC_SOURCE_READS; i++) {
        if (!lines[i])
            lines[i] = line;
        if (lines[i] == line)
            return true;
    }
    return false;
}

static bool is_whole(const struct scan *s, uint32_t n)
{
    return node(s, n)->type.class == CC_T_RECORD || node(s, n)->type.class == CC_T_ARRAY;
}

static unsigned pieces_of(const struct scan *s, uint32_t n)
{
    return is_whole(s, n) ? STRUCT_STORES : 1;
}

/* What an element is part of is not accessed itself; its subscripts, and the pointer it starts from, are
 * read. */
static void subscripts(struct scan *s, uint32_t n)
{
    for (uint32_t c = node(s, n)->child; c != CC_NODE_NONE; c = node(s, c)->next) {
        uint32_t inner = cc_scan_strip(s, c);
        int kind = node(s, inner)->kind;
        int32_t decl = cc_scan_variable(s, inner);
        bool part = c == node(s, n)->child && (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER);
        bool named = decl >= 0 && s->tree->decls[decl].type.class != CC_T_POINTER && c == node(s, n)->child;
        if (part)
            subscripts(s, inner);
        else if (!named)
            expression(s, c, READ);
    }
}

/* The same once more is one load. */
static void ask_for(struct scan *s, struct scan_array *a, uint32_t n)
{
    note_line(a->reads, node(s, n)->line);
    for (size_t i = 0; i < a->asked.n; i++)
        if (node(s, a->asked.v[i])->line == node(s, n)->line && cc_scan_same_text(s, a->asked.v[i], n))
            return;
    CC_VEC_PUSH(&a->asked, n);
}

/* The struct that it is a part of, a variable by its name; -1: none. */
static int32_t record_of(const struct scan *s, uint32_t n)
{
    while (node(s, n)->kind == CC_N_MEMBER || node(s, n)->kind == CC_N_SUBSCRIPT) {
        bool field = node(s, n)->kind == CC_N_MEMBER;
        n = cc_scan_strip(s, node(s, n)->child);
        if (n == CC_NODE_NONE || node(s, n)->type.class != (field ? CC_T_RECORD : CC_T_ARRAY))
            return -1;
    }
    int32_t decl = cc_scan_variable(s, n);
    return decl >= 0 && s->tree->decls[decl].type.class == CC_T_RECORD ? decl : -1;
}

static void element_read(struct scan *s, struct scan_array *a, uint32_t n, enum mode mode)
{
    unsigned line = node(s, n)->line;
    int32_t record = record_of(s, n);
    bool own = cc_cover_has(s, n) || (record >= 0 && s->assigned[record]);
    if (record >= 0 && !own && !s->variables[record].exposed_line) /* it may be assigned as a whole, later */
        s->variables[record].exposed_line = line;
    uint32_t before = own ? CC_NODE_NONE : cc_seen_find(s, n);
    bool filled = a->decl >= 0 && s->assigned[a->decl] && s->tree->decls[a->decl].type.class == CC_T_ARRAY;
    a->exposed = a->exposed || (!a->accesses && !own && !filled);
    a->read_line = a->read_line ? a->read_line : line;
    if (mode == ADDRESS || node(s, n)->type.class == CC_T_ARRAY) /* `&a[i]`, or a row: loads nothing */
        return;
    bool again = before != CC_NODE_NONE && node(s, before)->line != line && note_line(a->excused, line);
    if (again)
        CC_VEC_PUSH(&a->vouch, before);
    else if (!own)
        ask_for(s, a, n);
    if (!own && before == CC_NODE_NONE)
        cc_seen_add(s, n);
    for (size_t i = 0; i < a->looks.n; i++) /* the same once more is one load */
        own = own || (node(s, a->looks.v[i])->line == line && cc_scan_same_text(s, a->looks.v[i], n));
    if (mode == READ && !own && !again)
        CC_VEC_PUSH(&a->looks, n);
    for (unsigned i = 0; i < pieces_of(s, n); i++)
        CC_VEC_PUSH(&s->loads, line);
}

static void element(struct scan *s, uint32_t n, enum mode mode)
{
    struct scan_array *a = cc_scan_array(s, n);
    unsigned line = node(s, n)->line;
    if (mode != WRITE)
        element_read(s, a, n, mode);
    a->accesses++;
    CC_VEC_PUSH(&a->all, n);
    a->alike = a->alike && cc_scan_same_text(s, a->first, n);
    a->whole = a->whole || is_whole(s, n);
    if (mode != READ) {
        a->write_line = a->write_line ? a->write_line : line;
        if (a->writes.n < CC_SOURCE_READS && cc_cover_has(s, n))
            a->again |= 1u << a->writes.n;
        CC_VEC_PUSH(&a->writes, n);
        for (unsigned i = 0; i < pieces_of(s, n); i++)
            CC_VEC_PUSH(&s->stores, line);
    }
    subscripts(s, n);
    if (mode != READ)
        cc_seen_written(s, n);
    if (mode == WRITE || mode == UPDATE)
        cc_cover_add(s, n);
}

static bool *copy(const struct scan *s)
{
    bool *to = cc_alloc(s->tree->ndecls + 1);
    memcpy(to, s->assigned, s->tree->ndecls);
    return to;
}

static void conditional(struct scan *s, uint32_t n)
{
    bool *before = copy(s);
    size_t covered = s->covered.n, seen = s->seen.n;
    expression(s, n, READ);
    s->covered.n = covered;
    s->seen.n = seen;
    memcpy(s->assigned, before, s->tree->ndecls);
    free(before);
}

/* A record that is handed over to be looked at, whole, before the iteration has assigned it: it may be
 * assigned later. */
static void look_at_record(struct scan *s, int32_t decl, uint32_t c)
{
    struct scan_variable *v = &s->variables[decl];
    bool looked = s->tree->decls[decl].type.class == CC_T_RECORD && !v->inside;
    if (looked && !s->assigned[decl] && !v->exposed_line)
        v->exposed_line = node(s, c)->line;
}

/* What is called: a pointer to a function, a method of something, in C++ also the left operand of an operator
 * (`f[k][0]` calls an operator of what `f[k]` is). */
static void called(struct scan *s, uint32_t call)
{
    uint32_t n = cc_scan_strip(s, child(s, call, 0));
    unsigned line = node(s, call)->line;
    bool inserts = cc_given_inserts(s, call);
    if (n != CC_NODE_NONE && (inserts || (node(s, n)->kind == CC_N_MEMBER && cc_given_moves(s, call)))) {
        expression(s, inserts ? n : child(s, n, 0), UPDATE);
        return;
    }
    int32_t decl = n == CC_NODE_NONE ? -1 : cc_scan_variable(s, n), callee = node(s, call)->decl;
    int kind = n == CC_NODE_NONE ? CC_N_ABSENT : node(s, n)->kind;
    /* a constructor has no name there: it is what that gets first */
    if (decl >= 0 && callee >= 0 && s->tree->decls[callee].builds && node(s, child(s, call, 0))->handed)
        expression(s, n, ADDRESS);
    else if (decl >= 0 && cc_given_goes_on(s, call, decl))
        scalar(s, decl, line, UPDATE);
    else if (decl >= 0) /* how methods look at an object is not followed */
        scalar(s, decl, line, !cc_given_sets(s, call, decl) ? READ : s->conditional ? UPDATE : WRITE);
    else if (cc_given_part(s, call, n))
        expression(s, n, cc_given_sets_part(s, call) && !s->conditional ? WRITE : UPDATE);
    else if (cc_given_asked(s, call, n))
        expression(s, child(s, n, 0), READ);
    else if (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER) {
        int32_t object = kind == CC_N_MEMBER ? cc_scan_variable(s, child(s, n, 0)) : -1;
        if (object >= 0)
            look_at_record(s, object, n);
        subscripts(s, n);
    } else if (kind != CC_N_ABSENT && kind != CC_N_REF)
        expression(s, n, READ);
}

/* The array that is handed: `x` of `f(x)` and of `f(x - 1)`, whose other operand is only read. */
static uint32_t handed_array(struct scan *s, uint32_t c)
{
    const struct cc_tree_node *x = node(s, cc_tree_bare(s->tree, c));
    bool moved = x->kind == CC_N_BINARY && (x->op == CC_OP_ADD || x->op == CC_OP_SUB);
    int32_t decl = moved ? cc_scan_variable(s, x->child) : -1;
    if (decl < 0 || s->tree->decls[decl].type.class != CC_T_ARRAY)
        return c;
    expression(s, node(s, x->child)->next, READ);
    return x->child;
}

/* What an argument is the address of, if whoever gets that may only look at it (`f(&a[i])`, const double *);
 * CC_NODE_NONE: it is none. */
static uint32_t lent(const struct scan *s, uint32_t c)
{
    uint32_t n = node(s, c)->lent ? cc_tree_bare(s->tree, c) : CC_NODE_NONE;
    bool address = n != CC_NODE_NONE && node(s, n)->kind == CC_N_UNARY && node(s, n)->op == CC_OP_ADDR;
    return address ? node(s, n)->child : CC_NODE_NONE;
}

static void lend(struct scan *s, int32_t decl, unsigned line)
{
    s->variables[decl].lent = true;
    scalar(s, decl, line, WRITE);
}

/* An array or a record that a call gets as a whole. */
static void pass(struct scan *s, uint32_t call, uint32_t argument, uint32_t whole)
{
    int32_t decl = cc_scan_variable(s, whole);
    struct scan_array *a = cc_scan_array(s, cc_scan_strip(s, whole));
    a->passed = true;
    a->passed_on = a->passed_on || argument != child(s, call, 1) || cc_cover_filled(s, call) != decl;
    look_at_record(s, decl, argument);
}

static void call(struct scan *s, uint32_t n)
{
    const char *op;
    uint32_t place = cc_combine_place(s, n, &op);
    /* what a function of the program's own stores, its own lines do */
    int32_t callee = node(s, n)->decl;
    bool own = callee >= 0 && !s->tree->decls[callee].in_system_header;
    size_t here = s->stores.n;
    s->calls = true;
    s->combines = s->combines || place != CC_NODE_NONE;
    for (uint32_t c = child(s, n, 1); c != CC_NODE_NONE; c = node(s, c)->next) {
        if (place != CC_NODE_NONE && node(s, c)->begin <= node(s, place)->begin &&
            node(s, c)->end >= node(s, place)->end)
            continue;
        uint32_t whole = handed_array(s, c);
        int32_t decl = cc_scan_variable(s, whole);
        bool part = node(s, c)->handed && cc_given_swaps_part(s, n, cc_scan_strip(s, c));
        bool moved = decl >= 0 && c == child(s, n, 1) && cc_scan_variable(s, child(s, n, 0)) < 0 &&
                     cc_given_goes_on(s, n, decl);
        moved = part || moved || (decl >= 0 && cc_given_swaps(s, n, decl));
        if (decl >= 0 && !moved &&
            (s->tree->decls[decl].type.class == CC_T_ARRAY || s->tree->decls[decl].type.class == CC_T_RECORD))
            pass(s, n, c, whole);
        else if (lent(s, c) != CC_NODE_NONE)
            expression(s, lent(s, c), READ);
        else if (cc_lend_set(s, n, c) >= 0)
            lend(s, cc_lend_set(s, n, c), node(s, n)->line);
        else if (cc_cover_copied(s, n, c) >= 0)
            scalar(s, cc_cover_copied(s, n, c), node(s, n)->line, WRITE);
        else
            expression(s, c, moved ? UPDATE : node(s, c)->handed ? ADDRESS : READ);
    }
    s->stores.n = own ? here : s->stores.n;
    if (place != CC_NODE_NONE) {
        size_t stores = s->stores.n, loads = s->loads.n; /* are made by other lines, those of the function */
        expression(s, place, UPDATE);
        s->stores.n = stores, s->loads.n = loads;
    }
    called(s, n);
    cc_seen_none(s);
    int32_t filled = cc_cover_filled(s, n);
    if (filled >= 0)
        s->assigned[filled] = true;
}

static void operation(struct scan *s, uint32_t n, enum mode mode)
{
    const struct cc_tree_node *x = node(s, n);
    if (x->op == CC_OP_INC || x->op == CC_OP_DEC)
        expression(s, x->child, UPDATE);
    else if (x->op == CC_OP_ADDR)
        expression(s, x->child, ADDRESS);
    else if (x->op == CC_OP_DEREF)
        element(s, n, mode);
    else
        expressions(s, x->child);
}

/* Where what an asm statement sets ends in the text: at its second colon that is in no string and in no
 * operand. */
static uint32_t end_of_outputs(const struct scan *s, uint32_t n)
{
    const char *text = s->tree->text;
    uint32_t at = node(s, n)->begin, end = node(s, n)->end;
    unsigned inside = 0, colons = 0;
    for (bool string = false; at < end && colons < 2; at++) {
        bool escaped = string && text[at] == '\\';
        at += escaped;
        string ^= !escaped && text[at] == '"';
        inside += !string && text[at] == '(';
        inside -= !string && text[at] == ')' && inside;
        colons += !string && inside == 1 && text[at] == ':';
    }
    return at;
}

/* What it sets, it may have looked at (`"+r"`). */
static void assembly(struct scan *s, uint32_t n)
{
    uint32_t outputs = end_of_outputs(s, n);
    for (uint32_t c = node(s, n)->child; c != CC_NODE_NONE; c = node(s, c)->next)
        if (node(s, c)->begin >= outputs)
            expression(s, c, READ);
    for (uint32_t c = node(s, n)->child; c != CC_NODE_NONE; c = node(s, c)->next) {
        uint32_t at = node(s, c)->begin;
        while (at > node(s, n)->begin && s->tree->text[at] != '"')
            at--;
        while (at > node(s, n)->begin && s->tree->text[at - 1] != '"')
            at--;
        if (node(s, c)->begin < outputs)
            expression(s, c, s->tree->text[at] == '=' ? WRITE : UPDATE);
    }
}

/* `p = &a[i]` of a pointer that only its name can set: what is done there is done by that name, as it is of
 * `p = a + i`. */
static bool is_led(const struct scan *s, uint32_t assignment)
{
    uint32_t value = cc_scan_strip(s, child(s, assignment, 1));
    int32_t decl = cc_scan_plain(s->tree, child(s, assignment, 0));
    bool address =
        value != CC_NODE_NONE && node(s, value)->kind == CC_N_UNARY && node(s, value)->op == CC_OP_ADDR;
    uint32_t of = address ? cc_scan_strip(s, node(s, value)->child) : CC_NODE_NONE;
    return node(s, assignment)->op == CC_OP_NONE && decl >= 0 && of != CC_NODE_NONE &&
           node(s, of)->kind == CC_N_SUBSCRIPT && s->tree->decls[decl].kind == CC_D_LOCAL &&
           s->tree->decls[decl].type.class == CC_T_POINTER && !s->tree->decls[decl].reference &&
           cc_class_is_c(s->tree) && !cc_source_addressed(s->tree, decl);
}

static void expression(struct scan *s, uint32_t n, enum mode mode)
{
    n = cc_scan_strip(s, n);
    if (n == CC_NODE_NONE || ++s->depth > SCAN_DEPTH) {
        s->depth -= n != CC_NODE_NONE;
        return;
    }
    const struct cc_tree_node *x = node(s, n);
    int32_t decl = cc_scan_variable(s, n);
    switch (x->kind) {
    case CC_N_REF:
        if (decl >= 0)
            scalar(s, decl, x->line, mode);
        break;
    case CC_N_SUBSCRIPT:
    case CC_N_MEMBER:
        element(s, n, mode);
        break;
    case CC_N_ASSIGN:
        if (is_led(s, n))
            subscripts(s, cc_scan_strip(s, node(s, cc_scan_strip(s, child(s, n, 1)))->child));
        else
            expression(s, child(s, n, 1), READ);
        expression(s, child(s, n, 0), x->op == CC_OP_NONE ? WRITE : UPDATE);
        break;
    case CC_N_UNARY:
        operation(s, n, mode);
        break;
    case CC_N_BINARY:
        expression(s, child(s, n, 0), READ);
        if (x->op == CC_OP_LAND || x->op == CC_OP_LOR)
            conditional(s, child(s, n, 1));
        else
            expression(s, child(s, n, 1), READ);
        break;
    case CC_N_SELECT:
        expression(s, child(s, n, 0), READ);
        for (uint32_t c = child(s, n, 1); c != CC_NODE_NONE; c = node(s, c)->next)
            conditional(s, c);
        break;
    case CC_N_CALL:
        call(s, n);
        break;
    case CC_N_STMT_EXPR:
        cc_scan_statement(s, x->child);
        break;
    case CC_N_ASM:
        assembly(s, n);
        break;
    default:
        expressions(s, x->child);
        break;
    }
    s->depth--;
}

/* --- statements; each tells whether what follows it is reached --- */

static bool both_ways(struct scan *s, uint32_t choice)
{
    size_t n = s->tree->ndecls, covered = s->covered.n, seen = s->seen.n;
    uint32_t one = child(s, choice, 1), other = child(s, choice, 2);
    bool *before = copy(s);
    cc_seen_by_test(s, child(s, choice, 0));
    bool first = cc_scan_statement(s, one);
    bool *after = copy(s);
    s->covered.n = covered;
    s->seen.n = seen;
    memcpy(s->assigned, before, n);
    bool second = other == CC_NODE_NONE || cc_scan_statement(s, other);
    s->covered.n = covered;
    s->seen.n = seen;
    for (size_t i = 0; i < n; i++)
        s->assigned[i] = (!first || after[i]) && (!second || s->assigned[i]);
    free(before);
    free(after);
    return first || second;
}

static bool sequence(struct scan *s, uint32_t first)
{
    bool reached = true;
    for (uint32_t c = first; c != CC_NODE_NONE; c = node(s, c)->next)
        reached = cc_scan_statement(s, c) && reached;
    return reached;
}

/* A `try` may be left anywhere: what it has set need not be set where that is caught, nor behind it if the
 * handler goes on there. */
static bool tried(struct scan *s, uint32_t n)
{
    size_t covered = s->covered.n;
    bool *before = copy(s), falls = cc_scan_statement(s, child(s, n, 0)), *after = copy(s);
    for (uint32_t c = child(s, n, 1); c != CC_NODE_NONE; c = node(s, c)->next) {
        memcpy(s->assigned, before, s->tree->ndecls);
        s->covered.n = covered;
        cc_seen_none(s);
        bool caught = sequence(s, node(s, c)->child);
        for (size_t i = 0; caught && i < s->tree->ndecls; i++)
            after[i] = (!falls || after[i]) && s->assigned[i];
        falls = falls || caught;
    }
    s->covered.n = covered;
    cc_seen_none(s);
    memcpy(s->assigned, after, s->tree->ndecls);
    free(before);
    free(after);
    return falls;
}

/* The statement behind `[[likely]]`; otherwise itself. */
static uint32_t bare_statement(const struct scan *s, uint32_t n)
{
    uint32_t c = node(s, n)->kind == CC_N_OTHER ? node(s, n)->child : CC_NODE_NONE;
    bool wraps = c != CC_NODE_NONE && node(s, c)->next == CC_NODE_NONE && node(s, c)->kind <= CC_N_DECL &&
                 !cc_throw_tries(s->tree, n);
    return wraps ? c : n;
}

/* It may not run at all, and may be left anywhere. */
static void inner(struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = node(s, n);
    if (x->kind == CC_N_FOR) {
        cc_scan_statement(s, child(s, n, 0));
        expression(s, child(s, n, 1), READ);
    } else if (x->kind == CC_N_WHILE) {
        expression(s, child(s, n, 0), READ);
    }
    bool *before = copy(s);
    cc_cover_loop(s, n);
    size_t covered = s->covered.n;
    if (x->kind != CC_N_DO)
        cc_seen_by_test(s, child(s, n, x->kind == CC_N_FOR ? 1 : 0));
    s->inside++;
    s->loops++;
    bool falls = cc_scan_statement(s, child(s, n, x->kind == CC_N_FOR ? 3 : x->kind == CC_N_WHILE ? 1 : 0));
    s->loops--;
    s->inside--;
    if (x->kind == CC_N_FOR)
        expression(s, child(s, n, 2), READ);
    if (x->kind == CC_N_DO)
        expression(s, child(s, n, 1), READ);
    s->covered.n = covered;
    cc_seen_none(s);
    if (x->kind != CC_N_DO || !falls || s->broken)
        memcpy(s->assigned, before, s->tree->ndecls);
    free(before);
}

static void choice(struct scan *s, uint32_t n)
{
    expression(s, child(s, n, 0), READ);
    bool *before = copy(s);
    size_t covered = s->covered.n;
    s->inside++;
    cc_scan_statement(s, child(s, n, 1));
    s->inside--;
    s->covered.n = covered;
    cc_seen_none(s);
    memcpy(s->assigned, before, s->tree->ndecls);
    free(before);
}

/* A case is reached past what stands before it: only what held at the switch holds. The walk above forgets
 * all that a switch assigns, so here it is enough that no case profits from another. */
static bool labelled(struct scan *s, uint32_t n)
{
    uint32_t last = CC_NODE_NONE;
    for (uint32_t c = node(s, n)->child; c != CC_NODE_NONE; c = node(s, c)->next)
        last = c;
    if (last == CC_NODE_NONE)
        return true;
    memset(s->assigned, 0, s->tree->ndecls);
    cc_cover_none(s);
    return cc_scan_statement(s, last);
}

static bool leaves(struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = node(s, n);
    bool out = x->kind == CC_N_RETURN || x->kind == CC_N_GOTO || (x->kind == CC_N_BREAK && !s->inside);
    if (x->kind == CC_N_RETURN)
        expressions(s, x->child);
    if (x->kind == CC_N_BREAK && s->inside)
        s->broken = true;
    if (out && !s->exit_line)
        s->exit_line = x->line;
    for (size_t i = 0; x->kind == CC_N_CONTINUE && !s->loops && i < s->tree->ndecls; i++)
        s->variables[i].skipped = s->variables[i].skipped || !s->assigned[i];
    return false;
}

/* Of a pointer that is another name for an element nothing but the subscript is read here. */
static void initial(struct scan *s, const struct cc_tree_node *x)
{
    uint32_t to = x->decl >= 0 ? cc_alias_of(s, x->decl) : CC_NODE_NONE;
    if (to != CC_NODE_NONE && node(s, to)->kind == CC_N_UNARY)
        subscripts(s, cc_scan_strip(s, node(s, to)->child));
    else
        expressions(s, x->child);
}

bool cc_scan_statement(struct scan *s, uint32_t n)
{
    if (n == CC_NODE_NONE || s->depth > SCAN_DEPTH)
        return true;
    n = bare_statement(s, n);
    const struct cc_tree_node *x = node(s, n);
    bool falls = true;
    s->depth++;
    switch (x->kind) {
    case CC_N_ABSENT:
    case CC_N_NULL:
        break;
    case CC_N_COMPOUND:
    case CC_N_DECL:
        falls = sequence(s, x->child);
        break;
    case CC_N_VAR:
        initial(s, x);
        cc_class_declared(s, x);
        break;
    case CC_N_IF:
        expression(s, child(s, n, 0), READ);
        falls = both_ways(s, n);
        break;
    case CC_N_FOR:
    case CC_N_WHILE:
    case CC_N_DO:
        inner(s, n);
        break;
    case CC_N_SWITCH:
        choice(s, n);
        break;
    case CC_N_CASE:
    case CC_N_DEFAULT:
    case CC_N_LABEL:
        falls = labelled(s, n);
        break;
    case CC_N_BREAK:
    case CC_N_RETURN:
    case CC_N_GOTO:
    case CC_N_CONTINUE:
        falls = leaves(s, n);
        break;
    default:
        if (cc_throw_tries(s->tree, n))
            falls = tried(s, n);
        else
            expression(s, n, READ);
    }
    s->depth--;
    return falls;
}
