/* One loop statement in the syntax tree of its function: a walk in the order of evaluation. */
#include "source_scan.h"

#include <ctype.h>

/* --- the tree --- */

static const struct cc_tree_node *node(const struct scan *s, uint32_t n)
{
    return &s->tree->nodes[n];
}

/* Through casts, parentheses and whatever else has one operand and no meaning of its own. */
static uint32_t strip(const struct scan *s, uint32_t n)
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

/* The variable that a node is a plain mention of; -1: it is something else. */
static int32_t variable(const struct scan *s, uint32_t n)
{
    n = strip(s, n);
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
        n = strip(s, n);
        if (n == CC_NODE_NONE)
            return -1;
        int kind = node(s, n)->kind;
        uint32_t to = kind == CC_N_REF ? cc_alias_of(s, node(s, n)->decl) : CC_NODE_NONE;
        if (to != CC_NODE_NONE) {
            n = cc_alias_base(s->tree, to);
            continue;
        }
        if (kind == CC_N_REF)
            return variable(s, n);
        if (kind != CC_N_SUBSCRIPT && kind != CC_N_MEMBER && kind != CC_N_UNARY && kind != CC_N_BINARY)
            return -1;
        n = node(s, n)->child;
    }
    return -1;
}

/* The name behind the last dot or arrow; empty: the whole element. */
static struct scan_field field_of(const struct scan *s, uint32_t n)
{
    while (node(s, n)->kind == CC_N_SUBSCRIPT && strip(s, node(s, n)->child) != CC_NODE_NONE)
        n = strip(s, node(s, n)->child);
    const struct cc_tree_node *x = node(s, n);
    const char *end = s->tree->text + x->end, *from = end;
    while (x->kind == CC_N_MEMBER && from > s->tree->text + x->begin &&
           (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
        from--;
    return (struct scan_field){from, (size_t)(end - from)};
}

/* Each field of an array of structs is an array of its own. */
static struct scan_array *array_of(struct scan *s, uint32_t n)
{
    int32_t decl = cc_scan_base(s, n);
    struct scan_field field = field_of(s, n);
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
        uint32_t inner = strip(s, c);
        int kind = node(s, inner)->kind;
        int32_t decl = variable(s, inner);
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
        n = strip(s, node(s, n)->child);
        if (n == CC_NODE_NONE || node(s, n)->type.class != (field ? CC_T_RECORD : CC_T_ARRAY))
            return -1;
    }
    int32_t decl = variable(s, n);
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
    a->exposed = a->exposed || (!a->accesses && !own);
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
    struct scan_array *a = array_of(s, n);
    unsigned line = node(s, n)->line;
    if (mode != WRITE)
        element_read(s, a, n, mode);
    a->accesses++;
    CC_VEC_PUSH(&a->all, n);
    a->alike = a->alike && cc_scan_same_text(s, a->first, n);
    a->whole = a->whole || is_whole(s, n);
    if (mode != READ) {
        a->write_line = a->write_line ? a->write_line : line;
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

/* What is called: a pointer to a function, a method of something, in C++ also the left operand of an operator
 * (`f[k][0]` calls an operator of what `f[k]` is). */
static void called(struct scan *s, uint32_t call)
{
    uint32_t n = strip(s, child(s, call, 0));
    unsigned line = node(s, call)->line;
    bool inserts = cc_given_inserts(s, call);
    if (n != CC_NODE_NONE && (inserts || (node(s, n)->kind == CC_N_MEMBER && cc_given_moves(s, call)))) {
        expression(s, inserts ? n : child(s, n, 0), UPDATE);
        return;
    }
    int32_t decl = n == CC_NODE_NONE ? -1 : variable(s, n);
    int kind = n == CC_NODE_NONE ? CC_N_ABSENT : node(s, n)->kind;
    if (decl >= 0) /* how methods look at an object is not followed */
        scalar(s, decl, line, !cc_given_sets(s, call, decl) ? READ : s->conditional ? UPDATE : WRITE);
    else if (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER)
        subscripts(s, n);
    else if (kind != CC_N_ABSENT && kind != CC_N_REF)
        expression(s, n, READ);
}

static void call(struct scan *s, uint32_t n)
{
    const char *op;
    uint32_t place = cc_combine_place(s, n, &op);
    s->calls = true;
    s->combines = s->combines || place != CC_NODE_NONE;
    for (uint32_t c = child(s, n, 1); c != CC_NODE_NONE; c = node(s, c)->next) {
        int32_t decl = variable(s, c);
        if (place != CC_NODE_NONE && node(s, c)->begin <= node(s, place)->begin &&
            node(s, c)->end >= node(s, place)->end)
            continue;
        if (decl >= 0 &&
            (s->tree->decls[decl].type.class == CC_T_ARRAY || s->tree->decls[decl].type.class == CC_T_RECORD))
            array_of(s, strip(s, c))->passed = true;
        else
            expression(s, c, node(s, c)->handed ? ADDRESS : READ);
    }
    if (place != CC_NODE_NONE) {
        size_t stores = s->stores.n, loads = s->loads.n; /* are made by other lines, those of the function */
        expression(s, place, UPDATE);
        s->stores.n = stores, s->loads.n = loads;
    }
    called(s, n);
    cc_seen_none(s);
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

static void expression(struct scan *s, uint32_t n, enum mode mode)
{
    n = strip(s, n);
    if (n == CC_NODE_NONE || ++s->depth > SCAN_DEPTH) {
        s->depth -= n != CC_NODE_NONE;
        return;
    }
    const struct cc_tree_node *x = node(s, n);
    int32_t decl = variable(s, n);
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
    default:
        expressions(s, x->child);
        break;
    }
    s->depth--;
}

/* --- statements; each tells whether what follows it is reached --- */

static bool both_ways(struct scan *s, uint32_t one, uint32_t other)
{
    size_t n = s->tree->ndecls, covered = s->covered.n, seen = s->seen.n;
    bool *before = copy(s);
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

static bool sequence(struct scan *s, uint32_t first)
{
    bool reached = true;
    for (uint32_t c = first; c != CC_NODE_NONE; c = node(s, c)->next)
        reached = cc_scan_statement(s, c) && reached;
    return reached;
}

/* Of a pointer that is another name for an element nothing but the subscript is read here. */
static void initial(struct scan *s, const struct cc_tree_node *x)
{
    uint32_t to = x->decl >= 0 ? cc_alias_of(s, x->decl) : CC_NODE_NONE;
    if (to != CC_NODE_NONE && node(s, to)->kind == CC_N_UNARY)
        subscripts(s, strip(s, node(s, to)->child));
    else
        expressions(s, x->child);
}

bool cc_scan_statement(struct scan *s, uint32_t n)
{
    if (n == CC_NODE_NONE || s->depth > SCAN_DEPTH)
        return true;
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
        falls = both_ways(s, child(s, n, 1), child(s, n, 2));
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
        expression(s, n, READ);
    }
    s->depth--;
    return falls;
}

/* --- updates: `x += e`, `x = x * e`, `if (e > x) x = e` --- */

/* The op of an OpenMP reduction that an operation belongs to; NULL: none. */
static const char *family(int op)
{
    switch (op) {
    case CC_OP_ADD:
    case CC_OP_SUB:
    case CC_OP_INC:
    case CC_OP_DEC:
        return "+";
    case CC_OP_MUL:
        return "*";
    case CC_OP_AND:
        return "&";
    case CC_OP_OR:
        return "|";
    case CC_OP_XOR:
        return "^";
    default:
        return NULL;
    }
}

/* Whether the place is mentioned once in a chain of one op, not to the right of a minus. */
static bool in_chain(const struct scan *s, uint32_t n, uint32_t place, const char *op)
{
    n = strip(s, n);
    if (n == CC_NODE_NONE)
        return false;
    if (node(s, n)->kind != CC_N_BINARY)
        return node(s, n)->kind == node(s, strip(s, place))->kind && cc_scan_same_text(s, n, strip(s, place));
    const char *mine = family(node(s, n)->op);
    if (!mine || mine != op)
        return false;
    return in_chain(s, child(s, n, 0), place, op) ||
           (node(s, n)->op != CC_OP_SUB && in_chain(s, child(s, n, 1), place, op));
}

static const char *minimum_call(const struct scan *s, uint32_t n)
{
    int32_t decl = node(s, n)->decl;
    const char *name = decl >= 0 ? s->tree->decls[decl].name : "";
    static const char *const least[] = {"fmin", "fminf", "fminl", "min"}, *const most[] = {"fmax", "fmaxf",
                                                                                           "fmaxl", "max"};
    for (size_t i = 0; i < CC_COUNT(least); i++)
        if (strcmp(name, least[i]) == 0 || strcmp(name, most[i]) == 0)
            return strcmp(name, least[i]) == 0 ? "min" : "max";
    return NULL;
}

/* "max" if the comparison is true where `value` is more than `place`. */
static const char *comparison(const struct scan *s, uint32_t n, uint32_t place, uint32_t value)
{
    n = strip(s, n);
    if (n == CC_NODE_NONE || node(s, n)->kind != CC_N_BINARY)
        return NULL;
    int op = node(s, n)->op;
    bool less = op == CC_OP_LT || op == CC_OP_LE, more = op == CC_OP_GT || op == CC_OP_GE;
    uint32_t a = strip(s, child(s, n, 0)), b = strip(s, child(s, n, 1));
    if ((!less && !more) || a == CC_NODE_NONE || b == CC_NODE_NONE)
        return NULL;
    place = strip(s, place), value = strip(s, value);
    if (cc_scan_same_text(s, a, place) && cc_scan_same_text(s, b, value))
        return less ? "max" : "min";
    if (cc_scan_same_text(s, b, place) && cc_scan_same_text(s, a, value))
        return less ? "min" : "max";
    return NULL;
}

static const char *selection(const struct scan *s, uint32_t n, uint32_t place)
{
    uint32_t yes = strip(s, child(s, n, 1)), no = strip(s, child(s, n, 2));
    if (yes == CC_NODE_NONE || no == CC_NODE_NONE)
        return NULL;
    if (cc_scan_same_text(s, no, strip(s, place)))
        return comparison(s, child(s, n, 0), place, yes);
    const char *other =
        cc_scan_same_text(s, yes, strip(s, place)) ? comparison(s, child(s, n, 0), place, no) : NULL;
    return !other ? NULL : strcmp(other, "max") == 0 ? "min" : "max";
}

/* The op by which an assignment combines a place with something; *ret_mentions of the place it accounts
 * for. */
static const char *update(const struct scan *s, uint32_t n, unsigned *ret_mentions)
{
    const struct cc_tree_node *x = node(s, n);
    uint32_t place = child(s, n, 0), value = strip(s, child(s, n, 1));
    *ret_mentions = 1;
    if (x->kind == CC_N_UNARY || x->op != CC_OP_NONE)
        return family(x->op);
    *ret_mentions = 2;
    if (value == CC_NODE_NONE)
        return NULL;
    const struct cc_tree_node *v = node(s, value);
    const char *op = v->kind == CC_N_BINARY ? family(v->op) : NULL;
    if (op && in_chain(s, value, place, op))
        return op;
    if (v->kind == CC_N_SELECT) {
        *ret_mentions = 3;
        return selection(s, value, place);
    }
    const char *call = v->kind == CC_N_CALL ? minimum_call(s, value) : NULL;
    for (uint32_t c = call ? child(s, value, 1) : CC_NODE_NONE; c != CC_NODE_NONE; c = node(s, c)->next)
        if (cc_scan_same_text(s, strip(s, c), strip(s, place)))
            return call;
    return NULL;
}

/* By a number, or by a variable as it is. */
static bool steps(const struct scan *s, uint32_t n)
{
    uint32_t by = strip(s, child(s, n, 1));
    return !s->conditional && (node(s, n)->kind == CC_N_UNARY ||
                               (node(s, n)->kind == CC_N_ASSIGN && by != CC_NODE_NONE &&
                                (node(s, by)->kind == CC_N_LITERAL || node(s, by)->kind == CC_N_REF)));
}

static void combine(const char **op, bool *mixed, const char *found)
{
    if (*op && strcmp(*op, found) != 0)
        *mixed = true;
    *op = found;
}

/* The look that an update takes at its own place. */
static void account(const struct scan *s, struct scan_array *a, uint32_t n, uint32_t place)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->looks.n; i++) {
        const struct cc_tree_node *look = node(s, a->looks.v[i]);
        bool own = look->begin >= node(s, n)->begin && look->end <= node(s, n)->end &&
                   cc_scan_same_text(s, a->looks.v[i], place);
        if (!own)
            a->looks.v[kept++] = a->looks.v[i];
    }
    a->looks.n = kept;
}

/* What a place loses of a value each time it is combined with it is lost in another order: of a sum what is
 * behind the point, of a minimum what is above its bits. */
static bool loses(const struct scan *s, uint32_t place, uint32_t value, const char *op)
{
    if (place == CC_NODE_NONE || value == CC_NODE_NONE)
        return false;
    struct cc_ctype to = node(s, place)->type, from = node(s, strip(s, value))->type;
    bool extreme = strcmp(op, "min") == 0 || strcmp(op, "max") == 0;
    return to.class == CC_T_INT && (from.class == CC_T_FLOAT || (extreme && from.bits > to.bits));
}

static void note_update(struct scan *s, uint32_t n, uint32_t place, const char *op, unsigned accounted)
{
    place = strip(s, place);
    uint32_t value = node(s, n)->kind == CC_N_IF ? child(s, n, 1) : n;
    while (value != CC_NODE_NONE && node(s, value)->kind == CC_N_COMPOUND)
        value = node(s, value)->child;
    bool assigns = value != CC_NODE_NONE && node(s, value)->kind == CC_N_ASSIGN;
    if (assigns && loses(s, place, child(s, value, 1), op))
        return;
    int32_t decl = variable(s, place);
    if (decl >= 0) {
        struct scan_variable *v = &s->variables[decl];
        v->updates++;
        v->steps += steps(s, n);
        if (cc_tree_mentions(s->tree, n, decl) == accounted) {
            v->accounted += accounted;
            combine(&v->op, &v->mixed, op);
        }
        return;
    }
    int kind = place == CC_NODE_NONE ? CC_N_ABSENT : node(s, place)->kind;
    if (kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER || kind == CC_N_UNARY) {
        struct scan_array *a = array_of(s, place);
        a->accounted += accounted;
        a->updates++;
        combine(&a->op, &a->mixed, op);
        account(s, a, n, place);
    }
}

/* The truth value that a literal is; -1: none. */
static int truth(const struct scan *s, uint32_t n)
{
    n = strip(s, n);
    if (n == CC_NODE_NONE || node(s, n)->kind != CC_N_LITERAL)
        return -1;
    const char *text = s->tree->text + node(s, n)->begin;
    size_t size = node(s, n)->end - node(s, n)->begin;
    static const char *const names[] = {"0", "1", "false", "true"};
    for (int i = 0; i < (int)CC_COUNT(names); i++)
        if (strlen(names[i]) == size && memcmp(text, names[i], size) == 0)
            return i % 2;
    return -1;
}

/* `found = 1;` says the same in whatever order it happens. */
static void note_set(struct scan *s, uint32_t n)
{
    int32_t decl = variable(s, child(s, n, 0));
    int value =
        node(s, n)->kind == CC_N_ASSIGN && node(s, n)->op == CC_OP_NONE ? truth(s, child(s, n, 1)) : -1;
    if (decl < 0 || value < 0)
        return;
    struct scan_variable *v = &s->variables[decl];
    v->sets += !v->sets || v->set == value;
    v->set = v->sets == 1 ? value : v->set;
}

/* `if (e > x) x = e;` */
static bool guarded(struct scan *s, uint32_t n)
{
    uint32_t then = child(s, n, 1), other = child(s, n, 2);
    while (then != CC_NODE_NONE && node(s, then)->kind == CC_N_COMPOUND &&
           node(s, then)->child != CC_NODE_NONE && node(s, node(s, then)->child)->next == CC_NODE_NONE)
        then = node(s, then)->child;
    if (then == CC_NODE_NONE || (other != CC_NODE_NONE && node(s, other)->kind != CC_N_ABSENT) ||
        node(s, then)->kind != CC_N_ASSIGN || node(s, then)->op != CC_OP_NONE)
        return false;
    const char *op = comparison(s, child(s, n, 0), child(s, then, 0), child(s, then, 1));
    if (op)
        note_update(s, n, child(s, then, 0), op, 2);
    return op != NULL;
}

/* Every update below, where its own value is of no use to anybody. */
void cc_scan_updates(struct scan *s, uint32_t n, bool unused)
{
    const struct cc_tree_node *x = node(s, n);
    bool assigns =
        x->kind == CC_N_ASSIGN || (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC));
    bool chooses = x->kind == CC_N_IF || x->kind == CC_N_SWITCH || cc_tree_is_loop(x->kind);
    unsigned accounted;
    if (s->depth > SCAN_DEPTH || (x->kind == CC_N_IF && guarded(s, n)))
        return;
    if (assigns && unused) {
        const char *op = update(s, n, &accounted);
        if (op)
            note_update(s, n, x->child, op, accounted);
        note_set(s, n);
        cc_given_note(s, n, op);
    } else if (assigns || cc_given_assigns(s, n)) {
        cc_given_note(s, n, NULL);
    } else if (unused && x->kind == CC_N_CALL) {
        const char *op = NULL;
        uint32_t place = cc_combine_place(s, n, &op);
        if (place != CC_NODE_NONE)
            note_update(s, n, place, op, 1);
    }
    bool statement = chooses || x->kind == CC_N_COMPOUND || x->kind == CC_N_LABEL || x->kind == CC_N_CASE ||
                     x->kind == CC_N_DEFAULT;
    bool comma = x->kind == CC_N_BINARY && x->op == CC_OP_COMMA && unused;
    s->depth++;
    s->conditional += chooses;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = node(s, c)->next)
        cc_scan_updates(s, c, statement || comma);
    s->conditional -= chooses;
    s->depth--;
}
