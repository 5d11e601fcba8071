/* Random loops, judged and then run: what was proved of a value has to hold however the loop is started. */
#include "test_flow_code.h"
#include "../../../base/rng.h"
#include "../../../../tests/tap.h"

enum { REGS = 6, TRIPS = 5, STORES = 256, CELLS = 8 };

/* --- running code --- */

struct machine {
    uint64_t reg[32], sp_slots[CELLS];
    uint64_t last[32];       /* registers, when the loop was over */
    uint64_t stores[STORES]; /* address and value, one after the other */
    size_t nstores, branches;
    uint64_t path; /* digest of the branches taken */
    uint64_t salt; /* of memory that is only read */
    unsigned left; /* iterations */
};

static uint64_t memory_at(const struct machine *m, uint64_t address)
{
    struct cc_rng r = {address * 2654435761u ^ m->salt};
    return cc_rng_next(&r) >> 40; /* small, so that comparisons go either way */
}

static uint64_t *slot_of(struct machine *m, uint64_t address)
{
    uint64_t at = address - 0x100000;
    return at < CELLS * 8 ? &m->sp_slots[at / 8] : NULL;
}

static uint64_t computed(const struct cc_rec_loop_code *r, const uint64_t *of)
{
    uint64_t a = of[r->a], b = of[r->b];
    switch (r->op) {
    case CC_CODE_ADD:
        return a + b;
    case CC_CODE_SUB:
        return a - b;
    case CC_CODE_MUL:
        return a * b;
    case CC_CODE_AND:
        return a & b;
    case CC_CODE_OR:
        return a | b;
    case CC_CODE_XOR:
        return a ^ b;
    case CC_CODE_MIN:
        return (int64_t)a < (int64_t)b ? a : b;
    case CC_CODE_MAX:
        return (int64_t)a > (int64_t)b ? a : b;
    case CC_CODE_EQ:
        return a == b;
    case CC_CODE_NE:
        return a != b;
    case CC_CODE_LTS:
        return (int64_t)a < (int64_t)b;
    case CC_CODE_LES:
        return (int64_t)a <= (int64_t)b;
    case CC_CODE_ZEXT:
        return a;
    case CC_CODE_SHL:
        return a << (b & 63);
    case CC_CODE_SHR:
        return a >> (b & 63);
    case CC_CODE_SAR:
        return (uint64_t)((int64_t)a >> (b & 63));
    default:
        return 0;
    }
}

static void run_store(struct machine *m, uint64_t address, uint64_t value)
{
    uint64_t *slot = slot_of(m, address);
    if (slot)
        *slot = value;
    else if (m->nstores + 2 <= STORES) {
        m->stores[m->nstores++] = address;
        m->stores[m->nstores++] = value;
    }
}

/* The address control goes to. */
static uint64_t run_piece(struct machine *m, const struct cc_flow_piece *p)
{
    uint64_t of[256] = {0};
    uint32_t bits[256] = {0};
    for (uint32_t i = 1; i < p->n; i++) {
        const struct cc_rec_loop_code *r = &p->code[i];
        bits[r->to] = r->bits;
        uint64_t *slot = r->kind == CC_CODE_LOAD ? slot_of(m, of[r->a]) : NULL;
        if (r->kind == CC_CODE_CONST)
            of[r->to] = r->value;
        else if (r->kind == CC_CODE_GET)
            of[r->to] = m->reg[(r->value - REG0) / 8];
        else if (r->kind == CC_CODE_PUT)
            m->reg[(r->value - REG0) / 8] = of[r->a];
        else if (r->kind == CC_CODE_LOAD)
            of[r->to] = slot ? *slot : memory_at(m, of[r->a]);
        else if (r->kind == CC_CODE_OP)
            of[r->to] = computed(r, of);
        else if (r->kind == CC_CODE_PART)
            of[r->to] = of[r->a] >> r->value & (UINT64_MAX >> (64 - r->bits));
        else if (r->kind == CC_CODE_JOIN)
            of[r->to] = of[r->a] | of[r->b] << bits[r->a];
        else if (r->kind == CC_CODE_SELECT)
            of[r->to] = of[r->a] & 1 ? of[r->b] : of[r->c];
        else if (r->kind == CC_CODE_STORE)
            run_store(m, of[r->a], of[r->b]);
        else if (r->kind == CC_CODE_EXIT || r->kind == CC_CODE_NEXT) {
            bool goes = r->kind == CC_CODE_NEXT || (of[r->a] & 1);
            m->path = m->path * 31 + goes;
            if (goes)
                return r->value;
        }
    }
    return 0;
}

static void run(struct machine *m, const struct cc_flow *f)
{
    uint64_t at = TICK;
    m->reg[1] = m->reg[0] + 8 * m->left;
    for (int steps = 0; steps < 400 && at != AFTER; steps++)
        at = run_piece(m, cc_flow_piece_at(f, at));
    memcpy(m->last, m->reg, sizeof m->last);
    run_piece(m, cc_flow_piece_at(f, AFTER));
}

/* --- making code --- */

static uint32_t any(struct assembler *a, struct cc_rng *r)
{
    switch (cc_rng_below(r, 6)) {
    case 0:
        return konst(a, cc_rng_below(r, 4));
    case 1:
        return load(a, op(a, CC_CODE_ADD, reg(a, 0), konst(a, 0x200000 + 8 * cc_rng_below(r, 3))));
    case 2:
        return load(a, op(a, CC_CODE_ADD, get(a, SP, 64), konst(a, 8 * cc_rng_below(r, 2))));
    default:
        return reg(a, 2 + (unsigned)cc_rng_below(r, REGS - 2));
    }
}

static uint32_t narrow(struct assembler *a, uint32_t v)
{
    uint32_t low = part(a, v, 0, 32);
    return made(a, (struct cc_rec_loop_code){.kind = CC_CODE_OP, .op = CC_CODE_ZEXT, .a = low, .bits = 64});
}

/* As x86-64 writes the low half or byte of a register, takes them, and moves them about. */
static uint32_t in_parts(struct assembler *a, struct cc_rng *r, uint32_t x, uint32_t y)
{
    static const uint64_t masks[] = {0xff, 0xfffff0, 0x1ff, ~UINT64_C(0xff)};
    uint32_t bits = cc_rng_below(r, 2) ? 8 : 16;
    switch (cc_rng_below(r, 5)) {
    case 0:
        return made(a, (struct cc_rec_loop_code){
                           .kind = CC_CODE_OP, .op = CC_CODE_ZEXT, .a = part(a, x, bits, bits), .bits = 64});
    case 1:
        return op(a, CC_CODE_AND, x, konst(a, masks[cc_rng_below(r, CC_COUNT(masks))]));
    case 2:
        return op(a, cc_rng_below(r, 2) ? CC_CODE_SHR : CC_CODE_SAR, x, konst(a, 4 + cc_rng_below(r, 8)));
    default:
        return made(a, (struct cc_rec_loop_code){.kind = CC_CODE_JOIN,
                                                 .a = part(a, x, 0, bits),
                                                 .b = part(a, y, bits, 64 - bits),
                                                 .bits = 64});
    }
}

static uint32_t expression(struct assembler *a, struct cc_rng *r, bool parts)
{
    static const enum cc_code_op ops[] = {CC_CODE_ADD, CC_CODE_ADD, CC_CODE_ADD, CC_CODE_SUB,
                                          CC_CODE_MUL, CC_CODE_AND, CC_CODE_OR,  CC_CODE_XOR,
                                          CC_CODE_MIN, CC_CODE_MAX, CC_CODE_SHL};
    uint32_t x = any(a, r), y = any(a, r);
    if (parts && cc_rng_below(r, 3) == 0)
        return in_parts(a, r, x, y);
    switch (cc_rng_below(r, 8)) {
    case 0:
        return choose(a, op(a, CC_CODE_LTS, x, y), cc_rng_below(r, 2) ? x : y, cc_rng_below(r, 2) ? x : y);
    case 1:
        return choose(a, op(a, CC_CODE_EQ, any(a, r), any(a, r)), x, y);
    case 2:
        return narrow(a, op(a, CC_CODE_ADD, x, y));
    default:
        return op(a, ops[cc_rng_below(r, CC_COUNT(ops))], x, y);
    }
}

static void statements(struct assembler *a, struct cc_rng *r, size_t n, bool parts)
{
    for (size_t i = 0; i < n; i++) {
        insn(a);
        uint32_t v = expression(a, r, parts);
        switch (cc_rng_below(r, 8)) {
        case 0:
            store(a, op(a, CC_CODE_ADD, reg(a, 0), konst(a, 0x300000)), v);
            break;
        case 1:
        case 2:
            store(a, op(a, CC_CODE_ADD, get(a, SP, 64), konst(a, 8 * cc_rng_below(r, 2))), v);
            break;
        default:
            put(a, 2 + (unsigned)cc_rng_below(r, REGS - 2), v);
            break;
        }
    }
}

/* parts: with registers that are written in parts. A piece, perhaps a branch round another, perhaps a loop
 * inside, and the end. */
static struct assembler make(struct cc_rng *r, bool parts)
{
    struct assembler a = {0};
    block(&a, TICK);
    count(&a, 0, 8);
    statements(&a, r, 1 + cc_rng_below(r, 2), parts);
    if (cc_rng_below(r, 2)) {
        insn(&a);
        leave_if(&a, op(&a, CC_CODE_LTS, any(&a, r), any(&a, r)), 0x1200);
        go(&a, 0x1100);
        block(&a, 0x1100);
        statements(&a, r, 1 + cc_rng_below(r, 2), parts);
        go(&a, 0x1200);
        block(&a, 0x1200);
        statements(&a, r, cc_rng_below(r, 2), parts);
    }
    if (cc_rng_below(r, 3) == 0) { /* x6 counts to 3, or to the present x7 */
        put(&a, 6, konst(&a, 0));
        go(&a, 0x1300);
        block(&a, 0x1300);
        statements(&a, r, 1 + cc_rng_below(r, 2), parts);
        count(&a, 6, 1);
        insn(&a);
        uint32_t bound = cc_rng_below(r, 2) ? konst(&a, 3) : reg(&a, 7);
        leave_if(&a, op(&a, CC_CODE_LTS, reg(&a, 6), bound), 0x1300);
        go(&a, 0x1400);
        block(&a, 0x1400);
        statements(&a, r, cc_rng_below(r, 2), parts);
    }
    loop_until(&a, 0, 1);
    after(&a, (unsigned[]){2, 3}, 2);
    return a;
}

/* --- what was proved has to hold --- */

static struct machine started(uint64_t seed)
{
    struct cc_rng r = {seed};
    struct machine m = {.left = TRIPS, .salt = cc_rng_next(&r)};
    for (unsigned i = 0; i < 32; i++)
        m.reg[i] = cc_rng_next(&r) >> 44;
    for (unsigned i = 0; i < CELLS; i++)
        m.sp_slots[i] = cc_rng_next(&r) >> 44;
    m.reg[0] &= ~UINT64_C(7);
    m.reg[7] &= 3;
    m.reg[(SP - REG0) / 8] = 0x100000;
    return m;
}

struct subject {
    uint64_t *(*of)(struct machine *m, unsigned which);
    unsigned which;
};

static uint64_t *a_register(struct machine *m, unsigned which)
{
    return &m->reg[which];
}

static uint64_t *a_slot(struct machine *m, unsigned which)
{
    return &m->sp_slots[which];
}

/* The run from a start of the value; what the rest of the world sees of it, without the value's own end. */
struct trial {
    uint64_t end, path;
    uint64_t stores[STORES], slots[CELLS];
    size_t nstores;
};

static struct trial try(const struct cc_flow *f, uint64_t seed, const struct subject *s, uint64_t start,
                        unsigned trips)
{
    struct machine m = started(seed);
    *s->of(&m, s->which) = start;
    m.left = trips;
    run(&m, f);
    struct trial t = {.path = m.path, .nstores = m.nstores};
    bool live = s->of == a_register && s->which < 4; /* what follows stores registers 2 and 3 */
    uint64_t own = 0x50000 + 8 * (uint64_t)(s->which - 2);
    t.end = s->of == a_slot ? m.sp_slots[s->which] : m.last[s->which];
    for (size_t i = 0; i + 1 < m.nstores; i += 2) {
        t.stores[i] = m.stores[i];
        t.stores[i + 1] = live && m.stores[i] == own ? 0 : m.stores[i + 1];
    }
    memcpy(t.slots, m.sp_slots, sizeof t.slots);
    return t;
}

/* A copy of the end, or of its low half with what does not depend on it above. */
static bool is_copy(const struct trial *p, const struct trial *q, size_t i)
{
    uint64_t a = p->stores[i], b = q->stores[i];
    return (a == p->end && b == q->end) ||
           ((uint32_t)a == (uint32_t)p->end && (uint32_t)b == (uint32_t)q->end && a >> 32 == b >> 32);
}

/* Memory stays; a copy of the end is as good as the end itself, also in a register that what follows stores.
 */
static bool same_world(const struct trial *p, const struct trial *q)
{
    bool same = p->path == q->path && p->nstores == q->nstores;
    for (size_t i = 0; same && i + 1 < p->nstores; i += 2) {
        bool after = p->stores[i] >= 0x50000 && p->stores[i] < 0x50000 + 16;
        same = p->stores[i] == q->stores[i] &&
               (p->stores[i + 1] == q->stores[i + 1] || (after && is_copy(p, q, i + 1)));
    }
    for (unsigned i = 0; i < CELLS; i++)
        same &= p->slots[i] == q->slots[i] || (p->slots[i] == p->end && q->slots[i] == q->end);
    return same;
}

static uint64_t combined(const char *operation, uint64_t x, uint64_t y)
{
    switch (*operation) {
    case '+':
        return x + y;
    case '*':
        return x * y;
    case '&':
        return x & y;
    case '|':
        return x | y;
    case '^':
        return x ^ y;
    default:
        return strcmp(operation, "min") == 0 ? ((int64_t)x < (int64_t)y ? x : y)
                                             : ((int64_t)x > (int64_t)y ? x : y);
    }
}

static uint64_t neutral(const char *operation)
{
    return strcmp(operation, "*") == 0     ? 1
           : strcmp(operation, "&") == 0   ? UINT64_MAX
           : strcmp(operation, "min") == 0 ? INT64_MAX
           : strcmp(operation, "max") == 0 ? (uint64_t)INT64_MIN
                                           : 0;
}

/* Started from x, it ends with x combined with what it ends with if it is started from nothing; sums may be
 * narrow. */
static bool reduction_holds(const struct cc_flow *f, uint64_t seed, const struct subject *s,
                            const char *operation)
{
    struct cc_rng r = {seed};
    struct trial base = try(f, seed, s, neutral(operation), TRIPS);
    for (int i = 0; i < 4; i++) {
        uint64_t x = cc_rng_next(&r) >> (i & 1 ? 44 : 34);
        struct trial t = try(f, seed, s, x, TRIPS);
        uint64_t want = combined(operation, x, base.end);
        if (operation[0] == 'm') /* which it is, a branch may decide */
            t.path = base.path;
        if (!same_world(&base, &t) || (uint32_t)t.end != (uint32_t)want)
            return false;
    }
    return true;
}

/* The same is added, or turned over, each time, whatever it starts from. */
static bool induction_holds(const struct cc_flow *f, uint64_t seed, const struct subject *s, bool turns)
{
    struct cc_rng r = {seed};
    uint64_t x = cc_rng_next(&r) >> 40, ends[4];
    for (unsigned n = 1; n < 4; n++)
        ends[n] = try(f, seed, s, x, n).end;
    if (turns)
        return (ends[3] ^ ends[2]) == (ends[2] ^ ends[1]) && ends[3] == ends[1];
    return (uint32_t)(ends[3] - ends[2]) == (uint32_t)(ends[2] - ends[1]);
}

static bool nobody_sees(const struct cc_flow *f, uint64_t seed, const struct subject *s)
{
    struct trial p = try(f, seed, s, 1, TRIPS), q = try(f, seed, s, 77777, TRIPS);
    return same_world(&p, &q);
}

static bool unchanged_holds(const struct cc_flow *f, uint64_t seed, const struct subject *s)
{
    return try(f, seed, s, 4242, TRIPS).end == 4242;
}

/* parts: of what is written in parts each may be a sum by itself, so there only what nobody needs is tried.
 */
static bool holds(const struct cc_flow *f, uint64_t seed, const struct subject *s,
                  const struct cc_flow_result *r, bool parts)
{
    if (parts)
        return r->class != CC_FLOW_DEAD || nobody_sees(f, seed, s);
    switch (r->class) {
    case CC_FLOW_REDUCTION:
        return reduction_holds(f, seed, s, r->operation);
    case CC_FLOW_INDUCTION:
        return induction_holds(f, seed, s, r->turns);
    case CC_FLOW_UNCHANGED:
        return unchanged_holds(f, seed, s);
    case CC_FLOW_DEAD:
    case CC_FLOW_LAST:
        return nobody_sees(f, seed, s);
    default:
        return true;
    }
}

/* --- trials --- */

static void sites_of(const struct assembler *a, uint64_t slot, struct cc_pdependence *ret)
{
    uint64_t insn = 0;
    uint64_t of[256] = {0};
    for (size_t i = 0; i < a->code.n; i++) {
        const struct cc_rec_loop_code *r = &a->code.v[i];
        insn = r->kind == CC_CODE_INSN ? r->value : insn;
        if (r->kind == CC_CODE_CONST)
            of[r->to] = r->value;
        else if (r->kind == CC_CODE_GET)
            of[r->to] = r->value == SP ? 0x100000 : 0;
        else if (r->kind == CC_CODE_OP)
            of[r->to] = computed(r, of);
        bool here = (r->kind == CC_CODE_LOAD || r->kind == CC_CODE_STORE) && of[r->a] == 0x100000 + 8 * slot;
        if (here && r->kind == CC_CODE_LOAD)
            ret->second = insn;
        if (here && r->kind == CC_CODE_STORE)
            ret->first = insn;
    }
}

struct counts {
    unsigned by_class[CC_FLOW_CLASSES], broken;
};

static void judge(struct assembler *a, const struct cc_flow *f, struct cc_flow_body *b, uint64_t seed,
                  bool parts, struct counts *n)
{
    for (unsigned i = 0; i < REGS + 2; i++) {
        struct subject s = {i < REGS ? a_register : a_slot, i < REGS ? i : i - REGS};
        struct cc_pdependence d = {.space = i < REGS ? CC_SPACE_REGISTER : CC_SPACE_MEMORY,
                                   .place = REG0 + 8 * (uint64_t)i,
                                   .size = 8};
        struct cc_flow_result r;
        if (i == 1)
            continue; /* where the counter ends */
        if (i >= REGS)
            sites_of(a, i - REGS, &d);
        if (i >= REGS && (!d.first || !d.second))
            continue;
        cc_flow_classify(b, &d, &r);
        n->by_class[r.class]++;
        for (uint64_t k = 0; k < 3; k++)
            if (i && !holds(f, seed + k, &s, &r, parts)) {
                n->broken++;
                printf("# seed %llu, %s %u: %s %s\n", (unsigned long long)seed,
                       i < REGS ? "register" : "slot", s.which, cc_flow_class_names[r.class],
                       r.operation ? r.operation : "");
                break;
            }
    }
}

int main(int argc, char **argv)
{
    struct counts n = {0};
    uint64_t loops = 3000, first = 1;
    if (argc > 1)
        cc_parse_u64(argv[1], &loops);
    if (argc > 2)
        cc_parse_u64(argv[2], &first);
    const struct cc_flow_range range = {TICK, AFTER};
    struct cc_pdependence facts[REGS];
    for (unsigned i = 0; i < REGS; i++)
        facts[i] = (struct cc_pdependence){.space = CC_SPACE_REGISTER, .place = REG0 + 8 * (uint64_t)i};
    for (uint64_t seed = first; seed < first + loops; seed++) {
        struct cc_rng r = {seed};
        bool parts = seed % 3 == 0;
        struct assembler a = make(&r, parts);
        struct cc_flow *f = cc_flow_new(a.code.v, a.code.n, "aarch64", false);
        struct cc_flow_body *b = cc_flow_body_new(f, &(struct cc_flow_loop){.header = TICK,
                                                                            .tick = TICK,
                                                                            .blocks = &range,
                                                                            .nblocks = 1,
                                                                            .facts = facts,
                                                                            .nfacts = REGS});
        judge(&a, f, b, seed, parts, &n);
        cc_flow_body_free(b);
        cc_flow_free(f);
        CC_VEC_FINI(&a.code);
    }
    for (int i = 0; i < CC_FLOW_CLASSES; i++)
        printf("# %s: %u\n", cc_flow_class_names[i], n.by_class[i]);
    OK(n.broken == 0, "what was proved of %llu random loops holds when they run", (unsigned long long)loops);
    OK(n.by_class[CC_FLOW_REDUCTION] * 50 > loops && n.by_class[CC_FLOW_INDUCTION] * 50 > loops &&
           n.by_class[CC_FLOW_LAST] * 500 > loops && n.by_class[CC_FLOW_DEAD] * 50 > loops,
       "and there was something to prove");
    return TAP_DONE();
}
