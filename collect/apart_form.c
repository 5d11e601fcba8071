/* Sums of what a loop's code computes addresses from, and what they are where the loop is entered. */
#include "apart_internal.h"

/* --- numbers for equal things --- */

static bool same_form(const struct form *a, const struct form *b)
{
    bool same = a->k == b->k && a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++)
        same = a->t[i].node == b->t[i].node && a->t[i].by == b->t[i].by;
    return same;
}

static uint32_t form_number(struct apart_work *w, const struct form *f)
{
    uint64_t h = mix(f->n, f->k);
    for (uint32_t i = 0; i < f->n; i++)
        h = mix(mix(h, f->t[i].node), f->t[i].by);
    size_t at = (size_t)(h >> 32) & (HASHES - 1);
    for (; w->form_hash[at]; at = (at + 1) & (HASHES - 1))
        if (same_form(&w->forms[w->form_hash[at]], f))
            return w->form_hash[at];
    if (w->nforms == FORMS) {
        w->full = true;
        return 0;
    }
    w->form_hash[at] = (uint16_t)w->nforms;
    w->forms[w->nforms] = *f;
    return w->nforms++;
}

uint32_t cc_apart_node(struct apart_work *w, const struct node *x)
{
    uint64_t h = mix(mix(mix(mix(mix(x->kind, x->op), x->value), x->a), x->b), x->c + (uint64_t)x->bits * 64);
    size_t at = (size_t)(h >> 32) & (HASHES - 1);
    for (; w->node_hash[at]; at = (at + 1) & (HASHES - 1)) {
        struct node *o = &w->nodes[w->node_hash[at]];
        if (o->kind != x->kind || o->bits != x->bits || o->op != x->op || o->value != x->value ||
            o->a != x->a || o->b != x->b || o->c != x->c)
            continue;
        o->varies = x->varies; /* as far as is known by now */
        o->step = x->step;
        return w->node_hash[at];
    }
    if (w->nnodes == NODES) {
        w->full = true;
        return 0;
    }
    w->node_hash[at] = (uint16_t)w->nnodes;
    w->nodes[w->nnodes] = *x;
    return w->nnodes++;
}

uint32_t cc_apart_constant(struct apart_work *w, uint64_t k)
{
    return form_number(w, &(struct form){.k = k});
}

uint32_t cc_apart_of(struct apart_work *w, uint32_t node)
{
    return node ? form_number(w, &(struct form){.n = 1, .t = {{node, 1}}}) : 0;
}

uint32_t cc_apart_sum(struct apart_work *w, uint32_t a, uint32_t b, uint64_t by)
{
    if (!a || !b)
        return 0;
    const struct form *p = &w->forms[a], *q = &w->forms[b];
    struct form sum = {.k = p->k + q->k * by};
    for (uint32_t i = 0, j = 0; i < p->n || j < q->n;) {
        bool first = i < p->n && (j == q->n || p->t[i].node <= q->t[j].node),
             second = j < q->n && (i == p->n || q->t[j].node <= p->t[i].node);
        struct term t = first ? p->t[i] : (struct term){q->t[j].node, 0};
        if (second)
            t.by += q->t[j].by * by;
        i += first;
        j += second;
        if (!t.by)
            continue;
        if (sum.n == TERMS)
            return 0;
        sum.t[sum.n++] = t;
    }
    return form_number(w, &sum);
}

bool cc_apart_varies(const struct apart_work *w, uint32_t form)
{
    const struct form *f = &w->forms[form];
    for (uint32_t i = 0; i < f->n; i++)
        if (w->nodes[f->t[i].node].varies)
            return true;
    return false;
}

/* What is a sum of multiples becomes one. */
uint32_t cc_apart_operate(struct apart_work *w, const struct node *x)
{
    const struct form *a = &w->forms[x->a], *b = &w->forms[x->b];
    enum { MOST = 63 };
    if (!x->a)
        return 0;
    switch (x->op) {
    case CC_CODE_ADD:
        return cc_apart_sum(w, x->a, x->b, 1);
    case CC_CODE_SUB:
        return cc_apart_sum(w, x->a, x->b, (uint64_t)-1);
    case CC_CODE_SHL:
        if (x->b && !b->n && b->k <= MOST)
            return cc_apart_sum(w, cc_apart_constant(w, 0), x->a, UINT64_C(1) << b->k);
        break;
    case CC_CODE_MUL:
        if (x->b && !b->n)
            return cc_apart_sum(w, cc_apart_constant(w, 0), x->a, b->k);
        if (x->b && !a->n)
            return cc_apart_sum(w, cc_apart_constant(w, 0), x->b, a->k);
        break;
    default:
        break;
    }
    struct node n = *x;
    n.varies = cc_apart_varies(w, x->a) || cc_apart_varies(w, x->b) || cc_apart_varies(w, x->c);
    return cc_apart_of(w, cc_apart_node(w, &n));
}

/* --- where the loop is entered --- */

static uint32_t resolve_node(struct apart_work *w, uint32_t node);

uint32_t cc_apart_resolve(struct apart_work *w, uint32_t form)
{
    enum { DEEPEST = 40 };
    if (!form || w->depth == DEEPEST)
        return 0;
    struct form f = w->forms[form];
    uint32_t sum = cc_apart_constant(w, f.k);
    w->depth++;
    for (uint32_t i = 0; i < f.n; i++)
        sum = cc_apart_sum(w, sum, resolve_node(w, f.t[i].node), f.t[i].by);
    w->depth--;
    return sum;
}

struct found {      /* what a register, or a place in memory, is set to in the loop */
    uint32_t first; /* form: where it begins in each iteration; 0: nowhere */
    bool several;   /* it begins with different things */
    bool goes;      /* it goes on from what it was, */
    uint64_t step;  /* by that; 0: not known */
};

static void goes_on(struct apart_work *w, struct found *x, uint32_t by)
{
    const struct form *f = &w->forms[by];
    x->step = by && !f->n && (!x->goes || x->step == f->k) ? f->k : 0;
    x->goes = true;
    if (by && f->n && w->nsteps < DEFINITIONS)
        w->steps[w->nsteps++] = by;
}

static void begins(struct apart_work *w, struct found *x, uint32_t value)
{
    uint32_t first = cc_apart_resolve(w, value);
    x->several = x->several || !first || (x->first && x->first != first);
    x->first = first;
}

/* self: the node of what is set. */
static uint32_t value_at_entry(struct apart_work *w, const struct found *x, struct node self)
{
    if (x->several)
        return 0;
    if (!x->first) {
        self.varies = x->goes;
        self.step = x->step;
        return cc_apart_of(w, cc_apart_node(w, &self));
    }
    if (!x->goes)
        return x->first;
    struct node n = {.kind = NODE_GOES, .a = x->first, .varies = true};
    return cc_apart_of(w, cc_apart_node(w, &n));
}

/* The form without that node, if it has it once; 0: it has not. */
static uint32_t rest_of(struct apart_work *w, uint32_t form, uint32_t node)
{
    const struct form *f = &w->forms[form];
    for (uint32_t i = 0; i < f->n; i++)
        if (f->t[i].node == node && f->t[i].by == 1)
            return cc_apart_sum(w, form, cc_apart_of(w, node), (uint64_t)-1);
    return 0;
}

static bool is_kept(const struct apart_work *w, uint64_t offset)
{
    for (uint32_t i = 0; i < w->machine->nkept; i++)
        if (w->machine->offset[w->machine->kept[i]] / 8 == offset / 8)
            return true;
    return offset == w->machine->stack_at;
}

static uint32_t resolve_register(struct apart_work *w, uint32_t node)
{
    uint64_t offset = w->nodes[node].value;
    const struct definitions *d = &w->of[offset / 8];
    struct found x = {0};
    struct node self = {.kind = NODE_ENTRY, .value = offset};
    if (offset == w->machine->stack_at)
        return cc_apart_of(w, cc_apart_node(w, &self));
    if (d->n == DEFINITIONS || (!d->n && w->calls && !is_kept(w, offset)))
        return 0;
    for (uint32_t i = 0; i < d->n; i++) {
        uint32_t rest = d->v[i] ? rest_of(w, d->v[i], node) : 0;
        if (rest)
            goes_on(w, &x, rest);
        else
            begins(w, &x, d->v[i]);
    }
    return value_at_entry(w, &x, self);
}

/* That place less the address, if the form has it once. */
static uint32_t rest_of_place(struct apart_work *w, uint32_t form, uint32_t address)
{
    struct form f = w->forms[form];
    for (uint32_t i = 0; i < f.n; i++) {
        const struct node *n = &w->nodes[f.t[i].node];
        if (n->kind == NODE_LOAD && f.t[i].by == 1 && cc_apart_resolve(w, n->a) == address)
            return rest_of(w, form, f.t[i].node);
    }
    return 0;
}

static uint32_t resolve_load(struct apart_work *w, uint32_t node)
{
    struct node self = w->nodes[node];
    self.busy = self.done = false;
    self.a = cc_apart_resolve(w, self.a);
    self.varies = cc_apart_varies(w, self.a);
    if (!self.a)
        return 0;
    struct found x = {0};
    for (uint32_t i = 0; i < w->nstores && !self.varies; i++) {
        const struct store *s = &w->stores[i];
        if (s->resolved != self.a)
            continue;
        uint32_t rest = s->value ? rest_of_place(w, s->value, self.a) : 0;
        if (rest)
            goes_on(w, &x, rest);
        else
            begins(w, &x, s->value);
    }
    if (!self.varies)
        return value_at_entry(w, &x, self);
    return cc_apart_of(w, cc_apart_node(w, &self));
}

static uint32_t resolve_op(struct apart_work *w, uint32_t node)
{
    struct node x = w->nodes[node];
    uint32_t *of[] = {&x.a, &x.b, &x.c};
    x.busy = x.done = false;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t was = *of[i];
        *of[i] = was ? cc_apart_resolve(w, was) : 0;
        if (was && !*of[i])
            return 0;
    }
    return cc_apart_operate(w, &x);
}

static uint32_t resolve_node(struct apart_work *w, uint32_t node)
{
    struct node *n = &w->nodes[node];
    if (n->busy || n->done)
        return n->busy ? 0 : n->resolved;
    n->busy = true;
    uint32_t to = n->kind == NODE_START  ? resolve_register(w, node)
                  : n->kind == NODE_LOAD ? resolve_load(w, node)
                  : n->kind == NODE_OP   ? resolve_op(w, node)
                                         : cc_apart_of(w, node);
    n->busy = false;
    n->done = true;
    n->resolved = to;
    return to;
}
