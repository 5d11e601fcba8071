/* What a function stores by way of its parameters (S), and what loops and functions hand on to others (G): a
 * compiler that put the function into a loop may keep that in registers, where the run does not show that
 * iterations share it. */
#include "scan.h"

/* The parameter that a place leads from; CC_STORE_OTHER: something else that is not the function's own.
 * False: its own, or a variable by name. */
static bool leads_from(const struct scan *s, uint32_t place, int *ret)
{
    const struct cc_tree *t = s->tree;
    uint32_t bare = cc_tree_bare(t, place);
    int32_t decl = cc_scan_base(s, place);
    int kind = decl < 0 ? CC_D_OTHER : t->decls[decl].kind;
    bool name = bare != CC_NODE_NONE && cc_tree_at(t, bare)->kind == CC_N_REF;
    *ret = kind == CC_D_PARAM && (size_t)decl < t->nparams ? decl : CC_STORE_OTHER;
    if (decl < 0)
        return !name;
    if (kind != CC_D_LOCAL && kind != CC_D_PARAM) /* what has a name for all: told elsewhere */
        return false;
    return t->decls[decl].reference || (!name && !cc_scan_is_own(t, decl));
}

/* `p->x`, `p->row[k]` of p; not `p[1].x`, nor what a pointer in it leads to. */
bool cc_source_in_record(const struct cc_tree *t, uint32_t n, int32_t decl)
{
    uint32_t of = CC_NODE_NONE;
    for (unsigned depth = 0; depth < SCAN_DEPTH; depth++, n = of) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        bool part = x->kind == CC_N_MEMBER || x->kind == CC_N_SUBSCRIPT;
        of = part && x->child != CC_NODE_NONE ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        if (of == CC_NODE_NONE ||
            cc_tree_at(t, of)->type.class != (x->kind == CC_N_MEMBER ? CC_T_RECORD : CC_T_ARRAY))
            break;
    }
    return of != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_MEMBER &&
           cc_tree_at(t, of)->kind == CC_N_REF && cc_tree_at(t, of)->decl == decl &&
           cc_tree_at(t, of)->type.class == CC_T_POINTER;
}

/* Whether some condition decides that it is done. */
static bool is_chosen(const struct cc_tree *t, const struct cc_tree_node *x)
{
    for (CC_TREE_EACH(t, i, CC_N_IF, CC_N_SWITCH)) {
        const struct cc_tree_node *y = cc_tree_at(t, *i);
        if (!cc_tree_is_loop(y->kind) && y->begin < x->begin && y->end >= x->end)
            return true;
    }
    return false;
}

static bool within(const struct cc_tree_node *x, const struct cc_tree_node *y)
{
    return x->begin >= y->begin && x->end <= y->end;
}

/* Whether the part of an `if` assigns to a place of that text. */
static bool assigns_to(const struct scan *s, uint32_t part, uint32_t place)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_ASSIGN, CC_N_ASSIGN)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        if (part != CC_NODE_NONE && x->child != CC_NODE_NONE && within(x, cc_tree_at(t, part)) &&
            cc_scan_same_text(s, cc_tree_bare(t, x->child), place))
            return true;
    }
    return false;
}

/* Whether some way through the function goes by an assignment: below a condition (but for one whose other
 * branch assigns too), or behind a return. What is put at the next place (`t[n++]`) is counted. */
static bool is_passed_by(const struct scan *s, const struct cc_tree_node *x, uint32_t place)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *to = cc_tree_at(t, place);
    for (uint32_t i = to->begin; i + 1 < to->end; i++)
        if (t->text[i] == '+' && t->text[i + 1] == '+')
            return false;
    for (CC_TREE_EACH(t, i, CC_N_RETURN, CC_N_RETURN))
        if (cc_tree_at(t, *i)->end <= x->begin)
            return true;
    for (CC_TREE_EACH(t, i, CC_N_IF, CC_N_SWITCH)) {
        const struct cc_tree_node *y = cc_tree_at(t, *i);
        if (cc_tree_is_loop(y->kind) || y->begin >= x->begin || y->end < x->end)
            continue;
        uint32_t then = cc_tree_part(t, *i, 1), other = cc_tree_part(t, *i, 2);
        bool first = then != CC_NODE_NONE && within(x, cc_tree_at(t, then));
        if (y->kind == CC_N_SWITCH || !assigns_to(s, first ? other : then, place))
            return true;
    }
    return false;
}

bool cc_source_passed_by(const struct scan *s, uint32_t place)
{
    const struct cc_tree *t = s->tree;
    bool by = false;
    for (CC_TREE_EACH(t, i, CC_N_ASSIGN, CC_N_ASSIGN)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        if (x->child == CC_NODE_NONE || !cc_scan_same_text(s, cc_tree_bare(t, x->child), place))
            continue;
        if (!is_passed_by(s, x, cc_tree_bare(t, x->child)))
            return false;
        by = true;
    }
    return by;
}

void cc_source_stores(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
        uint32_t place = x->child == CC_NODE_NONE ? x->child : cc_tree_bare(t, x->child);
        int from;
        if ((!steps && x->kind != CC_N_ASSIGN) || place == CC_NODE_NONE || !leads_from(s, place, &from))
            continue;
        struct scan_field field = cc_scan_field(s, place);
        bool told =
            field.size && !memchr(field.name, '\t', field.size) && !memchr(field.name, '\n', field.size);
        fprintf(out, "S\t%u\t%d\t%d\t%u\t%.*s\t%d\n", x->line, from,
                (int)(is_chosen(t, x) | (!steps && cc_source_passed_by(s, place)) << 1 |
                      cc_unsure_turns(s, i) << 2),
                (unsigned)(cc_tree_at(t, place)->type.bits / 8), told ? (int)field.size : 0,
                told ? field.name : "",
                (int)((from >= 0 && cc_source_in_record(t, place, from)) | cc_scan_scattered(s, place) << 1));
    }
}

static bool is_place(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    return x && x->type.class == CC_T_RECORD &&
           (x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
            (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF));
}

bool cc_source_copies_record(const struct scan *s, unsigned line)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    bool copies = false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
        if (x->line != line || !within(x, loop) || (x->kind != CC_N_ASSIGN && x->kind != CC_N_CALL && !steps))
            continue;
        if (x->kind != CC_N_ASSIGN || x->op != CC_OP_NONE || copies || x->child == CC_NODE_NONE)
            return false;
        uint32_t from = cc_tree_part(t, i, 1);
        copies = is_place(t, cc_tree_bare(t, x->child)) && from != CC_NODE_NONE &&
                 is_place(t, cc_tree_bare(t, from));
        if (!copies)
            return false;
    }
    return copies;
}

unsigned cc_source_record_bytes(const struct scan *s, unsigned line)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    unsigned bytes = 0;
    for (CC_TREE_EACH(t, i, CC_N_ASSIGN, CC_N_ASSIGN)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        if (x->line != line || !within(x, loop))
            continue;
        uint32_t place = x->child == CC_NODE_NONE ? x->child : cc_tree_bare(t, x->child);
        unsigned own = is_place(t, place) ? cc_tree_at(t, place)->type.bits / 8 : 0;
        if (!own || (bytes && own != bytes))
            return 0;
        bytes = own;
    }
    return bytes;
}

/* The array of which `&a[i]` is the element that belongs to the iteration, `a[i]` a record and i the loop's
 * counter; -1: it is something else. */
static int32_t own_element(const struct scan *s, uint32_t place, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = place == CC_NODE_NONE ? NULL : cc_tree_at(t, place);
    if (!x || counter < 0 || x->kind != CC_N_SUBSCRIPT || x->type.class != CC_T_RECORD ||
        cc_scan_plain(t, cc_tree_part(t, place, 1)) != counter)
        return -1;
    int32_t decl = cc_scan_plain(t, x->child);
    bool stays = decl >= 0 && !s->variables[decl].write_line && !s->variables[decl].address &&
                 !t->decls[decl].reference;
    return stays && (t->decls[decl].type.class == CC_T_POINTER || t->decls[decl].type.class == CC_T_ARRAY)
               ? decl
               : -1;
}

/* What a pointer of the loop's own is declared with, if nothing sets it again or has its address. */
static uint32_t held(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    uint32_t value = CC_NODE_NONE;
    if (decl < 0 || !s->variables[decl].inside || s->variables[decl].address ||
        t->decls[decl].kind != CC_D_LOCAL || t->decls[decl].type.class != CC_T_POINTER)
        return CC_NODE_NONE;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
        if ((steps || x->kind == CC_N_ASSIGN) && x->child != CC_NODE_NONE &&
            cc_scan_plain(t, x->child) == decl)
            return CC_NODE_NONE;
        if (x->kind == CC_N_VAR && x->decl == decl && within(x, loop))
            value = x->child;
    }
    return value;
}

/* The argument, or the `r` of `struct state *r = &a[i];` in the loop. */
static int32_t own_argument(const struct scan *s, uint32_t c, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    uint32_t value = held(s, cc_scan_plain(t, c)), n = cc_tree_bare(t, value == CC_NODE_NONE ? c : value);
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    bool address = x && x->kind == CC_N_UNARY && x->op == CC_OP_ADDR;
    return address ? own_element(s, cc_tree_bare(t, x->child), counter) : -1;
}

/* Whether whoever the loop calls gets nothing that it could change but elements of that array. */
static bool gets_only(const struct scan *s, uint32_t call, int32_t array, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    bool only = cc_combine_owns_object(s, call);
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE && only; c = cc_tree_at(t, c)->next)
        only = cc_tree_at(t, c)->lent || cc_combine_owns(s, c) || own_argument(s, c, counter) == array;
    return only;
}

/* Whether each iteration has its element of an array of records for itself as far as the loop's text goes:
 * it is mentioned as `a[i]` alone, nothing else is handed to anybody who could change it, and nothing is
 * written that might be another name for it. */
static bool is_each_own(const struct scan *s, int32_t array, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    size_t mentions = 0, elements = 0;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (!within(x, loop))
            continue;
        mentions += x->kind == CC_N_REF && x->decl == array;
        elements += own_element(s, i, counter) == array;
        if (x->kind == CC_N_CALL && !gets_only(s, i, array, counter))
            return false;
    }
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        bool apart = a->decl >= 0 && t->decls[a->decl].type.class == CC_T_ARRAY &&
                     cc_tree_at(t, a->first)->type.class != CC_T_RECORD;
        if (a->write_line && a->decl != array && !apart)
            return false;
    }
    return mentions == elements;
}

/* Whether an argument is, or leads to, a part of the variable itself, and not of what a pointer in it leads
 * to: `&a[i]`, `s.row`. */
static bool is_part_of(const struct cc_tree *t, uint32_t c, int32_t decl)
{
    uint32_t n = cc_tree_bare(t, c);
    if (decl < 0 || t->decls[decl].reference || t->decls[decl].type.class == CC_T_POINTER ||
        (t->decls[decl].kind == CC_D_PARAM && t->decls[decl].type.class == CC_T_ARRAY))
        return false;
    if (n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_UNARY && cc_tree_at(t, n)->op == CC_OP_ADDR)
        n = cc_tree_bare(t, cc_tree_at(t, n)->child);
    for (unsigned depth = 0; n != CC_NODE_NONE && depth < SCAN_DEPTH; depth++) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        if (x->kind == CC_N_REF)
            return x->decl == decl;
        if ((x->kind != CC_N_MEMBER && x->kind != CC_N_SUBSCRIPT) || x->type.class == CC_T_POINTER)
            return false;
        n = cc_tree_bare(t, x->child);
    }
    return false;
}

/* Whether an argument leads to a part of the record that a parameter does: `&p->x`, the array `p->row`. */
static bool is_in_record(const struct cc_tree *t, uint32_t c, int32_t param)
{
    uint32_t n = cc_tree_bare(t, c);
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    if (x && x->kind == CC_N_UNARY && x->op == CC_OP_ADDR)
        return cc_tree_bare(t, x->child) != CC_NODE_NONE &&
               cc_source_in_record(t, cc_tree_bare(t, x->child), param);
    return x && x->type.class == CC_T_ARRAY && cc_source_in_record(t, n, param);
}

/* Whether it may be another in each iteration, or call. */
static bool varies(const struct scan *s, uint32_t n)
{
    return !s->loop || n == CC_NODE_NONE || !cc_scan_repeats(s, n, true, 0);
}

/* Whether it is a variable that is a reference, or a part of what that leads to: it may have no name of its
 * own (`acc &&sum = acc();`). */
static bool is_bound(const struct cc_tree *t, uint32_t n)
{
    n = cc_tree_bare(t, n);
    while (n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_MEMBER)
        n = cc_tree_bare(t, cc_tree_at(t, n)->child);
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    return x && x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].kind == CC_D_LOCAL &&
           t->decls[x->decl].refers;
}

/* lambda: whose text the call is in; NULL: the loop's, or the function's. */
static void tell_handed(const struct scan *s, uint32_t call, const struct cc_tree_node *lambda, FILE *out)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    int at = 0, object = strstr(t->decls[x->decl].usr, "@F@operator") ? CC_STORE_OTHER : CC_STORE_OBJECT;
    if (!lambda && !cc_combine_owns_object(s, call)) /* of an operator arguments are counted otherwise */
        fprintf(out, "G\t%u\t%d\t%d\t%s\t\t%d\n", x->line, CC_STORE_OTHER, object, t->decls[x->decl].usr,
                varies(s, x->child) << 3 | is_bound(t, x->child) << 5);
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next, at++) {
        uint32_t n = cc_tree_bare(t, c);
        int32_t base = cc_scan_base(s, c);
        bool function = n != CC_NODE_NONE && cc_tree_at(t, n)->decl == x->decl; /* `+=` of `s += x` */
        if (function || cc_combine_owns(s, c) || (lambda && base >= 0 && cc_scan_of_lambda(t, lambda, base)))
            continue;
        bool parameter = base >= 0 && t->decls[base].kind == CC_D_PARAM && (size_t)base < t->nparams;
        bool leads = base >= 0 && (t->decls[base].reference || t->decls[base].type.class == CC_T_POINTER ||
                                   t->decls[base].type.class == CC_T_ARRAY);
        bool stays = parameter && leads && !s->variables[base].write_line && !s->variables[base].address;
        bool whole = stays && cc_scan_plain(t, c) == base, lies = stays && is_in_record(t, c, base);
        int32_t counter = s->loop ? cc_scan_counter(t, s->loop) : -1, array = own_argument(s, c, counter);
        bool apart = array >= 0 && !lambda && is_each_own(s, array, counter);
        fprintf(out, "G\t%u\t%d\t%d\t%s\t%s\t%d\n", x->line, parameter ? base : CC_STORE_OTHER, at,
                t->decls[x->decl].usr, base >= 0 ? t->decls[base].name : "",
                whole | apart << 1 | is_part_of(t, c, base) << 2 | varies(s, c) << 3 | lies << 4 |
                    is_bound(t, c) << 5);
    }
}

/* Whether a record that a call may get by a reference to const is a place that others have as well, and no
 * value or variable of the loop's own. */
static bool is_lent(const struct scan *s, uint32_t c)
{
    static const char elements[] = " operator[] operator() at ",
                      places[] = " operator* operator-> front back ";
    const struct cc_tree *t = s->tree;
    uint32_t n = cc_tree_bare(t, c);
    const struct cc_tree_node *x = n == CC_NODE_NONE ? NULL : cc_tree_at(t, n);
    if (!x || x->type.class != CC_T_RECORD || cc_tree_at(t, c)->handed)
        return false;
    if (x->kind == CC_N_CALL)
        return x->decl >= 0 && (cc_text_listed(elements, t->decls[x->decl].name) ||
                                (cc_text_listed(places, t->decls[x->decl].name) &&
                                 cc_combine_operands(s, n) < 2)); /* `a * b` is a value */
    int32_t base = cc_scan_base(s, n);
    bool place = x->kind == CC_N_REF || x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                 (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
    bool own = base >= 0 && !t->decls[base].reference && t->decls[base].type.class != CC_T_POINTER &&
               (s->loop ? s->variables[base].inside : cc_scan_is_own(t, base));
    return place && !own;
}

/* What is looked at by a reference to const (g). */
static void tell_lent(const struct scan *s, uint32_t call, FILE *out)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    int at = 0;
    for (uint32_t c = strstr(t->decls[x->decl].usr, "#&1") ? cc_tree_part(t, call, 1) : CC_NODE_NONE;
         c != CC_NODE_NONE; c = cc_tree_at(t, c)->next, at++)
        if (is_lent(s, c))
            fprintf(out, "g\t%u\t%d\t%d\t%s\t\t%d\n", x->line, CC_STORE_OTHER, at, t->decls[x->decl].usr,
                    varies(s, c) << 3);
}

static void tell_calls(const struct scan *s, uint32_t begin, uint32_t end, const struct cc_tree_node *lambda,
                       FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        const char *usr = x->kind == CC_N_CALL && x->decl >= 0 ? t->decls[x->decl].usr : NULL;
        if (usr && x->begin >= begin && x->end <= end && !strpbrk(usr, "\t\n") &&
            !t->decls[x->decl].in_system_header)
            tell_handed(s, i, lambda, out), tell_lent(s, i, out);
    }
}

static bool calls_lambda(const struct cc_tree *t, uint32_t begin, uint32_t end)
{
    bool found = false;
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        const char *usr = x->kind == CC_N_CALL && x->decl >= 0 ? t->decls[x->decl].usr : NULL;
        found = usr && x->begin >= begin && x->end <= end && strstr(usr, "@Sa@F@operator()");
    }
    return found;
}

void cc_source_hands(const struct scan *s, uint32_t begin, uint32_t end, FILE *out)
{
    const struct cc_tree *t = s->tree;
    tell_calls(s, begin, end, NULL, out);
    bool lambdas = s->loop && calls_lambda(t, begin, end);
    for (uint32_t i = 0; lambdas && i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->kind == CC_N_OTHER && t->text[x->begin] == '[' && (x->begin < begin || x->end > end))
            tell_calls(s, x->begin, x->end, x, out);
    }
}
