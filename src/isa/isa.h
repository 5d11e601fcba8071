/* The instruction sets Corecast knows (isa.def). Plain tables and no libc, so that engines share them. */
#ifndef CC_ISA_ISA_H
#define CC_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cc_isa_id {
#define CC_ISA(id, ...) CC_ISA_##id,
#include "isa.def"
#undef CC_ISA
    CC_ISAS
};

/* Whose numbers a system call has: of most, of those that are older than that agreement. */
enum cc_sys_column { CC_SYS_GENERIC, CC_SYS_X86, CC_SYS_ARM, CC_SYS_MIPS, CC_SYS_COLUMNS };

struct cc_isa {
    enum cc_isa_id id;
    uint16_t machine; /* ELF e_machine */
    bool wide;        /* 64-bit addresses */
    bool classes;     /* instructions can be told apart: they have classes */
    enum cc_sys_column syscalls;
    const char *name;    /* in reports; qemu-NAME, qemu-system-NAME */
    const char *triplet; /* Debian's, for the libraries of foreign programs */
    const char *cpu;     /* for firmware; NULL: none is simulated */
};

extern const struct cc_isa cc_isas[CC_ISAS];

/* Each NULL where there is none. */
const struct cc_isa *cc_isa_of_machine(unsigned machine); /* ELF's e_machine */
const struct cc_isa *cc_isa_named(const char *name);      /* NULL is no name */
const struct cc_isa *cc_isa_host(void);                   /* what this was compiled for */

/* That of an ELF file by its first bytes: machine, class and byte order agree. */
enum { CC_ISA_ELF_HEAD = 20 };
const struct cc_isa *cc_isa_of_elf(const uint8_t head[static CC_ISA_ELF_HEAD]);

#endif
