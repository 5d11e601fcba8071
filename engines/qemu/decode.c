#include "decode.h"

static uint32_t word(const uint8_t *p, size_t n)
{
    uint32_t v = 0;
    while (n--)
        v = v << 8 | p[n];
    return v;
}

static enum cc_flow aarch64(uint32_t i)
{
    if (i >> 26 == 0x25 || (i & 0xfffffc1f) == 0xd63f0000) /* bl, blr */
        return CC_FLOW_CALL;
    if ((i & 0xfffffc1f) == 0xd65f0000 || (i & 0xfffffbff) == 0xd65f0bff) /* ret, retaa, retab */
        return CC_FLOW_RETURN;
    return CC_FLOW_NONE;
}

/* A32 comes as four bytes; Thumb as two, or four whose first half starts with 0b11101, 0b11110 or 0b11111. An
 * A32 instruction of those bit patterns in its low half is told apart by its condition field, which Thumb's
 * second half hardly ever imitates for calls. */
static enum cc_flow arm(const uint8_t *p, size_t size)
{
    if (size == 2) {
        uint32_t i = word(p, 2);
        if ((i & 0xff87) == 0x4780) /* blx register */
            return CC_FLOW_CALL;
        if (i == 0x4770 || (i & 0xff00) == 0xbd00) /* bx lr, pop {…, pc} */
            return CC_FLOW_RETURN;
        return CC_FLOW_NONE;
    }
    uint32_t i = word(p, 4), thumb = word(p, 2) << 16 | word(p + 2, 2);
    if ((thumb & 0xf800d000) == 0xf000d000 || (thumb & 0xf800d001) == 0xf000c000) /* bl, blx */
        return CC_FLOW_CALL;
    if ((thumb & 0xffff8000) == 0xe8bd8000 || thumb == 0xf85dfb04) /* ldmia sp!, {…, pc}; ldr pc, [sp], #4 */
        return CC_FLOW_RETURN;
    if ((i & 0x0f000000) == 0x0b000000 || (i & 0xfe000000) == 0xfa000000 ||
        (i & 0x0ffffff0) == 0x012fff30) /* bl, blx */
        return CC_FLOW_CALL;
    if ((i & 0x0fffffff) == 0x012fff1e || (i & 0x0fff8000) == 0x08bd8000 || (i & 0x0fffffff) == 0x01a0f00e ||
        (i & 0x0fffffff) == 0x049df004) /* bx lr; ldm sp!, {…, pc}; mov pc, lr; ldr pc, [sp], #4 */
        return CC_FLOW_RETURN;
    return CC_FLOW_NONE;
}

static int link_register(uint32_t r)
{
    return r == 1 || r == 5;
} /* ra, and t0 that millicode uses */

static enum cc_flow riscv(const uint8_t *p, size_t size)
{
    if (size == 2) {
        uint32_t i = word(p, 2), rs1 = i >> 7 & 31;
        if ((i & 0xf07f) == 0x9002 && rs1) /* c.jalr */
            return CC_FLOW_CALL;
        if ((i & 0xf07f) == 0x8002 && link_register(rs1)) /* c.jr ra */
            return CC_FLOW_RETURN;
        return CC_FLOW_NONE;
    }
    uint32_t i = word(p, 4), op = i & 0x7f, rd = i >> 7 & 31, rs1 = i >> 15 & 31;
    if ((op == 0x6f || op == 0x67) && link_register(rd)) /* jal, jalr with a link */
        return CC_FLOW_CALL;
    if (op == 0x67 && rd == 0 && link_register(rs1))
        return CC_FLOW_RETURN;
    return CC_FLOW_NONE;
}

/* How many bytes stand in front of the operation. */
static size_t x86_prefixes(const uint8_t *p, size_t size, bool *ret_repeats)
{
    size_t at = 0;
    *ret_repeats = false;
    while (at < size && (p[at] == 0xf2 || p[at] == 0xf3 || p[at] == 0x66 || p[at] == 0x67 || p[at] == 0x2e ||
                         p[at] == 0x3e || (p[at] & 0xf0) == 0x40))
        *ret_repeats |= p[at++] >= 0xf2; /* bnd, rep, operand and address size, segments, REX */
    return at;
}

bool cc_may_access(enum cc_isa_id isa, const uint8_t *bytes, size_t size)
{
    bool repeats = false;
    size_t at = isa == CC_ISA_X86 ? x86_prefixes(bytes, size, &repeats) : size;
    return repeats && at < size &&
           ((bytes[at] >= 0xa4 && bytes[at] <= 0xa7) || (bytes[at] >= 0xaa && bytes[at] <= 0xaf));
}

static enum cc_flow x86(const uint8_t *p, size_t size)
{
    bool repeats;
    size_t at = x86_prefixes(p, size, &repeats);
    if (at >= size)
        return CC_FLOW_NONE;
    if (p[at] == 0xe8 || (p[at] == 0xff && at + 1 < size && (p[at + 1] >> 3 & 7) == 2))
        return CC_FLOW_CALL;
    return p[at] == 0xc3 || p[at] == 0xc2 ? CC_FLOW_RETURN : CC_FLOW_NONE;
}

static enum cc_flow mips(uint32_t i)
{
    if (i >> 26 == 3 || (i & 0xfc1f07ff) == 0x00000009 || (i >> 26 == 1 && (i >> 16 & 0x1e) == 0x10))
        return CC_FLOW_CALL; /* jal, jalr, bltzal and bgezal */
    return i == 0x03e00008 || i == 0x03e00009 ? CC_FLOW_RETURN : CC_FLOW_NONE; /* jr ra */
}

enum cc_flow cc_flow_of(enum cc_isa_id isa, const uint8_t *bytes, size_t size)
{
    if (size < 2 && isa != CC_ISA_X86)
        return CC_FLOW_NONE;
    switch (isa) {
    case CC_ISA_AARCH64:
        return aarch64(word(bytes, 4));
    case CC_ISA_ARM:
        return arm(bytes, size);
    case CC_ISA_RISCV:
        return riscv(bytes, size);
    case CC_ISA_X86:
        return x86(bytes, size);
    case CC_ISA_MIPS:
        return mips(word(bytes, 4));
    default:
        return CC_FLOW_NONE;
    }
}

/* Loads and stores of one register, with an immediate or a register as offset; of 16 bytes QEMU makes two. */
static struct cc_access aarch64_one_register(uint32_t i)
{
    bool vector = i >> 26 & 1, wide = vector && (i >> 23 & 1), unsigned_offset = i >> 24 & 1,
         atomic = !unsigned_offset && (i >> 21 & 1) && (i >> 10 & 3) != 2;
    uint8_t class = (uint8_t)(i >> 30);
    bool write = (i >> 22 & 3) == (wide ? 2 : 0);
    if ((i & 0x3a000000) != 0x38000000 || atomic || (wide && class))
        return (struct cc_access){0};
    return (struct cc_access){.times = wide ? 2 : 1, .class = wide ? 3 : class, .write = write};
}

/* ldp, stp, and without a wish to keep it in the cache; not ldpsw, nor pairs of 16 bytes. */
static struct cc_access aarch64_pair(uint32_t i)
{
    unsigned vector = i >> 26 & 1, opc = i >> 30;
    if ((i & 0x3a000000) != 0x28000000 || opc == 3 || (vector ? opc == 2 : opc == 1))
        return (struct cc_access){0};
    return (struct cc_access){.times = 2, .class = opc ? 3 : 2, .write = !(i >> 22 & 1)};
}

static struct cc_access riscv_one(uint32_t i, size_t size)
{
    static const uint8_t compressed[4] = {0, 3, 2, 3}; /* by function: double, word, double or float */
    uint32_t op = i & 0x7f, width = i >> 12 & 7, quadrant = i & 3, function = i >> 13 & 7;
    bool integer = (op == 0x03 || op == 0x23) && width <= 6,
         real = (op == 0x07 || op == 0x27) && (width == 2 || width == 3);
    if (size == 4)
        return (struct cc_access){.times = integer || real, .class = width & 3, .write = op >> 5 & 1};
    /* what stores a double onto the stack may be one that pushes several registers, on small processors */
    bool pushes = quadrant == 2 && function == 5,
         is = (quadrant == 0 || quadrant == 2) && function != 0 && function != 4 && !pushes;
    return (struct cc_access){.times = is, .class = compressed[function & 3], .write = function > 4};
}

unsigned cc_part_read(enum cc_isa_id isa, const uint8_t *bytes, size_t size)
{
    return isa == CC_ISA_X86 ? cc_part_read_x86(bytes, size) : 0;
}

struct cc_access cc_access_of(enum cc_isa_id isa, const uint8_t *bytes, size_t size)
{
    if (isa == CC_ISA_AARCH64 && size == 4) {
        struct cc_access one = aarch64_one_register(word(bytes, 4));
        return one.times ? one : aarch64_pair(word(bytes, 4));
    }
    if (isa == CC_ISA_RISCV && (size == 2 || size == 4))
        return riscv_one(word(bytes, size), size);
    if (isa == CC_ISA_X86)
        return cc_access_of_x86(bytes, size);
    return (struct cc_access){0};
}

int cc_is_block_zero(enum cc_isa_id isa, const uint8_t *bytes, size_t size)
{
    return isa == CC_ISA_AARCH64 && size == 4 && (word(bytes, 4) & 0xffffffe0) == 0xd50b7420;
}

unsigned cc_block_zero_register(const uint8_t *bytes)
{
    return word(bytes, 4) & 31;
}

int cc_block_op(enum cc_isa_id isa, const uint8_t *bytes, size_t size, struct cc_block_op *ret)
{
    uint32_t i = isa == CC_ISA_AARCH64 && size == 4 ? word(bytes, 4) : 0;
    int copies = (i & 0xfbe00c00) == 0x19000400, sets = (i & 0xfbe0cc00) == 0x19c00400;
    *ret = (struct cc_block_op){
        .to = i & 31, .count = i >> 5 & 31, .from = i >> 16 & 31, .copies = (uint8_t)copies};
    return copies || sets;
}
