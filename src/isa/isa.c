#include "isa.h"

/* How each decodes is decode.c's affair; here only whether. */
enum { CLASSES_NONE, CLASSES_HAND, CLASSES_X86, CLASSES_ARM64, CLASSES_ARM };

const struct cc_isa cc_isas[CC_ISAS] = {
#define CC_ISA(id, name, machine, bits, triplet, syscalls, classes, cpu)                          \
    [CC_ISA_##id] = {CC_ISA_##id,       machine, (bits) == 64, CLASSES_##classes != CLASSES_NONE, \
                     CC_SYS_##syscalls, name,    triplet,      cpu},
#include "isa.def"
#undef CC_ISA
};

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const struct cc_isa *cc_isa_of_machine(unsigned machine)
{
    for (size_t i = 0; i < CC_ISAS; i++)
        if (cc_isas[i].machine == machine)
            return &cc_isas[i];
    return NULL;
}

const struct cc_isa *cc_isa_named(const char *name)
{
    for (size_t i = 0; name && i < CC_ISAS; i++)
        if (same(cc_isas[i].name, name))
            return &cc_isas[i];
    return NULL;
}

const struct cc_isa *cc_isa_host(void)
{
#if defined(__x86_64__)
    return &cc_isas[CC_ISA_X86];
#elif defined(__aarch64__)
    return &cc_isas[CC_ISA_AARCH64];
#elif defined(__arm__)
    return &cc_isas[CC_ISA_ARM];
#elif defined(__riscv) && __riscv_xlen == 64
    return &cc_isas[CC_ISA_RISCV];
#else
    return NULL;
#endif
}

const struct cc_isa *cc_isa_of_elf(const uint8_t head[static CC_ISA_ELF_HEAD])
{
    enum { CLASS = 4, WIDE = 2, NARROW = 1, DATA = 5, LITTLE = 1, MACHINE = 18 };
    static const uint8_t magic[4] = {0x7f, 'E', 'L', 'F'};
    for (size_t i = 0; i < sizeof magic; i++)
        if (head[i] != magic[i])
            return NULL;
    const struct cc_isa *isa = cc_isa_of_machine(head[MACHINE] | (unsigned)head[MACHINE + 1] << 8);
    return isa && head[DATA] == LITTLE && head[CLASS] == (isa->wide ? WIDE : NARROW) ? isa : NULL;
}
