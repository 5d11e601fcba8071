/* A register that holds one number, or where one place of the frame is, whenever an iteration begins. A
 * compiler that has no register left sets that anew behind whatever needed one (a call, a loop inside), in
 * front of the loop and in some of its ways: of an iteration alone it looks as if the one before might have
 * changed it. So all that can reach the beginning of an iteration is looked for, in front of the loop as
 * well. */
#include "body.h"

enum { MAX_STEPS = 512, MAX_TARGETS = 64, MAX_CELL = 32 };

static int by_target(const void *p, const void *q)
{
    const struct cc_flow_way *a = p, *b = q;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : 0;
}

static void add_ways(struct cc_flow *f, uint32_t piece)
{
    struct cc_flow_exit_to to[MAX_TARGETS];
    const struct cc_flow_piece *p = &f->pieces.v[piece];
    uint32_t n = p->n > 1 ? cc_flow_targets(p, to, MAX_TARGETS) : 0;
    f->lost_ways = f->lost_ways || n == MAX_TARGETS;
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_flow_jump *seen;
        size_t jumps = to[i].anywhere ? cc_flow_jumps(f, p, &seen) : 0;
        for (size_t k = 0; k < jumps; k++)
            CC_VEC_PUSH(&f->ways, (struct cc_flow_way){seen[k].to, piece, to[i].record});
        if (!to[i].anywhere && !to[i].leaves)
            CC_VEC_PUSH(&f->ways, (struct cc_flow_way){to[i].target, piece, to[i].record});
    }
    if (p->n > 1 && p->code[p->n - 1].op == CC_CODE_CALL && !p->code[p->n - 1].a)
        CC_VEC_PUSH(&f->ways, (struct cc_flow_way){p->code[p->n - 1].value, piece, CC_NONE});
}

bool cc_flow_find_ways(struct cc_flow *f)
{
    for (uint32_t i = 0; i < f->pieces.n && !f->has_ways; i++)
        add_ways(f, i);
    if (f->ways.n && !f->has_ways)
        qsort(f->ways.v, f->ways.n, sizeof *f->ways.v, by_target);
    f->has_ways = true;
    return !f->lost_ways;
}

size_t cc_flow_ways_to(const struct cc_flow *f, uint64_t address, size_t *ret_n)
{
    size_t first, end;
    CC_FIRST(first, f->ways.n, f->ways.v[first].to >= address);
    for (end = first; end < f->ways.n && f->ways.v[end].to == address; end++)
        ;
    *ret_n = end - first;
    return first;
}

struct search {
    struct cc_flow_body *b;
    const struct cc_flow_cell *cell;
    uint32_t number; /* value that was found; 0: none yet */
    uint32_t sp;     /* the stack pointer, where a piece begins */
    struct cc_map seen;
    CC_VEC(struct cc_flow_way) todo; /* `to` is not used */
};

/* The ways to a place are to be looked at; false: they are not all known. Functions begin there, too, where
 * somebody calls; a library that does is not seen, but functions begin with a frame (see is_set). */
static bool look_before(struct search *s, uint64_t address)
{
    const struct cc_flow *f = s->b->flow;
    size_t n, first = cc_flow_ways_to(f, address, &n);
    for (size_t i = first; i < first + n; i++) {
        bool fresh;
        const struct cc_flow_way *w = &f->ways.v[i];
        if (w->record == CC_NONE)
            return false;
        cc_map_put(&s->seen, (uint64_t)w->from << 32 | w->record, &fresh);
        if (fresh)
            CC_VEC_PUSH(&s->todo, *w);
    }
    return n > 0;
}

static void put(struct search *s, const struct cc_rec_loop_code *r, uint32_t value, struct cc_flow_byte *ret)
{
    for (uint32_t i = 0; i < r->bits / 8; i++) {
        uint64_t at = r->value + i;
        if (at >= s->cell->start && at < s->cell->start + s->cell->bytes)
            ret[at - s->cell->start] = (struct cc_flow_byte){value, i};
    }
}

/* What a piece computes from numbers and the stack pointer alone, which is sp now; 0: from something else. */
static uint32_t compute(struct search *s, const struct cc_rec_loop_code *r, const uint32_t *of, uint32_t sp)
{
    struct cc_values *v = &s->b->values;
    bool known = (!r->a || of[r->a]) && (!r->b || of[r->b]) && (!r->c || of[r->c]);
    if (r->kind == CC_CODE_CONST)
        return cc_value_const(v, r->value, r->bits);
    if (r->kind == CC_CODE_GET && r->value == s->b->flow->abi.sp && r->bits == 64)
        return sp;
    if (!known)
        return 0;
    if (r->kind == CC_CODE_PART)
        return cc_value_part(v, of[r->a], (unsigned)r->value, r->bits);
    if (r->kind == CC_CODE_JOIN)
        return cc_value_join(v, of[r->a], of[r->b]);
    if (r->kind != CC_CODE_OP || !r->a)
        return 0;
    return cc_value_op(v, (struct cc_operation){.op = r->op,
                                                .bits = r->bits,
                                                .lane = r->lane,
                                                .a = of[r->a],
                                                .b = of[r->b],
                                                .c = of[r->c],
                                                .number = r->value});
}

/* Registers that are something else after the way at `next`. */
static bool is_lost(struct search *s, const struct cc_rec_loop_code *next)
{
    if (next->kind != CC_CODE_NEXT || (next->op != CC_CODE_CALL && next->op != CC_CODE_SYSTEM))
        return false;
    struct cc_registers written;
    memset(&written, 0xff, sizeof written);
    if (next->op == CC_CODE_CALL && !next->a)
        written = cc_flow_callee_writes(s->b->flow, next->value);
    bool lost = false;
    for (uint32_t at = s->cell->start; at < s->cell->start + s->cell->bytes; at += 8)
        lost = lost || (cc_register_is(&written, at / 8) && !cc_register_is(&s->b->flow->abi.kept, at / 8));
    return lost;
}

/* How far the stack pointer has moved when the way at `next` is over; false: that is not known. */
static bool has_moved(const struct search *s, uint32_t sp, const struct cc_rec_loop_code *next, int64_t *ret)
{
    uint32_t base;
    bool call = next->kind == CC_CODE_NEXT && next->op == CC_CODE_CALL;
    *ret = cc_value_offset(&s->b->values, sp, &base) + (call ? (int64_t)s->b->flow->abi.pushed : 0);
    return sp && base == s->sp;
}

/* A number; or a place of the frame, as it is told where the stack pointer has moved so far. 0: neither. */
static uint32_t settled(struct search *s, uint32_t value, bool known, int64_t moved)
{
    uint32_t base;
    int64_t at = cc_value_offset(&s->b->values, value, &base);
    if (!base)
        return value;
    return base == s->sp && known
               ? cc_value_op(
                     &s->b->values,
                     (struct cc_operation){.op = CC_CODE_ADD,
                                           .bits = 64,
                                           .a = s->sp,
                                           .b = cc_value_const(&s->b->values, (uint64_t)(at - moved), 64)})
               : 0;
}

enum found { BEFORE, SAME, OTHER };

/* What the register holds when control leaves a piece by one of its ways. */
static enum found is_set(struct search *s, const struct cc_flow_way *w)
{
    const struct cc_flow_piece *p = &s->b->flow->pieces.v[w->from];
    CC_CLEANUP(cc_free_ptr) uint32_t *of = cc_alloc_array(p->values + 1, sizeof *of);
    struct cc_flow_byte state[MAX_CELL];
    const uint32_t untouched = UINT32_MAX;
    uint32_t old = 0, unknown = 0, sp = s->sp;
    int64_t moved;
    for (uint32_t i = 0; i < s->cell->bytes; i++)
        state[i] = (struct cc_flow_byte){untouched, i};
    for (uint32_t i = 1; i < w->record; i++) {
        const struct cc_rec_loop_code *r = &p->code[i];
        if (r->kind == CC_CODE_PUT || r->kind == CC_CODE_CLOBBER)
            put(s, r, r->kind == CC_CODE_PUT ? of[r->a] : 0, state);
        else if (r->to && r->kind != CC_CODE_STORE)
            of[r->to] = compute(s, r, of, sp);
        if (r->kind == CC_CODE_PUT && r->value == s->b->flow->abi.sp)
            sp = r->bits == 64 ? of[r->a] : 0;
    }
    if (is_lost(s, &p->code[w->record]))
        return OTHER;
    for (uint32_t i = 0; i < s->cell->bytes; i++) {
        old += state[i].value == untouched;
        unknown += state[i].value == 0;
    }
    if (old == s->cell->bytes)
        return has_moved(s, sp, &p->code[w->record], &moved) && !moved ? BEFORE : OTHER;
    if (old || unknown)
        return OTHER;
    bool known = has_moved(s, sp, &p->code[w->record], &moved);
    uint32_t value = settled(s, cc_flow_read(s->b, state, 0, s->cell->bytes), known, moved);
    bool same = value && (!s->number || s->number == value);
    s->number = value;
    return same ? SAME : OTHER;
}

/* Whether it is known how control comes into the loop. */
static bool is_entered(const struct cc_flow_body *b)
{
    bool entered = false;
    for (size_t i = 0; i < b->flow->ways.n && !entered; i++) {
        const struct cc_flow_way *w = &b->flow->ways.v[i];
        entered = w->record != CC_NONE && cc_flow_is_inside(b, w->to) &&
                  !cc_flow_is_inside(b, b->flow->pieces.v[w->from].address);
    }
    return entered;
}

bool cc_flow_is_number(struct cc_flow_body *b, uint32_t cell)
{
    struct search s = {
        .b = b, .cell = &b->cells.v[cell], .sp = cc_value_init(&b->values, 0, b->flow->abi.sp, 64)};
    if (s.cell->memory || s.cell->bytes > MAX_CELL || b->flow->cut)
        return false;
    bool same =
        cc_flow_find_ways(b->flow) && is_entered(b) && look_before(&s, b->nodes.v[b->tick].piece->address);
    for (unsigned steps = 0; same && s.todo.n; steps++) {
        struct cc_flow_way w = s.todo.v[--s.todo.n];
        enum found found = is_set(&s, &w);
        same = steps < MAX_STEPS && found != OTHER &&
               (found == SAME || look_before(&s, b->flow->pieces.v[w.from].address));
    }
    CC_VEC_FINI(&s.todo);
    cc_map_fini(&s.seen);
    uint32_t sp = cc_flow_cell_at(b, b->flow->abi.sp); /* that it is where it was, in each iteration */
    bool number = s.number && cc_value(&b->values, s.number)->kind == CC_VALUE_CONST,
         stays = sp == CC_NONE || b->end.v[sp] == s.sp;
    return same && s.number && (number || stays);
}
