/* Which atomics only add, and leave nothing that anybody looks at. */
#include "../../tests/tap.h"
#include "race.h"

static bool alone(enum cc_isa_id isa, const char *first, size_t size, const char *then, size_t more)
{
    const struct code v[2] = {{(const uint8_t *)first, size}, {(const uint8_t *)then, more}};
    return sums_alone(isa, v, more ? 2 : 1);
}
#define X86(first, then) alone(CC_ISA_X86, first, sizeof first - 1, then, sizeof then - 1)
#define WORD(isa, word) alone(isa, (const char *)&(uint32_t){word}, 4, "", 0)

#define LOCK_ADD "\xf0\x83\x04\x87\x01"
int main(void)
{
    OK(X86(LOCK_ADD, "\x48\x39\xc2") && X86("\xf0\x48\x01\x07", "\x83\xc2\x04") &&
           X86("\xf0\xff\x07", "\xc3") && X86("\xf0\x66\x83\x2f\x01", "\x85\xc0") &&
           X86("\xf0\xfe\x0f", "\xe8\0\0\0\0"),
       "lock add, inc, sub, dec before a comparison, a test, a call or a return");
    OK(!X86(LOCK_ADD, "\x74\x05") && !X86(LOCK_ADD, "\x0f\x94\xc0") && !X86(LOCK_ADD, "\x11\xc0") &&
           !X86(LOCK_ADD, "\x83\xd0\x00"),
       "not where the flags are looked at");
    OK(!X86(LOCK_ADD, "\x8b\x07") && !X86(LOCK_ADD, ""), "nor where it is not known whether they are");
    const struct code v[] = {
        {(const uint8_t *)LOCK_ADD, 5}, {(const uint8_t *)"\x8b\x07", 2}, {(const uint8_t *)"\x39\xc2", 2}};
    OK(sums_alone(CC_ISA_X86, v, 3) && !sums_alone(CC_ISA_X86, v, 0), "a move in between keeps them");
    OK(!X86("\xf0\x0f\xc1\x07", "\x39\xc2") && !X86("\x83\x07\x01", "\x39\xc2") &&
           !X86("\xf0\x09\x07", "\x39\xc2") && !X86("\xf0\x0f\xb1\x37", "\x39\xc2") &&
           !X86("\x87\x07", "\x39\xc2") && !X86("\xf0\x83\x0c\x24\0", "\x39\xc2"),
       "not xadd, an add without lock, or, cmpxchg, xchg");
    OK(WORD(CC_ISA_AARCH64, 0xb821001f) && WORD(CC_ISA_AARCH64, 0xf861001f) &&
           !WORD(CC_ISA_AARCH64, 0xb8210002) && !WORD(CC_ISA_AARCH64, 0xb8e1001f) &&
           !WORD(CC_ISA_AARCH64, 0xb821301f),
       "stadd, staddl; not ldadd, one that acquires, stset");
    OK(WORD(CC_ISA_RISCV, 0x00b5202f) && WORD(CC_ISA_RISCV, 0x06b5302f) && !WORD(CC_ISA_RISCV, 0x00b525af) &&
           !WORD(CC_ISA_RISCV, 0x08b5202f) && !WORD(CC_ISA_ARM, 0x00b5202f),
       "amoadd without a result; not with one, nor amoswap");
    return TAP_DONE();
}
