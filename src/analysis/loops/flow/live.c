/* Which registers hold something that is still wanted. */
#include "body.h"

enum { MAX_PIECES = 4096, MAX_TARGETS = 64, MAX_DEPTH = 32 };

struct live_node {
    const struct cc_flow_piece *piece;
    struct cc_registers in;
};

struct live {
    struct cc_flow *flow;
    bool callee; /* what a function takes from its caller, not what lives on in the function */
    struct cc_registers results;
    CC_VEC(struct live_node) nodes;
    struct cc_map index; /* address -> 1 + node */
    bool everything;
};

static struct cc_registers all_registers(void)
{
    struct cc_registers r;
    memset(&r, 0xff, sizeof r);
    return r;
}

static void unite(struct cc_registers *r, const struct cc_registers *with)
{
    for (size_t i = 0; i < CC_COUNT(r->bits); i++)
        r->bits[i] |= with->bits[i];
}

static void intersect(struct cc_registers *r, const struct cc_registers *with)
{
    for (size_t i = 0; i < CC_COUNT(r->bits); i++)
        r->bits[i] &= with->bits[i];
}

/* Code that is not here: it never ran, and read nothing; or it is a library's, which a call at the end of a
 * function jumps to. `sure`: control does go there. On x86 such jumps may have a condition, but do not lead
 * to a place within a function. */
static struct cc_registers live_from(const struct live *l, uint64_t address, bool sure, bool within)
{
    const uint64_t *at = cc_map_get(&l->index, address);
    if (at)
        return l->nodes.v[*at - 1].in;
    return sure || (!l->flow->abi.arm && !within) ? all_registers() : (struct cc_registers){0};
}

static struct cc_registers callee_looks(struct cc_flow *f, uint64_t address);

static struct cc_registers live_at_return(const struct live *l)
{
    struct cc_registers r = l->results;
    if (!l->callee)
        unite(&r, &l->flow->abi.kept);
    return r;
}

struct cc_registers cc_flow_taken_with(struct cc_flow *f, const struct cc_rec_loop_code *call,
                                       const struct cc_registers *after)
{
    struct cc_registers all = cc_flow_taken(f, call), read = all;
    if (!call->a && call->op != CC_CODE_SYSTEM && cc_flow_piece_at(f, call->value))
        read = callee_looks(f, call->value);
    intersect(&all, after);
    unite(&all, &read);
    return all;
}

static struct cc_registers live_over_call(struct live *l, const struct cc_flow_piece *p,
                                          const struct cc_rec_loop_code *next)
{
    const struct cc_registers after = live_from(l, p->end, false, true);
    struct cc_registers r = after, taken, kept = l->flow->abi.kept, written = all_registers();
    if (!next->a)
        written = cc_flow_callee_writes(l->flow, next->value);
    for (size_t i = 0; i < CC_COUNT(kept.bits); i++)
        kept.bits[i] |= ~written.bits[i];
    intersect(&r, &kept);
    taken = cc_flow_taken_with(l->flow, next, &after);
    unite(&r, &taken);
    return r;
}

static bool has_exits(const struct cc_flow_piece *p)
{
    for (uint32_t i = 1; i < p->n; i++)
        if (p->code[i].kind == CC_CODE_EXIT)
            return true;
    return false;
}

static struct cc_registers live_behind_jump(const struct live *l, const struct cc_flow_piece *p)
{
    const struct cc_flow_jump *to;
    size_t n = cc_flow_jumps(l->flow, p, &to);
    struct cc_registers r = n ? (struct cc_registers){0} : all_registers();
    for (size_t i = 0; i < n; i++) {
        struct cc_registers there = live_from(l, to[i].to, true, false);
        unite(&r, &there);
    }
    return r;
}

static struct cc_registers live_behind(struct live *l, const struct cc_flow_piece *p,
                                       const struct cc_rec_loop_code *next)
{
    if (next->op == CC_CODE_CALL)
        return live_over_call(l, p, next);
    if (next->op == CC_CODE_RETURN)
        return live_at_return(l);
    if (next->a)
        return live_behind_jump(l, p);
    struct cc_registers r = live_from(l, next->value, !has_exits(p), next->lane != 0);
    if (next->op == CC_CODE_SYSTEM)
        unite(&r, &l->flow->abi.arguments);
    return r;
}

static void read_and_write(struct cc_registers *r, const struct cc_rec_loop_code *code)
{
    uint64_t first = code->value, end = first + code->bits / 8;
    bool reads = code->kind == CC_CODE_GET;
    for (uint64_t at = first & ~UINT64_C(7); at < end; at += 8) {
        uint32_t granule = (uint32_t)(at / 8);
        if (reads)
            cc_register_add(r, granule);
        else if (at >= first && at + 8 <= end && granule < CC_GRANULES)
            r->bits[granule / 64] &= ~(UINT64_C(1) << (granule % 64));
    }
}

/* --- halves of vector registers ---
 *
 * Scalar arithmetic of x86-64 gets a vector register, and puts it back with another low half: nobody has
 * looked at the rest. Values of a piece of code have a bit for each 64 that something wants. */

struct wanted {
    uint8_t *of;    /* by value */
    uint16_t *bits; /* that it has */
};

static uint8_t all_halves(unsigned bits)
{
    return (uint8_t)((1u << (bits + 63) / 64) - 1);
}

static void want(struct wanted *w, uint32_t v, uint8_t halves)
{
    w->of[v] |= halves & all_halves(w->bits[v]);
}

static void want_all(struct wanted *w, const struct cc_rec_loop_code *r)
{
    want(w, r->a, UINT8_MAX);
    want(w, r->b, UINT8_MAX);
    want(w, r->c, UINT8_MAX);
}

/* What a value that is wanted is made of. */
static void want_operands(struct wanted *w, const struct cc_rec_loop_code *r)
{
    uint8_t m = w->of[r->to];
    unsigned low = r->kind == CC_CODE_JOIN ? w->bits[r->a] : 0;
    bool each = r->kind == CC_CODE_OP && r->lane && r->lane <= 64 && w->bits[r->a] == r->bits &&
                (!r->b || w->bits[r->b] == r->bits) && (!r->c || w->bits[r->c] == r->bits);
    if (!m)
        return;
    if (r->kind == CC_CODE_PART && r->bits <= 64 && r->value / 64 == (r->value + r->bits - 1) / 64) {
        want(w, r->a, (uint8_t)(1u << r->value / 64));
    } else if (r->kind == CC_CODE_PART && r->value % 64 == 0) {
        want(w, r->a, (uint8_t)(m << r->value / 64));
    } else if (r->kind == CC_CODE_JOIN && low % 64 == 0) {
        want(w, r->a, m);
        want(w, r->b, (uint8_t)(m >> low / 64));
    } else if (each) {
        want(w, r->a, m);
        want(w, r->b, m);
        want(w, r->c, m);
    } else {
        want_all(w, r);
    }
}

/* A register is put: what of that something wants. */
static void want_put(struct wanted *w, const struct cc_registers *live, const struct cc_rec_loop_code *r)
{
    for (uint64_t at = r->value; at < r->value + r->bits / 8; at++)
        if (cc_register_is(live, (uint32_t)(at / 8)))
            want(w, r->a, (uint8_t)(1u << (at - r->value) / 8));
}

static void get_wanted(const struct wanted *w, struct cc_registers *live, const struct cc_rec_loop_code *r)
{
    for (uint64_t at = r->value; at < r->value + r->bits / 8; at++)
        if (w->of[r->to] >> (at - r->value) / 8 & 1)
            cc_register_add(live, (uint32_t)(at / 8));
}

static bool is_wide(const struct cc_flow_piece *p)
{
    bool wide = false;
    for (uint32_t i = 1; i < p->n && !wide; i++)
        wide = p->code[i].kind == CC_CODE_GET && p->code[i].bits > 64;
    return wide;
}

static void statement(struct wanted *w, struct cc_registers *live, const struct cc_rec_loop_code *r)
{
    switch (r->kind) {
    case CC_CODE_INSN:
        break;
    case CC_CODE_GET:
        get_wanted(w, live, r);
        break;
    case CC_CODE_PUT:
        want_put(w, live, r);
        read_and_write(live, r);
        break;
    case CC_CODE_CLOBBER:
        read_and_write(live, r);
        break;
    default:
        if (r->to)
            want_operands(w, r);
        else
            want_all(w, r);
        break;
    }
}

static struct cc_registers live_into(struct live *l, const struct cc_flow_piece *p)
{
    struct cc_registers r = {0};
    struct wanted w = {0};
    bool wide = is_wide(p);
    if (wide) {
        w.of = cc_alloc_array(p->values + 1, sizeof *w.of);
        w.bits = cc_alloc_array(p->values + 1, sizeof *w.bits);
        for (uint32_t i = 1; i < p->n; i++)
            w.bits[p->code[i].to] = p->code[i].to ? (uint16_t)p->code[i].bits : 0;
    }
    for (uint32_t i = p->n; i-- > 1;) {
        const struct cc_rec_loop_code *code = &p->code[i];
        if (code->kind == CC_CODE_NEXT) {
            r = live_behind(l, p, code);
        } else if (code->kind == CC_CODE_EXIT) {
            struct cc_registers there = live_from(l, code->value, false, code->lane != 0);
            unite(&r, &there);
        } else if (!wide && (code->kind == CC_CODE_GET || code->kind == CC_CODE_PUT ||
                             code->kind == CC_CODE_CLOBBER)) {
            read_and_write(&r, code);
        }
        if (wide)
            statement(&w, &r, code);
    }
    free(w.of);
    free(w.bits);
    return r;
}

static void reach(struct live *l, uint64_t address)
{
    bool fresh;
    const struct cc_flow_piece *p = cc_flow_piece_at(l->flow, address);
    l->everything |= !p && l->flow->cut;
    uint64_t *at = p ? cc_map_put(&l->index, address, &fresh) : NULL;
    if (!p || !fresh)
        return;
    *at = l->nodes.n + 1;
    CC_VEC_PUSH(&l->nodes, (struct live_node){.piece = p});
    l->everything |= p->n == 1 || l->nodes.n > MAX_PIECES;
}

static void find_nodes(struct live *l, uint64_t address)
{
    reach(l, address);
    for (size_t i = 0; i < l->nodes.n && !l->everything; i++) {
        struct cc_flow_exit_to to[MAX_TARGETS];
        uint32_t n = cc_flow_targets(l->nodes.v[i].piece, to, MAX_TARGETS);
        l->everything |= n == MAX_TARGETS;
        const struct cc_flow_jump *jump;
        size_t jumps = n && to[n - 1].anywhere ? cc_flow_jumps(l->flow, l->nodes.v[i].piece, &jump) : 0;
        for (size_t k = 0; k < jumps; k++)
            reach(l, jump[k].to);
        for (uint32_t k = 0; k < n; k++)
            if (!to[k].leaves && !to[k].anywhere)
                reach(l, to[k].target);
    }
}

static void settle(struct live *l)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = l->nodes.n; i-- > 0;) {
            struct cc_registers r = live_into(l, l->nodes.v[i].piece);
            changed |= memcmp(&r, &l->nodes.v[i].in, sizeof r) != 0;
            l->nodes.v[i].in = r;
        }
    }
}

/* --- what functions write --- */

static void add_written(const struct cc_flow_piece *p, struct cc_registers *r)
{
    for (uint32_t i = 1; i < p->n; i++) {
        const struct cc_rec_loop_code *code = &p->code[i];
        if (code->kind != CC_CODE_PUT && code->kind != CC_CODE_CLOBBER)
            continue;
        for (uint64_t at = code->value & ~UINT64_C(7); at < code->value + code->bits / 8; at += 8)
            cc_register_add(r, (uint32_t)(at / 8));
    }
}

/* Control leaves for code that is not here: a library's, an indirect call's, the system's. */
static bool goes_astray(struct cc_flow *f, const struct cc_flow_piece *p)
{
    const struct cc_rec_loop_code *next = &p->code[p->n - 1];
    if (next->op == CC_CODE_SYSTEM || (next->a && next->op != CC_CODE_RETURN))
        return true;
    bool sure = next->op == CC_CODE_CALL || (next->op == CC_CODE_PLAIN && !has_exits(p));
    return sure && !cc_flow_piece_at(f, next->value);
}

struct cc_registers cc_flow_callee_writes(struct cc_flow *f, uint64_t address)
{
    bool fresh;
    uint64_t *known = cc_map_put(&f->writes, address, &fresh);
    if (!fresh)
        return f->sets.v[*known - 1];
    struct cc_registers r = {0};
    struct live l = {.flow = f, .callee = true};
    find_nodes(&l, address);
    for (size_t i = 0; i < l.nodes.n && !l.everything; i++) {
        const struct cc_flow_piece *p = l.nodes.v[i].piece;
        const struct cc_rec_loop_code *next = &p->code[p->n - 1];
        l.everything |= goes_astray(f, p);
        if (next->op == CC_CODE_CALL && !next->a)
            find_nodes(&l, next->value);
        add_written(p, &r);
    }
    if (l.everything || !l.nodes.n)
        r = all_registers();
    CC_VEC_FINI(&l.nodes);
    cc_map_fini(&l.index);
    CC_VEC_PUSH(&f->sets, r);
    *known = f->sets.n;
    return r;
}

static struct cc_registers live_in(struct cc_flow *f, uint64_t address, bool callee, bool sure,
                                   const struct cc_registers *results)
{
    struct live l = {.flow = f, .callee = callee, .results = *results};
    find_nodes(&l, address);
    if (!l.everything)
        settle(&l);
    struct cc_registers r = l.everything ? all_registers() : live_from(&l, address, sure, false);
    CC_VEC_FINI(&l.nodes);
    cc_map_fini(&l.index);
    return r;
}

struct cc_registers cc_flow_live_at(struct cc_flow *f, uint64_t address, bool sure, bool within,
                                    const struct cc_registers *results)
{
    if (!sure && within && !cc_flow_piece_at(f, address) && !f->cut)
        return (struct cc_registers){0};
    return live_in(f, address, false, sure, results);
}

struct cc_registers cc_flow_results(const struct cc_flow *f, uint32_t loop_flags)
{
    struct cc_registers r = f->abi.results;
    for (size_t i = 0; i < CC_COUNT(r.bits); i++)
        r.bits[i] &= ~((loop_flags & CC_LOOP_NO_INTEGER ? f->abi.integers.bits[i] : 0) |
                       (loop_flags & CC_LOOP_NO_FLOAT ? f->abi.floats.bits[i] : 0));
    return r;
}

static void take_once(struct cc_flow *f, size_t i, uint64_t address, const struct cc_registers *results)
{
    struct cc_registers r = f->abi.arguments;
    f->takes.v[i].pass = f->pass;
    f->takes.v[i].open = true;
    if (f->depth < MAX_DEPTH && cc_flow_piece_at(f, address)) {
        f->depth++;
        struct cc_registers read = live_in(f, address, true, true, results);
        intersect(&r, &read);
        f->depth--;
    }
    f->takes.v[i].open = false;
    f->changed |= memcmp(&r, &f->takes.v[i].set, sizeof r) != 0;
    f->takes.v[i].set = r;
}

/* Functions that call themselves: what is not known yet is nothing at first, and all are gone through again
 * until that changes nothing. */
static struct cc_registers callee_takes(struct cc_flow *f, struct cc_map *known, uint64_t address,
                                        const struct cc_registers *results)
{
    bool fresh;
    uint64_t *at = cc_map_put(known, address, &fresh);
    if (fresh) {
        CC_VEC_PUSH(&f->takes, (struct cc_flow_takes){0});
        *at = f->takes.n;
    }
    size_t i = *at - 1;
    bool outermost = !f->depth;
    f->recursive |= f->takes.v[i].open;
    if (f->takes.v[i].settled || (!outermost && f->takes.v[i].pass == f->pass))
        return f->takes.v[i].set;
    do {
        f->pass += outermost;
        f->changed &= !outermost;
        f->recursive &= !outermost;
        take_once(f, i, address, results);
    } while (outermost && f->recursive && f->changed);
    for (size_t k = 0; outermost && k < f->takes.n; k++)
        f->takes.v[k].settled |= f->takes.v[k].pass == f->pass;
    return f->takes.v[i].set;
}

struct cc_registers cc_flow_callee_reads(struct cc_flow *f, uint64_t address)
{
    return callee_takes(f, &f->reads, address, &f->abi.results);
}

/* The same without what it only hands back. */
static struct cc_registers callee_looks(struct cc_flow *f, uint64_t address)
{
    return callee_takes(f, &f->looks, address, &(struct cc_registers){0});
}

static bool is_typed(const struct cc_flow *f, const struct cc_rec_loop_code *call)
{
    return call->op == CC_CODE_CALL && !call->a && call->bits && call->lane &&
           !cc_flow_piece_at(f, call->value);
}

bool cc_flow_is_pure(const struct cc_flow *f, const struct cc_rec_loop_code *call)
{
    return is_typed(f, call) && call->bits == 1 && call->lane > 1;
}

bool cc_flow_in_registers(const struct cc_flow *f, const struct cc_rec_loop_code *call)
{
    uint32_t integers = call->bits & (CC_CODE_HANDS_BACK - 1);
    return is_typed(f, call) && !(call->bits & CC_CODE_COUNTED) && integers <= 1 + 6 && call->lane <= 1 + 8;
}

bool cc_flow_hands_back(const struct cc_flow *f, const struct cc_rec_loop_code *call)
{
    return is_typed(f, call) && call->bits & CC_CODE_HANDS_BACK;
}

/* What a piece has put into the low byte of RAX before its call; 8: that is not known. */
static uint32_t counted_floats(const struct cc_rec_loop_code *call)
{
    const struct cc_rec_loop_code *put = call - 1, *by;
    while (put->kind != CC_CODE_BLOCK &&
           !(put->kind == CC_CODE_CLOBBER && put->value <= CC_GUEST_AMD64_RAX) &&
           !(put->kind == CC_CODE_PUT && put->value <= CC_GUEST_AMD64_RAX &&
             put->value + put->bits / 8 > CC_GUEST_AMD64_RAX))
        put--;
    if (put->kind != CC_CODE_PUT || put->value != CC_GUEST_AMD64_RAX)
        return 8;
    for (by = put - 1; by->kind != CC_CODE_BLOCK && by->to != put->a; by--)
        ;
    return by->kind == CC_CODE_CONST ? CC_MIN((uint32_t)(by->value & 0xff), 8u) : 8;
}

/* Of one that takes as many as it is given. */
static struct cc_registers counted(const struct cc_flow *f, const struct cc_rec_loop_code *call)
{
    struct cc_registers r = f->abi.arguments;
    if (!f->abi.arm) {
        r = cc_flow_arguments(f, 6, counted_floats(call));
        cc_register_add(&r, CC_GUEST_AMD64_RAX / 8);
    }
    return r;
}

struct cc_registers cc_flow_taken(struct cc_flow *f, const struct cc_rec_loop_code *call)
{
    if (call->a || call->op == CC_CODE_SYSTEM)
        return f->abi.arguments;
    uint32_t integers = call->bits & (CC_CODE_HANDS_BACK - 1);
    if (is_typed(f, call) && call->bits & CC_CODE_COUNTED)
        return counted(f, call);
    return is_typed(f, call) ? cc_flow_arguments(f, integers - 1, call->lane - 1)
                             : cc_flow_callee_reads(f, call->value);
}
