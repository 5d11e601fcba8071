/* The code of a run by address, and what calls do to registers. */
#include "body.h"

enum { MAX_VALUES = 65536, MAX_BITS = 256 };

static void add_range(struct cc_registers *r, uint32_t from, uint32_t bytes)
{
    for (uint32_t at = from; at < from + bytes; at += 8)
        cc_register_add(r, at / 8);
}

static struct cc_flow_abi arm64_abi(void)
{
    struct cc_flow_abi a = {
        .sp = CC_GUEST_ARM64_SP, .arm = true, .first = CC_GUEST_ARM64_X0, .result = CC_GUEST_ARM64_X0};
    add_range(&a.arguments, CC_GUEST_ARM64_X0, 9 * 8);
    add_range(&a.arguments, CC_GUEST_ARM64_X0 + 18 * 8, 8); /* of functions inside functions */
    add_range(&a.arguments, CC_GUEST_ARM64_Q0, 8 * 16);
    add_range(&a.results, CC_GUEST_ARM64_X0, 8);
    add_range(&a.results, CC_GUEST_ARM64_Q0, 8);
    add_range(&a.more_results, CC_GUEST_ARM64_Q0 + 8, 8);
    add_range(&a.more_results, CC_GUEST_ARM64_X0 + 8, 8);
    for (uint32_t i = 1; i < 4; i++)
        add_range(&a.more_results, CC_GUEST_ARM64_Q0 + i * 16, 16);
    add_range(&a.integers, CC_GUEST_ARM64_X0, 2 * 8);
    add_range(&a.floats, CC_GUEST_ARM64_Q0, 4 * 16);
    add_range(&a.kept, CC_GUEST_ARM64_X0 + 19 * 8, 11 * 8);
    add_range(&a.kept, CC_GUEST_ARM64_SP, 8);
    for (uint32_t i = 8; i < 16; i++)
        add_range(&a.kept, CC_GUEST_ARM64_Q0 + i * 16, 8);
    return a;
}

static struct cc_flow_abi amd64_abi(void)
{
    static const uint8_t arguments[] = {0, 1, 2, 6, 7, 8, 9, 10}, kept[] = {3, 4, 5, 12, 13, 14, 15};
    enum { RDI = CC_GUEST_AMD64_RAX + 7 * 8 };
    struct cc_flow_abi a = {
        .sp = CC_GUEST_AMD64_RSP, .pushed = 8, .red_zone = 128, .first = RDI, .result = CC_GUEST_AMD64_RAX};
    for (size_t i = 0; i < CC_COUNT(arguments); i++)
        add_range(&a.arguments, CC_GUEST_AMD64_RAX + arguments[i] * 8u, 8);
    add_range(&a.arguments, CC_GUEST_AMD64_YMM0, 8 * 32);
    add_range(&a.results, CC_GUEST_AMD64_RAX, 8);
    add_range(&a.results, CC_GUEST_AMD64_YMM0, 8);
    add_range(&a.more_results, CC_GUEST_AMD64_YMM0 + 8, 24);
    add_range(&a.more_results, CC_GUEST_AMD64_RAX + 2 * 8, 8);
    add_range(&a.more_results, CC_GUEST_AMD64_YMM0 + 32, 32);
    add_range(&a.integers, CC_GUEST_AMD64_RAX, 8);
    add_range(&a.integers, CC_GUEST_AMD64_RAX + 2 * 8, 8);
    add_range(&a.floats, CC_GUEST_AMD64_YMM0, 2 * 32);
    for (size_t i = 0; i < CC_COUNT(kept); i++)
        add_range(&a.kept, CC_GUEST_AMD64_RAX + kept[i] * 8u, 8);
    return a;
}

static bool is_general(const struct cc_flow_abi *abi, uint64_t place)
{
    uint64_t first = abi->arm ? CC_GUEST_ARM64_X0 : CC_GUEST_AMD64_RAX, n = abi->arm ? 31 : 16,
             vectors = abi->arm ? CC_GUEST_ARM64_Q0 : CC_GUEST_AMD64_YMM0,
             bytes = abi->arm ? 32 * 16 : 16 * 32;
    return (place >= first && place < first + n * 8) || (place >= vectors && place < vectors + bytes);
}

bool cc_flow_is_left_over(const struct cc_flow *f, uint64_t place, bool one)
{
    const struct cc_flow_abi *abi = &f->abi;
    uint32_t at = (uint32_t)(place / 8);
    return is_general(abi, place) && !cc_register_is(&abi->results, at) && !cc_register_is(&abi->kept, at) &&
           (one || !cc_register_is(&abi->more_results, at));
}

bool cc_flow_may_be_given(const struct cc_flow *f, uint64_t place, uint32_t integers, uint32_t floats)
{
    uint32_t at = (uint32_t)(place / 8);
    struct cc_registers given = cc_flow_arguments(f, integers, floats);
    return !is_general(&f->abi, place) || cc_register_is(&f->abi.kept, at) || cc_register_is(&given, at);
}

struct cc_registers cc_flow_arguments(const struct cc_flow *f, uint32_t integers, uint32_t floats)
{
    static const uint8_t amd64[] = {7, 6, 2, 1, 8, 9};
    struct cc_registers r = {0};
    bool arm = f->abi.arm;
    if (integers > CC_COUNT(amd64) || floats > 8)
        return f->abi.arguments;
    for (uint32_t i = 0; i < integers; i++)
        add_range(&r, arm ? CC_GUEST_ARM64_X0 + i * 8 : CC_GUEST_AMD64_RAX + amd64[i] * 8u, 8);
    for (uint32_t i = 0; i < floats; i++)
        add_range(&r, arm ? CC_GUEST_ARM64_Q0 + i * 16 : CC_GUEST_AMD64_YMM0 + i * 32, arm ? 16 : 32);
    return r;
}

static bool operand_fits(uint32_t v, uint32_t known, const uint16_t *bits)
{
    return v == 0 || (v <= known && bits[v]);
}

/* Bits that a record's result has; 0: it makes no sense. */
static uint32_t result_bits(const struct cc_rec_loop_code *r, const uint16_t *bits)
{
    uint64_t b = r->bits;
    if (b == 0 || b > MAX_BITS)
        return 0;
    switch (r->kind) {
    case CC_CODE_PART:
        return r->a && r->value + b <= bits[r->a] && r->value <= MAX_BITS ? r->bits : 0;
    case CC_CODE_JOIN:
        return r->a && r->b && (uint64_t)bits[r->a] + bits[r->b] == b ? r->bits : 0;
    case CC_CODE_SELECT:
        return r->a && r->b && r->c && bits[r->b] == b && bits[r->c] == b ? r->bits : 0;
    case CC_CODE_GET:
        return r->value + b / 8 <= CC_GUEST_BYTES && r->value <= CC_GUEST_BYTES && b % 8 == 0 ? r->bits : 0;
    case CC_CODE_LOAD:
        return r->a && b % 8 == 0 ? r->bits : 0;
    case CC_CODE_OP:
        if (r->op >= CC_CODE_OPS || (r->op != CC_CODE_OTHER && !r->a) || (r->c && !r->b) || (r->b && !r->a))
            return 0;
        if ((r->op == CC_CODE_ZEXT || r->op == CC_CODE_SEXT) && bits[r->a] > b)
            return 0;
        if (r->op >= CC_CODE_ADD && r->op <= CC_CODE_LEU && r->op != CC_CODE_NOT && !r->b)
            return 0;
        if ((r->op == CC_CODE_FMA && !r->c) || (r->op >= CC_CODE_FADD && r->op <= CC_CODE_FMAX && !r->b))
            return 0;
        return r->bits;
    case CC_CODE_CONST:
    case CC_CODE_UNKNOWN:
        return r->bits;
    default:
        return 0;
    }
}

static bool computes(uint32_t kind)
{
    return (kind >= CC_CODE_CONST && kind <= CC_CODE_SELECT && kind != CC_CODE_PUT &&
            kind != CC_CODE_STORE) ||
           kind == CC_CODE_UNKNOWN;
}

static bool puts_fit(const struct cc_rec_loop_code *r, const uint16_t *bits)
{
    uint64_t bytes = r->bits / 8;
    bool inside = r->value <= CC_GUEST_BYTES && r->value + bytes <= CC_GUEST_BYTES && r->bits % 8 == 0;
    if (r->kind == CC_CODE_PUT)
        return inside && r->a && bits[r->a] == r->bits && r->bits <= MAX_BITS;
    if (r->kind == CC_CODE_STORE)
        return r->a && r->b && bits[r->b] == r->bits && r->bits % 8 == 0;
    return r->kind != CC_CODE_CLOBBER || inside;
}

static bool record_fits(const struct cc_rec_loop_code *r, uint16_t *bits)
{
    if (!operand_fits(r->kind == CC_CODE_INSN ? 0 : r->a, MAX_VALUES - 1, bits) ||
        !operand_fits(r->b, MAX_VALUES - 1, bits) || !operand_fits(r->c, MAX_VALUES - 1, bits) ||
        !puts_fit(r, bits))
        return false;
    if (!computes(r->kind))
        return r->kind != CC_CODE_BLOCK && r->kind < CC_CODE_KINDS && r->to == 0;
    if (r->to == 0 || r->to >= MAX_VALUES || bits[r->to])
        return false;
    bits[r->to] = (uint16_t)result_bits(r, bits);
    return bits[r->to] != 0;
}

/* A piece that contradicts itself is one that nobody knows. */
static uint32_t records_of(const struct cc_rec_loop_code *code, uint16_t *bits, uint32_t *ret_values)
{
    uint32_t n = code[0].a;
    bool fits = n > 2 && code[1].kind == CC_CODE_INSN && code[n - 1].kind == CC_CODE_NEXT;
    memset(bits, 0, MAX_VALUES * sizeof *bits);
    *ret_values = 0;
    for (uint32_t i = 1; fits && i < n; i++) {
        fits = record_fits(&code[i], bits) && (code[i].kind == CC_CODE_NEXT) == (i + 1 == n);
        *ret_values = CC_MAX(*ret_values, code[i].to);
    }
    return fits ? n : 1;
}

static int by_address(const void *p, const void *q)
{
    const struct cc_flow_piece *a = p, *b = q;
    return a->address != b->address ? (a->address < b->address ? -1 : 1) : 0;
}

static int by_origin(const void *p, const void *q)
{
    const struct cc_flow_jump *a = p, *b = q;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to != b->to ? (a->to < b->to ? -1 : 1) : 0;
}

/* Code that changed while the program ran is not known. */
static void drop_twins(struct cc_flow *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->pieces.n; i++) {
        if (n && f->pieces.v[n - 1].address == f->pieces.v[i].address)
            f->pieces.v[n - 1].n = 1;
        else
            f->pieces.v[n++] = f->pieces.v[i];
    }
    f->pieces.n = n;
}

/* Pieces overlap where control comes into the middle of what was one before. Each ends where the next begins:
 * then they are the blocks of a graph. Instructions leave all registers as they should, so that can be
 * anywhere. */
static void cut_pieces(struct cc_flow *f)
{
    for (size_t k = 0; k < f->pieces.n; k++) {
        struct cc_flow_piece *p = &f->pieces.v[k];
        uint32_t n = 2;
        while (n < p->n && (p->code[n].kind != CC_CODE_INSN || !cc_flow_piece_at(f, p->code[n].value)))
            n++;
        if (n >= p->n)
            continue;
        struct cc_rec_loop_code *part = cc_arena_alloc(&f->arena, (n + 1) * sizeof *part);
        memcpy(part, p->code, n * sizeof *part);
        p->end = p->code[n].value;
        part[n] = (struct cc_rec_loop_code){.kind = CC_CODE_NEXT, .op = CC_CODE_PLAIN, .value = p->end};
        p->code = part;
        p->n = n + 1;
    }
}

/* Registers beside the usual one that callers take results from: read where a call comes back to. */
static void find_results(struct cc_flow *f)
{
    for (size_t i = 0; i < f->pieces.n; i++) {
        const struct cc_flow_piece *p = &f->pieces.v[i];
        const struct cc_flow_piece *back =
            p->code[p->n - 1].op == CC_CODE_CALL && p->n > 1 ? cc_flow_piece_at(f, p->end) : NULL;
        struct cc_registers set = {0};
        for (uint32_t k = 1; back && k < back->n; k++) {
            const struct cc_rec_loop_code *r = &back->code[k];
            if (r->kind != CC_CODE_GET && r->kind != CC_CODE_PUT)
                continue;
            for (uint64_t at = r->value & ~UINT64_C(7); at < r->value + r->bits / 8; at += 8) {
                uint32_t g = (uint32_t)(at / 8);
                if (r->kind == CC_CODE_PUT)
                    cc_register_add(&set, g);
                else if (!cc_register_is(&set, g) && cc_register_is(&f->abi.more_results, g))
                    cc_register_add(&f->abi.results, g);
            }
        }
    }
}

struct cc_flow *cc_flow_new(const struct cc_rec_loop_code *code, size_t n, const char *isa, bool cut)
{
    struct cc_flow *f = cc_alloc(sizeof *f);
    CC_CLEANUP(cc_free_ptr) uint16_t *bits = cc_alloc_array(MAX_VALUES, sizeof *bits);
    f->cut = cut;
    f->abi = isa && strcmp(isa, "x86_64") == 0 ? amd64_abi() : arm64_abi();
    for (size_t i = 0; i < n;) {
        if (code[i].kind == CC_CODE_TARGET)
            CC_VEC_PUSH(&f->jumps,
                        (struct cc_flow_jump){code[i].a | (uint64_t)code[i].b << 32, code[i].value});
        if (code[i].kind != CC_CODE_BLOCK || code[i].a == 0 || code[i].a > n - i) {
            i++;
            continue;
        }
        struct cc_flow_piece p = {
            .address = code[i].value, .end = code[i].value + code[i].b, .code = &code[i]};
        p.n = records_of(&code[i], bits, &p.values);
        CC_VEC_PUSH(&f->pieces, p);
        i += code[i].a;
    }
    if (f->pieces.n)
        qsort(f->pieces.v, f->pieces.n, sizeof *f->pieces.v, by_address);
    if (f->jumps.n)
        qsort(f->jumps.v, f->jumps.n, sizeof *f->jumps.v, by_origin);
    drop_twins(f);
    cut_pieces(f);
    find_results(f);
    return f;
}

void cc_flow_free(struct cc_flow *f)
{
    if (!f)
        return;
    CC_VEC_FINI(&f->pieces);
    CC_VEC_FINI(&f->jumps);
    CC_VEC_FINI(&f->ways);
    CC_VEC_FINI(&f->sets);
    CC_VEC_FINI(&f->takes);
    cc_map_fini(&f->reads);
    cc_map_fini(&f->looks);
    cc_map_fini(&f->writes);
    cc_arena_fini(&f->arena);
    free(f);
}

const struct cc_flow_piece *cc_flow_piece_at(const struct cc_flow *f, uint64_t address)
{
    size_t i;
    CC_FIRST(i, f->pieces.n, f->pieces.v[i].address >= address);
    return i < f->pieces.n && f->pieces.v[i].address == address ? &f->pieces.v[i] : NULL;
}

size_t cc_flow_jumps(const struct cc_flow *f, const struct cc_flow_piece *p, const struct cc_flow_jump **ret)
{
    uint64_t insn = 0;
    size_t from = 0, n = 0;
    for (uint32_t i = 1; i < p->n; i++)
        if (p->code[i].kind == CC_CODE_INSN)
            insn = p->code[i].value;
    while (from < f->jumps.n && f->jumps.v[from].from < insn)
        from++;
    while (from + n < f->jumps.n && f->jumps.v[from + n].from == insn)
        n++;
    *ret = n ? f->jumps.v + from : NULL;
    return n;
}

uint32_t cc_flow_targets(const struct cc_flow_piece *p, struct cc_flow_exit_to *ret, uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < p->n && n < max; i++) {
        const struct cc_rec_loop_code *r = &p->code[i];
        if (r->kind == CC_CODE_EXIT)
            ret[n++] = (struct cc_flow_exit_to){.target = r->value, .record = i};
        if (r->kind != CC_CODE_NEXT)
            continue;
        struct cc_flow_exit_to to = {.target = r->value, .record = i};
        if (r->op == CC_CODE_CALL)
            to.target = p->end;
        to.leaves = r->op == CC_CODE_RETURN;
        to.anywhere = r->a && r->op != CC_CODE_CALL && r->op != CC_CODE_RETURN;
        ret[n++] = to;
    }
    return n;
}
