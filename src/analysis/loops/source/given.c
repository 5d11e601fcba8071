/* What calls do to objects of classes, in C++. Assignments to what a call hands back, `v[i] = x` of a
 * container: which element that is, and whether two are the same, the source does not tell. */
#include "live.h"
#include "scan.h"

/* `v[i] = {x, y}` of a struct: the assignment that the language makes is a call. */
bool cc_given_assigns(const struct scan *s, uint32_t n)
{
    int32_t callee = cc_tree_at(s->tree, n)->kind == CC_N_CALL ? cc_tree_at(s->tree, n)->decl : -1;
    return callee >= 0 && !s->tree->decls[callee].in_system_header &&
           strcmp(s->tree->decls[callee].name, "operator=") == 0;
}

bool cc_given_sets(struct scan *s, uint32_t call, int32_t decl)
{
    int32_t callee = cc_tree_at(s->tree, call)->decl;
    bool sets = callee >= 0 && strcmp(s->tree->decls[callee].name, "operator=") == 0;
    s->variables[decl].object = s->variables[decl].object || sets;
    return sets;
}

void cc_given_note(struct scan *s, uint32_t n, const char *op)
{
    uint32_t to = cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child);
    if (to != CC_NODE_NONE && cc_tree_at(s->tree, to)->kind == CC_N_CALL)
        CC_VEC_PUSH(&s->given, ((struct scan_given){n, op}));
}

/* The variable that an element belongs to: `v` of `v[i]` and of `v[i][j]`; -1: unknown. */
static int32_t holder(const struct scan *s, uint32_t call)
{
    uint32_t n = cc_tree_bare(s->tree, cc_tree_at(s->tree, call)->child);
    for (unsigned depth = 0; n != CC_NODE_NONE && cc_tree_at(s->tree, n)->kind == CC_N_CALL && depth < 16;
         depth++)
        n = cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child);
    int32_t decl = n == CC_NODE_NONE ? -1 : cc_scan_base(s, n);
    return decl >= 0 && s->tree->decls[decl].kind != CC_D_FUNCTION ? decl : -1;
}

/* The variable that an assignment to what a call hands back is about. */
static int32_t about(const struct scan *s, uint32_t n)
{
    return holder(s, cc_tree_bare(s->tree, cc_tree_at(s->tree, n)->child));
}

/* Whether each iteration has another: a `std::array` that the loop declares, but not a reference to one. */
static bool is_own(const struct scan *s, int32_t decl)
{
    return decl >= 0 && s->variables[decl].inside && s->tree->decls[decl].own_array &&
           s->tree->decls[decl].kind == CC_D_LOCAL;
}

/* Whether a call hands back an element of what it is about. */
static bool is_element(const struct scan *s, uint32_t n)
{
    static const char *const names[] = {"operator[]", "operator()", "at"};
    int32_t callee = cc_tree_at(s->tree, n)->kind == CC_N_CALL ? cc_tree_at(s->tree, n)->decl : -1;
    bool found = false;
    for (size_t i = 0; callee >= 0 && i < CC_COUNT(names); i++)
        found = found || strcmp(s->tree->decls[callee].name, names[i]) == 0;
    return found;
}

/* Whether a call hands out a place of what it is about: an element, or what an iterator is at. */
bool cc_given_hands_out(const struct scan *s, uint32_t n)
{
    static const char names[] = " operator* operator-> front back ";
    int32_t callee = cc_tree_at(s->tree, n)->kind == CC_N_CALL ? cc_tree_at(s->tree, n)->decl : -1;
    return is_element(s, n) || (callee >= 0 && cc_text_listed(names, s->tree->decls[callee].name) &&
                                cc_combine_operands(s, n) < 2); /* `z * z` is a product, and no place */
}

/* Whether it is only on the way to another: `v[i]` of `v[i][j]`. */
static bool is_row(const struct scan *s, uint32_t n)
{
    bool row = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !row; i++)
        row = is_element(s, i) && cc_tree_bare(s->tree, cc_tree_at(s->tree, i)->child) == n;
    return row;
}

/* Whether a loop inside that holds both counts with a variable, and nothing in its body sets that. */
static bool is_counted_around(const struct scan *s, int32_t decl, uint32_t a, uint32_t b)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        uint32_t body =
            cc_tree_at(t, i)->kind == CC_N_FOR && i != s->loop ? cc_tree_part(t, i, 3) : CC_NODE_NONE;
        if (body != CC_NODE_NONE && cc_tree_holds(t, s->loop, i) && cc_tree_holds(t, body, a) &&
            cc_tree_holds(t, body, b) && cc_scan_counter(t, i) == decl && !cc_scan_writes(t, body, decl))
            return true;
    }
    return false;
}

/* Whether the element of n is one by what does not change within an iteration, from `since` on. */
static bool is_steady(const struct scan *s, uint32_t n, uint32_t since, int32_t counter)
{
    const struct cc_tree_node *at = cc_tree_at(s->tree, n);
    bool steady = true;
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(s->tree, i);
        if (x->kind == CC_N_REF && x->decl >= 0 && x->begin >= at->begin && x->end <= at->end)
            steady = steady && (x->decl == counter || !s->variables[x->decl].write_line ||
                                is_counted_around(s, x->decl, n, since));
    }
    return steady;
}

/* Whether something in the loop decides that a is run, and b all the same. */
static bool is_chosen(const struct scan *s, uint32_t a, uint32_t b)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool chooses = x->kind == CC_N_IF || x->kind == CC_N_SWITCH || x->kind == CC_N_SELECT ||
                       (x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR)) ||
                       cc_tree_is_loop(x->kind);
        if (i == s->loop || !chooses || !cc_tree_holds(t, s->loop, i) || !cc_tree_holds(t, i, a))
            continue;
        if (!cc_tree_is_loop(x->kind) || !cc_tree_holds(t, i, b))
            return true;
    }
    return false;
}

/* Whether the iteration has set the element before, whatever happens. */
static bool is_set_before(const struct scan *s, uint32_t n, int32_t counter)
{
    for (size_t i = 0; i < s->given.n; i++) {
        const struct scan_given *g = &s->given.v[i];
        uint32_t place = cc_tree_bare(s->tree, cc_tree_at(s->tree, g->node)->child);
        if (!g->op && cc_tree_at(s->tree, g->node)->end <= cc_tree_at(s->tree, n)->begin &&
            cc_scan_same_text(s, place, n) && is_steady(s, n, g->node, counter) && !is_chosen(s, g->node, n))
            return true;
    }
    return false;
}

/* The element whose place is told somebody, `&v[i]` or by a reference: who gets it may change it. */
static uint32_t handed_out(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool taken = x->kind == CC_N_UNARY && x->op == CC_OP_ADDR;
    uint32_t place = taken       ? cc_tree_bare(s->tree, x->child)
                     : x->handed ? cc_tree_bare(s->tree, n)
                                 : CC_NODE_NONE;
    return place != CC_NODE_NONE && cc_tree_holds(s->tree, s->loop, n) && is_element(s, place) ? place
                                                                                               : CC_NODE_NONE;
}

int32_t cc_given_met(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    int32_t decl = is_element(s, n) && !is_row(s, n) ? holder(s, n) : -1;
    for (size_t k = 0; decl >= 0 && k < s->given.n; k++)
        if (about(s, s->given.v[k].node) == decl &&
            !cc_scan_same_text(s, cc_tree_bare(t, cc_tree_at(t, s->given.v[k].node)->child), n))
            return decl;
    return -1;
}

/* Whether it is an element of an object that has no other name. */
static bool is_of_object(const struct scan *s, uint32_t n)
{
    int32_t decl = is_element(s, n) ? holder(s, n) : -1;
    return decl >= 0 && s->tree->decls[decl].type.class == CC_T_RECORD && !s->tree->decls[decl].reference;
}

/* What a container of the library hands out, by which nothing of another type is accessed. */
static enum cc_source_element element_of(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool library = x->kind == CC_N_CALL && x->decl >= 0 && s->tree->decls[x->decl].in_system_header;
    return library ? cc_scan_element(&x->type) : CC_ELEMENT_ANY;
}

/* An element of a vector of the library: what it has allocated holds elements of one type, and no other
 * container's. */
static bool is_of_vector(const struct scan *s, uint32_t n)
{
    int32_t callee = is_element(s, n) ? cc_tree_at(s->tree, n)->decl : -1;
    const struct cc_decl *d = callee >= 0 ? &s->tree->decls[callee] : NULL;
    return d && d->in_system_header && d->usr && strstr(d->usr, "@vector@");
}

static bool is_number(const struct scan *s, uint32_t n)
{
    int class = cc_tree_at(s->tree, n)->type.class;
    return class == CC_T_INT || class == CC_T_FLOAT;
}

/* `p.x` or `p.x[2].y` of the variable: no pointer is followed on the way. */
static bool lies_in(const struct scan *s, uint32_t n, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    for (unsigned depth = 0; n != CC_NODE_NONE && depth < 16; depth++) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        if (x->kind == CC_N_REF)
            return x->decl == decl;
        uint32_t of = x->child == CC_NODE_NONE ? CC_NODE_NONE : cc_tree_bare(t, x->child);
        int class = of == CC_NODE_NONE ? CC_T_NONE : cc_tree_at(t, of)->type.class;
        if (!(x->kind == CC_N_MEMBER && class == CC_T_RECORD) &&
            !(x->kind == CC_N_SUBSCRIPT && class == CC_T_ARRAY))
            return false;
        n = of;
    }
    return false;
}

/* A struct that is handed out for a number that lies in it: `v[i].x`. */
static bool is_for_number(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->kind == CC_N_MEMBER && x->child != CC_NODE_NONE && cc_tree_bare(t, x->child) == n)
            return cc_tree_at(t, n)->type.class == CC_T_RECORD && is_number(s, i);
    }
    return false;
}

/* Whether two calls may hand out one place: iterators and references lead anywhere, but no integer is a
 * double. */
static bool may_be_one(const struct scan *s, uint32_t a, uint32_t b)
{
    enum cc_source_element of = element_of(s, a), other = element_of(s, b);
    if (of && other && of != other)
        return false;
    if (is_of_vector(s, a) && is_of_vector(s, b) && is_number(s, a) && is_for_number(s, b))
        return false; /* numbers that are set, and what lies in structs */
    if (cc_source_two_things(s, a, b) || cc_source_two_things(s, b, a))
        return false;
    return holder(s, a) == holder(s, b) || !is_of_object(s, a) || !is_of_object(s, b);
}

static uint32_t last_child(const struct cc_tree *t, uint32_t n)
{
    uint32_t last = CC_NODE_NONE;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        last = c;
    return last;
}

/* Whether a reference leads to another element in each iteration: `auto &x : v`, `auto &x = v[i]`. */
static bool is_each(const struct scan *s, int32_t decl, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    int class = t->decls[decl].type.class;
    if (!t->decls[decl].reference || !s->variables[decl].inside ||
        (class != CC_T_INT && class != CC_T_FLOAT && class != CC_T_RECORD))
        return false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->kind != CC_N_VAR || x->decl != decl || !cc_tree_holds(t, s->loop, i))
            continue;
        uint32_t body = cc_tree_part(t, s->loop, loop->kind == CC_N_FOR ? 3 : 1);
        if (loop->kind == CC_N_WHILE)
            return loop->op == 1 && (body == CC_NODE_NONE || !cc_tree_holds(t, body, i));
        uint32_t to =
            loop->kind == CC_N_FOR && x->child != CC_NODE_NONE ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        if (to == CC_NODE_NONE || counter < 0 || !is_of_vector(s, to) || cc_scan_writes(t, body, counter))
            return false;
        uint32_t last = last_child(t, to);
        return last != CC_NODE_NONE && cc_scan_plain(t, cc_tree_bare(t, last)) == counter;
    }
    return false;
}

/* Whether the loop assigns to what a pointer or a reference leads to; `others`: than to such elements. */
static bool assigns_behind(const struct scan *s, int32_t counter, bool others)
{
    bool found = false;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        int32_t decl = a->write_line ? a->decl : -1;
        bool led =
            decl >= 0 && (s->tree->decls[decl].type.class == CC_T_POINTER || s->tree->decls[decl].reference);
        bool each = others && decl >= 0 && is_each(s, decl, counter);
        for (size_t k = 0; each && k < a->writes.n; k++)
            each = lies_in(s, a->writes.v[k], decl);
        found = found || (led && !each) || (others && a->write_line && !each);
    }
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        found = found || (s->tree->decls[d].reference && s->variables[d].write_line &&
                          !(others && is_each(s, d, counter)));
    return found;
}

/* Whether all that the loop assigns to are such elements, and numbers in vectors. */
static bool sets_only_each(const struct scan *s, int32_t counter, bool *ret_numbers)
{
    const struct cc_tree *t = s->tree;
    for (size_t i = 0; i < s->given.n; i++) {
        uint32_t place = cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child);
        if (!is_of_vector(s, place) || !is_number(s, place))
            return false;
    }
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool taken = (x->kind == CC_N_UNARY && x->op == CC_OP_ADDR) || x->handed;
        if (taken && cc_tree_holds(t, s->loop, i))
            return false;
    }
    *ret_numbers = s->given.n > 0;
    return !assigns_behind(s, counter, true);
}

/* Whether a reference gets its place, `int &x = v[i];`: what is done with that is done by its name. */
static bool is_bound(const struct scan *s, uint32_t n)
{
    bool bound = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !bound; i++) {
        const struct cc_tree_node *x = cc_tree_at(s->tree, i);
        bound = x->kind == CC_N_VAR && x->decl >= 0 && s->tree->decls[x->decl].reference &&
                x->child != CC_NODE_NONE && cc_tree_bare(s->tree, x->child) == n;
    }
    return bound;
}

/* A number that is, or lies in, what a reference that each iteration has anew leads to. */
static bool is_by_reference(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool number = x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT,
         place = x->kind == CC_N_REF || x->kind == CC_N_MEMBER || x->kind == CC_N_SUBSCRIPT;
    int32_t decl = !number || !place || !cc_tree_holds(s->tree, s->loop, n) ? -1
                   : x->kind == CC_N_REF                                    ? x->decl
                                                                            : cc_scan_base(s, n);
    return decl >= 0 && s->tree->decls[decl].reference && s->variables[decl].inside;
}

/* Looks by way of references. Where each iteration has another element by its reference, and sets no other,
 * nobody else sets what it looks at. */
static void tell_references(const struct scan *s, int32_t counter, FILE *out)
{
    const struct cc_tree *t = s->tree;
    bool numbers = false, each = sets_only_each(s, counter, &numbers);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool known = !is_by_reference(s, i);
        int32_t decl = known || !each ? -1 : x->kind == CC_N_REF ? x->decl : cc_scan_base(s, i);
        known = known || (decl >= 0 && is_each(s, decl, counter) && lies_in(s, i, decl) &&
                          (!numbers || t->decls[decl].type.class == CC_T_RECORD));
        for (uint32_t k = 0; k < t->nnodes && !known; k++) {
            const struct cc_tree_node *y = cc_tree_at(t, k);
            bool set = y->kind == CC_N_ASSIGN && y->op == CC_OP_NONE && cc_tree_bare(t, y->child) == i;
            known =
                set || (k < i && y->line == x->line && is_by_reference(s, k) && cc_scan_same_text(s, k, i));
        }
        if (!known)
            fprintf(out, "Q\t%u\t%d\t%.*s\n", x->line, is_chosen(s, i, s->loop),
                    (int)CC_MIN(x->end - x->begin, 40U), t->text + x->begin);
    }
}

/* `g[i]` of `g[i].size()`: a method that changes nothing looks at the object, not at what that holds. */
static bool is_asked(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    bool asked = false;
    for (uint32_t i = 0; i < t->nnodes && !asked; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool method = x->kind == CC_N_CALL && x->decl >= 0 && t->decls[x->decl].in_system_header &&
                      !t->decls[x->decl].changes && x->child != CC_NODE_NONE && !cc_given_hands_out(s, i);
        uint32_t of = method ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        asked = of != CC_NODE_NONE && cc_tree_at(t, of)->kind == CC_N_MEMBER &&
                cc_tree_at(t, of)->child != CC_NODE_NONE && cc_tree_bare(t, cc_tree_at(t, of)->child) == n;
    }
    return asked;
}

/* Whether the loop assigns to objects as a whole by way of calls: `g[i] = h[i]`. */
static bool assigns_objects(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    bool found = false;
    for (size_t i = 0; i < s->given.n; i++) {
        int class = cc_tree_at(t, cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child))->type.class;
        found = found || (class != CC_T_INT && class != CC_T_FLOAT);
    }
    for (uint32_t i = 0; i < t->nnodes && !found; i++) {
        uint32_t place = handed_out(s, i);
        int class = place == CC_NODE_NONE ? CC_T_INT : cc_tree_at(t, place)->type.class;
        found = class != CC_T_INT && class != CC_T_FLOAT;
    }
    return found;
}

/* Whether an element is the same in all iterations, and all that the loop does with its object is to combine
 * that with something: what keeps it in a register has seen that nothing else leads there. */
static bool is_one_sum(const struct scan *s, uint32_t n, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    int32_t decl = is_element(s, n) ? holder(s, n) : -1;
    const char *op = NULL;
    unsigned sums = 0;
    for (size_t i = 0; decl >= 0 && i < s->given.n; i++) {
        const struct scan_given *g = &s->given.v[i];
        if (about(s, g->node) != decl)
            continue;
        if (!g->op || (op && strcmp(op, g->op) != 0) ||
            !cc_scan_same_text(s, cc_tree_bare(t, cc_tree_at(t, g->node)->child), n))
            return false;
        op = g->op;
        sums++;
    }
    return op && sums == cc_tree_mentions(t, s->loop, decl) && counter >= 0 &&
           !cc_tree_mentions(t, n, counter) && is_steady(s, n, s->loop, counter);
}

static bool may_be_of(enum cc_source_element a, enum cc_source_element b)
{
    return !a || !b || a == b;
}

/* Whether what the loop assigns to behind pointers and references may be such an element. */
static bool assigns_such(const struct scan *s, enum cc_source_element element)
{
    const struct cc_tree *t = s->tree;
    bool found = false;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        int32_t decl = a->write_line ? a->decl : -1;
        bool behind = decl >= 0 && (t->decls[decl].type.class == CC_T_POINTER || t->decls[decl].reference);
        found = found || (behind && !a->writes.n);
        for (size_t k = 0; behind && k < a->writes.n; k++)
            found = found || may_be_of(cc_scan_element(&cc_tree_at(t, a->writes.v[k])->type), element);
    }
    for (int32_t d = 0; d < (int32_t)t->ndecls; d++)
        found = found || (t->decls[d].reference && s->variables[d].write_line &&
                          may_be_of(cc_scan_element(&t->decls[d].type), element));
    return found;
}

/* Whether a look is at a number and no function gets that, so that the line itself loads it. */
static bool is_direct(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    int class = cc_tree_at(t, n)->type.class;
    bool direct = class == CC_T_INT || class == CC_T_FLOAT;
    for (uint32_t i = 0; i < t->nnodes && direct; i++)
        for (uint32_t c = cc_tree_at(t, i)->kind == CC_N_CALL ? cc_tree_at(t, i)->child : CC_NODE_NONE;
             c != CC_NODE_NONE && direct; c = cc_tree_at(t, c)->next)
            direct = cc_tree_bare(t, c) != n;
    return direct;
}

/* Whether one expression looks at an element twice, by the same text and with nothing between the looks that
 * might set it: there is one load for both, in the line of the first. */
static bool is_looked_again(const struct scan *s, uint32_t first, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *a = cc_tree_at(t, first), *b = cc_tree_at(t, n);
    bool again = a->end <= b->begin && cc_scan_same_text(s, first, n) && !is_chosen(s, first, n);
    for (uint32_t at = a->end; at < b->begin && again; at++)
        again = !strchr(";{}", t->text[at]);
    for (uint32_t i = 0; i < t->nnodes && again; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC),
             sets = steps || x->kind == CC_N_ASSIGN || x->handed ||
                    (x->kind == CC_N_CALL && !cc_given_hands_out(s, i));
        again = !sets || x->begin < a->end || x->end > b->begin;
    }
    return again;
}

/* An object of a class; or `f(x)` of a lambda, or of an object of the library (`std::function`), whose
 * containers have no such operator: a call, and no element of f. */
static bool is_whole(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    const struct cc_decl *callee = x->decl >= 0 ? &s->tree->decls[x->decl] : NULL;
    bool called = callee && strcmp(callee->name, "operator()") == 0;
    return x->type.class == CC_T_RECORD ||
           (called && (callee->in_system_header || (callee->usr && strstr(callee->usr, "@Sa@F@operator()"))));
}

/* Whether a number in a container of the library is written by what the loop calls: a function of the
 * program's (which the gate knows), or one of the library that fills ranges. */
enum { WRITTEN_NOT, WRITTEN_MAYBE, WRITTEN };
static int by_calls(const struct scan *s, uint32_t n)
{
    static const char filling[] =
        " fill fill_n generate generate_n iota copy copy_n copy_if copy_backward move "
        "move_backward transform replace swap_ranges rotate reverse partial_sum ";
    const struct cc_tree *t = s->tree;
    int how = WRITTEN_NOT;
    if (!is_number(s, n) || !t->decls[cc_tree_at(t, n)->decl].in_system_header)
        return how;
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        const struct cc_decl *d = x->decl < 0 ? NULL : &t->decls[x->decl];
        if (!cc_tree_holds(t, s->loop, *i))
            continue;
        bool program = !d || !d->in_system_header,
             fills = !program && cc_text_listed(filling, d->name) && cc_tree_part(t, *i, 2) != CC_NODE_NONE;
        how = CC_MAX(how, fills ? WRITTEN : program ? WRITTEN_MAYBE : WRITTEN_NOT);
    }
    return how;
}

/* A look at what the loop assigns to by way of calls, or may (written: it does), each text of a line once. */
static bool is_asked_for(const struct scan *s, uint32_t n, int32_t counter, bool written)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n), *loop = cc_tree_at(t, s->loop);
    bool given = written, assigned = false;
    for (uint32_t k = 0; k < t->nnodes; k++) {
        uint32_t place = handed_out(s, k);
        given = given || (place != CC_NODE_NONE && may_be_one(s, place, n));
        assigned = assigned || place == n;
    }
    for (size_t k = 0; k < s->given.n; k++) {
        uint32_t place = cc_tree_bare(t, cc_tree_at(t, s->given.v[k].node)->child);
        given = given || may_be_one(s, place, n);
        assigned = assigned || (place == n && !s->given.v[k].op);
    }
    for (uint32_t k = 0; k < n && given; k++)
        assigned =
            assigned ||
            (cc_given_hands_out(s, k) && cc_tree_at(t, k)->begin >= loop->begin &&
             (cc_tree_at(t, k)->line == x->line ? cc_scan_same_text(s, k, n) : is_looked_again(s, k, n)));
    return given && !assigned && !is_own(s, holder(s, n)) && !is_set_before(s, n, counter) &&
           !is_one_sum(s, n, counter);
}

/* maybe: if a function that the loop calls writes such. */
static void tell_look(const struct scan *s, uint32_t n, bool maybe, unsigned data, FILE *out)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    int32_t decl = holder(s, n);
    fprintf(out, "Q\t%u\t%u\t%s\n", x->line,
            (unsigned)is_chosen(s, n, s->loop) | (unsigned)is_direct(s, n) << 1 |
                (unsigned)is_whole(s, n) << 2 | (cc_source_of_data(s, n) ? data : 0) << 3 |
                (maybe ? cc_source_kind_of(s->tree, n) << 5 : 0),
            decl >= 0 ? s->tree->decls[decl].name : "something");
}

/* A line all of whose looks are at what no other iteration writes need not have their loads; one's load would
 * else be taken for another's. Returns whether all that the loop looks at is so. */
static bool tell_looks(const struct scan *s, int32_t counter, FILE *out)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *loop = cc_tree_at(t, s->loop);
    const bool behind = assigns_behind(s, counter, false), objects = assigns_objects(s);
    CC_VEC(uint32_t) looks = {0}, others = {0};
    bool own, program;
    const unsigned places = cc_source_places(s, counter, &own, &program);
    const unsigned data = !cc_source_stores_data(s) ? 0
                          : cc_source_even(s)       ? CC_SOURCE_DATA_EVEN
                                                    : CC_SOURCE_DATA;
    own = own && places > 0;
    if (behind || s->given.n)
        tell_references(s, counter, out);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->begin < loop->begin || x->end > loop->end || !cc_given_hands_out(s, i) || is_row(s, i) ||
            is_bound(s, i) || (!objects && is_asked(s, i)) || cc_source_number_lambda(s, i))
            continue;
        int by = by_calls(s, i);
        if (is_asked_for(s, i, counter, by == WRITTEN || (behind && assigns_such(s, element_of(s, i)))))
            CC_VEC_PUSH(&looks, i);
        else if (by == WRITTEN_MAYBE && is_asked_for(s, i, counter, true))
            CC_VEC_PUSH(&others, i);
    }
    for (size_t i = 0; i < looks.n; i++) {
        bool asked = false;
        for (size_t k = 0; k < looks.n && !asked; k++)
            asked = cc_tree_at(t, looks.v[k])->line == cc_tree_at(t, looks.v[i])->line &&
                    !cc_source_at_place(s, looks.v[k], counter, places);
        own = own && !asked;
        if (asked || program)
            tell_look(s, looks.v[i], !asked, data, out);
    }
    for (size_t i = 0; i < others.n; i++)
        tell_look(s, others.v[i], true, data, out);
    CC_VEC_FINI(&looks);
    CC_VEC_FINI(&others);
    return own;
}

/* What calls only combine with something, `add(&v[j], x)`. */
static void tell_combined(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; s->combines && i < t->nnodes; i++) {
        const char *op;
        uint32_t place = cc_tree_holds(t, s->loop, i) ? cc_combine_place(s, i, &op) : CC_NODE_NONE;
        if (place == CC_NODE_NONE)
            continue;
        int32_t decl = cc_tree_at(t, place)->kind == CC_N_CALL ? holder(s, place) : cc_scan_base(s, place);
        if (decl >= 0)
            fprintf(out, "O\t%u\t%s\t%s\t%s\n", cc_tree_at(t, i)->line, op, t->decls[decl].name,
                    t->decls[cc_tree_at(t, i)->decl].usr);
    }
}

/* Whether the loop does nothing with it but assign to what calls about it hand back. */
static bool is_result(const struct scan *s, int32_t decl)
{
    size_t assigned = 0;
    for (size_t i = 0; i < s->given.n; i++)
        assigned += !s->given.v[i].op && about(s, s->given.v[i].node) == decl;
    return decl >= 0 && !s->variables[decl].inside && cc_tree_mentions(s->tree, s->loop, decl) == assigned;
}

/* Whether every iteration assigns to the same element, and all assignments to the object do: the last one's
 * stays. */
static bool settles(const struct scan *s, const struct scan_given *g, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    uint32_t place = cc_tree_bare(t, cc_tree_at(t, g->node)->child);
    if (!is_element(s, place) || is_chosen(s, g->node, s->loop))
        return false;
    for (size_t i = 0; i < s->given.n; i++)
        if (about(s, s->given.v[i].node) == about(s, g->node) &&
            !cc_scan_same_text(s, cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child), place))
            return false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool inside = cc_tree_holds(t, place, i) && i != place;
        bool changes = x->kind == CC_N_REF && x->decl >= 0 &&
                       (x->decl == counter || s->variables[x->decl].inside ||
                        s->variables[x->decl].write_line || s->variables[x->decl].address);
        bool looks = x->kind == CC_N_CALL || x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                     x->kind == CC_N_UNARY;
        if ((inside && (changes || looks)) || (x->kind == CC_N_CONTINUE && cc_tree_holds(t, s->loop, i)))
            return false;
    }
    return true;
}

/* Whether nothing that changes in the loop is mentioned where it assigns to. */
static bool is_fixed(const struct scan *s, const struct scan_given *g, int32_t counter)
{
    uint32_t place = cc_tree_bare(s->tree, cc_tree_at(s->tree, g->node)->child);
    bool own = false;
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        own = own || (s->variables[d].inside && cc_tree_mentions(s->tree, place, d));
    return !own && is_element(s, place) && is_steady(s, place, s->loop, -1) &&
           (counter < 0 || !cc_tree_mentions(s->tree, place, counter));
}

/* Whether some subscript of `v[i]`, `v[i][j]` or `v(i, j)` is another in each iteration. */
static bool tells_apart(const struct scan *s, uint32_t place, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t n = place; n != CC_NODE_NONE && is_element(s, n);
         n = cc_tree_bare(t, cc_tree_at(t, n)->child))
        for (uint32_t c = cc_tree_part(t, n, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            if (cc_scan_counts_up(s, c, counter))
                return true;
    return false;
}

/* Whether a place lies in an element that each iteration has for itself: `p.x` of `auto &p = v[i]`, `v[i].x`.
 */
static bool is_own_place(const struct scan *s, uint32_t place, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    int32_t decl = cc_scan_base(s, place);
    if (decl >= 0 && is_each(s, decl, counter) && lies_in(s, place, decl))
        return true;
    uint32_t n = cc_tree_bare(t, place);
    while (n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_MEMBER &&
           cc_tree_at(t, n)->child != CC_NODE_NONE &&
           cc_tree_at(t, cc_tree_at(t, n)->child)->type.class == CC_T_RECORD)
        n = cc_tree_bare(t, cc_tree_at(t, n)->child);
    return n != CC_NODE_NONE && n != place && is_element(s, n) && tells_apart(s, n, counter);
}

bool cc_given_each(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    bool each = a->writes.n && !cc_class_is_c(s->tree);
    for (size_t i = 0; i < a->writes.n && each; i++)
        each = is_own_place(s, a->writes.v[i], counter);
    for (size_t i = 0; i < a->asked.n && each; i++)
        each = is_own_place(s, a->asked.v[i], counter) &&
               cc_scan_base(s, a->asked.v[i]) == cc_scan_base(s, a->writes.v[0]) &&
               (cc_scan_base(s, a->asked.v[i]) >= 0 || cc_scan_same_text(s, a->asked.v[i], a->writes.v[0]));
    return each;
}

/* Whether all that the loop accesses of the object reads the same, and is another element in each iteration:
 * then none that stands outside the binary's loop has anything to do with the others. */
static bool has_own(const struct scan *s, const struct scan_given *g, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    uint32_t place = cc_tree_bare(t, cc_tree_at(t, g->node)->child);
    if (counter < 0 || !is_of_object(s, place) || !tells_apart(s, place, counter) ||
        assigns_behind(s, counter, false))
        return false;
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_tree_holds(t, s->loop, i) && cc_given_hands_out(s, i) && !is_row(s, i) &&
            may_be_one(s, place, i) && !cc_scan_same_text(s, i, place))
            return false;
    return true;
}

/* Of what is assigned to; 0: that is no record. */
static int record_bytes(const struct scan *s, uint32_t assignment)
{
    uint32_t place = cc_tree_bare(s->tree, cc_tree_at(s->tree, assignment)->child);
    const struct cc_tree_node *x = place == CC_NODE_NONE ? NULL : cc_tree_at(s->tree, place);
    return x && x->type.class == CC_T_RECORD && x->type.bits < 1 << 20 ? (int)(x->type.bits / 8) : 0;
}

void cc_given_tell(const struct scan *s, int32_t counter, FILE *out)
{
    const bool abreast = cc_source_abreast(s, counter);
    cc_moves_copies(s, out);
    const bool own = tell_looks(s, counter, out) || abreast;
    tell_combined(s, out);
    for (size_t i = 0; i < s->given.n; i++) {
        int32_t decl = about(s, s->given.v[i].node);
        if (!is_own(s, decl))
            fprintf(out, "B\t%u\t%s\t%d\t%s\n", cc_tree_at(s->tree, s->given.v[i].node)->line,
                    s->given.v[i].op ? s->given.v[i].op : "",
                    is_result(s, decl) << settles(s, &s->given.v[i], counter) |
                        is_fixed(s, &s->given.v[i], counter) << 2 |
                        (own || has_own(s, &s->given.v[i], counter)) << 3 | abreast << 5 |
                        cc_scan_is_half(s, cc_tree_at(s->tree, s->given.v[i].node)->child, counter) << 4 |
                        record_bytes(s, s->given.v[i].node) << 6,
                    decl >= 0 ? s->tree->decls[decl].name : "");
    }
}

/* The line where a function looks at what it also assigns to by way of calls; 0: nowhere. */
static unsigned looked_at(const struct scan *s, const struct scan_given *g)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, g->node);
    if (g->op || x->kind == CC_N_UNARY || x->op != CC_OP_NONE)
        return x->line;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        bool assigned = !cc_given_hands_out(s, i) || is_row(s, i);
        for (size_t k = 0; k < s->given.n && !assigned; k++)
            assigned = i == cc_tree_bare(t, cc_tree_at(t, s->given.v[k].node)->child);
        if (!assigned && holder(s, i) == about(s, g->node))
            return cc_tree_at(t, i)->line;
    }
    return 0;
}

void cc_given_states(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (size_t i = 0; i < s->given.n; i++) {
        const struct scan_given *g = &s->given.v[i];
        unsigned line = looked_at(s, g);
        int32_t decl = about(s, g->node);
        bool param = decl >= 0 && t->decls[decl].kind == CC_D_PARAM && t->decls[decl].reference;
        unsigned flags;
        if (cc_moves_given(s, g->node, &flags))
            fprintf(out, "U\t%u\t%d\t\t\n", cc_tree_at(t, g->node)->line,
                    (int)(cc_source_always(t, cc_tree_at(t, g->node)->line) | flags));
        else if (line && !is_own(s, decl))
            fprintf(out, "U\t%u\t%d\t\t\n", line, cc_source_always(t, line) | param << 1);
    }
}

/* The subscript of `v[i]`, if v is a vector of numbers and no reference to one; CC_NODE_NONE. */
uint32_t cc_given_subscript(const struct scan *s, uint32_t n, int32_t *ret_decl)
{
    bool own = is_of_vector(s, n) && is_number(s, n) && is_of_object(s, n) && !is_bound(s, n);
    return own ? cc_given_element(s, n, ret_decl) : CC_NODE_NONE;
}

bool cc_given_of_vector(const struct scan *s, uint32_t n)
{
    return is_of_vector(s, n);
}

uint32_t cc_given_element(const struct scan *s, uint32_t n, int32_t *ret_decl)
{
    const struct cc_tree *t = s->tree;
    if (!is_element(s, n) || strcmp(t->decls[cc_tree_at(t, n)->decl].name, "operator()") == 0)
        return CC_NODE_NONE;
    *ret_decl = cc_scan_plain(t, cc_tree_at(t, n)->child);
    return *ret_decl >= 0 ? last_child(t, n) : CC_NODE_NONE;
}

bool cc_given_led(const struct scan *s, int32_t counter)
{
    return assigns_behind(s, counter, false);
}

bool cc_given_handed(const struct scan *s, uint32_t n)
{
    bool handed = false;
    for (uint32_t i = 0; i < s->tree->nnodes && !handed; i++)
        handed = handed_out(s, i) == n;
    return handed;
}
