/* Scratch that an iteration fills before it reads it: `for (k = 0; k < 8; k++) t[k] = …;` and then t[7 - k].
 */
#include "form.h"
#include "proof.h"

#include <limits.h>

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

/* Something in the statement may go elsewhere, or come from there. */
static bool jumps(const struct scan *s, uint32_t n)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        int kind = at(s, i)->kind;
        if (cc_tree_holds(s->tree, n, i) && (kind == CC_N_BREAK || kind == CC_N_CONTINUE ||
                                             kind == CC_N_RETURN || kind == CC_N_GOTO || kind == CC_N_LABEL))
            return true;
    }
    return false;
}

enum { SIDES = 4, NESTED = 12, SETS = 6 };
struct box { /* elements, from one to the other in each subscript, the first next to the name; n 0: none for
                sure */
    unsigned n;
    struct form_range v[SIDES];
};
static const struct box nothing = {0};

/* The subscripts by which the array is accessed, the first next to the name; how many, 0: it is no element.
 */
static unsigned subscripts(const struct scan *s, const struct scan_array *a, uint32_t n, uint32_t ret[SIDES])
{
    const struct cc_tree *t = s->tree;
    uint32_t back[SIDES];
    unsigned found = 0;
    bool named = false;
    for (n = cc_tree_bare(t, n); found < SIDES && !named && at(s, n)->kind == CC_N_SUBSCRIPT;) {
        back[found++] = cc_tree_part(t, n, 1);
        named = cc_scan_plain(t, at(s, n)->child) == a->decl;
        n = cc_tree_bare(t, at(s, n)->child);
        if (!named && at(s, n)->type.class != CC_T_ARRAY)
            return 0;
    }
    for (unsigned i = 0; i < found; i++)
        ret[i] = back[found - 1 - i];
    return named ? found : 0;
}

/* The element of `t[k] = …`, or `t[k][j] = …`, if the statement is that. */
static struct box set_by(struct forms *f, const struct scan_array *a, uint32_t statement)
{
    const struct scan *s = f->scan;
    struct box r = {0};
    uint32_t by[SIDES];
    statement = cc_tree_bare(s->tree, statement);
    if (statement == CC_NODE_NONE || at(s, statement)->kind != CC_N_ASSIGN ||
        at(s, statement)->op != CC_OP_NONE)
        return nothing;
    uint32_t place = cc_tree_bare(s->tree, at(s, statement)->child);
    if (at(s, place)->type.class == CC_T_RECORD || at(s, place)->type.class == CC_T_ARRAY)
        return nothing;
    r.n = subscripts(s, a, place, by);
    for (unsigned i = 0; i < r.n; i++) {
        struct form one = cc_form_of(f, by[i], FORM_ONE);
        if (!one.known)
            return nothing;
        r.v[i] = (struct form_range){one, one};
    }
    return r;
}

/* skip: of several assignments, those that come first and are not asked for */
static struct box filled(struct forms *f, const struct scan_array *a, uint32_t statement, unsigned *skip,
                         unsigned depth);

/* How long the array is, by its declaration, in the subscript with that number of so many; 0: not known. */
static long length_of(const struct scan *s, uint32_t n, unsigned number, unsigned of)
{
    uint64_t each = 0;
    n = cc_tree_bare(s->tree, n);
    for (unsigned i = of; i > number; i--) {
        each = at(s, n)->type.bits;
        n = cc_tree_bare(s->tree, at(s, n)->child);
    }
    const struct cc_ctype *t = &at(s, n)->type;
    bool parameter = at(s, n)->decl >= 0 && s->tree->decls[at(s, n)->decl].kind == CC_D_PARAM;
    bool told = t->class == CC_T_ARRAY && !t->variable && !parameter && each && t->bits % each == 0;
    return told && t->bits / each < INT_MAX ? (long)(t->bits / each) : 0;
}

/* What a call of memset or memcpy sets of the array from end to end. */
static struct box filled_by_call(const struct scan *s, const struct scan_array *a, uint32_t call)
{
    uint32_t by[SIDES];
    struct box r = {.n = cc_cover_filled(s, call) == a->decl ? subscripts(s, a, a->writes.v[0], by) : 0};
    for (unsigned i = 0; i < r.n; i++) {
        long length = length_of(s, a->writes.v[0], i, r.n);
        if (!length)
            return nothing;
        r.v[i] = (struct form_range){cc_form_number(0), cc_form_number(length - 1)};
    }
    return r;
}

/* What both branches of an `if` set. */
static struct box filled_either_way(struct forms *f, const struct scan_array *a, uint32_t n, unsigned *skip,
                                    unsigned depth)
{
    uint32_t other = cc_tree_part(f->scan->tree, n, 2);
    if (other == CC_NODE_NONE || jumps(f->scan, n))
        return nothing;
    unsigned too = *skip;
    struct box x = filled(f, a, cc_tree_part(f->scan->tree, n, 1), skip, depth),
               y = filled(f, a, other, &too, depth);
    *skip = CC_MIN(*skip, too);
    for (unsigned i = 0; i < x.n && x.n == y.n; i++) {
        struct form low = cc_form_add(x.v[i].low, y.v[i].low, -1),
                    high = cc_form_add(x.v[i].high, y.v[i].high, -1);
        long by_low, by_high;
        if (!cc_form_is_number(&low, &by_low) || !cc_form_is_number(&high, &by_high))
            return nothing;
        x.v[i] = (struct form_range){by_low > 0 ? x.v[i].low : y.v[i].low,
                                     by_high < 0 ? x.v[i].high : y.v[i].high};
    }
    return x.n == y.n ? x : nothing;
}

/* What the first statement of a block sets that sets something. */
static struct box filled_in_block(struct forms *f, const struct scan_array *a, uint32_t n, unsigned *skip,
                                  unsigned depth)
{
    struct box r = {0};
    if (jumps(f->scan, n))
        return r;
    for (uint32_t c = at(f->scan, n)->child; c != CC_NODE_NONE && !r.n; c = at(f->scan, c)->next)
        r = filled(f, a, c, skip, depth);
    return r;
}

static bool made_of(const struct form *x, uint32_t symbol)
{
    bool found = false;
    for (unsigned i = 0; i < x->n; i++)
        for (unsigned k = 0; k < x->v[i].degree; k++)
            found = found || x->v[i].symbols[k] == symbol;
    return found;
}

/* What all turns of a loop set, if its counter, and a number more, is one of the subscripts. */
static struct box spread_over(struct forms *f, struct box x, uint32_t loop, int32_t counter)
{
    struct form_range r = cc_form_range(f, loop, counter, FORM_ONE);
    struct form counts = {
        .known = true, .n = 1, .v = {{.factor = 1, .symbols = {(uint32_t)counter}, .degree = 1}}};
    unsigned by = 0;
    for (unsigned i = 0; i < x.n; i++) {
        struct form more = cc_form_add(x.v[i].low, counts, -1),
                    wide = cc_form_add(x.v[i].high, x.v[i].low, -1);
        long number, width;
        if (!made_of(&x.v[i].low, (uint32_t)counter) && !made_of(&x.v[i].high, (uint32_t)counter))
            continue;
        if (!cc_form_is_number(&more, &number) || !cc_form_is_number(&wide, &width) || width)
            return nothing;
        x.v[i] = (struct form_range){cc_form_add(r.low, more, 1), cc_form_add(r.high, more, 1)};
        by++;
        if (!x.v[i].low.known || !x.v[i].high.known)
            return nothing;
    }
    return by == 1 ? x : nothing;
}

/* Elements that a statement sets for sure. */
static struct box filled(struct forms *f, const struct scan_array *a, uint32_t statement, unsigned *skip,
                         unsigned depth)
{
    const struct scan *s = f->scan;
    if (depth > NESTED || statement == CC_NODE_NONE)
        return nothing;
    struct box r = set_by(f, a, statement);
    if (r.n && !*skip)
        return r;
    if (r.n) {
        --*skip;
        return nothing;
    }
    uint32_t call = cc_tree_bare(s->tree, statement);
    if (at(s, call)->kind == CC_N_CALL)
        return filled_by_call(s, a, call);
    if (at(s, statement)->kind == CC_N_IF)
        return filled_either_way(f, a, statement, skip, depth + 1);
    if (at(s, statement)->kind == CC_N_COMPOUND)
        return filled_in_block(f, a, statement, skip, depth + 1);
    int32_t counter = at(s, statement)->kind == CC_N_FOR ? cc_scan_counter(s->tree, statement) : -1;
    long step = counter < 0 ? 0 : cc_form_step(s->tree, statement);
    uint32_t body = counter < 0 ? CC_NODE_NONE : cc_tree_part(s->tree, statement, 3);
    if ((step != 1 && step != -1) || jumps(s, statement))
        return nothing;
    bool block = at(s, body)->kind == CC_N_COMPOUND;
    for (uint32_t c = block ? at(s, body)->child : body; c != CC_NODE_NONE && !r.n;
         c = block ? at(s, c)->next : CC_NODE_NONE)
        r = spread_over(f, filled(f, a, c, skip, depth + 1), statement, counter);
    return r;
}

/* Whether the counters in it are those of loops around the block: of others, that may be over, a value is
 * left that is another where they count again. */
static bool is_steady(const struct forms *f, const struct form *x, uint32_t block)
{
    const struct scan *s = f->scan;
    for (unsigned i = 0; i < x->n; i++)
        for (unsigned k = 0; k < x->v[i].degree; k++) {
            uint32_t id = x->v[i].symbols[k];
            bool told = id & (FORM_ATOM | FORM_SIDE) || !s->variables[id].counts;
            for (CC_TREE_EACH(s->tree, n, CC_N_FOR, CC_N_FOR))
                told = told ||
                       (cc_tree_holds(s->tree, *n, block) && cc_scan_counter(s->tree, *n) == (int32_t)id);
            if (!told)
                return false;
        }
    return true;
}

/* Whether it is the whole array, by its declaration: whichever element is read then, is one of these. */
static bool is_whole(const struct scan *s, const struct box *x, uint32_t read)
{
    for (unsigned i = 0; i < x->n; i++) {
        long low, high, length = length_of(s, read, i, x->n);
        if (!length || !cc_form_is_number(&x->v[i].low, &low) || low > 0 ||
            !cc_form_is_number(&x->v[i].high, &high) || high < length - 1)
            return false;
    }
    return x->n > 0;
}

static bool holds(struct forms *f, const struct box *x, const uint32_t *by, uint32_t read, uint32_t block)
{
    const uint32_t places[2] = {read, CC_NODE_NONE};
    for (unsigned i = 0; i < x->n; i++) {
        struct form at_ = cc_form_of(f, by[i], FORM_ONE);
        if (!is_steady(f, &x->v[i].low, block) || !is_steady(f, &x->v[i].high, block) ||
            !cc_form_at_least(f, cc_form_add(at_, x->v[i].low, -1), 0, places) ||
            !cc_form_at_least(f, cc_form_add(x->v[i].high, at_, -1), 0, places))
            return is_whole(f->scan, x, read);
    }
    return true;
}

/* Whether a condition says the same all through an iteration: numbers that nothing in the loop sets but its
 * head, and elements of arrays by their names, where nothing else than other such arrays is written. */
static bool is_same_throughout(const struct forms *f, uint32_t n, unsigned depth)
{
    const struct scan *s = f->scan;
    const struct cc_tree_node *x = at(s, n);
    bool told = x->kind == CC_N_REF || x->kind == CC_N_LITERAL || x->kind == CC_N_BINARY ||
                x->kind == CC_N_CAST || x->kind == CC_N_OTHER || x->kind == CC_N_SUBSCRIPT ||
                (x->kind == CC_N_UNARY && (x->op == CC_OP_NOT || x->op == CC_OP_NEG));
    if (x->kind == CC_N_REF) {
        const struct cc_decl *d = x->decl < 0 ? NULL : &s->tree->decls[x->decl];
        const struct scan_variable *v = d ? &s->variables[x->decl] : NULL;
        bool own = d && (d->kind == CC_D_LOCAL || d->kind == CC_D_PARAM);
        told = d && !d->reference && (x->decl == f->counter || (!v->write_line && !v->counts)) &&
               !v->address &&
               ((own && d->type.class == CC_T_INT) || (d->type.class == CC_T_ARRAY && d->kind != CC_D_PARAM));
    }
    for (size_t i = 0; x->kind == CC_N_REF && i < s->arrays.n && told; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        const struct cc_decl *d = a->decl < 0 ? NULL : &s->tree->decls[a->decl];
        bool thing = d && d->type.class == CC_T_ARRAY && d->kind != CC_D_PARAM && !cc_alias_behind(s, a);
        told = !a->passed && (!a->write_line || (thing && a->decl != x->decl));
    }
    for (uint32_t c = x->child; c != CC_NODE_NONE && told; c = at(s, c)->next)
        told = depth < NESTED && is_same_throughout(f, c, depth + 1);
    return told;
}

/* What an `if` sets for a read below another one that asks the same; the statement itself if it is none. */
static uint32_t asked_alike(const struct forms *f, uint32_t statement, uint32_t read)
{
    const struct scan *s = f->scan;
    uint32_t other = at(s, statement)->kind == CC_N_IF ? cc_tree_part(s->tree, statement, 2) : CC_NODE_NONE;
    bool lone = other == CC_NODE_NONE || at(s, other)->kind == CC_N_ABSENT;
    if (at(s, statement)->kind != CC_N_IF || !lone || s->calls || !cc_class_is_c(s->tree) ||
        !is_same_throughout(f, cc_tree_part(s->tree, statement, 0), 0))
        return statement;
    for (CC_TREE_EACH(s->tree, i, CC_N_IF, CC_N_IF))
        if (*i != statement && cc_tree_holds(s->tree, s->loop, *i) &&
            cc_tree_holds(s->tree, cc_tree_part(s->tree, *i, 1), read) &&
            cc_scan_same_things(s, cc_tree_part(s->tree, *i, 0), cc_tree_part(s->tree, statement, 0)))
            return cc_tree_part(s->tree, statement, 1);
    return statement;
}

/* Some statement before the read, in a block around both, has set what is read. */
static bool is_set(struct forms *f, const struct scan_array *a, uint32_t read)
{
    const struct scan *s = f->scan;
    uint32_t by[SIDES];
    unsigned n = subscripts(s, a, read, by);
    for (uint32_t i = 0; i < s->tree->nnodes && n; i++) {
        if (at(s, i)->kind != CC_N_COMPOUND || !cc_tree_holds(s->tree, s->loop, i) ||
            !cc_tree_holds(s->tree, i, read))
            continue;
        for (uint32_t c = at(s, i)->child; c != CC_NODE_NONE && at(s, c)->end <= at(s, read)->begin;
             c = at(s, c)->next) {
            struct box x = {.n = 1};
            for (unsigned k = 0; k < SETS && x.n; k++) {
                unsigned skip = k;
                x = filled(f, a, asked_alike(f, c, read), &skip, 0);
                if (x.n == n && holds(f, &x, by, read, i))
                    return true;
            }
        }
    }
    return false;
}

/* A statement that is jumped into need not have run from its beginning. */
static bool labels(const struct scan *s)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++) {
        int kind = at(s, i)->kind;
        if (cc_tree_holds(s->tree, s->loop, i) &&
            (kind == CC_N_LABEL || kind == CC_N_CASE || kind == CC_N_DEFAULT))
            return true;
    }
    return false;
}

bool cc_proof_scratch(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    struct forms f = {.scan = s, .counter = counter};
    bool told = counter >= 0 && a->decl >= 0 && a->write_line && !a->passed_on && a->asked.n &&
                a->all.n < MOST_ACCESSES && cc_proof_tells(s, a->decl) && !s->variables[a->decl].write_line &&
                !s->variables[a->decl].address && !labels(s);
    for (size_t i = 0; i < a->asked.n && told; i++)
        told = is_set(&f, a, a->asked.v[i]);
    CC_VEC_FINI(&f.atoms);
    return told;
}

/* Whether what is said is the same in every iteration, but for counters of loops inside that stand around the
 * place. */
static bool repeats(const struct scan *s, uint32_t n, uint32_t place, int32_t counter, bool top)
{
    const struct cc_tree *t = s->tree;
    if (n == CC_NODE_NONE || cc_tree_mentions(t, n, counter) || !cc_scan_repeats(s, n, top, 0))
        return false;
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF)) {
        int32_t decl = at(s, *i)->decl;
        bool counts = decl >= 0 && cc_tree_holds(t, n, *i) && s->variables[decl].counts, told = !counts;
        for (CC_TREE_EACH(t, k, CC_N_FOR, CC_N_FOR))
            told = told || (*k != s->loop && cc_tree_holds(t, s->loop, *k) && cc_tree_holds(t, *k, place) &&
                            cc_scan_counter(t, *k) == decl);
        if (!told)
            return false;
    }
    return true;
}

/* Whether each iteration comes to the place as often as any other: the heads of loops around it say the same
 * each time, and nothing else decides. */
static bool comes_alike(const struct scan *s, uint32_t place, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = at(s, i);
        if (i == s->loop || i == place || !cc_tree_holds(t, s->loop, i) || !cc_tree_holds(t, i, place))
            continue;
        int32_t inner = x->kind == CC_N_FOR ? cc_scan_counter(t, i) : -1;
        bool decides = cc_tree_is_loop(x->kind) || x->kind == CC_N_IF || x->kind == CC_N_SWITCH ||
                       x->kind == CC_N_SELECT || x->kind == CC_N_STMT_EXPR ||
                       (x->kind == CC_N_BINARY && (x->op == CC_OP_LAND || x->op == CC_OP_LOR)),
             same = inner >= 0 && cc_form_step(t, i) &&
                    repeats(s, cc_form_start(t, i, inner), i, counter, false) &&
                    repeats(s, cc_tree_part(t, i, 1), place, counter, false);
        if (decides && !same)
            return false;
    }
    return true;
}

/* Some statement that each iteration comes to sets all of it. */
static bool is_refilled_whole(struct forms *f, const struct scan_array *a)
{
    const struct scan *s = f->scan;
    for (CC_TREE_EACH(s->tree, i, CC_N_COMPOUND, CC_N_COMPOUND))
        for (uint32_t c = cc_tree_holds(s->tree, s->loop, *i) ? at(s, *i)->child : CC_NODE_NONE;
             c != CC_NODE_NONE; c = at(s, c)->next) {
            unsigned skip = 0;
            struct box x = filled(f, a, c, &skip, 0);
            uint32_t by[SIDES];
            if (x.n && x.n == subscripts(s, a, a->writes.v[0], by) && is_whole(s, &x, a->writes.v[0]) &&
                comes_alike(s, c, f->counter))
                return true;
        }
    return false;
}

bool cc_proof_refilled(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    const struct cc_decl *d = a->decl < 0 ? NULL : &s->tree->decls[a->decl];
    struct forms f = {.scan = s, .counter = counter};
    bool told = d && d->type.class == CC_T_ARRAY && d->kind != CC_D_PARAM && !d->reference && a->writes.n &&
                !a->passed && !jumps(s, s->loop) && cc_class_is_c(s->tree) && cc_proof_scratch(s, a, counter),
         alike = true;
    for (size_t i = 0; i < s->arrays.n && told; i++)
        told = &s->arrays.v[i] == a || s->arrays.v[i].decl != a->decl;
    for (size_t i = 0; i < a->writes.n && told && alike; i++)
        alike = comes_alike(s, a->writes.v[i], counter) &&
                repeats(s, a->writes.v[i], a->writes.v[i], counter, true);
    told = told && (alike || is_refilled_whole(&f, a));
    CC_VEC_FINI(&f.atoms);
    return told;
}
