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

static const struct {
    const char *name;
    enum cc_isa_id isa;
    size_t size;
    uint8_t code[8];
    enum cc_atomic is;
} atomics[] = {
    {"lock add %eax,(%rax)", CC_ISA_X86, 3, {0xf0, 0x01, 0x00}, CC_ATOMIC_UPDATE},
    {"lock xadd %ax,(%rax)", CC_ISA_X86, 5, {0x66, 0xf0, 0x0f, 0xc1, 0x00}, CC_ATOMIC_UPDATE},
    {"lock cmpxchg %rcx,(%rax)", CC_ISA_X86, 5, {0xf0, 0x48, 0x0f, 0xb1, 0x08}, CC_ATOMIC_UPDATE},
    {"add %eax,(%rax)", CC_ISA_X86, 2, {0x01, 0x00}, CC_ATOMIC_NONE},
    {"mov $0xf0,%al", CC_ISA_X86, 2, {0xb0, 0xf0}, CC_ATOMIC_NONE},
    {"xchg %rax,(%rcx)", CC_ISA_X86, 3, {0x48, 0x87, 0x01}, CC_ATOMIC_UPDATE},
    {"xchg %al,(%rcx)", CC_ISA_X86, 2, {0x86, 0x01}, CC_ATOMIC_UPDATE},
    {"xchg %rax,%rcx", CC_ISA_X86, 3, {0x48, 0x87, 0xc1}, CC_ATOMIC_NONE},
    {"ldadd w0, w1, [x2]", CC_ISA_AARCH64, 4, {0x41, 0x00, 0x20, 0xb8}, CC_ATOMIC_UPDATE},
    {"swpal x0, x1, [x2]", CC_ISA_AARCH64, 4, {0x41, 0x80, 0xe0, 0xf8}, CC_ATOMIC_UPDATE},
    {"casal w0, w1, [x2]", CC_ISA_AARCH64, 4, {0x41, 0xfc, 0xe0, 0x88}, CC_ATOMIC_UPDATE},
    {"ldaprb w0, [x1]", CC_ISA_AARCH64, 4, {0x20, 0xc0, 0xbf, 0x38}, CC_ATOMIC_NONE},
    {"ldr x0, [x1]", CC_ISA_AARCH64, 4, {0x20, 0x00, 0x40, 0xf9}, CC_ATOMIC_NONE},
    {"stxr w3, w0, [x2]", CC_ISA_AARCH64, 4, {0x40, 0x7c, 0x03, 0x88}, CC_ATOMIC_STORE},
    {"amoadd.w", CC_ISA_RISCV, 4, {0x2f, 0x25, 0xb6, 0x00}, CC_ATOMIC_UPDATE},
    {"lr.w", CC_ISA_RISCV, 4, {0x2f, 0x25, 0x06, 0x10}, CC_ATOMIC_NONE},
    {"sc.w", CC_ISA_RISCV, 4, {0x2f, 0x25, 0xb6, 0x18}, CC_ATOMIC_STORE},
};

int main(void)
{
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++)
        OK(cc_atomic_of(atomics[i].isa, atomics[i].code, atomics[i].size, false) == atomics[i].is, "%s",
           atomics[i].name);
    static const uint8_t narrow[2] = {0x40, 0xe8};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        OK(is(words[i].isa, words[i].code, words[i].thumb) == words[i].exclusive, "%s", words[i].name);
    OK(!cc_is_store_exclusive(CC_ISA_ARM, narrow, sizeof narrow, true), "two bytes are never one");
    return TAP_DONE();
}
