/* What pieces of a loop's code leave in registers and access in memory, as sums of what they began with. */
#include "apart_internal.h"

static void set_value(struct apart_work *w, const struct cc_rec_loop_code *r, uint32_t form)
{
    if (r->to < VALUES) {
        w->values[r->to] = form;
        w->value_bits[r->to] = (uint8_t)(r->bits > 255 ? 255 : r->bits);
    }
}

static uint32_t value_of(const struct apart_work *w, uint32_t n)
{
    return n && n < VALUES ? w->values[n] : 0;
}

static uint32_t start_of(struct apart_work *w, uint32_t word)
{
    struct node n = {.kind = NODE_START, .value = word * 8};
    return cc_apart_of(w, cc_apart_node(w, &n));
}

static uint32_t get(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    if (r->value % 8 || r->value / 8 >= REGISTERS || (r->bits != 64 && r->bits != 32))
        return 0;
    uint32_t word = (uint32_t)r->value / 8;
    if (w->now[word] == UINT32_MAX)
        w->now[word] = start_of(w, word);
    return w->now[word];
}

static void put(struct apart_work *w, uint64_t at, uint32_t bits, uint32_t form)
{
    for (uint64_t word = at / 8; word < REGISTERS && word * 8 < at + bits / 8; word++)
        w->now[word] = at % 8 == 0 && bits == 64 ? form : 0;
}

static void add_site(struct apart_work *w, uint32_t address, bool write)
{
    for (uint32_t i = 0; i < w->nsites; i++)
        if (w->sites[i].address == address && w->sites[i].write == write)
            return;
    if (address && w->nsites < SITES)
        w->sites[w->nsites++] = (struct site){.address = address, .write = write};
}

static uint32_t load(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    uint32_t address = value_of(w, r->a);
    if (!address)
        return 0;
    add_site(w, address, false);
    for (uint32_t i = w->nslots; i-- > 0;)
        if (w->slots[i].address == address)
            return w->slots[i].value;
    struct node n = {.kind = NODE_LOAD, .a = address, .bits = r->bits};
    return r->bits <= 64 ? cc_apart_of(w, cc_apart_node(w, &n)) : 0;
}

static void store(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    uint32_t address = value_of(w, r->a), value = r->bits >= 32 && r->bits <= 64 ? value_of(w, r->b) : 0;
    if (!address)
        return;
    add_site(w, address, true);
    if (w->nslots < SLOTS) {
        w->slots[w->nslots].address = address;
        w->slots[w->nslots++].value = value;
    }
    if (w->nstores < STORES)
        w->stores[w->nstores++] = (struct store){.address = address, .value = value};
}

enum { WIDEST = 128 }; /* bits: what x86 divides is in two registers, and so is what comes of it */

static uint32_t operate(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    struct node n = {.kind = NODE_OP, .op = r->op, .bits = r->bits, .value = r->value};
    uint32_t from = r->a < VALUES ? w->value_bits[r->a] : 0;
    n.a = value_of(w, r->a), n.b = value_of(w, r->b), n.c = value_of(w, r->c);
    if (!n.a || (r->b && !n.b) || (r->c && !n.c) || (r->lane && r->lane != r->bits) || r->bits > WIDEST)
        return 0;
    if ((r->op == CC_CODE_ZEXT || r->op == CC_CODE_SEXT) && from >= 32)
        return n.a; /* a number of 32 bits is taken for what it says */
    return cc_apart_operate(w, &n);
}

/* The low half of a number is taken for all of it. */
static uint32_t part(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    struct node n = {.kind = NODE_OP, .op = CC_CODE_OTHER, .bits = r->bits, .value = r->value + 1};
    n.a = value_of(w, r->a);
    if (!n.a || r->bits > 64 || r->value > 64)
        return 0;
    return r->value == 0 && r->bits >= 32 ? n.a : cc_apart_operate(w, &n);
}

static uint32_t join(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    struct node n = {.kind = NODE_OP, .op = CC_CODE_OTHER, .bits = r->bits, .value = UINT64_MAX};
    n.a = value_of(w, r->a), n.b = value_of(w, r->b);
    return n.a && n.b && r->bits <= WIDEST ? cc_apart_operate(w, &n) : 0;
}

static uint32_t constant(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    return cc_apart_constant(w, r->bits == 32 ? (uint64_t)(int64_t)(int32_t)r->value : r->value);
}

static void record(struct apart_work *w, const struct cc_rec_loop_code *r)
{
    switch (r->kind) {
    case CC_CODE_CONST:
        set_value(w, r, constant(w, r));
        break;
    case CC_CODE_GET:
        set_value(w, r, get(w, r));
        break;
    case CC_CODE_PUT:
        put(w, r->value, r->bits, value_of(w, r->a));
        break;
    case CC_CODE_CLOBBER:
        put(w, r->value, r->bits, 0);
        break;
    case CC_CODE_LOAD:
        set_value(w, r, load(w, r));
        break;
    case CC_CODE_STORE:
        store(w, r);
        break;
    case CC_CODE_OP:
        set_value(w, r, operate(w, r));
        break;
    case CC_CODE_PART:
        set_value(w, r, part(w, r));
        break;
    case CC_CODE_JOIN:
        set_value(w, r, join(w, r));
        break;
    case CC_CODE_NEXT:
        w->calls = w->calls || r->op == CC_CODE_CALL;
        break;
    default:
        if (r->to)
            set_value(w, r, 0);
    }
}

static void define(struct definitions *d, uint32_t form)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (d->v[i] == form)
            return;
    if (d->n < DEFINITIONS)
        d->v[d->n++] = form;
}

void cc_apart_piece(struct apart_work *w, const struct cc_rec_loop_code *v)
{
    w->nslots = 0;
    for (uint32_t i = 0; i < REGISTERS; i++)
        w->now[i] = UINT32_MAX; /* as it began */
    for (uint32_t i = 1; i < v->a; i++)
        record(w, &v[i]);
    for (uint32_t i = 0; i < REGISTERS; i++)
        if (w->now[i] != UINT32_MAX && w->now[i] != start_of(w, i))
            define(&w->of[i], w->now[i]);
}
