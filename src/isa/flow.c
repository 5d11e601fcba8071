#include "flow.h"

#include <capstone/capstone.h>

static uint32_t half(const uint8_t *b)
{
    return (uint32_t)(b[0] | b[1] << 8);
}

static uint32_t word(const uint8_t *b)
{
    return half(b) | half(b + 2) << 16;
}

/* The low `bits` of v as a signed number. */
static uint64_t extend(uint64_t v, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return ((v & ((sign << 1) - 1)) ^ sign) - sign;
}

static struct cc_flow to(enum cc_flow_kind kind, unsigned size, uint64_t target)
{
    return (struct cc_flow){.size = size, .kind = kind, .target = target};
}

static struct cc_flow just(enum cc_flow_kind kind, unsigned size)
{
    return to(kind, size, 0);
}

static struct cc_flow maybe(enum cc_flow_kind kind, unsigned size, bool conditional)
{
    return (struct cc_flow){.size = size, .kind = kind, .conditional = conditional};
}

static bool is_nop(enum cc_isa_id isa, bool thumb, const uint8_t *code, unsigned size)
{
    uint32_t i = size == 4 ? word(code) : size == 2 ? half(code) : 0;
    switch (isa) {
    case CC_ISA_AARCH64:
        return i == 0xd503201f;
    case CC_ISA_RISCV:
        return i == 0x13 || (size == 2 && i == 1);
    case CC_ISA_MIPS:
        return i == 0;
    default:
        return thumb ? i == 0xbf00 || i == 0x46c0 || i == 0x8000f3af : i == 0xe320f000 || i == 0xe1a00000;
    }
}

static bool riscv_memory(uint32_t i, unsigned size)
{
    uint32_t f3 = i >> 13 & 7, op = i & 0x7f;
    if (size == 4)
        return op == 0x03 || op == 0x07 || op == 0x23 || op == 0x27 || op == 0x2f;
    return (i & 3) == 0 ? f3 && f3 != 4 : (i & 3) == 2 && f3 && f3 != 4;
}

static bool thumb_memory(uint32_t i, unsigned size)
{
    uint32_t h = i & 0xffff;
    if (size == 4)
        return (h & 0xfe00) == 0xe800 || (h & 0xfe00) == 0xf800 || (h & 0xee00) == 0xec00;
    return (h >= 0x4800 && h < 0xa000) || (h & 0xf600) == 0xb400 || (h & 0xf000) == 0xc000;
}

static bool arm_memory(uint32_t i)
{
    uint32_t class = i >> 25 & 7;
    bool extra = class == 0 && (i & 0x90) == 0x90 && (i & 0x60);
    return class == 2 || (class == 3 && !(i & 0x10)) || class == 4 || class == 6 || extra;
}

static bool touches_memory(enum cc_isa_id isa, bool thumb, const uint8_t *code, unsigned size)
{
    uint32_t i = size >= 4 ? word(code) : size >= 2 ? half(code) : 0;
    switch (isa) {
    case CC_ISA_AARCH64:
        return (i & 0x0a000000) == 0x08000000;
    case CC_ISA_RISCV:
        return riscv_memory(i, size);
    case CC_ISA_MIPS:
        return i >> 31 || (size == 8 && code[7] >> 7); /* or what is in its delay slot */
    default:
        return thumb ? thumb_memory(i, size) : arm_memory(i);
    }
}

/* --- aarch64 --- */

static struct cc_flow aarch64(const uint8_t *code, uint64_t pc)
{
    uint32_t i = word(code);
    if ((i & 0x7c000000) == 0x14000000)
        return to(i >> 31 ? CC_FLOW_CALL : CC_FLOW_JUMP, 4, pc + extend(i, 26) * 4);
    if ((i & 0xff000000) == 0x54000000 || (i & 0x7e000000) == 0x34000000)
        return to(CC_FLOW_BRANCH, 4, pc + extend(i >> 5, 19) * 4);
    if ((i & 0x7e000000) == 0x36000000)
        return to(CC_FLOW_BRANCH, 4, pc + extend(i >> 5, 14) * 4);
    if ((i & 0xfe000000) == 0xd6000000) { /* branch to a register, with or without authentication */
        static const enum cc_flow_kind kinds[8] = {CC_FLOW_INDIRECT, CC_FLOW_CALL_INDIRECT, CC_FLOW_RETURN,
                                                   CC_FLOW_STOP,     CC_FLOW_RETURN,        CC_FLOW_STOP,
                                                   CC_FLOW_STOP,     CC_FLOW_STOP};
        return just(kinds[i >> 21 & 7], 4);
    }
    bool stops = (i & 0xffff0000) == 0 || (i & 0xffe0001f) == 0xd4400000 ||
                 (i & 0xffe0001f) == 0xd4200000; /* udf, hlt, brk */
    return just(stops ? CC_FLOW_STOP : CC_FLOW_NEXT, 4);
}

/* --- RISC-V --- */

static bool riscv_links(uint32_t reg) /* by convention these hold where to return to */
{
    return reg == 1 || reg == 5;
}

static struct cc_flow riscv_indirect(uint32_t rd, uint32_t rs, unsigned size)
{
    return just(rd ? CC_FLOW_CALL_INDIRECT : riscv_links(rs) ? CC_FLOW_RETURN : CC_FLOW_INDIRECT, size);
}

static struct cc_flow riscv_short(uint32_t h, uint64_t pc)
{
    uint32_t f3 = h >> 13, rs = h >> 7 & 31;
    if ((h & 3) == 1 && f3 == 5) {
        uint32_t v = (h >> 12 & 1) << 11 | (h >> 11 & 1) << 4 | (h >> 9 & 3) << 8 | (h >> 8 & 1) << 10 |
                     (h >> 7 & 1) << 6 | (h >> 6 & 1) << 7 | (h >> 3 & 7) << 1 | (h >> 2 & 1) << 5;
        return to(CC_FLOW_JUMP, 2, pc + extend(v, 12));
    }
    if ((h & 3) == 1 && f3 >= 6) {
        uint32_t v = (h >> 12 & 1) << 8 | (h >> 10 & 3) << 3 | (h >> 5 & 3) << 6 | (h >> 3 & 3) << 1 |
                     (h >> 2 & 1) << 5;
        return to(CC_FLOW_BRANCH, 2, pc + extend(v, 9));
    }
    if ((h & 3) == 2 && f3 == 4 && !(h >> 2 & 31)) {
        if (!rs)
            return just(CC_FLOW_STOP, 2); /* ebreak */
        return riscv_indirect(h >> 12 & 1, rs, 2);
    }
    return just(h == 0 ? CC_FLOW_STOP : CC_FLOW_NEXT, 2);
}

static struct cc_flow riscv(const uint8_t *code, size_t size, uint64_t pc)
{
    if (size < 2)
        return just(CC_FLOW_STOP, 1);
    if ((code[0] & 3) != 3)
        return riscv_short(half(code), pc);
    if (size < 4)
        return just(CC_FLOW_STOP, 2);
    uint32_t i = word(code), rd = i >> 7 & 31, rs = i >> 15 & 31;
    switch (i & 0x7f) {
    case 0x6f: {
        uint32_t v = i >> 31 << 20 | (i >> 12 & 0xff) << 12 | (i >> 20 & 1) << 11 | (i >> 21 & 0x3ff) << 1;
        return to(rd ? CC_FLOW_CALL : CC_FLOW_JUMP, 4, pc + extend(v, 21));
    }
    case 0x67:
        return riscv_indirect(rd, rs, 4);
    case 0x63: {
        uint32_t v = i >> 31 << 12 | (i >> 7 & 1) << 11 | (i >> 25 & 0x3f) << 5 | (i >> 8 & 15) << 1;
        return to(CC_FLOW_BRANCH, 4, pc + extend(v, 13));
    }
    default:
        return just(i == 0x00100073 || i == 0xc0001073 ? CC_FLOW_STOP : CC_FLOW_NEXT, 4);
    }
}

/* --- MIPS: what stands behind a branch belongs to it --- */

static struct cc_flow mips(const uint8_t *code, uint64_t pc)
{
    enum { BOTH = 8 };
    uint32_t i = word(code), op = i >> 26, rs = i >> 21 & 31, rt = i >> 16 & 31, function = i & 63;
    bool coprocessor = (op >= 16 && op <= 18 && rs == 8) || (op == 17 && (rs == 11 || rs == 15 || rs >= 24));
    uint64_t near = pc + 4 + extend(i, 16) * 4, far = ((pc + 4) & ~UINT64_C(0xfffffff)) | (i & 0x3ffffff)
                                                                                              << 2;
    if (op == 2 || op == 3)
        return to(op == 3 ? CC_FLOW_CALL : CC_FLOW_JUMP, BOTH, far);
    if ((op == 4 || op == 20) && rs == rt)
        return to(CC_FLOW_JUMP, BOTH, near);
    if ((op >= 4 && op <= 7) || (op >= 20 && op <= 23) || coprocessor || (op == 1 && (rt <= 3 || rt == 28)))
        return to(CC_FLOW_BRANCH, BOTH, near);
    if (op == 1 && rt >= 16 && rt <= 19)
        return to(CC_FLOW_CALL, BOTH, near);
    if (op == 0 && function == 8)
        return just(rs == 31 ? CC_FLOW_RETURN : CC_FLOW_INDIRECT, BOTH);
    if (op == 0 && function == 9)
        return just(CC_FLOW_CALL_INDIRECT, BOTH);
    return just(op == 0 && function == 13 ? CC_FLOW_STOP : CC_FLOW_NEXT, 4);
}

/* --- ARM --- */

static bool arm_writes_pc(uint32_t i)
{
    if (i & 0x0c000000 || (i >> 12 & 15) != 15) /* data processing, into the program counter */
        return false;
    bool multiply = !(i & 0x02000000) && (i & 0x90) == 0x90, compare = (i >> 23 & 3) == 2;
    return !multiply && !compare;
}

static struct cc_flow arm(const uint8_t *code, uint64_t pc)
{
    uint32_t i = word(code), base = i >> 16 & 15;
    bool maybe_not = i >> 28 != 14;
    if (i >> 28 == 15)
        return (i & 0xfe000000) == 0xfa000000
                   ? to(CC_FLOW_CALL, 4, pc + 8 + extend(i, 24) * 4 + (i >> 23 & 2))
                   : just(CC_FLOW_NEXT, 4);
    if ((i & 0x0e000000) == 0x0a000000)
        return to(i & 0x01000000 ? CC_FLOW_CALL
                  : maybe_not    ? CC_FLOW_BRANCH
                                 : CC_FLOW_JUMP,
                  4, pc + 8 + extend(i, 24) * 4);
    if ((i & 0x0ffffff0) == 0x012fff30)
        return just(CC_FLOW_CALL_INDIRECT, 4);
    if ((i & 0x0ffffff0) == 0x012fff10)
        return maybe((i & 15) == 14 ? CC_FLOW_RETURN : CC_FLOW_INDIRECT, 4, maybe_not);
    if ((i & 0xfff000f0) == 0xe7f000f0 || (i & 0xfff000f0) == 0xe1200070) /* udf, bkpt */
        return just(CC_FLOW_STOP, 4);
    if (arm_writes_pc(i))
        return maybe((i & 0x0fffffff) == 0x01a0f00e ? CC_FLOW_RETURN : CC_FLOW_INDIRECT, 4, maybe_not);
    if ((i & 0x0c100000) == 0x04100000 && (i >> 12 & 15) == 15 && (i & 0x02000010) != 0x02000010)
        return maybe(base == 13 ? CC_FLOW_RETURN : CC_FLOW_INDIRECT, 4, maybe_not);
    if ((i & 0x0e108000) == 0x08108000)
        return maybe(CC_FLOW_RETURN, 4, maybe_not);
    return just(CC_FLOW_NEXT, 4);
}

static struct cc_flow thumb_short(uint32_t h, uint64_t pc)
{
    uint32_t rm = h >> 3 & 15, condition = h >> 8 & 15;
    if ((h & 0xf000) == 0xd000 && condition < 14)
        return to(CC_FLOW_BRANCH, 2, pc + 4 + extend(h, 8) * 2);
    if ((h & 0xf800) == 0xe000)
        return to(CC_FLOW_JUMP, 2, pc + 4 + extend(h, 11) * 2);
    if ((h & 0xf500) == 0xb100)
        return to(CC_FLOW_BRANCH, 2, pc + 4 + ((h >> 9 & 1) << 6 | (h >> 3 & 31) << 1));
    if ((h & 0xff80) == 0x4780)
        return just(CC_FLOW_CALL_INDIRECT, 2);
    if ((h & 0xff80) == 0x4700 || (h & 0xff87) == 0x4687)
        return just(rm == 14 ? CC_FLOW_RETURN : CC_FLOW_INDIRECT, 2);
    if ((h & 0xff87) == 0x4487)
        return just(CC_FLOW_INDIRECT, 2);
    if ((h & 0xff00) == 0xbd00)
        return just(CC_FLOW_RETURN, 2);
    return just((h & 0xff00) == 0xde00 || (h & 0xff00) == 0xbe00 ? CC_FLOW_STOP : CC_FLOW_NEXT, 2);
}

static struct cc_flow thumb_branch(uint32_t a, uint32_t b, uint64_t pc)
{
    uint64_t s = a >> 10 & 1, j1 = b >> 13 & 1, j2 = b >> 11 & 1;
    if ((b & 0xd000) == 0x8000) {
        if ((a & 0xfff0) == 0xf7f0 && (b & 0xf000) == 0xa000)
            return just(CC_FLOW_STOP, 4);
        if ((a >> 6 & 15) >= 14)
            return just(CC_FLOW_NEXT, 4);
        uint64_t near = s << 20 | j2 << 19 | j1 << 18 | (uint64_t)(a & 0x3f) << 12 | (b & 0x7ff) << 1;
        return to(CC_FLOW_BRANCH, 4, pc + 4 + extend(near, 21));
    }
    uint64_t far = s << 24 | (uint64_t)(j1 == s) << 23 | (uint64_t)(j2 == s) << 22 |
                   (uint64_t)(a & 0x3ff) << 12 | (b & 0x7ff) << 1;
    if ((b & 0xd000) == 0x9000)
        return to(CC_FLOW_JUMP, 4, pc + 4 + extend(far, 25));
    bool to_arm = (b & 0xd000) == 0xc000;
    return to(CC_FLOW_CALL, 4, ((pc + 4) & ~(to_arm ? UINT64_C(3) : 0)) + extend(far, 25));
}

static struct cc_flow thumb_long(uint32_t a, uint32_t b, uint64_t pc)
{
    if ((a & 0xf800) == 0xf000 && b & 0x8000)
        return thumb_branch(a, b, pc);
    if ((a & 0xfff0) == 0xe8d0 && (b & 0xffe0) == 0xf000) /* tbb, tbh */
        return just(CC_FLOW_INDIRECT, 4);
    if ((a & 0xffd0) == 0xe890 && b & 0x8000)
        return just(CC_FLOW_RETURN, 4);
    if ((a & 0xff70) == 0xf850 && b >> 12 == 15)
        return just(a == 0xf85d && b == 0xfb04 ? CC_FLOW_RETURN : CC_FLOW_INDIRECT, 4);
    return just(CC_FLOW_NEXT, 4);
}

/* In an IT block anything may be left out, and what would always go somewhere else may go on. */
static struct cc_flow thumb(struct cc_flow_decoder *d, const uint8_t *code, size_t size, uint64_t pc)
{
    uint32_t h = half(code);
    bool is_long = h >> 11 >= 0x1d;
    if (is_long && size < 4)
        return just(CC_FLOW_STOP, 2);
    struct cc_flow f = is_long ? thumb_long(h, half(code + 2), pc) : thumb_short(h, pc);
    if ((h & 0xff00) == 0xbf00 && h & 15) {
        d->it_left = 4 - (unsigned)__builtin_ctz(h & 15);
        d->it_next = pc + 2;
    } else if (d->it_left && d->it_next == pc) {
        f.conditional = f.kind == CC_FLOW_INDIRECT || f.kind == CC_FLOW_RETURN;
        if (f.kind == CC_FLOW_JUMP)
            f.kind = CC_FLOW_BRANCH;
        d->it_left--;
        d->it_next = pc + f.size;
    }
    return f;
}

/* --- x86-64 --- */

static bool is_x86_prefix(uint8_t b)
{
    static const uint8_t legacy[] = {0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0xf0};
    return (b & 0xf0) == 0x40 || memchr(legacy, b, sizeof legacy);
}

/* What the bytes after the prefixes do; `last`: where the instruction ends. */
static struct cc_flow x86_opcode(const uint8_t *b, size_t n, unsigned size, uint64_t last)
{
    uint64_t near = last + (n >= 2 ? extend(b[1], 8) : 0),
             far = last + (n >= 5 ? extend(word(b + 1), 32) : 0);
    if ((b[0] & 0xf0) == 0x70 || (b[0] & 0xfc) == 0xe0)
        return to(CC_FLOW_BRANCH, size, near);
    if ((b[0] == 0xe8 || b[0] == 0xe9) && n < 5) /* with a prefix that cuts the address */
        return just(CC_FLOW_STOP, size);
    if (b[0] == 0xc7 && n >= 6 && b[1] == 0xf8) /* xbegin goes there if the transaction fails */
        return to(CC_FLOW_BRANCH, size, last + extend(word(b + 2), 32));
    if (b[0] == 0x0f && n >= 6 && (b[1] & 0xf0) == 0x80)
        return to(CC_FLOW_BRANCH, size, last + extend(word(b + 2), 32));
    if (b[0] == 0x0f && n >= 2 && (b[1] == 0x0b || b[1] == 0xb9 || b[1] == 0xff)) /* ud2 and its like */
        return just(CC_FLOW_STOP, size);
    switch (b[0]) {
    case 0xeb:
        return to(CC_FLOW_JUMP, size, near);
    case 0xe9:
        return to(CC_FLOW_JUMP, size, far);
    case 0xe8:
        return to(CC_FLOW_CALL, size, far);
    case 0xc3:
    case 0xc2:
    case 0xcb:
    case 0xca:
    case 0xcf:
        return just(CC_FLOW_RETURN, size);
    case 0xf4:
    case 0xcc:
        return just(CC_FLOW_STOP, size);
    case 0xff: {
        unsigned what = n >= 2 ? b[1] >> 3 & 7 : 0;
        return just(what == 2 || what == 3   ? CC_FLOW_CALL_INDIRECT
                    : what == 4 || what == 5 ? CC_FLOW_INDIRECT
                                             : CC_FLOW_NEXT,
                    size);
    }
    default:
        return just(CC_FLOW_NEXT, size);
    }
}

/* Whether an operand, or what a stack or string instruction implies, is in memory; b: behind the prefixes. */
static bool x86_memory(const uint8_t *b, size_t n)
{
    size_t modrm = 1;
    if (b[0] == 0xc5 || b[0] == 0xc4 || b[0] == 0x62) /* VEX, EVEX */
        modrm = b[0] == 0xc5 ? 3 : b[0] == 0xc4 ? 4 : 5;
    else if (b[0] == 0x0f && n > 1) {
        modrm = b[1] == 0x38 || b[1] == 0x3a ? 3 : 2;
        if (b[1] == 0x1f || b[1] == 0x0b || (b[1] & 0xf0) == 0x80 || (b[1] & 0xf8) == 0xc8)
            return false;
    } else {
        bool stack = (b[0] & 0xf0) == 0x50 || b[0] == 0x68 || b[0] == 0x6a || b[0] == 0xc9;
        bool text = (b[0] >= 0xa0 && b[0] <= 0xa7) || (b[0] >= 0xaa && b[0] <= 0xaf);
        bool has = (b[0] < 0x40 && (b[0] & 7) < 4) || b[0] == 0x63 || b[0] == 0x69 || b[0] == 0x6b ||
                   (b[0] & 0xf0) == 0x80 || (b[0] & 0xfe) == 0xc0 || (b[0] & 0xfe) == 0xc6 ||
                   (b[0] & 0xf4) == 0xd0 || (b[0] & 0xf8) == 0xd8 || (b[0] & 0xf6) == 0xf6;
        if (stack || text || !has || b[0] == 0x8d)
            return stack || text;
    }
    return modrm < n && b[modrm] >> 6 != 3;
}

static struct cc_flow x86(struct cc_flow_decoder *d, const uint8_t *code, size_t size, uint64_t pc)
{
    const uint8_t *at = code;
    size_t left = size;
    uint64_t address = pc;
    if (!cs_disasm_iter(d->handle, &at, &left, &address, d->insn))
        return just(CC_FLOW_STOP, 1);
    unsigned whole = ((const cs_insn *)d->insn)->size, k = 0;
    while (k + 1 < whole && is_x86_prefix(code[k]))
        k++;
    struct cc_flow f = x86_opcode(code + k, whole - k, whole, pc + whole);
    f.memory = x86_memory(code + k, whole - k);
    f.nop = code[k] == 0x90 || code[k] == 0xcc || (whole - k >= 2 && code[k] == 0x0f && code[k + 1] == 0x1f);
    return f;
}

/* --- */

int cc_flow_init(struct cc_flow_decoder *d, const struct cc_isa *isa, struct cc_err *err)
{
    *d = (struct cc_flow_decoder){.isa = isa};
    if (isa->id != CC_ISA_X86)
        return 0;
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &d->handle) != CS_ERR_OK)
        return cc_err_set(err, CC_EINPUT, "the capstone library cannot disassemble '%s'", isa->name);
    d->insn = cs_malloc(d->handle);
    return 0;
}

void cc_flow_fini(struct cc_flow_decoder *d)
{
    if (d->insn)
        cs_free(d->insn, 1);
    if (d->handle)
        cs_close(&d->handle);
}

static struct cc_flow of_words(struct cc_flow_decoder *d, bool is_thumb, const uint8_t *code, size_t size,
                               uint64_t address)
{
    if (size < (is_thumb ? 2 : 4))
        return just(CC_FLOW_STOP, (unsigned)size);
    if (is_thumb)
        return thumb(d, code, size, address);
    return d->isa->id == CC_ISA_ARM    ? arm(code, address)
           : d->isa->id == CC_ISA_MIPS ? mips(code, address)
                                       : aarch64(code, address);
}

struct cc_flow cc_flow_at(struct cc_flow_decoder *d, bool is_thumb, const uint8_t *code, size_t size,
                          uint64_t address)
{
    enum cc_isa_id isa = d->isa->id;
    if (isa == CC_ISA_X86)
        return x86(d, code, size, address);
    is_thumb = is_thumb && isa == CC_ISA_ARM;
    struct cc_flow f =
        isa == CC_ISA_RISCV ? riscv(code, size, address) : of_words(d, is_thumb, code, size, address);
    if (!d->isa->wide)
        f.target = (uint32_t)f.target;
    if (f.size > size) /* a delay slot that is not there */
        f.size = (unsigned)size;
    f.nop = f.kind == CC_FLOW_NEXT && is_nop(isa, is_thumb, code, f.size);
    f.memory = touches_memory(isa, is_thumb, code, f.size);
    return f;
}
