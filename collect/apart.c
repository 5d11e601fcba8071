/* What to look at when a loop is entered, and the sign of an entry. */
#include "apart_internal.h"

/* --- the program --- */

static void add_step(struct cc_apart *a, struct step s)
{
    if (a->nsteps < PROGRAM)
        a->steps[a->nsteps] = s;
    a->nsteps++; /* beyond the bound: the item is dropped */
}

static void put_form(struct cc_apart *a, const struct apart_work *w, uint32_t form, uint32_t depth);

/* depth: places of the stack that are in use. */
static void put_node(struct cc_apart *a, const struct apart_work *w, uint32_t node, uint32_t depth)
{
    const struct node *n = &w->nodes[node];
    const uint32_t of[] = {n->a, n->b, n->c};
    uint8_t nargs = 0;
    switch (n->kind) {
    case NODE_ENTRY:
        add_step(a, (struct step){.what = DO_REGISTER, .v = n->value});
        break;
    case NODE_LOAD:
        put_form(a, w, n->a, depth);
        add_step(a, (struct step){.what = DO_LOAD, .bits = (uint8_t)n->bits});
        break;
    case NODE_GOES:
        put_form(a, w, n->a, depth);
        break;
    default:
        for (; nargs < 3 && of[nargs]; nargs++)
            put_form(a, w, of[nargs], depth + nargs);
        add_step(a, (struct step){.what = DO_OP,
                                  .op = (uint8_t)n->op,
                                  .nargs = nargs,
                                  .bits = (uint8_t)n->bits,
                                  .v = n->value});
    }
    if (n->varies && n->step)
        add_step(a, (struct step){.what = DO_GO, .v = n->step});
}

static void put_form(struct cc_apart *a, const struct apart_work *w, uint32_t form, uint32_t depth)
{
    const struct form *f = &w->forms[form];
    if (depth + 2 >= STACK)
        a->nsteps = PROGRAM + 1;
    if (a->nsteps > PROGRAM)
        return;
    add_step(a, (struct step){.what = DO_CONSTANT, .v = f->k});
    for (uint32_t i = 0; i < f->n; i++) {
        put_node(a, w, f->t[i].node, depth + 1);
        if (f->t[i].by != 1)
            add_step(a, (struct step){.what = DO_SCALE, .v = f->t[i].by});
        add_step(a, (struct step){.what = DO_ADD});
    }
}

static void add_item(struct cc_apart *a, const struct apart_work *w, struct item x)
{
    for (uint32_t i = 0; i < a->nitems; i++)
        if (a->items[i].form == x.form && a->items[i].kind == x.kind)
            return;
    uint32_t was = a->nsteps;
    if (a->nitems == ITEMS)
        return;
    x.from = was;
    put_form(a, w, x.form, 0);
    x.to = a->nsteps;
    if (a->nsteps <= PROGRAM)
        a->items[a->nitems++] = x;
    else
        a->nsteps = was;
}

/* --- what decides --- */

static void add_deciding(struct cc_apart *a, struct apart_work *w, uint32_t form, uint32_t depth);

/* How a sum goes on, if only one thing in it does; 0: not known. */
static uint64_t step_of(const struct apart_work *w, uint32_t form)
{
    const struct form *f = &w->forms[form];
    uint64_t step = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct node *x = &w->nodes[f->t[i].node];
        if (x->varies && (!x->step || step))
            return 0;
        if (x->varies)
            step = x->step * f->t[i].by;
    }
    return step;
}

/* Whether it is known how all goes on that it is computed from. */
static bool goes_on(const struct apart_work *w, uint32_t form, uint32_t depth)
{
    const struct form *f = &w->forms[form];
    enum { DEEPEST = 8 };
    for (uint32_t i = 0; i < f->n; i++) {
        const struct node *x = &w->nodes[f->t[i].node];
        if (!x->varies || x->step)
            continue;
        if ((x->kind != NODE_OP && x->kind != NODE_LOAD) || depth == DEEPEST ||
            !goes_on(w, x->a, depth + 1) || (x->b && !goes_on(w, x->b, depth + 1)) ||
            (x->c && !goes_on(w, x->c, depth + 1)))
            return false;
    }
    return true;
}

/* What stays the same, of what is computed from something that does not; and what is looked up. */
static void add_operands(struct cc_apart *a, struct apart_work *w, uint32_t node, uint32_t depth)
{
    const struct node *n = &w->nodes[node];
    const uint32_t of[] = {n->a, n->b, n->c};
    enum { DEEPEST = 8 };
    if (!n->varies || n->step || (n->kind != NODE_OP && n->kind != NODE_LOAD) || depth == DEEPEST)
        return;
    for (uint32_t i = 0; i < 3 && of[i]; i++)
        add_deciding(a, w, of[i], depth + 1);
    if (n->kind != NODE_LOAD)
        return;
    uint64_t step = step_of(w, n->a);
    if (step)
        add_item(a, w, (struct item){.kind = ITEM_TABLE, .form = n->a, .step = step, .size = n->bits / 8});
    else if (goes_on(w, n->a, 0))
        add_item(a, w, (struct item){.kind = ITEM_WALK, .form = cc_apart_of(w, node)});
}

static void add_deciding(struct cc_apart *a, struct apart_work *w, uint32_t form, uint32_t depth)
{
    const struct form *f = &w->forms[form];
    if (f->n && !cc_apart_varies(w, form))
        add_item(a, w, (struct item){.kind = ITEM_VALUE, .form = form});
    for (uint32_t i = 0; i < f->n; i++)
        add_operands(a, w, f->t[i].node, depth);
}

static void add_distance(struct cc_apart *a, struct apart_work *w, const struct site *p, const struct site *q)
{
    uint32_t form = cc_apart_sum(w, p->address, q->address, (uint64_t)-1),
             back = cc_apart_sum(w, q->address, p->address, (uint64_t)-1);
    if (!form || !w->forms[form].n)
        return;
    for (uint32_t i = 0; i < a->nitems; i++)
        if (a->items[i].kind == ITEM_DISTANCE && a->items[i].form == back)
            return;
    add_item(a, w,
             (struct item){.kind = ITEM_DISTANCE,
                           .form = form,
                           .low = {p->low, q->low},
                           .high = {p->high, q->high},
                           .anywhere = p->anywhere || q->anywhere});
}

/* How far it goes with each iteration. */
static void find_reach(const struct apart_work *w, struct site *s)
{
    const struct form *f = &w->forms[s->address];
    for (uint32_t i = 0; i < f->n; i++) {
        const struct node *n = &w->nodes[f->t[i].node];
        int64_t by = (int64_t)(n->step * f->t[i].by);
        s->anywhere = s->anywhere || (n->varies && !n->step);
        if (n->varies && by < 0)
            s->low += by;
        else if (n->varies)
            s->high += by;
    }
}

/* A place of the frame that is one variable's. */
static bool is_slot(const struct apart_work *w, const struct site *s)
{
    const struct form *f = &w->forms[s->address];
    const struct node *n = f->n == 1 ? &w->nodes[f->t[0].node] : NULL;
    return n && n->kind == NODE_ENTRY && !n->varies &&
           (n->value == w->machine->stack_at || n->value == w->machine->frame_at);
}

static void resolve_all(struct apart_work *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->nstores; i++)
        w->stores[i].resolved = cc_apart_resolve(w, w->stores[i].address);
    for (uint32_t i = 0; i < w->nnodes; i++) /* stores to places in memory were not known yet */
        w->nodes[i].done = false;
    for (uint32_t i = 0; i < w->nstores; i++)
        w->stores[i].resolved = cc_apart_resolve(w, w->stores[i].address);
    for (uint32_t i = 0; i < w->nsites; i++) {
        struct site s = w->sites[i];
        s.address = cc_apart_resolve(w, s.address);
        if (!s.address || is_slot(w, &s))
            continue;
        find_reach(w, &s);
        w->sites[n++] = s;
    }
    w->nsites = n;
    for (uint32_t i = 0; i < w->nsteps; i++)
        w->steps[i] = cc_apart_resolve(w, w->steps[i]);
}

static void decide(struct cc_apart *a, struct apart_work *w)
{
    bool writes = false;
    for (uint32_t i = 0; i < w->nsites; i++) {
        if (!w->sites[i].write)
            continue;
        writes = true;
        add_deciding(a, w, w->sites[i].address, 0);
        for (uint32_t k = 0; k < w->nsites; k++)
            if (k != i && (!w->sites[k].write || k > i))
                add_distance(a, w, &w->sites[i], &w->sites[k]);
    }
    for (uint32_t i = 0; writes && i < w->nsites; i++)
        if (!w->sites[i].write)
            add_deciding(a, w, w->sites[i].address, 0);
    for (uint32_t i = 0; writes && i < w->nsteps; i++)
        if (w->steps[i])
            add_deciding(a, w, w->steps[i], 0);
}

struct cc_apart *cc_apart_new(const struct cc_host *host, const struct cc_depend_machine *m,
                              const struct cc_apart_code *code)
{
    struct apart_work *w = host->map(host->self, sizeof *w);
    struct cc_apart *a = host->map(host->self, sizeof *a);
    const struct cc_rec_loop_code *v;
    w->machine = m;
    w->nforms = w->nnodes = 1; /* 0: nobody knows */
    while ((v = code->next(code->self)) != NULL)
        cc_apart_piece(w, v);
    resolve_all(w);
    decide(a, w);
    host->unmap(host->self, w, sizeof *w);
    if (a->nitems)
        return a;
    cc_apart_free(host, a);
    return NULL;
}

void cc_apart_free(const struct cc_host *host, struct cc_apart *a)
{
    if (a)
        host->unmap(host->self, a, sizeof *a);
}

/* --- the sign --- */

static uint64_t sign_extended(uint64_t v, uint32_t bits)
{
    return bits == 32 ? (uint64_t)(int64_t)(int32_t)v : v;
}

static uint64_t loaded(const struct cc_host *host, uint64_t address, uint32_t bits)
{
    uint64_t v = 0;
    host->read_guest(host->self, address, &v, bits / 8);
    return sign_extended(v, bits);
}

static uint64_t computed(const struct step *s, const uint64_t *v)
{
    enum { MOST = 63 };
    switch (s->op) {
    case CC_CODE_MUL:
        return sign_extended(v[0] * v[1], s->bits);
    case CC_CODE_AND:
        return v[0] & v[1];
    case CC_CODE_SHL:
        return sign_extended(v[0] << (v[1] & MOST), s->bits);
    case CC_CODE_SHR:
        return v[0] >> (v[1] & MOST);
    case CC_CODE_SAR:
        return (uint64_t)((int64_t)v[0] >> (v[1] & MOST));
    default: { /* something that they decide */
        uint64_t h = mix(s->v, s->op);
        for (uint32_t i = 0; i < s->nargs; i++)
            h = mix(h, v[i]);
        return h;
    }
    }
}

/* In that iteration, from 0. */
static uint64_t evaluate(const struct cc_apart *a, const struct item *x, const struct cc_host *host,
                         const uint8_t *registers, uint64_t iteration)
{
    uint64_t stack[STACK] = {0};
    uint32_t n = 0;
    for (uint32_t i = x->from; i < x->to; i++) {
        const struct step *s = &a->steps[i];
        switch (s->what) {
        case DO_CONSTANT:
            stack[n++] = s->v;
            break;
        case DO_REGISTER:
            __builtin_memcpy(&stack[n++], registers + s->v, 8);
            break;
        case DO_LOAD:
            stack[n - 1] = loaded(host, stack[n - 1], s->bits);
            break;
        case DO_SCALE:
            stack[n - 1] *= s->v;
            break;
        case DO_GO:
            stack[n - 1] += s->v * iteration;
            break;
        case DO_ADD:
            n--;
            stack[n - 1] += stack[n];
            break;
        default:
            n -= s->nargs;
            stack[n] = computed(s, &stack[n]);
            n++;
        }
    }
    return stack[0];
}

/* Two that never meet are alike, however far apart they are: the ends that go towards each other do not get
 * over the distance. */
static uint64_t distance(const struct item *x, uint64_t v, uint64_t trips)
{
    enum { WIDEST = 64 }; /* bytes of an access */
    const uint64_t FAR = UINT64_C(0x5555555555555555);
    bool above = (int64_t)v > 0;
    uint64_t d = above ? v : 0 - v, reach,
             each = above ? (uint64_t)x->high[1] - (uint64_t)x->low[0]
                          : (uint64_t)x->high[0] - (uint64_t)x->low[1];
    if (x->anywhere || __builtin_mul_overflow(each, trips, &reach) ||
        __builtin_add_overflow(reach, (uint64_t)WIDEST, &reach))
        return v;
    return d >= reach ? FAR : v;
}

static uint64_t table(const struct item *x, uint64_t address, const struct cc_host *host, uint64_t n)
{
    enum { MOST = 4096, AT_ONCE = 512 };
    uint8_t bytes[AT_ONCE];
    uint64_t h = 0, size = x->step == x->size ? n * x->size : 0;
    if (n > MOST)
        n = MOST;
    for (uint64_t at = 0; at < size && at < (uint64_t)MOST * 8; at += AT_ONCE) {
        size_t part = size - at < AT_ONCE ? size - at : AT_ONCE;
        if (host->read_guest(host->self, address + at, bytes, part) != part)
            return h;
        for (size_t i = 0; i < part; i += 4) {
            uint32_t v = 0;
            __builtin_memcpy(&v, &bytes[i], part - i < 4 ? part - i : 4);
            h = mix(h, v);
        }
    }
    for (uint64_t i = 0; !size && i < n; i++)
        h = mix(h, loaded(host, address + i * x->step, x->size * 8));
    return h;
}

uint64_t cc_apart_sign(const struct cc_apart *a, const struct cc_host *host, const struct cc_apart_now *now)
{
    enum { FURTHEST = 512 };
    uint64_t h = 1;
    for (uint32_t i = 0; i < a->nitems; i++) {
        const struct item *x = &a->items[i];
        uint64_t v = evaluate(a, x, host, now->registers, 0);
        if (x->kind == ITEM_DISTANCE)
            v = distance(x, v, now->trips);
        else if (x->kind == ITEM_TABLE)
            v = table(x, v, host, now->sure);
        for (uint64_t k = 1; x->kind == ITEM_WALK && k < now->sure && k < FURTHEST; k++)
            v = mix(v, evaluate(a, x, host, now->registers, k));
        h = mix(h, v);
    }
    return h ? h : 1;
}
