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
