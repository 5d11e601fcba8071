#include "proof.h"
#include "form.h"

/* --- which element an access is at --- */

enum { MOST_STEPS = 8, MOST_PARTS = 3 };

struct step { /* on the way from a variable to what is accessed */
    bool member;
    uint32_t node; /* of a subscript: that; else of the member's expression, which ends in its name */
    uint32_t more; /* what a pointer was made with, to be added to the subscript; CC_NODE_NONE: nothing */
};

struct path {
    int32_t decl; /* -1: it cannot be told */
    uint32_t
        from; /* a pointer in the variable, `g->v` of `g->v[i]`, at which it begins; CC_NODE_NONE: none */
    unsigned n;
    struct step v[MOST_STEPS]; /* the first is next to the variable */
};

/* Whether each counter in it counts the loop, or one around where it stands: it is the same wherever what is
 * made of it is used. */
static bool counts_around(const struct scan *s, uint32_t n, uint32_t place, unsigned depth)
{
    const struct cc_tree *t = s->tree;
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool around = x->kind != CC_N_REF || x->decl < 0 || !s->variables[x->decl].counts;
    for (uint32_t i = 0; i < t->nnodes && !around; i++)
        around = cc_tree_at(t, i)->kind == CC_N_FOR && cc_tree_holds(t, i, place) &&
                 cc_scan_counter(t, i) == x->decl;
    for (uint32_t c = x->child; c != CC_NODE_NONE && around; c = cc_tree_at(t, c)->next)
        around = depth < SCAN_DEPTH && counts_around(s, c, place, depth + 1);
    return around;
}

/* `row[k]` of `row = &a[e]`, or of `a + e`, is `a[e + k]`, and `row->x` is `a[e].x`: a or what it lies in,
 * and the step to e in `back`; CC_NODE_NONE: it is something else. Where a is itself an element, k might lead
 * into the next row. */
static uint32_t through_alias(const struct scan *s, uint32_t alias, struct step *back, unsigned *n)
{
    const struct cc_tree *t = s->tree;
    uint32_t from = cc_alias_base(t, alias);
    bool sum = cc_tree_at(t, alias)->kind == CC_N_BINARY;
    uint32_t by = cc_tree_part(t, sum ? alias : from, 1), of = sum ? from : cc_alias_base(t, from);
    if (by == CC_NODE_NONE || of == CC_NODE_NONE || !counts_around(s, by, alias, 0))
        return CC_NODE_NONE;
    struct step *last = *n ? &back[*n - 1] : NULL;
    if (last && last->member && *n < MOST_STEPS)
        back[(*n)++] = (struct step){false, by, CC_NODE_NONE};
    else if (last && !last->member && last->more == CC_NODE_NONE && cc_tree_at(t, of)->kind == CC_N_REF)
        last->more = by;
    else
        return CC_NODE_NONE;
    return of;
}

static bool is_plain(const struct scan *s, int32_t decl)
{
    return decl >= 0 && !s->variables[decl].inside && !s->variables[decl].write_line &&
           !s->variables[decl].address;
}

bool cc_proof_still(const struct scan *s, const struct scan_array *a)
{
    int kind = a->decl < 0 ? CC_D_OTHER : s->tree->decls[a->decl].kind;
    return (kind == CC_D_LOCAL || kind == CC_D_PARAM) && is_plain(s, a->decl);
}

/* Not what a pointer in memory leads to, since two of these may be one; but for one in a struct that nothing
 * in the loop sets. */
static struct path path_of(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    struct path p = {.decl = -1, .from = CC_NODE_NONE};
    struct step back[MOST_STEPS];
    n = cc_tree_bare(t, n);
    for (bool top = true; n != CC_NODE_NONE; top = false) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        uint32_t alias = x->kind == CC_N_REF ? cc_alias_of(s, x->decl) : CC_NODE_NONE;
        if (alias != CC_NODE_NONE) {
            n = through_alias(s, alias, back, &p.n);
            continue;
        }
        if (x->kind == CC_N_REF) {
            p.decl = is_plain(s, x->decl) ? x->decl : -1;
            break;
        }
        int32_t holder =
            x->kind == CC_N_MEMBER && x->type.class == CC_T_POINTER && !top ? cc_scan_plain(t, x->child) : -1;
        if (is_plain(s, holder) && !cc_scan_varies(s, n, cc_scan_counter(t, s->loop), false, 1)) {
            p.decl = holder;
            p.from = n;
            break;
        }
        bool element = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER;
        if (!element || p.n == MOST_STEPS || (!top && x->type.class == CC_T_POINTER))
            break;
        bool member = x->kind == CC_N_MEMBER;
        back[p.n++] = (struct step){member, member ? n : cc_tree_part(t, n, 1), CC_NODE_NONE};
        n = cc_tree_bare(t, x->child);
    }
    for (unsigned i = 0; i < p.n; i++)
        p.v[i] = back[p.n - 1 - i];
    return p;
}

/* Of a subscript. */
static struct form form_of(struct forms *f, const struct step *x, enum form_side side)
{
    struct form by = cc_form_of(f, x->node, side);
    return x->more == CC_NODE_NONE ? by : cc_form_add(by, cc_form_of(f, x->more, side), 1);
}

static bool is_letter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool same_member(const struct scan *s, uint32_t a, uint32_t b)
{
    const char *text = s->tree->text;
    uint32_t i = cc_tree_at(s->tree, a)->end, k = cc_tree_at(s->tree, b)->end;
    bool name = true;
    while (name && i && k) {
        char x = text[--i], y = text[--k];
        name = is_letter(x);
        if (name != is_letter(y) || (name && x != y))
            return false;
    }
    return true;
}

/* --- whether two can be one --- */

struct question {
    struct forms *f;
    uint32_t places[2]; /* the accesses: of one iteration, of the other */
    long step;          /* of the loop */
    bool same;          /* both may be of one iteration */
};

static long gcd(long a, long b)
{
    while (b) {
        long rest = a % b;
        a = b, b = rest;
    }
    return labs(a);
}

/* Whether all that changes comes in steps that lead past nothing: `2 * i` and `2 * k + 1`, `t` and `1 - t`.
 */
static bool steps_past(struct form d)
{
    long by = 0, rest = 0;
    for (unsigned i = 0; i < d.n && d.known; i++)
        if (d.v[i].degree)
            by = gcd(by, d.v[i].factor);
        else
            rest = d.v[i].factor;
    return d.known && by > 1 && rest % by != 0;
}

/* What is left of two sums, divided by one number, where they are never as far apart as that: `t & 1` and
 * `(t + 1) & 1`. */
static bool leave_others(const struct question *q, const struct form *d)
{
    struct form of[2];
    long by, apart;
    if (!cc_form_rests(q->f, d, of, &by))
        return false;
    struct form gap = cc_form_add(of[0], of[1], -1);
    return cc_form_is_number(&gap, &apart) && apart % by != 0;
}

/* The difference is never nothing. */
static bool is_never_zero(const struct question *q, struct form d)
{
    uint32_t one = cc_form_counter(q->f, FORM_ONE), other = cc_form_counter(q->f, FORM_OTHER);
    long by = 0, back = 0, rest = 0;
    bool plain = d.known;
    for (unsigned i = 0; i < d.n && plain; i++) {
        const struct form_term *x = &d.v[i];
        if (x->degree == 0)
            rest = x->factor;
        else if (x->degree == 1 && x->symbols[0] == one)
            by = x->factor;
        else if (x->degree == 1 && x->symbols[0] == other)
            back = x->factor;
        else
            plain = false;
    }
    if (plain && by && by == -back &&
        ((!rest && !q->same) || (rest && q->step && rest % (by * q->step) != 0)))
        return true;
    return steps_past(d) || leave_others(q, &d) || cc_form_turned(q->f, &d) ||
           cc_form_leaves(q->f, &d, q->places) || cc_form_at_least(q->f, d, 1, q->places) ||
           cc_form_at_least(q->f, cc_form_add(cc_form_number(0), d, -1), 1, q->places);
}

/* a = by * quotient + rest, with what has the symbol (or the number) in it. */
static void divide(const struct form *a, uint32_t by, long number, struct form *quotient, struct form *rest)
{
    *quotient = *rest = cc_form_number(0);
    for (unsigned i = 0; i < a->n; i++) {
        struct form_term x = a->v[i];
        unsigned k = 0;
        while (k < x.degree && (number || x.symbols[k] != by))
            k++;
        bool has = number ? x.factor % number == 0 : k < x.degree;
        if (has && number)
            x.factor /= number;
        for (unsigned m = k; has && !number && m + 1 < x.degree; m++)
            x.symbols[m] = x.symbols[m + 1];
        x.degree -= has && !number;
        struct form *to = has ? quotient : rest;
        to->v[to->n++] = x;
    }
}

static bool fits(const struct question *q, struct form rest, struct form width)
{
    struct form room = cc_form_add(cc_form_add(width, rest, -1), cc_form_number(1), -1);
    return cc_form_at_least(q->f, rest, 0, q->places) && cc_form_at_least(q->f, room, 0, q->places);
}

/* Whether two differences are never nothing both: if they were, so would be their sum, and what they differ
 * by
 * (`i - k` and `k - i - 1` of a diagonal; `i - j` and `j - i` where j < i). */
static bool are_never_zero(const struct question *q, struct form x, struct form y)
{
    return x.known && y.known &&
           (is_never_zero(q, cc_form_add(x, y, 1)) || is_never_zero(q, cc_form_add(x, y, -1)));
}

static bool differ(const struct question *q, const struct form *a, const struct form *b, unsigned depth);

/* `i * n + j` with 0 <= j < n are a row and a place in it. */
static bool differ_by_row(const struct question *q, const struct form *a, const struct form *b, uint32_t by,
                          long number, unsigned depth)
{
    struct form qa, ra, qb, rb, width = cc_form_number(number);
    if (!number)
        width = (struct form){.known = true, .n = 1, .v = {{.factor = 1, .symbols = {by}, .degree = 1}}};
    divide(a, by, number, &qa, &ra);
    divide(b, by, number, &qb, &rb);
    if (!qa.n || !fits(q, ra, width) || !fits(q, rb, width))
        return false;
    return differ(q, &qa, &qb, depth + 1) || differ(q, &ra, &rb, depth + 1) ||
           are_never_zero(q, cc_form_add(qa, qb, -1), cc_form_add(ra, rb, -1));
}

static bool differ(const struct question *q, const struct form *a, const struct form *b, unsigned depth)
{
    if (!a->known || !b->known)
        return false;
    if (is_never_zero(q, cc_form_add(*a, *b, -1)))
        return true;
    for (unsigned i = 0; i < a->n && depth < MOST_PARTS; i++) {
        const struct form_term *x = &a->v[i];
        for (unsigned k = 0; k < x->degree && x->degree > 1; k++)
            if (differ_by_row(q, a, b, x->symbols[k], 0, depth))
                return true;
        if (x->degree == 1 && labs(x->factor) > 1 && differ_by_row(q, a, b, 0, labs(x->factor), depth))
            return true;
    }
    return false;
}

/* Whether no subscript reaches back into the row before. */
static bool is_in_rows(const struct question *q, const struct path *p, enum form_side side)
{
    for (unsigned i = 1; i < p->n; i++) {
        if (p->v[i].member)
            continue;
        if (!cc_form_at_least(q->f, form_of(q->f, &p->v[i], side), 0, q->places))
            return false;
    }
    return true;
}

/* A loop that ends some before n leaves a border: the last place is n - 1. */
static struct form whole_row(struct form last)
{
    for (unsigned i = 0; i < last.n && last.known && last.n > 1; i++)
        if (last.v[i].degree == 0 && last.v[i].factor < -1)
            last.v[i].factor = -1;
    return last;
}

/* Whether none of them goes further than some loop around it, so that one more than there are is not meant.
 */
static bool is_tight(struct forms *f, uint32_t access, enum form_side side)
{
    const struct cc_tree *t = f->scan->tree;
    struct path p = path_of(f->scan, access);
    const uint32_t places[2] = {access, access};
    for (unsigned i = 1; i < p.n; i++) {
        bool within = p.v[i].member;
        struct form by = within ? cc_form_number(0) : form_of(f, &p.v[i], side);
        for (uint32_t k = 0; k < t->nnodes && !within; k++) {
            bool around = cc_tree_at(t, k)->kind == CC_N_FOR &&
                          cc_tree_at(t, k)->begin <= cc_tree_at(t, access)->begin &&
                          cc_tree_at(t, k)->end >= cc_tree_at(t, access)->end;
            int32_t counter = around ? cc_scan_counter(t, k) : -1;
            struct form_range r = {0};
            if (counter >= 0)
                r = cc_form_range(f, k, counter, side);
            r.high = whole_row(r.high);
            within = r.high.known && cc_form_at_least(f, cc_form_add(r.high, by, -1), 0, places);
        }
        if (!within)
            return false;
    }
    return p.decl >= 0;
}

bool cc_proof_tight(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    struct forms f = {.scan = s, .counter = counter, .moving = true};
    bool tight = a->decl >= 0 && counter >= 0 && a->all.n < MOST_ACCESSES;
    for (size_t i = 0; i < a->all.n && tight; i++)
        tight = is_tight(&f, a->all.v[i], FORM_ONE);
    CC_VEC_FINI(&f.atoms);
    return tight;
}

bool cc_proof_flat(const struct scan *s, const struct scan_array *a)
{
    bool flat = a->decl >= 0 && a->all.n < MOST_ACCESSES;
    for (size_t k = 0; k < s->arrays.n && flat; k++) {
        const struct scan_array *b = &s->arrays.v[k];
        for (size_t i = 0; i < b->all.n && b->decl == a->decl && flat; i++) {
            struct path p = path_of(s, b->all.v[i]);
            flat = p.decl >= 0;
            for (unsigned n = 1; n < p.n; n++)
                flat = flat && p.v[n].member;
        }
    }
    return flat;
}

/* `double *restrict a`: nothing else leads there. Nor does what changes something lead to a `const int a[]`.
 */
bool cc_proof_alone(const struct scan *s, const struct scan_array *a)
{
    const struct cc_tree *t = s->tree;
    if (a->decl >= 0 && t->decls[a->decl].constant)
        return true;
    if (a->decl < 0 || t->decls[a->decl].kind != CC_D_PARAM || t->body == CC_NODE_NONE)
        return false;
    const char *name = t->decls[a->decl].name, *end = t->text + cc_tree_at(t, t->body)->begin, *at = end;
    while (at > t->text && at[-1] != ';' && at[-1] != '}')
        at--;
    static const char word[] = "restrict";
    for (; at + sizeof word - 1 < end; at++) {
        const char *next = at + sizeof word - 1;
        if (strncmp(at, word, sizeof word - 1) != 0)
            continue;
        while (next < end && (*next == ' ' || *next == '\n' || *next == '\t' || *next == '_'))
            next++;
        size_t n = strlen(name);
        if (next + n < end && strncmp(next, name, n) == 0 &&
            (next[n] == ',' || next[n] == ')' || next[n] == ' '))
            return true;
    }
    return false;
}

/* Two fields of one type that have no byte in common: of a union they have. */
static bool are_fields_apart(const struct scan *s, uint32_t a, uint32_t b)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, a), *y = cc_tree_at(s->tree, b);
    if (!x->record || x->record != y->record || !x->type.bits || !y->type.bits)
        return false;
    return x->value + (int64_t)x->type.bits <= y->value || y->value + (int64_t)y->type.bits <= x->value;
}

static bool is_bit_field(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    return x->kind == CC_N_MEMBER && x->op == CC_MEMBER_BITS;
}

bool cc_proof_share(const struct scan *s, uint32_t a, uint32_t b)
{
    struct path p = path_of(s, a), r = path_of(s, b);
    for (unsigned i = 0; i < p.n && i < r.n && p.v[i].member == r.v[i].member; i++) {
        uint32_t x = p.v[i].node, y = r.v[i].node;
        if (!p.v[i].member || same_member(s, x, y))
            continue;
        bool known = cc_tree_at(s->tree, x)->record && cc_tree_at(s->tree, y)->record;
        return (is_bit_field(s, x) && is_bit_field(s, y)) || (known && !are_fields_apart(s, x, y));
    }
    return false;
}

bool cc_proof_beside(const struct scan *s, const struct scan_array *a)
{
    bool found = false, bits = is_bit_field(s, a->first) && a->write_line;
    for (size_t i = 0; bits && i < s->arrays.n; i++) {
        const struct scan_array *b = &s->arrays.v[i];
        bool other = b != a && b->decl == a->decl && is_bit_field(s, b->first);
        for (size_t k = 0; other && k < a->writes.n * b->all.n; k++) {
            uint32_t x = cc_tree_at(s->tree, a->writes.v[k % a->writes.n])->child,
                     y = cc_tree_at(s->tree, b->all.v[k / a->writes.n])->child;
            found = found || !cc_scan_same_text(s, cc_tree_bare(s->tree, x), cc_tree_bare(s->tree, y));
        }
    }
    return found;
}

/* Whether they begin at the same place, by their names. */
static bool same_beginning(const struct scan *s, const struct path *a, const struct path *b)
{
    return a->decl == b->decl && (a->from == b->from || (a->from != CC_NODE_NONE && b->from != CC_NODE_NONE &&
                                                         cc_scan_same_text(s, a->from, b->from)));
}

/* Two accesses by one name: whether some subscript, or two fields, tell that they are not at one place. */
static bool are_apart(struct forms *f, uint32_t a, uint32_t b, bool same)
{
    const struct scan *s = f->scan;
    struct path p = path_of(s, a), r = path_of(s, b);
    if (p.decl < 0 || !same_beginning(s, &p, &r))
        return false;
    struct question q = {f, {a, b}, cc_form_step(s->tree, s->loop), same};
    if (!is_in_rows(&q, &p, FORM_ONE) || !is_in_rows(&q, &r, FORM_OTHER))
        return false;
    struct form by[MOST_STEPS];
    unsigned n = 0;
    for (unsigned i = 0; i < p.n && i < r.n && p.v[i].member == r.v[i].member; i++) {
        if (p.v[i].member && !same_member(s, p.v[i].node, r.v[i].node))
            return are_fields_apart(s, p.v[i].node, r.v[i].node);
        if (p.v[i].member)
            continue;
        struct form x = form_of(f, &p.v[i], FORM_ONE), y = form_of(f, &r.v[i], FORM_OTHER);
        if (differ(&q, &x, &y, 0))
            return true;
        by[n++] = cc_form_add(x, y, -1);
        for (unsigned k = 0; k + 1 < n; k++)
            if (are_never_zero(&q, by[k], by[n - 1]))
                return true;
    }
    return false;
}

/* In C++ what is subscripted has to be an array or a pointer as C has it, and not one by another name. */
bool cc_proof_tells(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    const struct cc_decl *d = &t->decls[decl];
    return cc_class_is_c(t) || (!t->refused && !t->trait_line[CC_TRAIT_LAMBDA] && !d->reference &&
                                (d->type.class == CC_T_ARRAY || d->type.class == CC_T_POINTER));
}

/* `i < n`, or `i + 1 < n`, which no pragma has: nothing here asks how far the loop's own counter gets then.
 */
static bool is_counted_by(const struct scan *s, int32_t counter)
{
    return cc_scan_counter(s->tree, s->loop) == counter ||
           (cc_class_is_c(s->tree) && cc_tree_at(s->tree, s->loop)->kind == CC_N_FOR &&
            cc_head_bounded(s, cc_tree_bare(s->tree, cc_tree_part(s->tree, s->loop, 1)), counter));
}

static bool can_tell(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    return counter >= 0 && a->decl >= 0 && !a->passed && cc_proof_tells(s, a->decl) &&
           is_counted_by(s, counter);
}

/* Whether one of them begins at a pointer in a struct, and the other elsewhere: other names, as two pointers
 * are. */
static bool is_other(const struct scan *s, uint32_t a, uint32_t b)
{
    struct path p = path_of(s, a), r = path_of(s, b);
    return p.decl >= 0 && p.decl == r.decl && !same_beginning(s, &p, &r);
}

/* Whether an access is of a number in a struct, `g->wide`, that nothing in the loop sets. */
static bool is_still(const struct scan *s, uint32_t n)
{
    n = cc_tree_bare(s->tree, n);
    return cc_tree_at(s->tree, n)->kind == CC_N_MEMBER &&
           !cc_scan_varies(s, n, cc_scan_counter(s->tree, s->loop), false, 1);
}

/* All accesses to what the array is part of: fields may lie over each other. by_name: but those by another
 * name. */
static bool each_apart(struct forms *f, const struct scan_array *a, uint32_t write, bool by_name)
{
    const struct scan *s = f->scan;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *b = &s->arrays.v[i];
        if (b->decl != a->decl)
            continue;
        if (b->passed)
            return false;
        for (size_t k = 0; k < b->all.n; k++)
            if (!is_still(s, b->all.v[k]) && !(by_name && is_other(s, write, b->all.v[k])) &&
                !are_apart(f, write, b->all.v[k], false))
                return false;
    }
    return true;
}

static bool all_apart(const struct scan *s, const struct scan_array *a, int32_t counter, bool by_name)
{
    struct forms f = {.scan = s, .counter = counter, .moving = true};
    bool apart = can_tell(s, a, counter) && a->all.n < MOST_ACCESSES;
    for (size_t i = 0; i < a->writes.n && apart; i++)
        apart = each_apart(&f, a, a->writes.v[i], by_name);
    CC_VEC_FINI(&f.atoms);
    return apart;
}

bool cc_proof_apart(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    return all_apart(s, a, counter, false);
}

bool cc_proof_apart_by_name(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    return all_apart(s, a, counter, true);
}

/* The element that an update is of, or what is read of it there: `x` in `x += e`, both in `x = x + e`. */
bool cc_proof_updated(const struct scan *s, const struct scan_array *a, uint32_t access)
{
    const struct cc_tree *t = s->tree;
    for (size_t i = 0; i < a->writes.n; i++)
        if (a->writes.v[i] == access)
            return true;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool sum = x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE &&
                   x->begin <= cc_tree_at(t, access)->begin && x->end >= cc_tree_at(t, access)->end;
        if (sum && cc_scan_same_text(s, cc_tree_bare(t, x->child), access))
            return true;
    }
    return false;
}

bool cc_proof_unseen(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    struct forms f = {.scan = s, .counter = counter, .moving = true};
    bool unseen = can_tell(s, a, counter) && a->all.n < MOST_ACCESSES && a->updates == a->writes.n;
    for (size_t i = 0; i < a->writes.n && unseen; i++)
        for (size_t k = 0; k < a->all.n && unseen; k++)
            unseen = cc_proof_updated(s, a, a->all.v[k]) || are_apart(&f, a->writes.v[i], a->all.v[k], true);
    CC_VEC_FINI(&f.atoms);
    return unseen;
}

/* --- what else a loop may do --- */

static bool is_plain_c(const struct cc_tree *t)
{
    return cc_class_is_c(t) && !t->refused && !t->trait_line[CC_TRAIT_ASM] && !t->trait_line[CC_TRAIT_LAMBDA];
}

static bool is_unnamed_call(const struct cc_tree *t, const struct cc_tree_node *x)
{
    return x->kind == CC_N_CALL &&
           (x->decl < 0 || !t->decls[x->decl].usr || t->decls[x->decl].kind != CC_D_FUNCTION);
}

bool cc_proof_named(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (cc_tree_holds(t, s->loop, i) &&
            (is_unnamed_call(t, x) || x->kind == CC_N_LABEL || x->kind == CC_N_GOTO || x->kind == CC_N_ASM))
            return false;
    }
    return is_plain_c(t);
}

bool cc_proof_plain(const struct scan *s)
{
    return cc_tree_at(s->tree, s->loop)->kind == CC_N_FOR && cc_proof_named(s);
}

static bool is_shared(const struct cc_tree *t, int32_t decl)
{
    int kind = t->decls[decl].kind;
    return !t->decls[decl].has_value && (kind == CC_D_GLOBAL || kind == CC_D_STATIC);
}

bool cc_proof_pure(const struct scan *s)
{
    const struct cc_tree *t = s->tree;
    if (!is_plain_c(t))
        return false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (is_unnamed_call(t, x) || x->kind == CC_N_ASM || x->kind == CC_N_GOTO ||
            (x->kind == CC_N_REF && x->decl >= 0 && is_shared(t, x->decl)))
            return false;
    }
    for (size_t i = 0; i < s->arrays.n; i++) {
        int32_t decl = s->arrays.v[i].decl;
        bool own = decl >= 0 && t->decls[decl].kind == CC_D_LOCAL &&
                   (t->decls[decl].type.class == CC_T_ARRAY || t->decls[decl].type.class == CC_T_RECORD);
        if (!own || s->arrays.v[i].passed)
            return false;
    }
    return true;
}
