#include "riscv.h"

struct encoding {
    uint32_t mask, value;
    const char *name;
    uint8_t operands, memory_operands;
};

#define F3(op, f3) ((uint32_t)(f3) << 12 | (op))
#define F7(op, f3, f7) ((uint32_t)(f7) << 25 | F3(op, f3))
#define F5(op, f3, f5) ((uint32_t)(f5) << 27 | F3(op, f3))
#define OPCODE 0x7f
#define M3 0x707f
#define M7 0xfe00707f
#define M5 0xf800707f /* atomics: the order bits are free */
#define M6 0xfc00707f /* shifts by a 6-bit constant */
#define MF 0xfe00007f /* floating point: the rounding mode is free */
#define M12 0xfff0707f
#define MF12 0xfff0007f

/* Operands as the instruction set's manual names them: rd, rs1, rs2 or a constant; a memory operand is one.
 * Rounding modes and the order of atomics do not count. */
static const struct encoding full[] = {
    {0xffffffff, 0x00000013, "nop", 0, 0},
    {OPCODE, 0x37, "lui", 2, 0},
    {OPCODE, 0x17, "auipc", 2, 0},
    {OPCODE, 0x6f, "jal", 2, 0},
    {M3, F3(0x67, 0), "jalr", 3, 0},
    {M3, F3(0x63, 0), "beq", 3, 0},
    {M3, F3(0x63, 1), "bne", 3, 0},
    {M3, F3(0x63, 4), "blt", 3, 0},
    {M3, F3(0x63, 5), "bge", 3, 0},
    {M3, F3(0x63, 6), "bltu", 3, 0},
    {M3, F3(0x63, 7), "bgeu", 3, 0},
    {M3, F3(0x03, 0), "lb", 2, 1},
    {M3, F3(0x03, 1), "lh", 2, 1},
    {M3, F3(0x03, 2), "lw", 2, 1},
    {M3, F3(0x03, 3), "ld", 2, 1},
    {M3, F3(0x03, 4), "lbu", 2, 1},
    {M3, F3(0x03, 5), "lhu", 2, 1},
    {M3, F3(0x03, 6), "lwu", 2, 1},
    {M3, F3(0x23, 0), "sb", 2, 1},
    {M3, F3(0x23, 1), "sh", 2, 1},
    {M3, F3(0x23, 2), "sw", 2, 1},
    {M3, F3(0x23, 3), "sd", 2, 1},
    {M3, F3(0x07, 1), "flh", 2, 1},
    {M3, F3(0x07, 2), "flw", 2, 1},
    {M3, F3(0x07, 3), "fld", 2, 1},
    {M3, F3(0x27, 1), "fsh", 2, 1},
    {M3, F3(0x27, 2), "fsw", 2, 1},
    {M3, F3(0x27, 3), "fsd", 2, 1},
    {OPCODE, 0x07, "vl", 2, 1}, /* the other widths are vectors */
    {OPCODE, 0x27, "vs", 2, 1},
    {M3, F3(0x13, 0), "addi", 3, 0},
    {M3, F3(0x13, 2), "slti", 3, 0},
    {M3, F3(0x13, 3), "sltiu", 3, 0},
    {M3, F3(0x13, 4), "xori", 3, 0},
    {M3, F3(0x13, 6), "ori", 3, 0},
    {M3, F3(0x13, 7), "andi", 3, 0},
    {M6, F7(0x13, 1, 0), "slli", 3, 0},
    {M6, F7(0x13, 5, 0), "srli", 3, 0},
    {M6, F7(0x13, 5, 0x20), "srai", 3, 0},
    {M6, F7(0x13, 5, 0x30), "rori", 3, 0},
    {M12, 0x60001013, "clz", 2, 0},
    {M12, 0x60101013, "ctz", 2, 0},
    {M12, 0x60201013, "cpop", 2, 0},
    {M12, 0x60401013, "sext.b", 2, 0},
    {M12, 0x60501013, "sext.h", 2, 0},
    {M12, 0x28705013, "orc.b", 2, 0},
    {M12, 0x6b805013, "rev8", 2, 0},
    {M3, F3(0x1b, 0), "addiw", 3, 0},
    {M7, F7(0x1b, 1, 0), "slliw", 3, 0},
    {M7, F7(0x1b, 5, 0), "srliw", 3, 0},
    {M7, F7(0x1b, 5, 0x20), "sraiw", 3, 0},
    {M7, F7(0x1b, 5, 0x30), "roriw", 3, 0},
    {M12, 0x6000101b, "clzw", 2, 0},
    {M12, 0x6010101b, "ctzw", 2, 0},
    {M12, 0x6020101b, "cpopw", 2, 0},
    {M7, F7(0x33, 0, 0), "add", 3, 0},
    {M7, F7(0x33, 0, 0x20), "sub", 3, 0},
    {M7, F7(0x33, 1, 0), "sll", 3, 0},
    {M7, F7(0x33, 2, 0), "slt", 3, 0},
    {M7, F7(0x33, 3, 0), "sltu", 3, 0},
    {M7, F7(0x33, 4, 0), "xor", 3, 0},
    {M7, F7(0x33, 5, 0), "srl", 3, 0},
    {M7, F7(0x33, 5, 0x20), "sra", 3, 0},
    {M7, F7(0x33, 6, 0), "or", 3, 0},
    {M7, F7(0x33, 7, 0), "and", 3, 0},
    {M7, F7(0x33, 4, 0x20), "xnor", 3, 0},
    {M7, F7(0x33, 6, 0x20), "orn", 3, 0},
    {M7, F7(0x33, 7, 0x20), "andn", 3, 0},
    {M7, F7(0x33, 2, 0x10), "sh1add", 3, 0},
    {M7, F7(0x33, 4, 0x10), "sh2add", 3, 0},
    {M7, F7(0x33, 6, 0x10), "sh3add", 3, 0},
    {M7, F7(0x33, 4, 0x05), "min", 3, 0},
    {M7, F7(0x33, 5, 0x05), "minu", 3, 0},
    {M7, F7(0x33, 6, 0x05), "max", 3, 0},
    {M7, F7(0x33, 7, 0x05), "maxu", 3, 0},
    {M7, F7(0x33, 1, 0x30), "rol", 3, 0},
    {M7, F7(0x33, 5, 0x30), "ror", 3, 0},
    {M7, F7(0x33, 0, 1), "mul", 3, 0},
    {M7, F7(0x33, 1, 1), "mulh", 3, 0},
    {M7, F7(0x33, 2, 1), "mulhsu", 3, 0},
    {M7, F7(0x33, 3, 1), "mulhu", 3, 0},
    {M7, F7(0x33, 4, 1), "div", 3, 0},
    {M7, F7(0x33, 5, 1), "divu", 3, 0},
    {M7, F7(0x33, 6, 1), "rem", 3, 0},
    {M7, F7(0x33, 7, 1), "remu", 3, 0},
    {M7, F7(0x3b, 0, 0), "addw", 3, 0},
    {M7, F7(0x3b, 0, 0x20), "subw", 3, 0},
    {M7, F7(0x3b, 1, 0), "sllw", 3, 0},
    {M7, F7(0x3b, 5, 0), "srlw", 3, 0},
    {M7, F7(0x3b, 5, 0x20), "sraw", 3, 0},
    {M7, F7(0x3b, 0, 0x04), "add.uw", 3, 0},
    {M7, F7(0x3b, 2, 0x10), "sh1add.uw", 3, 0},
    {M7, F7(0x3b, 4, 0x10), "sh2add.uw", 3, 0},
    {M7, F7(0x3b, 6, 0x10), "sh3add.uw", 3, 0},
    {M7, F7(0x3b, 4, 0x04), "zext.h", 2, 0},
    {M7, F7(0x3b, 1, 0x30), "rolw", 3, 0},
    {M7, F7(0x3b, 5, 0x30), "rorw", 3, 0},
    {M7, F7(0x3b, 0, 1), "mulw", 3, 0},
    {M7, F7(0x3b, 4, 1), "divw", 3, 0},
    {M7, F7(0x3b, 5, 1), "divuw", 3, 0},
    {M7, F7(0x3b, 6, 1), "remw", 3, 0},
    {M7, F7(0x3b, 7, 1), "remuw", 3, 0},
    {M3, F3(0x0f, 0), "fence", 2, 0},
    {M3, F3(0x0f, 1), "fence.i", 0, 0},
    {0xffffffff, 0x00000073, "ecall", 0, 0},
    {0xffffffff, 0x00100073, "ebreak", 0, 0},
    {0xffffffff, 0x10200073, "sret", 0, 0},
    {0xffffffff, 0x30200073, "mret", 0, 0},
    {0xffffffff, 0x10500073, "wfi", 0, 0},
    {M3, F3(0x73, 1), "csrrw", 3, 0},
    {M3, F3(0x73, 2), "csrrs", 3, 0},
    {M3, F3(0x73, 3), "csrrc", 3, 0},
    {M3, F3(0x73, 5), "csrrwi", 3, 0},
    {M3, F3(0x73, 6), "csrrsi", 3, 0},
    {M3, F3(0x73, 7), "csrrci", 3, 0},
#define AMO(f5, name, operands)                     \
    {M5, F5(0x2f, 2, f5), name ".w", operands, 1},  \
    {                                               \
        M5, F5(0x2f, 3, f5), name ".d", operands, 1 \
    }
    AMO(0x02, "lr", 2),
    AMO(0x03, "sc", 3),
    AMO(0x01, "amoswap", 3),
    AMO(0x00, "amoadd", 3),
    AMO(0x04, "amoxor", 3),
    AMO(0x0c, "amoand", 3),
    AMO(0x08, "amoor", 3),
    AMO(0x10, "amomin", 3),
    AMO(0x14, "amomax", 3),
    AMO(0x18, "amominu", 3),
    AMO(0x1c, "amomaxu", 3),
/* Floating point in singles, doubles and halves: the two bits above bit 25. */
#define FP(f5, name, operands)                                                \
    {MF, (uint32_t)(f5) << 27 | 0x53, name ".s", operands, 0},                \
        {MF, (uint32_t)(f5) << 27 | 1u << 25 | 0x53, name ".d", operands, 0}, \
    {                                                                         \
        MF, (uint32_t)(f5) << 27 | 2u << 25 | 0x53, name ".h", operands, 0    \
    }
    FP(0x00, "fadd", 3),
    FP(0x01, "fsub", 3),
    FP(0x02, "fmul", 3),
    FP(0x03, "fdiv", 3),
    FP(0x0b, "fsqrt", 2),
    FP(0x04, "fsgnj", 3),
    FP(0x05, "fmin", 3), /* and fmax */
    FP(0x14, "feq", 3),  /* and flt, fle */
    FP(0x08, "fcvt", 2), /* between the three */
    FP(0x18, "fcvt.int", 2),
    FP(0x1a, "fcvt", 2),
    FP(0x1c, "fmv.x", 2), /* and fclass */
    FP(0x1e, "fmv", 2),
    {OPCODE, 0x43, "fmadd", 4, 0},
    {OPCODE, 0x47, "fmsub", 4, 0},
    {OPCODE, 0x4b, "fnmsub", 4, 0},
    {OPCODE, 0x4f, "fnmadd", 4, 0},
    /* Vectors, coarsely: by what their operands are. */
    {M3, F3(0x57, 7), "vset", 3, 0},
    {M3, F3(0x57, 1), "vf", 3, 0},
    {M3, F3(0x57, 5), "vf", 3, 0},
    {OPCODE, 0x57, "vi", 3, 0},
};

/* Named and counted as what they stand for. */
static const struct encoding compressed[] = {
    {0xffff, 0x0000, NULL, 0, 0}, /* never an instruction */
    {0xe003, 0x0000, "addi", 3, 0},   {0xe003, 0x2000, "fld", 2, 1},   {0xe003, 0x4000, "lw", 2, 1},
    {0xe003, 0x6000, "ld", 2, 1},     {0xe003, 0xa000, "fsd", 2, 1},   {0xe003, 0xc000, "sw", 2, 1},
    {0xe003, 0xe000, "sd", 2, 1},     {0xef83, 0x0001, "nop", 0, 0},   {0xe003, 0x0001, "addi", 3, 0},
    {0xef83, 0x2001, NULL, 0, 0},     {0xe003, 0x2001, "addiw", 3, 0}, {0xe003, 0x4001, "addi", 3, 0},
    {0xef83, 0x6101, "addi", 3, 0},   {0xe003, 0x6001, "lui", 2, 0},   {0xec03, 0x8001, "srli", 3, 0},
    {0xec03, 0x8401, "srai", 3, 0},   {0xec03, 0x8801, "andi", 3, 0},  {0xfc63, 0x8c01, "sub", 3, 0},
    {0xfc63, 0x8c21, "xor", 3, 0},    {0xfc63, 0x8c41, "or", 3, 0},    {0xfc63, 0x8c61, "and", 3, 0},
    {0xfc63, 0x9c01, "subw", 3, 0},   {0xfc63, 0x9c21, "addw", 3, 0},  {0xe003, 0xa001, "jal", 2, 0},
    {0xe003, 0xc001, "beq", 3, 0},    {0xe003, 0xe001, "bne", 3, 0},   {0xe003, 0x0002, "slli", 3, 0},
    {0xe003, 0x2002, "fld", 2, 1},    {0xef83, 0x4002, NULL, 0, 0},    {0xe003, 0x4002, "lw", 2, 1},
    {0xef83, 0x6002, NULL, 0, 0},     {0xe003, 0x6002, "ld", 2, 1},    {0xffff, 0x8002, NULL, 0, 0},
    {0xf07f, 0x8002, "jalr", 3, 0},   {0xf003, 0x8002, "add", 3, 0}, /* mv */
    {0xffff, 0x9002, "ebreak", 0, 0}, {0xf07f, 0x9002, "jalr", 3, 0},  {0xf003, 0x9002, "add", 3, 0},
    {0xe003, 0xa002, "fsd", 2, 1},    {0xe003, 0xc002, "sw", 2, 1},    {0xe003, 0xe002, "sd", 2, 1},
};

/* The length is in the first bits, for longer ones than exist too. */
static unsigned length(const uint8_t *code)
{
    if ((code[0] & 3) != 3)
        return 2;
    if ((code[0] & 0x1c) != 0x1c)
        return 4;
    if ((code[0] & 0x3f) == 0x1f)
        return 6;
    if ((code[0] & 0x7f) == 0x3f)
        return 8;
    unsigned words = code[1] >> 4 & 7;
    return words < 7 ? 10 + 2 * words : 24;
}

void cc_riscv_decode(const uint8_t *code, size_t size, struct cc_riscv *ret)
{
    *ret = (struct cc_riscv){.size = size < 2 ? (unsigned)size : length(code)};
    if (ret->size > size)
        ret->size = (unsigned)size;
    if (ret->size != 2 && ret->size != 4)
        return;
    if (ret->size == 2 && (code[0] & 3) == 3) /* the first half of a longer one that was cut */
        return;
    uint32_t i = code[0] | (uint32_t)code[1] << 8;
    if (ret->size == 4)
        i |= (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    const struct encoding *e = ret->size == 4 ? full : compressed;
    size_t n = ret->size == 4 ? CC_COUNT(full) : CC_COUNT(compressed);
    for (; n; n--, e++) {
        if ((i & e->mask) != e->value)
            continue;
        ret->name = e->name;
        ret->operands = e->operands;
        ret->memory_operands = e->memory_operands;
        return;
    }
}
