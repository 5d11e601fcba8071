/* Loops that go through vectors of the library side by side: `to[i] = from[i] * 2`, `c[i][j] = a[i][j] +
 * b[i][j]`. A vector has what lies in it for itself, vectors in it with all that is theirs: two of them are
 * one, or have nothing in common, whatever leads to them. So where all that the loop accesses is numbers in
 * vectors, and the counter alone says which, in the same of their subscripts everywhere, no two iterations
 * meet, whichever vectors these are. */
#include "scan.h"
#include "../../../base/text.h"

/* In which subscript of `v[i]`, `v[k][i]` it stands alone, from the last one on; 0: in none, or it is no
 * number that lies in a vector of the library. */
static unsigned place_of(const struct scan *s, uint32_t call, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    unsigned at = 0, level = 1;
    if (cc_tree_at(t, call)->kind != CC_N_CALL || !cc_given_of_vector(s, call) ||
        cc_tree_at(t, call)->type.class == CC_T_RECORD)
        return 0;
    for (uint32_t n = call; n != CC_NODE_NONE && cc_given_of_vector(s, n); level++) {
        uint32_t by = CC_NODE_NONE;
        for (uint32_t c = cc_tree_part(t, n, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            by = c;
        bool alone = by != CC_NODE_NONE && cc_scan_plain(t, cc_tree_bare(t, by)) == counter;
        at = !at && alone ? level : at;
        n = cc_tree_bare(t, cc_tree_at(t, n)->child);
    }
    return at;
}

/* Whether a call is of a method of a class of the library, `class` being a part of its symbol. */
static bool is_method_of(const struct scan *s, uint32_t n, const char *class)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    const struct cc_decl *d = x->kind == CC_N_CALL && x->decl >= 0 ? &s->tree->decls[x->decl] : NULL;
    return d && d->in_system_header && d->usr && strstr(d->usr, class);
}

/* What a `for` over a vector's elements, or an iterator of one, hands out: `*__begin1`. */
static bool is_of_range(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool follows = x->kind == CC_N_CALL && x->decl >= 0 && x->child != CC_NODE_NONE &&
                   strcmp(t->decls[x->decl].name, "operator*") == 0;
    int32_t decl = follows ? cc_scan_plain(t, cc_tree_bare(t, x->child)) : -1;
    return decl >= 0 && t->decls[decl].goes_through_vector;
}

static bool is_number_type(int class)
{
    return class == CC_T_INT || class == CC_T_FLOAT;
}

static bool is_number(const struct cc_tree_node *x)
{
    return is_number_type(x->type.class);
}

bool cc_source_two_things(const struct scan *s, uint32_t a, uint32_t b)
{
    const struct cc_tree *t = s->tree;
    const struct cc_ctype *x = &cc_tree_at(t, a)->type, *y = &cc_tree_at(t, b)->type;
    if (cc_given_of_vector(s, a) && cc_given_of_vector(s, b))
        return x->class != y->class || (x->bits && y->bits && x->bits != y->bits);
    if (!is_method_of(s, b, "@array@F@operator[]#") && !is_method_of(s, b, "@array@F@at#"))
        return false;
    int32_t decl = cc_scan_plain(t, cc_tree_bare(t, cc_tree_at(t, b)->child));
    bool own = decl >= 0 && t->decls[decl].own_array, vector = cc_given_of_vector(s, a) || is_of_range(s, a);
    return vector && (own || (is_number(cc_tree_at(t, a)) && is_number(cc_tree_at(t, b))));
}

/* Whether a method is called on it, or it is the vector that something is an element of. */
static bool is_begun_by(const struct cc_tree *t, uint32_t call, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, call);
    if (x->kind != CC_N_CALL || x->child == CC_NODE_NONE)
        return false;
    uint32_t callee = cc_tree_bare(t, x->child);
    if (callee == n)
        return true;
    const struct cc_tree_node *m = cc_tree_at(t, callee);
    return m->kind == CC_N_MEMBER && m->child != CC_NODE_NONE && cc_tree_bare(t, m->child) == n;
}

/* The name of what is called, which leads to nothing by itself. */
static bool is_callee(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool callee = x->kind == CC_N_REF && x->decl >= 0 && t->decls[x->decl].kind == CC_D_FUNCTION;
    for (uint32_t i = 0; i < t->nnodes && !callee; i++)
        callee = cc_tree_at(t, i)->kind == CC_N_CALL && cc_tree_bare(t, cc_tree_at(t, i)->child) == n;
    return callee;
}

/* Whether nothing in a lambda outlasts its call: it captures no object by a name of its own, and what it
 * changes is declared in it. */
static bool captures_plainly(const struct cc_tree *t, const struct cc_tree_node *lambda)
{
    const char *at = t->text + lambda->begin, *end = t->text + lambda->end, *list = at;
    while (at < end && *at != ']')
        at++;
    for (const char *c = list; c < at; c++)
        if (*c == '=' && c[1] != ']' && c[1] != ',')
            return false;
    while (at < end && *at != '{')
        at++;
    return at < end && !memmem(list, (size_t)(at - list), "mutable", strlen("mutable"));
}

/* Whether a node of a lambda only computes with numbers, which the loop does not set. */
static bool computes(const struct scan *s, const struct cc_tree_node *lambda, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    const struct cc_decl *d = x->decl < 0 ? NULL : &t->decls[x->decl];
    int32_t to =
        x->kind == CC_N_ASSIGN || (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC))
            ? cc_scan_plain(t, x->child)
            : -1;
    bool own = to >= 0 && cc_scan_of_lambda(t, lambda, to);
    if (x->alert)
        return false;
    switch (x->kind) {
    case CC_N_COMPOUND:
    case CC_N_IF:
    case CC_N_RETURN:
    case CC_N_NULL:
    case CC_N_DECL:
    case CC_N_LITERAL:
        return true;
    case CC_N_CAST:
    case CC_N_BINARY:
    case CC_N_SELECT:
        return is_number(x);
    case CC_N_OTHER: /* what only wraps one expression; `throw` is no number */
        return cc_tree_bare(t, n) != n && (is_number(x) || is_callee(t, cc_tree_bare(t, n)));
    case CC_N_UNARY:
        return x->op != CC_OP_DEREF && x->op != CC_OP_ADDR &&
               (own || (x->op != CC_OP_INC && x->op != CC_OP_DEC));
    case CC_N_ASSIGN:
        return own;
    case CC_N_VAR:
        return d && is_number_type(d->type.class) && !d->reference && d->kind == CC_D_LOCAL;
    case CC_N_REF:
        return d && (is_callee(t, n) || (is_number(x) && !d->reference && !s->variables[x->decl].write_line &&
                                         (d->has_value || d->kind == CC_D_LOCAL || d->kind == CC_D_PARAM)));
    case CC_N_CALL:
        return cc_source_looks_at_none(s, n);
    default:
        return false;
    }
}

/* `f(x)` of numbers, by a lambda that stands in the function, in front of the loop, and does nothing else. */
bool cc_source_number_lambda(const struct scan *s, uint32_t call)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    const char *usr = x->kind == CC_N_CALL && x->decl >= 0 ? t->decls[x->decl].usr : NULL;
    if (!usr || !strstr(usr, "@Sa@F@operator()") || !is_number(x) || x->child == CC_NODE_NONE)
        return false;
    int32_t decl = cc_scan_plain(t, cc_tree_bare(t, x->child));
    uint32_t lambda = CC_NODE_NONE;
    for (uint32_t i = 0; i < t->nnodes && decl >= 0 && !t->decls[decl].reference; i++)
        if (cc_tree_at(t, i)->kind == CC_N_VAR && cc_tree_at(t, i)->decl == decl &&
            cc_tree_at(t, i)->child != CC_NODE_NONE)
            lambda = cc_tree_at(t, i)->child;
    if (lambda == CC_NODE_NONE || t->text[cc_tree_at(t, lambda)->begin] != '[' ||
        !captures_plainly(t, cc_tree_at(t, lambda)) || cc_tree_holds(t, s->loop, lambda))
        return false;
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        if (cc_tree_bare(t, c) != cc_tree_bare(t, x->child) &&
            (!is_number(cc_tree_at(t, c)) || cc_tree_at(t, c)->handed) && !is_callee(t, cc_tree_bare(t, c)))
            return false;
    const struct cc_tree_node *of = cc_tree_at(t, lambda);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        bool inside = cc_tree_holds(t, lambda, i) &&
                      (cc_tree_at(t, i)->begin > of->begin || cc_tree_at(t, i)->end < of->end);
        if (inside && !computes(s, of, i))
            return false;
    }
    return true;
}

/* Calls that look at no element: how many there are, and of numbers. */
bool cc_source_looks_at_none(const struct scan *s, uint32_t call)
{
    static const char numbers_of[] = " abs fabs fabsf sqrt sqrtf hypot exp expf log logf pow powf fmin fmax "
                                     "sin cos tan atan2 floor ceil min max ";
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    const struct cc_decl *d = x->decl < 0 ? NULL : &t->decls[x->decl];
    if (cc_source_number_lambda(s, call))
        return true;
    if (!d || !d->in_system_header || !is_number(x))
        return false;
    uint32_t callee = cc_tree_bare(t, x->child);
    if (strcmp(d->name, "size") == 0)
        return !d->changes && cc_tree_at(t, callee)->kind == CC_N_MEMBER;
    bool numbers = cc_tree_at(t, callee)->kind == CC_N_REF && cc_text_listed(numbers_of, d->name);
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE && numbers; c = cc_tree_at(t, c)->next)
        numbers = is_number(cc_tree_at(t, c));
    return numbers;
}

/* A vector on the way to its element, or to how many it has. */
static bool is_on_the_way(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    bool is = false;
    for (uint32_t i = 0; i < t->nnodes && !is; i++)
        is = is_begun_by(t, i, n) && (cc_given_of_vector(s, i) || cc_source_looks_at_none(s, i));
    return is;
}

/* Another name for something: `int &r`, or `auto [a, b]`, which may be made of references. */
static bool is_alias(const struct cc_decl *d)
{
    return d->reference || (d->kind == CC_D_OTHER && !d->has_value);
}

/* Whether nothing of another iteration's is got at here: what is not known may lead anywhere. */
static bool is_harmless(const struct scan *s, uint32_t n, int32_t counter, unsigned place)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool record = x->type.class == CC_T_RECORD;
    if (x->alert)
        return false;
    switch (x->kind) {
    case CC_N_CALL:
        return x->decl >= 0 && (record ? cc_given_of_vector(s, n) && is_on_the_way(s, n)
                                       : place_of(s, n, counter) == place || cc_source_looks_at_none(s, n));
    case CC_N_REF:
        return x->decl >= 0 && (is_callee(t, n) || (record ? is_on_the_way(s, n)
                                                           : is_number(x) && !is_alias(&t->decls[x->decl])));
    case CC_N_MEMBER:
        return record ? is_on_the_way(s, n) : is_callee(t, n);
    case CC_N_VAR:
        return x->decl >= 0 && is_number_type(t->decls[x->decl].type.class) && !t->decls[x->decl].reference;
    case CC_N_OTHER: { /* what only wraps one expression is that one */
        uint32_t of = cc_tree_bare(t, n);
        return of != n && (is_number(x) || record || is_callee(t, of));
    }
    case CC_N_UNARY:
        return x->op != CC_OP_DEREF && x->op != CC_OP_ADDR;
    case CC_N_COMPOUND:
    case CC_N_IF:
    case CC_N_FOR:
    case CC_N_CONTINUE:
    case CC_N_NULL:
    case CC_N_DECL:
    case CC_N_BINARY:
    case CC_N_ASSIGN:
    case CC_N_SELECT:
    case CC_N_LITERAL:
    case CC_N_CAST:
        return true;
    default:
        return false;
    }
}

bool cc_source_abreast(const struct scan *s, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    unsigned place = 0;
    if (!s->given.n || counter < 0 || cc_tree_at(t, s->loop)->kind != CC_N_FOR)
        return false;
    for (size_t i = 0; i < s->given.n; i++) {
        unsigned one = place_of(s, cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child), counter);
        if (!one || (place && one != place))
            return false;
        place = one;
    }
    uint32_t body = cc_tree_part(t, s->loop, 3);
    bool fine = body != CC_NODE_NONE && !cc_scan_writes(t, body, counter);
    for (uint32_t i = 0; i < t->nnodes && fine; i++)
        fine = i == s->loop || !cc_tree_holds(t, s->loop, i) || is_harmless(s, i, counter, place);
    return fine;
}

/* --- what such vectors are written by, whatever else the loop does --- */

/* A variable in which what is written stays: it lies in no vector, and no reference in it leads to one. */
static bool is_by_name(const struct scan *s, int32_t decl)
{
    const struct cc_decl *d = decl < 0 ? NULL : &s->tree->decls[decl];
    bool array = d && d->type.class == CC_T_ARRAY && d->kind != CC_D_PARAM,
         record = d && d->type.class == CC_T_RECORD && !d->holds;
    return (array || record) && !d->reference;
}

/* Functions of the library that change nothing but what they hand back. Comparisons and the like that they
 * make of the program's classes are taken to do so, too. */
static bool only_looks(const struct scan *s, uint32_t call)
{
    static const char methods[] =
        " size empty length find count contains at begin end cbegin cend rbegin rend "
        "front back data c_str get lower_bound upper_bound ",
                      operators[] = " operator[] operator* operator-> operator- operator+ operator== "
                                    "operator!= operator< operator> operator<= operator>= ",
                      functions[] =
                          " accumulate inner_product count find min_element max_element "
                          "minmax_element lower_bound upper_bound binary_search equal distance next "
                          "prev to_string stoi stol stod stof ";
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    const struct cc_decl *d = x->decl >= 0 ? &t->decls[x->decl] : NULL;
    if (!d || !d->in_system_header || x->child == CC_NODE_NONE)
        return false;
    bool method = cc_tree_at(t, cc_tree_bare(t, x->child))->kind == CC_N_MEMBER;
    for (uint32_t c = cc_tree_part(t, call, 1); c != CC_NODE_NONE; c = cc_tree_at(t, c)->next) {
        const struct cc_tree_node *y = cc_tree_at(t, cc_tree_bare(t, c));
        bool object = y->kind != CC_N_CALL && y->type.class == CC_T_RECORD; /* of functions, say */
        if (cc_tree_at(t, c)->handed || (object && cc_text_listed(functions, d->name)))
            return false;
    }
    return cc_given_of_vector(s, call) || cc_source_looks_at_none(s, call) ||
           cc_text_listed(operators, d->name) ||
           (method ? !d->changes && cc_text_listed(methods, d->name) : cc_text_listed(functions, d->name));
}

/* A function of the program's, which gets no place of an element to write to: what it writes by another way
 * the gate knows. */
static bool is_of_program(const struct scan *s, uint32_t call)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, call);
    bool program = x->decl < 0 || (!t->decls[x->decl].in_system_header && !t->decls[x->decl].builds);
    for (uint32_t c = x->child; c != CC_NODE_NONE && program; c = cc_tree_at(t, c)->next) {
        const struct cc_tree_node *y = cc_tree_at(t, cc_tree_bare(t, c));
        program = y->type.class != CC_T_POINTER && !(cc_tree_at(t, c)->handed && y->kind != CC_N_REF);
    }
    return program;
}

/* Whether an object is only handed to functions, which are asked for themselves, or asked for a member: where
 * it is made a number a function of its class does that. An object of the loop's own is ended by one. */
static bool is_object_used(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    if (x->kind == CC_N_VAR && x->decl >= 0 && t->decls[x->decl].type.class == CC_T_RECORD &&
        !t->decls[x->decl].reference) {
        uint32_t from = x->child == CC_NODE_NONE ? CC_NODE_NONE : cc_tree_bare(t, x->child);
        return from != CC_NODE_NONE && cc_tree_at(t, from)->kind == CC_N_CALL && only_looks(s, from);
    }
    bool takes = x->kind == CC_N_CALL || x->kind == CC_N_MEMBER || x->kind == CC_N_VAR ||
                 ((x->kind == CC_N_CAST || x->kind == CC_N_OTHER) && x->type.class == CC_T_RECORD);
    for (uint32_t c = x->child; c != CC_NODE_NONE && !takes; c = cc_tree_at(t, c)->next)
        if (cc_tree_at(t, c)->type.class == CC_T_RECORD)
            return false;
    return true;
}

/* Whether nothing in the loop writes elements but the assignments that are known, or looks at one by a name
 * of its own; program: but for functions of the program's. */
static bool writes_no_other(const struct scan *s, bool *ret_program)
{
    const struct cc_tree *t = s->tree;
    bool no = !t->trait_line[CC_TRAIT_NEW] && !t->trait_line[CC_TRAIT_ASM];
    for (size_t i = 0; i < s->arrays.n && no; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        no = !a->write_line || (is_by_name(s, a->decl) && !cc_alias_behind(s, a));
    }
    for (int32_t d = 0; d < (int32_t)t->ndecls && no; d++)
        no = !(is_alias(&t->decls[d]) && (s->variables[d].write_line || s->variables[d].inside));
    for (uint32_t i = 0; i < t->nnodes && no; i++) {
        bool here = i != s->loop && cc_tree_holds(t, s->loop, i),
             call = here && cc_tree_at(t, i)->kind == CC_N_CALL && !only_looks(s, i);
        *ret_program = *ret_program || call;
        no = !here || (is_object_used(s, i) && (!call || is_of_program(s, i)));
    }
    return no;
}

unsigned cc_source_places(const struct scan *s, int32_t counter, bool *ret_all, bool *ret_program)
{
    const struct cc_tree *t = s->tree;
    unsigned place = 0;
    *ret_all = true, *ret_program = false;
    if (!s->given.n || counter < 0 || cc_tree_at(t, s->loop)->kind != CC_N_FOR)
        return 0;
    uint32_t body = cc_tree_part(t, s->loop, 3);
    if (body == CC_NODE_NONE || cc_scan_writes(t, body, counter))
        return 0;
    for (size_t i = 0; i < s->given.n; i++) {
        unsigned one = place_of(s, cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child), counter);
        if (!one || (place && one != place))
            return 0;
        place = one;
    }
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_tree_at(t, i)->kind == CC_N_CALL && i != s->loop && cc_tree_holds(t, s->loop, i))
            *ret_all = *ret_all && (cc_given_of_vector(s, i) || cc_source_looks_at_none(s, i));
    return writes_no_other(s, ret_program) ? place : 0;
}

bool cc_source_at_place(const struct scan *s, uint32_t n, int32_t counter, unsigned place)
{
    return place && place_of(s, n, counter) == place;
}
