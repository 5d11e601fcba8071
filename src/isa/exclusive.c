#include "exclusive.h"

static uint32_t half(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

/* stxr, stlxr and their bytes and halves; stxp, stlxp. casp has the bits of a pair in a size that pairs lack.
 */
static bool aarch64(uint32_t i)
{
    enum { PAIR = 1 << 21 };
    return (i & 0x3fc00000) == 0x08000000 && (!(i & PAIR) || i >> 31);
}

static bool arm(uint32_t i, bool thumb)
{
    if (thumb) { /* the first half is the low one */
        uint32_t t = i << 16 | i >> 16;
        return (t & 0xfff00000) == 0xe8400000 || /* strex */
               (t & 0xfff00040) == 0xe8c00040;   /* strexb, strexh, strexd; stlex… */
    }
    return (i & 0x0f900ef0) == 0x01800e90; /* strex…, stlex… */
}

static bool mips(uint32_t i)
{
    enum { SC = 0x38, SCD = 0x3c, SPECIAL3 = 0x1f, SC_R6 = 0x26, SCE = 0x1e };
    uint32_t op = i >> 26, function = i & 0x3f;
    return op == SC || op == SCD || (op == SPECIAL3 && (function == SC_R6 || function == SCE));
}

bool cc_is_store_exclusive(enum cc_isa_id isa, const uint8_t *bytes, size_t size, bool thumb)
{
    if (size != 4)
        return false;
    uint32_t i = half(bytes) | half(bytes + 2) << 16;
    switch (isa) {
    case CC_ISA_AARCH64:
        return aarch64(i);
    case CC_ISA_ARM:
        return arm(i, thumb);
    case CC_ISA_RISCV: /* sc.w, sc.d */
        return (i & 0xf800007f) == 0x1800002f;
    case CC_ISA_MIPS:
        return mips(i);
    default:
        return false;
    }
}

/* ARMv8.1's, as costs.def has them. */
static bool updates_aarch64(uint32_t i)
{
    bool ldapr = (i & 0x3fe0fc00) == 0x38a0c000;
    return (!ldapr && (i & 0x3f200c00) == 0x38200000) || /* ldadd and its kin, swp */
           (i & 0x3fa07c00) == 0x08a07c00 ||             /* cas */
           (i & 0xbfa07c00) == 0x08207c00;               /* casp */
}

static bool updates_riscv(uint32_t i)
{
    enum { AMO = 0x2f, LR = 2, SC = 3 };
    return (i & 0x7f) == AMO && i >> 27 != LR && i >> 27 != SC;
}

/* Behind a lock, and exchanges with memory. */
static bool updates_x86(const uint8_t *code, size_t size)
{
    static const uint8_t prefixes[] = {0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65};
    enum { LOCK = 0xf0, REX = 0x40, XCHG = 0x86, REGISTERS = 3 };
    size_t i = 0;
    for (; i < size && code[i] != LOCK; i++) {
        bool prefix = false;
        for (size_t k = 0; k < sizeof prefixes; k++)
            prefix |= code[i] == prefixes[k];
        if (!prefix)
            break;
    }
    if (i < size && code[i] == LOCK)
        return true;
    i += i < size && (code[i] & 0xf0) == REX;
    return i + 1 < size && (code[i] & 0xfe) == XCHG && code[i + 1] >> 6 != REGISTERS;
}

enum cc_atomic cc_atomic_of(enum cc_isa_id isa, const uint8_t *bytes, size_t size, bool thumb)
{
    if (cc_is_store_exclusive(isa, bytes, size, thumb))
        return CC_ATOMIC_STORE;
    bool update = false;
    if (isa == CC_ISA_X86)
        update = updates_x86(bytes, size);
    else if (size == 4 && isa == CC_ISA_AARCH64)
        update = updates_aarch64(half(bytes) | half(bytes + 2) << 16);
    else if (size == 4 && isa == CC_ISA_RISCV)
        update = updates_riscv(half(bytes) | half(bytes + 2) << 16);
    return update ? CC_ATOMIC_UPDATE : CC_ATOMIC_NONE;
}
