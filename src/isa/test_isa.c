/* The table of instruction sets agrees with ELF's names, with this machine and with itself. */
#include "isa/isa.h"
#include "tap.h"

#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

static void test_table(void)
{
    static const uint16_t machines[CC_ISAS] = {[CC_ISA_X86] = EM_X86_64,
                                               [CC_ISA_AARCH64] = EM_AARCH64,
                                               [CC_ISA_ARM] = EM_ARM,
                                               [CC_ISA_RISCV] = EM_RISCV,
                                               [CC_ISA_MIPS] = EM_MIPS};
    for (size_t i = 0; i < CC_ISAS; i++) {
        const struct cc_isa *isa = &cc_isas[i];
        OK(isa->id == i && isa->machine == machines[i] && cc_isa_of_machine(machines[i]) == isa &&
               cc_isa_named(isa->name) == isa,
           "%s is found by its name and its ELF machine", isa->name);
        OK(!isa->cpu || isa->classes, "%s: what can be firmware can be simulated", isa->name);
    }
    OK(!cc_isa_of_machine(EM_NONE) && !cc_isa_named("vax") && !cc_isa_named("arm64") && !cc_isa_named("ar") &&
           !cc_isa_named(NULL),
       "others are not known");
}

static void test_elf(void)
{
    for (size_t i = 0; i < CC_ISAS; i++) {
        const struct cc_isa *isa = &cc_isas[i];
        Elf64_Ehdr h = {.e_machine = isa->machine}; /* as far as it is read, both classes are the same */
        uint8_t head[sizeof h];
        memcpy(h.e_ident, ELFMAG, SELFMAG);
        h.e_ident[EI_CLASS] = isa->wide ? ELFCLASS64 : ELFCLASS32;
        h.e_ident[EI_DATA] = ELFDATA2LSB;
        memcpy(head, &h, sizeof h);
        bool found = cc_isa_of_elf(head) == isa;
        head[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
        bool other_class = cc_isa_of_elf(head) != NULL;
        head[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
        head[EI_DATA] = ELFDATA2MSB;
        bool big = cc_isa_of_elf(head) != NULL;
        head[EI_DATA] = ELFDATA2LSB;
        head[1] = 'e';
        OK(found && !other_class && !big && !cc_isa_of_elf(head),
           "%s: a file of another class or byte order, or no ELF file, is none of its", isa->name);
    }
}

static void test_host(void)
{
    struct utsname u;
    const struct cc_isa *host = cc_isa_host();
    uname(&u);
    OK(host && strcmp(host->name, u.machine) == 0, "this machine is '%s'", u.machine);
}

int main(void)
{
    test_table();
    test_elf();
    test_host();
    return TAP_DONE();
}
