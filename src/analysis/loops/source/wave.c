/* Nests of two loops whose iterations need others before them in both directions, as alignments and
 * relaxations do: how far to the right, in the rows before, an iteration may look. Then tiles along a
 * diagonal are free. */
#include "form.h"
#include "live.h"
#include "proof.h"

#include <limits.h>

enum { MOST_DIMENSIONS = 4 };

struct wave {
    struct forms f;
    uint32_t inner;      /* the loop that is all of the other's body */
    int32_t row, column; /* what they count with */
    bool rows;           /* some lie behind pointers: that these are different ones only runs show */
};

/* --- subscripts --- */

struct element {
    int32_t decl; /* -1: it cannot be told */
    unsigned n;
    uint32_t v[MOST_DIMENSIONS]; /* subscripts, the last one first */
    bool rows;                   /* it is reached through a pointer in memory */
};

/* Of `a[i][j]`, where a is a variable that the nest does not change. */
static struct element element_of(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    struct element e = {.decl = -1};
    n = cc_tree_bare(t, n);
    for (bool top = true; n != CC_NODE_NONE; top = false) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        if (x->kind == CC_N_REF && x->decl >= 0) {
            const struct scan_variable *v = &s->variables[x->decl];
            bool plain =
                e.n && cc_alias_of(s, x->decl) == CC_NODE_NONE && !v->inside && !v->write_line && !v->address;
            e.decl = plain ? x->decl : -1;
            break;
        }
        if (x->kind != CC_N_SUBSCRIPT || e.n == MOST_DIMENSIONS)
            break;
        e.rows = e.rows || (!top && x->type.class == CC_T_POINTER);
        e.v[e.n++] = cc_tree_part(t, n, 1);
        n = cc_tree_bare(t, x->child);
    }
    return e;
}

/* a = symbol * times + rest. */
static void divide(const struct form *a, uint32_t symbol, struct form *times, struct form *rest)
{
    *times = *rest = (struct form){.known = a->known};
    for (unsigned i = 0; i < a->n; i++) {
        struct form_term x = a->v[i];
        unsigned k = 0;
        while (k < x.degree && x.symbols[k] != symbol)
            k++;
        bool has = k < x.degree;
        for (; has && k + 1 < x.degree; k++)
            x.symbols[k] = x.symbols[k + 1];
        x.degree -= has;
        struct form *to = has ? times : rest;
        to->v[to->n++] = x;
    }
}

struct place { /* row * by_row + column * by_column + rest */
    struct form by_row, by_column, rest;
};

static struct place place_of(struct wave *w, uint32_t node, enum form_side side)
{
    struct form a = cc_form_of(&w->f, node, side), rest;
    uint32_t other = side == FORM_OTHER ? FORM_SIDE : 0;
    struct place p;
    divide(&a, (uint32_t)w->row | other, &p.by_row, &rest);
    divide(&rest, (uint32_t)w->column | other, &p.by_column, &p.rest);
    return p;
}

static bool mentions(const struct form *a, uint32_t symbol)
{
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned k = 0; k < a->v[i].degree; k++)
            if ((a->v[i].symbols[k] & ~(uint32_t)FORM_SIDE) == symbol)
                return true;
    return false;
}

static bool is_linear(const struct wave *w, const struct place *p)
{
    const struct form *v[] = {&p->by_row, &p->by_column, &p->rest};
    for (size_t i = 0; i < CC_COUNT(v); i++)
        if (!v[i]->known || mentions(v[i], (uint32_t)w->row) || mentions(v[i], (uint32_t)w->column))
            return false;
    return true;
}

/* --- where two of them meet --- */

enum meeting {
    NOWHERE,  /* in no two rows, the second access being of an earlier one */
    ANYWHERE, /* nothing is known */
    SHIFTED,  /* `right` columns further to the right in the earlier row, and nowhere else */
};

static bool same(struct form a, struct form b)
{
    struct form d = cc_form_add(a, b, -1);
    return d.known && d.n == 0;
}

/* rest = rows * width + columns, both numbers; width is one term. */
static bool split(const struct form *rest, const struct form *width, long *rows, long *columns)
{
    const struct form_term *wide = &width->v[0];
    *rows = *columns = 0;
    for (unsigned i = 0; i < rest->n; i++) {
        const struct form_term *x = &rest->v[i];
        bool row = x->degree == wide->degree && x->degree &&
                   memcmp(x->symbols, wide->symbols, x->degree * sizeof *x->symbols) == 0;
        if (row && x->factor % wide->factor == 0)
            *rows = x->factor / wide->factor;
        else if (x->degree == 0)
            *columns = x->factor;
        else
            return false;
    }
    if (wide->degree == 0) { /* the nearest row */
        long w = labs(wide->factor), all = *columns;
        long near = (all >= 0 ? all + w / 2 : all - w / 2) / w;
        *rows = wide->factor > 0 ? near : -near;
        *columns = all - *rows * wide->factor;
    }
    return true;
}

/* (n + 1), which is one thing in products, as the sum that it is. */
static struct form spread(struct wave *w, struct form a)
{
    const uint32_t ATOM = FORM_ATOM;
    struct form all = {.known = a.known};
    for (unsigned i = 0; i < a.n; i++) {
        struct form one = {.known = true, .n = 1, .v = {a.v[i]}};
        uint32_t id = a.v[i].degree == 1 ? a.v[i].symbols[0] : 0;
        if (id & ATOM && (id & ~ATOM) < w->f.atoms.n) {
            const struct cc_tree *t = w->f.scan->tree;
            uint32_t n = w->f.atoms.v[id & ~ATOM].node;
            int op = cc_tree_at(t, n)->kind == CC_N_BINARY ? cc_tree_at(t, n)->op : CC_OP_NONE;
            if (op == CC_OP_ADD || op == CC_OP_SUB) {
                struct form in = cc_form_of(&w->f, n, FORM_ONE);
                all = cc_form_add(all, in, a.v[i].factor);
                continue;
            }
        }
        all = cc_form_add(all, one, 1);
    }
    return all;
}

/* Whether column * by + shift is in 0 .. width - 1 wherever the access is made. */
static bool fits(struct wave *w, const struct place *p, long shift, uint32_t access)
{
    const uint32_t places[2] = {access, CC_NODE_NONE};
    struct form column = {.known = true, .n = 1, .v = {{.factor = p->by_column.v[0].factor, .degree = 1}}};
    column.v[0].symbols[0] = (uint32_t)w->column;
    column = cc_form_add(column, cc_form_number(shift), 1);
    struct form_range r = cc_form_range(&w->f, w->inner, w->column, FORM_ONE);
    if (!cc_form_at_least(&w->f, column, 0, places) || !r.high.known || p->by_column.v[0].factor != 1)
        return false;
    struct form last = cc_form_add(r.high, cc_form_number(shift), 1);
    struct form room = cc_form_add(spread(w, p->by_row), spread(w, last), -1);
    return cc_form_at_least(&w->f, room, 1, places);
}

/* One access by one subscript at (i, j), the other at (i', j') with i' < i. */
static enum meeting meet(struct wave *w, const uint32_t nodes[2], const uint32_t accesses[2], long *right)
{
    struct place a = place_of(w, nodes[0], FORM_ONE), b = place_of(w, nodes[1], FORM_OTHER);
    if (!is_linear(w, &a) || !is_linear(w, &b) || !same(a.by_row, b.by_row) ||
        !same(a.by_column, b.by_column))
        return ANYWHERE;
    struct form rest = cc_form_add(a.rest, b.rest, -1);
    long d = 0, row = 0, column = 0;
    bool known = cc_form_is_number(&rest, &d), rows = cc_form_is_number(&a.by_row, &row),
         columns = cc_form_is_number(&a.by_column, &column);
    if (rows && !row && columns) {
        if (!known || (!column && !d))
            return ANYWHERE;
        *right = column ? d / column : 0; /* j' - j */
        return !column || d % column ? NOWHERE : SHIFTED;
    }
    if (columns && !column && rows)
        return known && (d % row || -d / row < 1) ? NOWHERE : ANYWHERE;
    long ra, ca, rb, cb;
    if (!columns || a.by_row.n != 1 || !split(&a.rest, &a.by_row, &ra, &ca) ||
        !split(&b.rest, &a.by_row, &rb, &cb) || !fits(w, &a, ca, accesses[0]) ||
        !fits(w, &b, cb, accesses[1]))
        return ANYWHERE;
    *right = ca - cb;
    return rb - ra < 1 ? NOWHERE : SHIFTED;
}

/* How far to the right the earlier of two accesses may be; LONG_MIN: they never meet in two rows; LONG_MAX:
 * anywhere. */
static long reach_of(struct wave *w, uint32_t later, uint32_t earlier)
{
    struct element a = element_of(w->f.scan, later), b = element_of(w->f.scan, earlier);
    long reach = LONG_MAX;
    if (a.decl < 0 || b.decl < 0 || a.n != b.n)
        return LONG_MAX;
    w->rows = w->rows || a.rows || b.rows;
    for (unsigned i = 0; i < a.n; i++) {
        long right = 0;
        enum meeting m =
            meet(w, (const uint32_t[]){a.v[i], b.v[i]}, (const uint32_t[]){later, earlier}, &right);
        if (m == NOWHERE)
            return LONG_MIN;
        if (m == SHIFTED)
            reach = right;
    }
    return reach;
}

/* --- the nest --- */

static uint32_t all_of_body(const struct cc_tree *t, uint32_t loop)
{
    uint32_t body = cc_tree_part(t, loop, 3);
    while (body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_COMPOUND &&
           cc_tree_at(t, body)->child != CC_NODE_NONE &&
           cc_tree_at(t, cc_tree_at(t, body)->child)->next == CC_NODE_NONE)
        body = cc_tree_at(t, body)->child;
    return body != CC_NODE_NONE && cc_tree_at(t, body)->kind == CC_N_FOR ? body : CC_NODE_NONE;
}

/* A break of the loop itself, not of one inside it. */
static bool breaks(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    int kind = cc_tree_at(t, n)->kind;
    bool found = kind == CC_N_BREAK || kind == CC_N_GOTO || depth > SCAN_DEPTH;
    bool own = cc_tree_is_loop(kind) || kind == CC_N_SWITCH;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && !found && !own;
         c = cc_tree_at(t, c)->next)
        found = breaks(t, c, depth + 1);
    return found;
}

/* One without a sign wraps around where the number would be negative: no subscript that a program may have is
 * another for that. */
static bool is_counter(const struct cc_tree *t, int32_t decl)
{
    return decl >= 0 && t->decls[decl].type.class == CC_T_INT && t->decls[decl].type.bits >= 32 &&
           (t->decls[decl].kind == CC_D_LOCAL || t->decls[decl].kind == CC_D_PARAM);
}

static bool find_nest(const struct scan *s, struct wave *ret)
{
    const struct cc_tree *t = s->tree;
    if (cc_tree_at(t, s->loop)->kind != CC_N_FOR || s->exit_line || !cc_class_is_c(t) || !cc_proof_plain(s))
        return false;
    *ret = (struct wave){.inner = all_of_body(t, s->loop), .row = cc_scan_counter(t, s->loop)};
    if (ret->inner == CC_NODE_NONE || !is_counter(t, ret->row))
        return false;
    ret->column = cc_scan_counter(t, ret->inner);
    ret->f = (struct forms){.scan = s, .counter = ret->row, .trusting = true};
    return is_counter(t, ret->column) && ret->column != ret->row && cc_form_step(t, s->loop) == 1 &&
           cc_form_step(t, ret->inner) == 1 && !breaks(t, cc_tree_part(t, ret->inner, 3), 0) &&
           !cc_tree_mentions(t, cc_tree_part(t, ret->inner, 0), ret->row) &&
           !cc_tree_mentions(t, cc_tree_part(t, ret->inner, 1), ret->row);
}

/* Whether two accesses may be to one array: of that name, or by two pointers to the same type, which a caller
 * may have let point to one place. */
static bool may_meet(const struct wave *w, const struct scan_array *a, const struct scan_array *b, uint32_t x,
                     uint32_t y)
{
    const struct cc_tree *t = w->f.scan->tree;
    const struct cc_ctype *p = &cc_tree_at(t, x)->type, *q = &cc_tree_at(t, y)->type;
    bool arrays = a->decl >= 0 && b->decl >= 0 && t->decls[a->decl].type.class == CC_T_ARRAY &&
                  t->decls[b->decl].type.class == CC_T_ARRAY && t->decls[a->decl].kind != CC_D_PARAM &&
                  t->decls[b->decl].kind != CC_D_PARAM;
    return a->decl == b->decl || (!arrays && p->class == q->class && p->bits == q->bits);
}

/* Of all that may meet what is written by that name; LONG_MAX: not known. */
static long reach_in(struct wave *w, const struct scan_array *a)
{
    const struct scan *s = w->f.scan;
    long reach = LONG_MIN;
    if (a->decl < 0 || a->passed || a->field.size || a->all.n > MOST_ACCESSES)
        return LONG_MAX;
    for (size_t i = 0; i < a->writes.n; i++)
        for (size_t b = 0; b < s->arrays.n; b++)
            for (size_t k = 0; k < s->arrays.v[b].all.n && reach < LONG_MAX; k++) {
                uint32_t x = a->writes.v[i], y = s->arrays.v[b].all.v[k];
                if (may_meet(w, a, &s->arrays.v[b], x, y))
                    reach = CC_MAX(reach, CC_MAX(reach_of(w, x, y), reach_of(w, y, x)));
            }
    return reach;
}

/* Whether the nest sets a pointer in memory: a row may be another then. */
static bool sets_pointers(const struct scan *s)
{
    for (size_t i = 0; i < s->arrays.n; i++)
        for (size_t k = 0; k < s->arrays.v[i].writes.n; k++) {
            int class = cc_tree_at(s->tree, s->arrays.v[i].writes.v[k])->type.class;
            if (class != CC_T_INT && class != CC_T_FLOAT)
                return true;
        }
    return false;
}

void cc_source_wave(const struct scan *s, FILE *out)
{
    enum { MOST_REACH = 4 };
    struct scan named = *s; /* what a called function does to variables of the file, runs show */
    named.calls = false;
    struct wave w;
    long reach = 0;
    if (!find_nest(&named, &w))
        return;
    for (size_t i = 0; i < s->arrays.n && reach < LONG_MAX; i++)
        if (s->arrays.v[i].writes.n || s->arrays.v[i].write_line || s->arrays.v[i].passed)
            reach = CC_MAX(reach, reach_in(&w, &s->arrays.v[i]));
    if (reach <= MOST_REACH && !(w.rows && sets_pointers(s)))
        fprintf(out, "Y\t%u\t%u\t%ld\t%d\n", cc_tree_at(s->tree, w.inner)->line,
                cc_tree_at(s->tree, w.inner)->last_line, reach, w.rows);
    CC_VEC_FINI(&w.f.atoms);
}
