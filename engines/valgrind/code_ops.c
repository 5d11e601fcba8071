/* Which of VEX's operations are which of ours. What is not here is a function of its operands and no more. */
#include "code.h"

#define EACH(name, class)                                                                                   \
    {Iop_##name##8, CC_CODE_##class}, {Iop_##name##16, CC_CODE_##class}, {Iop_##name##32, CC_CODE_##class}, \
    {                                                                                                       \
        Iop_##name##64, CC_CODE_##class                                                                     \
    }
#define VECTORS(name, class, sign)                                                                   \
    {Iop_##name##8##sign##x16, CC_CODE_##class, 8}, {Iop_##name##16##sign##x8, CC_CODE_##class, 16}, \
    {                                                                                                \
        Iop_##name##32##sign##x4, CC_CODE_##class, 32                                                \
    }
#define WIDE(name, class, sign)                                                                       \
    {Iop_##name##8##sign##x32, CC_CODE_##class, 8}, {Iop_##name##16##sign##x16, CC_CODE_##class, 16}, \
    {                                                                                                 \
        Iop_##name##32##sign##x8, CC_CODE_##class, 32                                                 \
    }
#define NARROW(name, class, sign)                     \
    {Iop_##name##8##sign##x8, CC_CODE_##class, 8},    \
    {                                                 \
        Iop_##name##16##sign##x4, CC_CODE_##class, 16 \
    }
#define FLOATS(name, class)                                                                       \
    {Iop_##name##64Fx2, CC_CODE_##class, 64, 1}, {Iop_##name##32Fx4, CC_CODE_##class, 32, 1},     \
        {Iop_##name##64Fx4, CC_CODE_##class, 64, 1}, {Iop_##name##32Fx8, CC_CODE_##class, 32, 1}, \
        {Iop_##name##F64, CC_CODE_##class, 0, 1},                                                 \
    {                                                                                             \
        Iop_##name##F32, CC_CODE_##class, 0, 1                                                    \
    }
#define LANES_ABOVE(bits, n)                                      \
    {                                                             \
        Iop_CmpGT##bits##Sx##n, CC_CODE_LTS, bits, .turned = True \
    }

static const struct cc_vg_meaning meanings[] = {
    EACH(Add, ADD),
    EACH(Sub, SUB),
    EACH(Mul, MUL),
    EACH(And, AND),
    EACH(Or, OR),
    EACH(Xor, XOR),
    EACH(Not, NOT),
    EACH(Shl, SHL),
    EACH(Shr, SHR),
    EACH(Sar, SAR),
    EACH(CmpEQ, EQ),
    EACH(CmpNE, NE),
    EACH(ExpCmpNE, NE),
    EACH(CasCmpEQ, EQ),
    EACH(CasCmpNE, NE),
    {Iop_And1, CC_CODE_AND},
    {Iop_Or1, CC_CODE_OR},
    {Iop_Not1, CC_CODE_NOT},
    {Iop_Max32U, CC_CODE_MAX},
    {Iop_CmpLT32S, CC_CODE_LTS},
    {Iop_CmpLT64S, CC_CODE_LTS},
    {Iop_CmpLE32S, CC_CODE_LES},
    {Iop_CmpLE64S, CC_CODE_LES},
    {Iop_CmpLT32U, CC_CODE_LTU},
    {Iop_CmpLT64U, CC_CODE_LTU},
    {Iop_CmpLE32U, CC_CODE_LEU},
    {Iop_CmpLE64U, CC_CODE_LEU},
    {Iop_8Uto16, CC_CODE_ZEXT},
    {Iop_8Uto32, CC_CODE_ZEXT},
    {Iop_8Uto64, CC_CODE_ZEXT},
    {Iop_16Uto32, CC_CODE_ZEXT},
    {Iop_16Uto64, CC_CODE_ZEXT},
    {Iop_32Uto64, CC_CODE_ZEXT},
    {Iop_1Uto8, CC_CODE_ZEXT},
    {Iop_1Uto32, CC_CODE_ZEXT},
    {Iop_1Uto64, CC_CODE_ZEXT},
    {Iop_64UtoV128, CC_CODE_ZEXT},
    {Iop_32UtoV128, CC_CODE_ZEXT},
    {Iop_8Sto16, CC_CODE_SEXT},
    {Iop_8Sto32, CC_CODE_SEXT},
    {Iop_8Sto64, CC_CODE_SEXT},
    {Iop_16Sto32, CC_CODE_SEXT},
    {Iop_16Sto64, CC_CODE_SEXT},
    {Iop_32Sto64, CC_CODE_SEXT},
    {Iop_1Sto8, CC_CODE_SEXT},
    {Iop_1Sto16, CC_CODE_SEXT},
    {Iop_1Sto32, CC_CODE_SEXT},
    {Iop_1Sto64, CC_CODE_SEXT},
    FLOATS(Add, FADD),
    FLOATS(Sub, FSUB),
    FLOATS(Mul, FMUL),
    {Iop_MAddF64, CC_CODE_FMA, 0, 1},
    {Iop_MAddF32, CC_CODE_FMA, 0, 1},
    {Iop_MaxNumF64, CC_CODE_FMAX},
    {Iop_MinNumF64, CC_CODE_FMIN},
    {Iop_MaxNumF32, CC_CODE_FMAX},
    {Iop_MinNumF32, CC_CODE_FMIN},
    {Iop_Max64Fx2, CC_CODE_FMAX, 64},
    {Iop_Min64Fx2, CC_CODE_FMIN, 64},
    {Iop_Max32Fx4, CC_CODE_FMAX, 32},
    {Iop_Min32Fx4, CC_CODE_FMIN, 32},
    {Iop_Max64Fx4, CC_CODE_FMAX, 64},
    {Iop_Min64Fx4, CC_CODE_FMIN, 64},
    {Iop_Max32Fx8, CC_CODE_FMAX, 32},
    {Iop_Min32Fx8, CC_CODE_FMIN, 32},
    {Iop_Max32Fx2, CC_CODE_FMAX, 32},
    {Iop_Min32Fx2, CC_CODE_FMIN, 32},
    {Iop_NegF64, CC_CODE_FNEG},
    {Iop_NegF32, CC_CODE_FNEG},
    {Iop_Neg64Fx2, CC_CODE_FNEG, 64},
    {Iop_Neg32Fx4, CC_CODE_FNEG, 32},
    LANES_ABOVE(8, 16),
    LANES_ABOVE(16, 8),
    LANES_ABOVE(32, 4),
    LANES_ABOVE(64, 2),
    LANES_ABOVE(8, 32),
    LANES_ABOVE(16, 16),
    LANES_ABOVE(32, 8),
    LANES_ABOVE(64, 4),
    {Iop_CmpF64, CC_CODE_FCMP},
    {Iop_CmpF32, CC_CODE_FCMP},
    VECTORS(Add, ADD, ),
    {Iop_Add64x2, CC_CODE_ADD, 64},
    VECTORS(Sub, SUB, ),
    {Iop_Sub64x2, CC_CODE_SUB, 64},
    VECTORS(Mul, MUL, ),
    VECTORS(Max, MAX, S),
    VECTORS(Max, MAX, U),
    VECTORS(Min, MIN, S),
    VECTORS(Min, MIN, U),
    WIDE(Add, ADD, ),
    {Iop_Add64x4, CC_CODE_ADD, 64},
    WIDE(Sub, SUB, ),
    {Iop_Sub64x4, CC_CODE_SUB, 64},
    {Iop_Mul16x16, CC_CODE_MUL, 16},
    {Iop_Mul32x8, CC_CODE_MUL, 32},
    WIDE(Max, MAX, S),
    WIDE(Max, MAX, U),
    WIDE(Min, MIN, S),
    WIDE(Min, MIN, U),
    NARROW(Add, ADD, ),
    {Iop_Add32x2, CC_CODE_ADD, 32},
    NARROW(Sub, SUB, ),
    {Iop_Sub32x2, CC_CODE_SUB, 32},
    NARROW(Mul, MUL, ),
    {Iop_Mul32x2, CC_CODE_MUL, 32},
    {Iop_Max64Sx2, CC_CODE_MAX, 64},
    {Iop_Max64Ux2, CC_CODE_MAX, 64},
    {Iop_Min64Sx2, CC_CODE_MIN, 64},
    {Iop_Min64Ux2, CC_CODE_MIN, 64},
    {Iop_AndV128, CC_CODE_AND, 8},
    {Iop_OrV128, CC_CODE_OR, 8},
    {Iop_XorV128, CC_CODE_XOR, 8},
    {Iop_NotV128, CC_CODE_NOT, 8},
    {Iop_AndV256, CC_CODE_AND, 8},
    {Iop_OrV256, CC_CODE_OR, 8},
    {Iop_XorV256, CC_CODE_XOR, 8},
    {Iop_NotV256, CC_CODE_NOT, 8},
};

/* Of the lowest part of a register; the rest is the first operand's. */
static const struct cc_vg_meaning low_meanings[] = {
    {Iop_Add64F0x2, CC_CODE_FADD, 64},   {Iop_Sub64F0x2, CC_CODE_FSUB, 64},
    {Iop_Mul64F0x2, CC_CODE_FMUL, 64},   {Iop_Max64F0x2, CC_CODE_FMAX, 64},
    {Iop_Min64F0x2, CC_CODE_FMIN, 64},   {Iop_Div64F0x2, CC_CODE_OTHER, 64},
    {Iop_Sqrt64F0x2, CC_CODE_OTHER, 64}, {Iop_Add32F0x4, CC_CODE_FADD, 32},
    {Iop_Sub32F0x4, CC_CODE_FSUB, 32},   {Iop_Mul32F0x4, CC_CODE_FMUL, 32},
    {Iop_Max32F0x4, CC_CODE_FMAX, 32},   {Iop_Min32F0x4, CC_CODE_FMIN, 32},
    {Iop_Div32F0x4, CC_CODE_OTHER, 32},  {Iop_Sqrt32F0x4, CC_CODE_OTHER, 32},
};

static const struct cc_vg_meaning *find(const struct cc_vg_meaning *in, UInt n, IROp op)
{
    for (UInt i = 0; i < n; i++)
        if (in[i].op == op)
            return &in[i];
    return NULL;
}

const struct cc_vg_meaning *cc_vg_meaning(IROp op)
{
    return find(meanings, sizeof meanings / sizeof *meanings, op);
}

const struct cc_vg_meaning *cc_vg_low_meaning(IROp op)
{
    return find(low_meanings, sizeof low_meanings / sizeof *low_meanings, op);
}
