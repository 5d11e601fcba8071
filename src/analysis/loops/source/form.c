#include "form.h"
#include "live.h"

enum {
    FORM_DEPTH = 40,    /* an expression that is nested deeper is not looked into */
    FORM_NESTED = 4,    /* bounds that need a bound: `(i + n) % 2` of where a loop begins that runs to n */
    FORM_ROUNDS = 24,   /* of putting bounds in the place of counters */
    FORM_MOST = 1 << 20 /* factors and numbers beyond are left alone: nothing can run over */
};
static const uint32_t OTHER = FORM_SIDE, ATOM = FORM_ATOM;

static const struct cc_tree_node *at(const struct forms *f, uint32_t n)
{
    return cc_tree_at(f->scan->tree, n);
}

/* --- sums of products --- */

static const struct form unknown = {0};

struct form cc_form_number(long value)
{
    struct form a = {.known = labs(value) < FORM_MOST, .n = value != 0};
    a.v[0] = (struct form_term){.factor = value};
    return a;
}

static struct form symbol(uint32_t id)
{
    return (struct form){.known = true, .n = 1, .v = {{.factor = 1, .symbols = {id}, .degree = 1}}};
}

static bool same_symbols(const struct form_term *a, const struct form_term *b)
{
    return a->degree == b->degree && memcmp(a->symbols, b->symbols, a->degree * sizeof *a->symbols) == 0;
}

static void put(struct form *to, struct form_term term)
{
    for (unsigned i = 0; i < to->n; i++) {
        if (!same_symbols(&to->v[i], &term))
            continue;
        to->v[i].factor += term.factor;
        to->known = to->known && labs(to->v[i].factor) < FORM_MOST;
        if (!to->v[i].factor)
            to->v[i] = to->v[--to->n];
        return;
    }
    if (to->n == FORM_TERMS || labs(term.factor) >= FORM_MOST)
        to->known = false;
    else if (term.factor)
        to->v[to->n++] = term;
}

struct form cc_form_add(struct form a, struct form b, long factor)
{
    a.known = a.known && b.known;
    for (unsigned i = 0; i < b.n && a.known; i++) {
        b.v[i].factor *= factor;
        put(&a, b.v[i]);
    }
    return a.known ? a : unknown;
}

static bool times(struct form_term a, struct form_term b, struct form_term *ret)
{
    if (a.degree + b.degree > FORM_DEGREE)
        return false;
    *ret = a;
    ret->factor *= b.factor;
    for (unsigned i = 0; i < b.degree; i++) {
        unsigned k = ret->degree++;
        for (; k > 0 && ret->symbols[k - 1] > b.symbols[i]; k--)
            ret->symbols[k] = ret->symbols[k - 1];
        ret->symbols[k] = b.symbols[i];
    }
    return true;
}

static struct form product(struct form a, struct form b)
{
    struct form to = {.known = a.known && b.known};
    for (unsigned i = 0; i < a.n; i++)
        for (unsigned k = 0; k < b.n && to.known; k++) {
            struct form_term term;
            if (!times(a.v[i], b.v[k], &term))
                return unknown;
            put(&to, term);
        }
    return to.known ? to : unknown;
}

bool cc_form_is_number(const struct form *a, long *ret)
{
    *ret = a->n == 1 ? a->v[0].factor : 0;
    return a->known && (a->n == 0 || (a->n == 1 && a->v[0].degree == 0));
}

uint32_t cc_form_counter(const struct forms *f, enum form_side side)
{
    return (uint32_t)f->counter | (side == FORM_OTHER ? OTHER : 0);
}

/* --- from the source --- */

static struct form form_of(struct forms *f, uint32_t n, enum form_side side, unsigned depth);

/* A whole number, which may stand in parentheses. */
bool cc_form_literal(const struct cc_tree *t, uint32_t n, long *ret)
{
    const char *from = t->text + cc_tree_at(t, n)->begin, *stop = t->text + cc_tree_at(t, n)->end;
    char digits[16] = {0}, *end;
    while (from < stop && (*from == '(' || *from == ' '))
        from++;
    while (from < stop && (stop[-1] == ')' || stop[-1] == ' '))
        stop--;
    size_t size = (size_t)(stop - from);
    if (cc_tree_at(t, n)->kind != CC_N_LITERAL || size >= sizeof digits)
        return false;
    memcpy(digits, from, size);
    *ret = strtol(digits, &end, 0);
    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L')
        end++;
    return end > digits && !*end;
}

/* Something in the loop, in front of its body or in it, counts with the variable. */
static bool counts(const struct forms *f, int32_t decl)
{
    return decl == f->counter || f->scan->variables[decl].counts;
}

/* Whether every variable that is mentioned stays as it is while the loop runs. */
static bool holds_still(const struct forms *f, uint32_t n, uint32_t loop, unsigned depth)
{
    const struct cc_tree *t = f->scan->tree;
    const struct cc_tree_node *x = at(f, n);
    if (depth > FORM_DEPTH || x->kind == CC_N_CALL || x->kind == CC_N_ASSIGN)
        return false;
    if (x->kind == CC_N_REF && x->decl >= 0 && !t->decls[x->decl].has_value &&
        !cc_stands_at_file(f, x->decl, loop) &&
        (cc_scan_writes(t, loop, x->decl) || cc_source_addressed(t, x->decl) ||
         (!f->trusting && (t->decls[x->decl].kind == CC_D_STATIC || t->decls[x->decl].kind == CC_D_GLOBAL))))
        return false;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = at(f, c)->next)
        if (!holds_still(f, c, loop, depth + 1))
            return false;
    return true;
}

static struct form atom(struct forms *f, uint32_t n)
{
    if (cc_scan_varies(f->scan, n, f->counter, false, 1) || at(f, n)->type.class != CC_T_INT ||
        (f->scan->calls && !holds_still(f, n, f->scan->loop, 0)))
        return unknown;
    for (size_t i = 0; i < f->atoms.n; i++)
        if (cc_scan_same_things(f->scan, f->atoms.v[i].node, n))
            return symbol(ATOM | (uint32_t)i);
    CC_VEC_PUSH(&f->atoms, ((struct form_atom){n}));
    return symbol(ATOM | (uint32_t)(f->atoms.n - 1));
}

/* Of two whole numbers, one of them written out: what a rest of a division, or a turned bit, may be made of.
 */
static bool is_rest(const struct forms *f, uint32_t n)
{
    long by;
    int op = at(f, n)->kind == CC_N_BINARY ? at(f, n)->op : CC_OP_NONE;
    uint32_t right =
        op == CC_OP_NONE ? CC_NODE_NONE : cc_tree_bare(f->scan->tree, cc_tree_part(f->scan->tree, n, 1));
    return op == CC_OP_XOR ||
           ((op == CC_OP_MOD || op == CC_OP_AND) && cc_form_literal(f->scan->tree, right, &by) && by > 0);
}

/* What changes with counters, as they are in one of the iterations, and with nothing else: `(i + c) % 2`. */
static struct form moving_atom(struct forms *f, uint32_t n, enum form_side side, unsigned depth)
{
    if (!f->moving || !is_rest(f, n) || at(f, n)->type.class != CC_T_INT)
        return unknown;
    for (int k = 0; k < 2; k++)
        if (!form_of(f, cc_tree_part(f->scan->tree, n, k), side, depth + 1).known)
            return unknown;
    uint32_t i = 0;
    while (i < f->atoms.n && !cc_scan_same_text(f->scan, f->atoms.v[i].node, n))
        i++;
    if (i == f->atoms.n)
        CC_VEC_PUSH(&f->atoms, ((struct form_atom){n}));
    return symbol(ATOM | i | (side == FORM_OTHER ? OTHER : 0));
}

static struct form variable(struct forms *f, int32_t decl, uint32_t use, enum form_side side, unsigned depth)
{
    const struct cc_decl *d = &f->scan->tree->decls[decl];
    const struct scan_variable *v = &f->scan->variables[decl];
    bool own = d->kind == CC_D_LOCAL || d->kind == CC_D_PARAM;
    if (d->has_value)
        return cc_form_number((long)CC_MAX(CC_MIN(d->value, (int64_t)FORM_MOST), -(int64_t)FORM_MOST));
    if (d->type.class != CC_T_INT || d->type.bits < 32 || (!own && f->scan->calls) ||
        (own && cc_source_addressed(f->scan->tree, decl)))
        return unknown;
    uint32_t stands = CC_NODE_NONE;
    if (!cc_stands_for(f, decl, use, &stands))
        return unknown;
    if (stands != CC_NODE_NONE)
        return form_of(f, stands, side, depth + 1);
    if (counts(f, decl))
        return symbol((uint32_t)decl | (side == FORM_OTHER ? OTHER : 0));
    return v->inside || v->write_line || v->address ? unknown : symbol((uint32_t)decl);
}

static struct form binary(struct forms *f, uint32_t n, enum form_side side, unsigned depth)
{
    const struct cc_tree *t = f->scan->tree;
    uint32_t left = cc_tree_part(t, n, 0), right = cc_tree_part(t, n, 1);
    int op = at(f, n)->op;
    long by, of;
    struct form a, b;
    switch (op) {
    case CC_OP_ADD:
    case CC_OP_SUB:
        a = form_of(f, left, side, depth + 1);
        return cc_form_add(a, form_of(f, right, side, depth + 1), op == CC_OP_ADD ? 1 : -1);
    case CC_OP_MUL: /* (n + 1) is one thing, so that rows of that length can be told */
        a = form_of(f, left, side, depth + 1);
        b = form_of(f, right, side, depth + 1);
        if (a.n > 1 && !cc_scan_varies(f->scan, left, f->counter, false, 1))
            a = atom(f, cc_tree_bare(t, left));
        if (b.n > 1 && !cc_scan_varies(f->scan, right, f->counter, false, 1))
            b = atom(f, cc_tree_bare(t, right));
        return product(a, b);
    case CC_OP_SHL:
        b = form_of(f, right, side, depth + 1);
        if (!cc_form_is_number(&b, &by) || by < 0 || by > 16)
            return unknown;
        return product(form_of(f, left, side, depth + 1), cc_form_number(1L << by));
    case CC_OP_DIV: /* of numbers: WIDE / 2 */
    case CC_OP_MOD:
        a = form_of(f, left, side, depth + 1);
        b = form_of(f, right, side, depth + 1);
        if (cc_form_is_number(&a, &of) && cc_form_is_number(&b, &by) && of >= 0 && by > 0)
            return cc_form_number(op == CC_OP_DIV ? of / by : of % by);
        break;
    default:
        break;
    }
    a = atom(f, n);
    return a.known ? a : moving_atom(f, n, side, depth);
}

/* A conversion that could cut something off. */
bool cc_form_narrows(const struct cc_tree *t, uint32_t n)
{
    uint32_t from = cc_tree_at(t, n)->child;
    return cc_tree_at(t, n)->type.class != CC_T_INT || cc_tree_at(t, n)->type.bits < 32 ||
           cc_tree_at(t, from)->type.class != CC_T_INT ||
           cc_tree_at(t, from)->type.bits > cc_tree_at(t, n)->type.bits;
}

static struct form form_of(struct forms *f, uint32_t n, enum form_side side, unsigned depth)
{
    long value;
    for (; n != CC_NODE_NONE && (at(f, n)->kind == CC_N_CAST || at(f, n)->kind == CC_N_OTHER);
         n = at(f, n)->child)
        if (at(f, n)->child == CC_NODE_NONE || at(f, at(f, n)->child)->next != CC_NODE_NONE ||
            cc_form_narrows(f->scan->tree, n))
            return unknown;
    if (n == CC_NODE_NONE || depth > FORM_DEPTH || at(f, n)->type.class == CC_T_FLOAT)
        return unknown;
    switch (at(f, n)->kind) {
    case CC_N_LITERAL:
        return cc_form_literal(f->scan->tree, n, &value) ? cc_form_number(value) : unknown;
    case CC_N_SIZEOF:
        return unknown;
    case CC_N_REF:
        return at(f, n)->decl >= 0 ? variable(f, at(f, n)->decl, n, side, depth) : unknown;
    case CC_N_BINARY:
        return binary(f, n, side, depth);
    case CC_N_UNARY:
        if (at(f, n)->op == CC_OP_NEG)
            return cc_form_add(cc_form_number(0), form_of(f, at(f, n)->child, side, depth + 1), -1);
        return at(f, n)->op == CC_OP_NOT ? atom(f, n) : unknown;
    default:
        return atom(f, n);
    }
}

struct form cc_form_of(struct forms *f, uint32_t n, enum form_side side)
{
    return form_of(f, n, side, 0);
}

/* --- heads of loops --- */

long cc_form_step(const struct cc_tree *t, uint32_t loop)
{
    uint32_t step = cc_tree_at(t, loop)->kind == CC_N_FOR ? cc_tree_part(t, loop, 2) : CC_NODE_NONE;
    if (step == CC_NODE_NONE)
        return 0;
    int kind = cc_tree_at(t, step)->kind, op = cc_tree_at(t, step)->op;
    if (kind == CC_N_UNARY)
        return op == CC_OP_INC ? 1 : op == CC_OP_DEC ? -1 : 0;
    uint32_t by = kind == CC_N_ASSIGN && (op == CC_OP_ADD || op == CC_OP_SUB)
                      ? cc_tree_bare(t, cc_tree_part(t, step, 1))
                      : CC_NODE_NONE;
    long value;
    bool whole = by != CC_NODE_NONE && cc_form_literal(t, by, &value) && value > 0 && value < FORM_MOST;
    return !whole ? 0 : op == CC_OP_ADD ? value : -value;
}

uint32_t cc_form_start(const struct cc_tree *t, uint32_t loop, int32_t counter)
{
    uint32_t head = cc_tree_part(t, loop, 0);
    if (head == CC_NODE_NONE)
        return CC_NODE_NONE;
    const struct cc_tree_node *x = cc_tree_at(t, head);
    if (x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE && cc_scan_plain(t, x->child) == counter)
        return cc_tree_part(t, head, 1);
    bool one = x->kind == CC_N_DECL && x->child != CC_NODE_NONE &&
               cc_tree_at(t, x->child)->kind == CC_N_VAR && cc_tree_at(t, x->child)->decl == counter;
    return one ? cc_tree_at(t, x->child)->child : CC_NODE_NONE;
}

struct form_range cc_form_range(struct forms *f, uint32_t loop, int32_t counter, enum form_side side)
{
    const struct cc_tree *t = f->scan->tree;
    struct form_range r = {0};
    uint32_t start = cc_form_start(t, loop, counter), test = cc_tree_bare(t, cc_tree_part(t, loop, 1));
    long step = cc_form_step(t, loop);
    if (start != CC_NODE_NONE && step && holds_still(f, start, loop, 0))
        *(step > 0 ? &r.low : &r.high) = cc_form_of(f, start, side);
    if (test == CC_NODE_NONE || !step || at(f, test)->kind != CC_N_BINARY)
        return r;
    int op = at(f, test)->op;
    bool left = cc_scan_plain(t, cc_tree_part(t, test, 0)) == counter;
    uint32_t end = cc_tree_part(t, test, left ? 1 : 0);
    if (!holds_still(f, end, loop, 0))
        return r;
    bool less = op == CC_OP_LT || op == CC_OP_LE, more = op == CC_OP_GT || op == CC_OP_GE,
         strict = op == CC_OP_LT || op == CC_OP_GT;
    if ((step > 0 && (left ? less : more)) || (step < 0 && (left ? more : less))) {
        struct form bound = cc_form_of(f, end, side), one = cc_form_number(strict ? 1 : 0);
        *(step > 0 ? &r.high : &r.low) = cc_form_add(bound, one, step > 0 ? -1 : 1);
    }
    return r;
}

/* The loop around the place that counts with the variable; CC_NODE_NONE: none. */
static uint32_t loop_with(const struct forms *f, int32_t decl, uint32_t place)
{
    const struct cc_tree *t = f->scan->tree;
    uint32_t found = CC_NODE_NONE;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        uint32_t body = at(f, i)->kind == CC_N_FOR ? cc_tree_part(t, i, 3) : CC_NODE_NONE;
        if (body != CC_NODE_NONE && at(f, body)->begin <= at(f, place)->begin &&
            at(f, body)->end >= at(f, place)->end && cc_scan_counter(t, i) == decl &&
            (found == CC_NODE_NONE || at(f, i)->begin > at(f, found)->begin))
            found = i;
    }
    return found;
}

/* Whether nothing but numbers and variables goes into it: no place in memory that has another name. */
static bool is_arithmetic(const struct forms *f, uint32_t n, unsigned depth)
{
    const struct cc_tree_node *x = at(f, n);
    bool plain = x->kind == CC_N_REF || x->kind == CC_N_LITERAL || x->kind == CC_N_BINARY ||
                 x->kind == CC_N_SELECT || x->kind == CC_N_CAST || x->kind == CC_N_OTHER ||
                 (x->kind == CC_N_UNARY && x->op == CC_OP_NEG);
    for (uint32_t c = x->child; c != CC_NODE_NONE && plain; c = at(f, c)->next)
        plain = depth < FORM_DEPTH && is_arithmetic(f, c, depth + 1);
    return plain;
}

/* What `int high = d < n ? d : n;` in front of the loop stands for: nothing sets it again, nor what it was
 * made of as long as it lives. */
static struct form given(struct forms *f, int32_t decl)
{
    const struct cc_tree *t = f->scan->tree;
    uint32_t block = CC_NODE_NONE, var = CC_NODE_NONE;
    if (t->decls[decl].kind != CC_D_LOCAL || t->decls[decl].reference || t->body == CC_NODE_NONE ||
        f->scan->variables[decl].inside || cc_source_addressed(t, decl))
        return unknown;
    for (CC_TREE_EACH(t, i, CC_N_VAR, CC_N_VAR))
        if (at(f, *i)->decl == decl)
            var = *i;
    for (CC_TREE_EACH(t, i, CC_N_COMPOUND, CC_N_COMPOUND))
        if (var != CC_NODE_NONE && cc_tree_holds(t, *i, var) &&
            (block == CC_NODE_NONE || at(f, *i)->begin > at(f, block)->begin))
            block = *i;
    bool told = block != CC_NODE_NONE && at(f, var)->child != CC_NODE_NONE &&
                cc_tree_holds(t, block, f->scan->loop) && !cc_scan_writes(t, block, decl) &&
                is_arithmetic(f, at(f, var)->child, 0) && holds_still(f, at(f, var)->child, block, 0);
    return told ? cc_form_of(f, at(f, var)->child, FORM_ONE) : unknown;
}

/* What n is at least, where a loop runs from low to a quotient of it (`i < n / 2`) and some more. */
static struct form least_of_divided(struct forms *f, uint32_t id, const struct form_range *r)
{
    const struct cc_tree *t = f->scan->tree;
    long least, more, divisor, same;
    for (uint32_t k = 0; k < f->atoms.n; k++) {
        uint32_t n = f->atoms.v[k].node;
        struct form rest = cc_form_add(r->high, symbol(ATOM | k), -1);
        if (at(f, n)->kind != CC_N_BINARY || at(f, n)->op != CC_OP_DIV || !cc_form_is_number(&rest, &more) ||
            !cc_form_is_number(&r->low, &least) || least <= more ||
            !cc_form_literal(t, cc_tree_bare(t, cc_tree_part(t, n, 1)), &divisor) || divisor < 1)
            continue;
        struct form of = cc_form_add(cc_form_of(f, cc_tree_part(t, n, 0), FORM_ONE), symbol(id), -1);
        if (cc_form_is_number(&of, &same) && same == 0)
            return cc_form_number(CC_MIN(least - more, (long)FORM_MOST / divisor - 1) * divisor);
    }
    return unknown;
}

/* `n` is at least one more than where a loop that is running, and runs while `i < n`, began. */
static struct form least_of_bound(struct forms *f, uint32_t id, uint32_t place)
{
    const struct cc_tree *t = f->scan->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        uint32_t body = at(f, i)->kind == CC_N_FOR ? cc_tree_part(t, i, 3) : CC_NODE_NONE;
        int32_t counter = body != CC_NODE_NONE && at(f, body)->begin <= at(f, place)->begin &&
                                  at(f, body)->end >= at(f, place)->end
                              ? cc_scan_counter(t, i)
                              : -1;
        if (counter < 0 || cc_form_step(t, i) <= 0)
            continue;
        struct form_range r = cc_form_range(f, i, counter, FORM_ONE);
        struct form rest = cc_form_add(r.high, symbol(id), -1);
        long more;
        if (r.low.known && r.high.known && cc_form_is_number(&rest, &more)) /* low <= n + more */
            return cc_form_add(r.low, cc_form_number(more), -1);
        struct form divided = least_of_divided(f, id, &r);
        if (divided.known)
            return divided;
    }
    return unknown;
}

/* Of `a < b ? a : b`, which is neither more than a nor than b (least: of `a > b ? a : b`, which is not less).
 */
static struct form bound_of_choice(struct forms *f, uint32_t n, bool least)
{
    const struct cc_tree *t = f->scan->tree;
    uint32_t test = cc_tree_bare(t, cc_tree_part(t, n, 0));
    if (at(f, test)->kind != CC_N_BINARY)
        return unknown;
    int op = at(f, test)->op;
    uint32_t one = cc_tree_part(t, n, 1), other = cc_tree_part(t, n, 2);
    if (other == CC_NODE_NONE) /* `a ?: b` */
        return unknown;
    bool less = op == CC_OP_LT || op == CC_OP_LE, more = op == CC_OP_GT || op == CC_OP_GE;
    struct form a = cc_form_of(f, cc_tree_part(t, test, 0), FORM_ONE),
                b = cc_form_of(f, cc_tree_part(t, test, 1), FORM_ONE), x = cc_form_of(f, one, FORM_ONE),
                y = cc_form_of(f, other, FORM_ONE), gap = cc_form_add(a, b, -1), step = cc_form_add(x, y, -1);
    long by;
    /* x - y is a - b, or b - a: then x is the less of both where a is, or the more */
    struct form same = cc_form_add(step, gap, -1), turned = cc_form_add(step, gap, 1);
    bool forth = cc_form_is_number(&same, &by) && by == 0, back = cc_form_is_number(&turned, &by) && by == 0;
    bool smaller = (less && forth) || (more && back), larger = (more && forth) || (less && back);
    return (least ? larger : smaller) ? f->second ? y : x : unknown;
}

/* What is left of a division, or a part of it, by a number. */
static struct form bound_of_atom(struct forms *f, uint32_t id, bool least, const uint32_t both[2])
{
    uint32_t n = f->atoms.v[id & ~(ATOM | OTHER)].node;
    enum form_side side = id & OTHER ? FORM_OTHER : FORM_ONE;
    const uint32_t one[2] = {both[side], CC_NODE_NONE}, *places = side == FORM_OTHER ? both : one;
    const struct cc_tree *t = f->scan->tree;
    int op = at(f, n)->kind == CC_N_BINARY ? at(f, n)->op : CC_OP_NONE;
    long by;
    if (at(f, n)->kind == CC_N_SELECT)
        return bound_of_choice(f, n, least);
    if (op == CC_OP_ADD || op == CC_OP_SUB)
        return cc_form_of(f, n, FORM_ONE);
    if (op == CC_OP_XOR) /* of two that are not below zero, not less than that */
        return least && cc_form_at_least(f, cc_form_of(f, cc_tree_part(t, n, 0), side), 0, places) &&
                       cc_form_at_least(f, cc_form_of(f, cc_tree_part(t, n, 1), side), 0, places)
                   ? cc_form_number(0)
                   : unknown;
    if (op == CC_OP_AND && cc_form_literal(t, cc_tree_bare(t, cc_tree_part(t, n, 1)), &by) && by >= 0)
        return cc_form_number(least ? 0 : by);
    if (op != CC_OP_MOD && op != CC_OP_DIV)
        return unknown;
    struct form left = cc_form_of(f, cc_tree_part(t, n, 0), side),
                right = cc_form_of(f, cc_tree_part(t, n, 1), side);
    if (!cc_form_is_number(&right, &by) || by < 1 || !cc_form_at_least(f, left, 0, places))
        return unknown;
    return least ? cc_form_number(0) : op == CC_OP_MOD ? cc_form_number(by - 1) : left;
}

/* Twice `n / 2` is at most n, if that is not below zero: so it is where it bounds a loop that runs from there
 * on. What n comes to, as often as the quotient is taken off; *ret_factor: how often n is. */
static struct form bound_of_quotient(struct forms *f, const struct form_term *term, uint32_t place,
                                     long *ret_factor)
{
    uint32_t n = f->atoms.v[term->symbols[0] & ~ATOM].node;
    const uint32_t places[2] = {place, CC_NODE_NONE};
    const struct cc_tree *t = f->scan->tree;
    if (at(f, n)->kind != CC_N_BINARY || at(f, n)->op != CC_OP_DIV || term->factor >= 0)
        return unknown;
    struct form of = cc_form_of(f, cc_tree_part(t, n, 0), FORM_ONE),
                right = cc_form_of(f, cc_tree_part(t, n, 1), FORM_ONE),
                least = least_of_bound(f, term->symbols[0], place);
    long by, number;
    if (!cc_form_is_number(&right, &by) || by < 1 || term->factor % by)
        return unknown;
    bool runs = cc_form_is_number(&least, &number) && number > 0;
    *ret_factor = term->factor / by;
    return runs || cc_form_at_least(f, of, 0, places) ? of : unknown;
}

/* The symbol of the innermost loop among those that stand alone, else one that bounds a loop; its bound on
 * the side that makes the sum least. */
static bool replace(struct forms *f, struct form *a, const uint32_t places[2])
{
    unsigned best = a->n;
    uint32_t innermost = 0;
    struct form by = unknown;
    long factor = 0;
    for (unsigned i = 0; i < a->n; i++) {
        uint32_t id = a->v[i].symbols[0];
        enum form_side side = id & OTHER ? FORM_OTHER : FORM_ONE;
        uint32_t place = places[side];
        if (a->v[i].degree != 1)
            continue;
        uint32_t loop =
            id & ATOM || place == CC_NODE_NONE ? CC_NODE_NONE : loop_with(f, (int32_t)(id & ~OTHER), place);
        struct form_range r = {0};
        if (loop != CC_NODE_NONE)
            r = cc_form_range(f, loop, (int32_t)(id & ~OTHER), side);
        struct form bound = a->v[i].factor > 0 ? r.low : r.high;
        if (loop == CC_NODE_NONE && a->v[i].factor > 0 && !(id & OTHER) && place != CC_NODE_NONE)
            bound = least_of_bound(f, id, place);
        /* what does not change in this loop goes after its counters and those inside, and before those of
         * loops around, of which it may be made */
        bool made = loop == CC_NODE_NONE && !bound.known;
        if (made && !(id & (ATOM | OTHER)))
            bound = given(f, (int32_t)id);
        long times = a->v[i].factor;
        if (id & ATOM && !(id & OTHER) && !bound.known && place != CC_NODE_NONE)
            bound = bound_of_quotient(f, &a->v[i], place, &times);
        if (id & ATOM && !bound.known && place != CC_NODE_NONE)
            bound = bound_of_atom(f, id, a->v[i].factor > 0, places);
        uint32_t rank = loop != CC_NODE_NONE ? 2 * at(f, loop)->begin + 4
                        : made               ? 2 * at(f, f->scan->loop)->begin + 3
                                             : 1;
        if (bound.known && rank > innermost) {
            best = i;
            innermost = rank;
            by = bound;
            factor = times;
        }
    }
    if (best == a->n)
        return false;
    a->v[best] = a->v[--a->n];
    *a = cc_form_add(*a, by, factor);
    return a->known;
}

/* As often as it takes that the quotients which are taken off are so many times what they divide by: of `n -
 * n / 2` twice. 1: there are none. */
static long whole_quotients(struct forms *f, const struct form *a)
{
    const struct cc_tree *t = f->scan->tree;
    long by = 1, divisor;
    for (unsigned i = 0; i < a->n && by == 1; i++) {
        uint32_t id = a->v[i].symbols[0];
        if (a->v[i].degree != 1 || a->v[i].factor >= 0 || !(id & ATOM) || id & OTHER)
            continue;
        uint32_t n = f->atoms.v[id & ~ATOM].node;
        bool quotient = at(f, n)->kind == CC_N_BINARY && at(f, n)->op == CC_OP_DIV &&
                        cc_form_literal(t, cc_tree_bare(t, cc_tree_part(t, n, 1)), &divisor) && divisor > 1;
        by = quotient && a->v[i].factor % divisor ? divisor : 1;
    }
    return by;
}

static bool is_at_least(struct forms *f, struct form a, long least, const uint32_t places[2])
{
    long value;
    for (int round = 0; a.known && round < FORM_ROUNDS; round++) {
        long by = whole_quotients(f, &a);
        if (by > 1 && labs(least) < FORM_MOST / by) {
            a = cc_form_add(cc_form_number(0), a, by);
            least *= by;
        }
        if (cc_form_is_number(&a, &value))
            return value >= least;
        if (!replace(f, &a, places))
            return false;
    }
    return false;
}

bool cc_form_at_least(struct forms *f, struct form a, long least, const uint32_t places[2])
{
    if (f->depth == FORM_NESTED)
        return false;
    f->depth++;
    bool second = f->second, found = is_at_least(f, a, least, places);
    f->second = !second;
    found = found || is_at_least(f, a, least, places);
    f->second = second;
    f->depth--;
    return found;
}

/* What is divided, and by what; CC_NODE_NONE: it is no rest of a division. Unsigned numbers that run over
 * leave the same only of powers of two. */
static uint32_t divided(const struct forms *f, uint32_t n, long *by)
{
    const struct cc_tree *t = f->scan->tree;
    bool rest = at(f, n)->kind == CC_N_BINARY && (at(f, n)->op == CC_OP_MOD || at(f, n)->op == CC_OP_AND);
    if (!rest || !cc_form_literal(t, cc_tree_bare(t, cc_tree_part(t, n, 1)), by))
        return CC_NODE_NONE;
    *by += at(f, n)->op == CC_OP_AND;
    bool power = *by > 1 && (*by & (*by - 1)) == 0;
    bool whole = at(f, n)->op == CC_OP_MOD && *by > 1 && !at(f, n)->type.is_unsigned;
    return power || whole ? cc_tree_part(t, n, 0) : CC_NODE_NONE;
}

bool cc_form_rests(struct forms *f, const struct form *d, struct form ret[2], long *by)
{
    long other = 0;
    bool two = d->known && d->n == 2 && labs(d->v[0].factor) == 1 && d->v[0].factor == -d->v[1].factor;
    for (unsigned i = 0; i < 2 && two; i++) {
        uint32_t id = d->v[i].symbols[0];
        two = d->v[i].degree == 1 && id & ATOM;
        uint32_t of = two ? divided(f, f->atoms.v[id & ~(ATOM | OTHER)].node, i ? &other : by) : CC_NODE_NONE;
        two = of != CC_NODE_NONE;
        if (two)
            ret[i] = cc_form_of(f, of, id & OTHER ? FORM_OTHER : FORM_ONE);
    }
    return two && *by == other;
}

bool cc_form_turned(struct forms *f, const struct form *d)
{
    const struct cc_tree *t = f->scan->tree;
    bool found = false;
    for (unsigned i = 0; i < d->n && d->known && !found; i++) {
        uint32_t id = d->v[i].symbols[0];
        if (d->v[i].degree != 1 || !(id & ATOM) || id & OTHER || labs(d->v[i].factor) != 1)
            continue;
        uint32_t n = f->atoms.v[id & ~ATOM].node;
        bool inverts = at(f, n)->kind == CC_N_UNARY && at(f, n)->op == CC_OP_NOT;
        bool turns = at(f, n)->kind == CC_N_BINARY && at(f, n)->op == CC_OP_XOR;
        long by = 0;
        if (turns)
            turns = cc_form_literal(t, cc_tree_bare(t, cc_tree_part(t, n, 1)), &by) && by;
        if (!inverts && !turns)
            continue;
        /* what is left, but for the atom itself, is what is turned */
        struct form of = cc_form_of(f, cc_tree_part(t, n, 0), FORM_ONE), rest = *d;
        rest = cc_form_add(cc_form_add(rest, symbol(id), -d->v[i].factor), of, d->v[i].factor);
        found = cc_form_is_number(&rest, &by) && by == 0;
    }
    return found;
}

/* What leaves the same, divided by a number, as a symbol does, and may be put in its place: a counter that
 * goes on by a multiple of the number leaves what it began with; `e % 2` what e does, `a ^ b` of two what
 * their sum does. */
static struct form alike(struct forms *f, uint32_t id, long by, const uint32_t places[2])
{
    const struct cc_tree *t = f->scan->tree;
    enum form_side side = id & OTHER ? FORM_OTHER : FORM_ONE;
    long number = 0;
    if (id & ATOM) {
        uint32_t n = f->atoms.v[id & ~(ATOM | OTHER)].node;
        uint32_t of = at(f, n)->kind == CC_N_BINARY ? divided(f, n, &number) : CC_NODE_NONE;
        if (of != CC_NODE_NONE)
            return number % by == 0 ? cc_form_of(f, of, side) : unknown;
        bool turns = at(f, n)->kind == CC_N_BINARY && at(f, n)->op == CC_OP_XOR && by == 2;
        return turns ? cc_form_add(cc_form_of(f, cc_tree_part(t, n, 0), side),
                                   cc_form_of(f, cc_tree_part(t, n, 1), side), 1)
                     : unknown;
    }
    uint32_t loop =
        places[side] == CC_NODE_NONE ? CC_NODE_NONE : loop_with(f, (int32_t)(id & ~OTHER), places[side]);
    long step = loop == CC_NODE_NONE ? 0 : cc_form_step(t, loop);
    uint32_t start = step && step % by == 0 ? cc_form_start(t, loop, (int32_t)(id & ~OTHER)) : CC_NODE_NONE;
    return start != CC_NODE_NONE && holds_still(f, start, loop, 0) ? cc_form_of(f, start, side) : unknown;
}

/* Puts what leaves the same in the place of some symbol. */
static bool put_alike(struct forms *f, struct form *a, long by, const uint32_t places[2])
{
    for (unsigned i = 0; i < a->n; i++) {
        struct form_term x = a->v[i];
        struct form to = x.degree == 1 && x.factor % by ? alike(f, x.symbols[0], by, places) : unknown;
        if (!to.known)
            continue;
        a->v[i] = a->v[--a->n];
        *a = cc_form_add(*a, to, x.factor);
        return a->known;
    }
    return false;
}

/* Whether a sum, divided by the number, always leaves something. */
static bool always_leaves(struct forms *f, struct form a, long by, const uint32_t places[2])
{
    long rest = 0;
    for (int round = 0; round < FORM_ROUNDS && put_alike(f, &a, by, places); round++)
        ;
    for (unsigned i = 0; i < a.n; i++) {
        if (a.v[i].degree && a.v[i].factor % by)
            return false;
        rest += a.v[i].degree ? 0 : a.v[i].factor;
    }
    return a.known && rest % by != 0;
}

bool cc_form_leaves(struct forms *f, const struct form *a, const uint32_t places[2])
{
    bool leaves = false;
    for (unsigned i = 0; i < a->n && a->known && !leaves; i++) {
        uint32_t id = a->v[i].symbols[0], place = places[id & OTHER ? FORM_OTHER : FORM_ONE];
        uint32_t loop = a->v[i].degree != 1 || id & ATOM || place == CC_NODE_NONE
                            ? CC_NODE_NONE
                            : loop_with(f, (int32_t)(id & ~OTHER), place);
        long by = loop == CC_NODE_NONE ? 0 : labs(cc_form_step(f->scan->tree, loop));
        leaves = by > 1 && always_leaves(f, *a, by, places);
    }
    return leaves;
}
