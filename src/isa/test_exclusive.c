/* Store-exclusive instructions, as the assemblers write them, and their neighbours. */
#include "isa/exclusive.h"
#include "tap.h"

static bool is(enum cc_isa_id isa, uint32_t i, bool thumb)
{
    const uint8_t bytes[] = {(uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16), (uint8_t)(i >> 24)};
    return cc_is_store_exclusive(isa, bytes, sizeof bytes, thumb);
}

struct word {
    const char *name;
    enum cc_isa_id isa;
    uint32_t code; /* as it lies in memory: Thumb's first half is the low one */
    bool thumb, exclusive;
};

static const struct word words[] = {
    {"stxr", CC_ISA_AARCH64, 0x88017c02, false, true},
    {"stlxrb", CC_ISA_AARCH64, 0x0801fc02, false, true},
    {"stxp of 64 bits", CC_ISA_AARCH64, 0xc8210c02, false, true},
    {"stlxp of 32 bits", CC_ISA_AARCH64, 0x88218c02, false, true},
    {"casp of 64 bits", CC_ISA_AARCH64, 0x48227c04, false, false},
    {"casp of 32 bits", CC_ISA_AARCH64, 0x08227c04, false, false},
    {"cas", CC_ISA_AARCH64, 0x88a17c02, false, false},
    {"stlr", CC_ISA_AARCH64, 0x889ffc01, false, false},
    {"ldxr", CC_ISA_AARCH64, 0x885f7c01, false, false},
    {"ldaxp", CC_ISA_AARCH64, 0xc87f8801, false, false},
    {"str", CC_ISA_AARCH64, 0xb9000001, false, false},
    {"swp", CC_ISA_AARCH64, 0xb8218002, false, false},
    {"strex", CC_ISA_ARM, 0xe1801f92, false, true},
    {"strexd", CC_ISA_ARM, 0xe1a04f92, false, true},
    {"stlex", CC_ISA_ARM, 0xe1801e92, false, true},
    {"stl", CC_ISA_ARM, 0xe180fc91, false, false},
    {"ldrex", CC_ISA_ARM, 0xe1901f9f, false, false},
    {"umaal", CC_ISA_ARM, 0xe0421493, false, false},
    {"strh", CC_ISA_ARM, 0xe1c010b0, false, false},
    {"ldr that Thumb would take for strex", CC_ISA_ARM, 0xe590e844, false, false},
    {"Thumb strex", CC_ISA_ARM, 0xe101e840, true, true},
    {"Thumb strexb", CC_ISA_ARM, 0x2f41e8c0, true, true},
    {"Thumb stlex", CC_ISA_ARM, 0x2fe1e8c0, true, true},
    {"Thumb stl", CC_ISA_ARM, 0x1fafe8c0, true, false},
    {"Thumb ldrex", CC_ISA_ARM, 0x1f00e850, true, false},
    {"Thumb strd", CC_ISA_ARM, 0x1200e9c0, true, false},
    {"Thumb tbb", CC_ISA_ARM, 0xf001e8d0, true, false},
    {"sc.w", CC_ISA_RISCV, 0x18b6252f, false, true},
    {"sc.d.aqrl", CC_ISA_RISCV, 0x1eb6352f, false, true},
    {"lr.w", CC_ISA_RISCV, 0x1006252f, false, false},
    {"amoadd.w", CC_ISA_RISCV, 0x00b6252f, false, false},
    {"amoswap.w", CC_ISA_RISCV, 0x08b6252f, false, false},
    {"sc", CC_ISA_MIPS, 0xe0410004, false, true},
    {"sc of release 6", CC_ISA_MIPS, 0x7c410226, false, true},
    {"ll", CC_ISA_MIPS, 0xc0410004, false, false},
    {"ll of release 6", CC_ISA_MIPS, 0x7c410236, false, false},
    {"sw", CC_ISA_MIPS, 0xac410004, false, false},
    {"x86 has none", CC_ISA_X86, 0x88017c02, false, false},
};

int main(void)
{
    static const uint8_t narrow[2] = {0x40, 0xe8};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        OK(is(words[i].isa, words[i].code, words[i].thumb) == words[i].exclusive, "%s", words[i].name);
    OK(!cc_is_store_exclusive(CC_ISA_ARM, narrow, sizeof narrow, true), "two bytes are never one");
    return TAP_DONE();
}
