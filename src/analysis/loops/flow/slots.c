/* Memory at places that stay the same while a loop runs: variables in stack frames and global ones. Each is
 * followed like a register, unless the run showed that something else stores there too. What something else
 * only loads (a counter that a function gets by reference) is followed as well, and all that is stored there
 * counts as seen. */
#include "body.h"

static int by_place(const void *p, const void *q)
{
    const struct cc_flow_place *a = p, *b = q;
    if (a->base != b->base)
        return a->base < b->base ? -1 : 1;
    return a->offset != b->offset ? (a->offset < b->offset ? -1 : 1) : 0;
}

static bool overlaps(const struct cc_flow_place *p, uint32_t base, int64_t offset, uint32_t bytes)
{
    return p->base == base && offset < p->offset + p->bytes && p->offset < offset + (int64_t)bytes;
}

/* Whether others store, or load, at a place. */
static void find_others(const struct cc_flow_body *b, struct cc_flow_place *p)
{
    for (size_t i = 0; i < b->places.n; i++) {
        const struct cc_flow_place *known = &b->places.v[i];
        bool here = overlaps(known, p->base, p->offset, p->bytes);
        p->shared = p->shared || (here && known->shared);
        p->looked = p->looked || (here && known->looked);
    }
}

static uint32_t key_of(struct cc_flow_body *b, const struct cc_flow_place *p)
{
    for (uint32_t i = 0; i < b->places.n; i++)
        if (b->places.v[i].base == p->base && b->places.v[i].offset == p->offset &&
            b->places.v[i].bytes == p->bytes)
            return i;
    CC_VEC_PUSH(&b->places, *p);
    return (uint32_t)b->places.n - 1;
}

static void add_cell(struct cc_flow_body *b, struct cc_flow_place *p)
{
    find_others(b, p);
    if (p->shared)
        return;
    if (b->bytes + p->bytes > CC_GUEST_BYTES + CC_FLOW_SLOTS) {
        b->failed = "it has too many variables in memory";
        return;
    }
    uint32_t cell = (uint32_t)b->cells.n;
    CC_VEC_PUSH(&b->cells, (struct cc_flow_cell){.start = b->bytes,
                                                 .bytes = p->bytes,
                                                 .memory = true,
                                                 .base = p->base,
                                                 .offset = p->offset,
                                                 .key = key_of(b, p),
                                                 .looked = p->looked});
    for (uint32_t i = 0; i < p->bytes; i++)
        b->cell_of[b->bytes++] = cell;
}

static void drop_slots(struct cc_flow_body *b)
{
    while (b->cells.n && b->cells.v[b->cells.n - 1].memory)
        b->bytes -= b->cells.v[--b->cells.n].bytes;
}

void cc_flow_slots(struct cc_flow_body *b)
{
    CC_VEC(struct cc_flow_place) all = {0};
    drop_slots(b);
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->fixed)
            CC_VEC_PUSH(&all,
                        ((struct cc_flow_place){.base = a->base, .offset = a->offset, .bytes = a->bytes}));
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_place);
    for (size_t i = 0, next; i < all.n; i = next) {
        struct cc_flow_place p = all.v[i];
        for (next = i + 1;
             next < all.n && overlaps(&p, all.v[next].base, all.v[next].offset, all.v[next].bytes); next++) {
            int64_t end = all.v[next].offset + all.v[next].bytes;
            if (end > p.offset + p.bytes)
                p.bytes = (uint32_t)(end - p.offset);
        }
        add_cell(b, &p);
    }
    CC_VEC_FINI(&all);
}

uint32_t cc_flow_slot_at(const struct cc_flow_body *b, uint32_t base, int64_t offset, uint32_t bytes)
{
    for (uint32_t i = (uint32_t)b->cells.n; i-- > 0 && b->cells.v[i].memory;) {
        const struct cc_flow_cell *c = &b->cells.v[i];
        if (c->base == base && offset >= c->offset && offset + (int64_t)bytes <= c->offset + c->bytes)
            return i;
    }
    return CC_NONE;
}

/* How far below the stack pointer the frame of the loop's function reaches: code that calls has what others
 * leave there. */
static int64_t below(const struct cc_flow_body *b)
{
    bool calls = false;
    for (size_t i = 0; i < b->nodes.n && !calls; i++) {
        const struct cc_flow_piece *p = b->nodes.v[i].piece;
        calls = p->n > 1 && p->code[p->n - 1].op == CC_CODE_CALL;
    }
    return calls ? 0 : b->flow->abi.red_zone;
}

/* Whether all that an instruction accesses lies at a fixed distance from what a register holds throughout;
 * frame: in the frame of the loop's function. */
static bool is_at(const struct cc_flow_body *b, uint64_t insn, bool frame)
{
    bool any = false;
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->insn != insn)
            continue;
        const struct cc_value *v = cc_value(&b->values, a->base);
        if (!a->fixed || v->kind != CC_VALUE_INIT || v->a ||
            (frame && (v->data != b->flow->abi.sp || a->offset < -below(b))))
            return false;
        any = true;
    }
    return any && !b->failed;
}

bool cc_flow_in_frame(const struct cc_flow_body *b, uint64_t insn)
{
    return is_at(b, insn, true);
}

bool cc_flow_is_direct(const struct cc_flow_body *b, uint64_t insn)
{
    return is_at(b, insn, false);
}

bool cc_flow_apart(const struct cc_flow_body *b, uint64_t one, uint64_t other)
{
    bool apart = is_at(b, one, false) && is_at(b, other, false);
    for (size_t i = 0; i < b->accesses.n && apart; i++)
        for (size_t k = 0; k < b->accesses.n && apart && b->accesses.v[i].insn == one; k++) {
            const struct cc_flow_access *x = &b->accesses.v[i], *y = &b->accesses.v[k];
            struct cc_flow_place p = {.base = x->base, .offset = x->offset, .bytes = x->bytes};
            apart = y->insn != other || (x->base == y->base && !overlaps(&p, y->base, y->offset, y->bytes));
        }
    return apart;
}

/* --- what the run says --- */

const struct cc_rec_loop_code *cc_flow_is_call(const struct cc_flow_body *b, uint64_t insn)
{
    for (size_t i = 0; i < b->nodes.n; i++) {
        const struct cc_flow_piece *p = b->nodes.v[i].piece;
        if (insn < p->address || insn >= p->end || p->code[p->n - 1].op != CC_CODE_CALL)
            continue;
        uint64_t last = 0;
        for (uint32_t k = 1; k < p->n; k++)
            if (p->code[k].kind == CC_CODE_INSN)
                last = p->code[k].value;
        if (last == insn)
            return &p->code[p->n - 1];
    }
    return NULL;
}

static bool touches(const struct cc_flow_body *b, uint64_t insn, uint32_t cell)
{
    const struct cc_flow_cell *c = &b->cells.v[cell];
    struct cc_flow_place p = {.base = c->base, .offset = c->offset, .bytes = c->bytes};
    for (size_t i = 0; i < b->accesses.n; i++) {
        const struct cc_flow_access *a = &b->accesses.v[i];
        if (a->insn == insn && a->fixed && overlaps(&p, a->base, a->offset, a->bytes))
            return true;
    }
    return false;
}

/* Whether an instruction of the loop makes no store at all. What puts a register onto the stack is told as
 * the one that the register is from. */
static bool stores_nothing(const struct cc_flow_body *b, uint64_t insn)
{
    bool here = false;
    for (size_t i = 0; i < b->nodes.n && !here; i++) {
        const struct cc_flow_piece *p = b->nodes.v[i].piece;
        here = p->n > 1 && insn >= p->address && insn < p->end;
    }
    for (size_t i = 0; i < b->accesses.n && here; i++)
        here = !(b->accesses.v[i].insn == insn && b->accesses.v[i].store);
    return here;
}

/* Of a pair of instructions that met, one knows the place and the other does not. */
static void share_with(struct cc_flow_body *b, const struct cc_pdependence *d)
{
    if (d->kind == CC_DEPENDENCE_WAW && !(d->flags & CC_DEPENDENCE_FOLDED) && !cc_flow_is_call(b, d->first) &&
        stores_nothing(b, d->first))
        return;
    bool first_call = cc_flow_is_call(b, d->first), second_call = cc_flow_is_call(b, d->second);
    bool folded = d->flags & CC_DEPENDENCE_FOLDED;
    for (uint32_t i = 0; i < b->cells.n && !folded && !first_call && !second_call; i++)
        if (b->cells.v[i].memory && touches(b, d->first, i) && touches(b, d->second, i))
            return;
    for (uint32_t i = 0; i < b->cells.n; i++) {
        struct cc_flow_cell *c = &b->cells.v[i];
        if (!c->memory || b->places.v[c->key].shared)
            continue;
        struct cc_flow_place *p = &b->places.v[c->key];
        bool first = !first_call && touches(b, d->first, i),
             second = !second_call && touches(b, d->second, i);
        bool looks = !folded && ((first && cc_flow_is_raw(d->kind)) || (second && cc_flow_is_war(d->kind)));
        if (looks && !p->looked)
            p->looked = b->changed = true;
        else if (!looks && (folded || first || second))
            p->shared = b->changed = true;
    }
}

void cc_flow_share(struct cc_flow_body *b)
{
    for (size_t i = 0; i < b->loop.nfacts; i++) {
        const struct cc_pdependence *d = &b->loop.facts[i];
        if (d->space == CC_SPACE_MEMORY && d->kind <= CC_DEPENDENCE_WAW)
            share_with(b, d);
    }
    /* a look before the iteration's own store leaves no trace in what is carried */
    for (size_t i = 0; i < b->loop.nmeetings; i++)
        if (b->loop.meetings[i].space == CC_SPACE_MEMORY)
            share_with(b, &b->loop.meetings[i]);
}
