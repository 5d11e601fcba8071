/* Registers of the emulated program that tell of calls: arguments, result, stack pointer, where it returns
 * to.
 *
 * From version 2 of its interface on, QEMU tells registers by their names. Where it does not, they are taken
 * from its state of the CPU: when a block of code begins all registers are there, and generated code calls us
 * with a pointer to it in a host register that it never gives up (CC_FROM_CODE). Where each lies there is the
 * start of a structure that has not moved in ten years; every system call, whose arguments QEMU does tell,
 * proves it again. One that does not agree ends it: then nothing is known. */
#ifndef CC_ENGINES_QEMU_REGISTERS_H
#define CC_ENGINES_QEMU_REGISTERS_H

#include "plugin.h"
#include "../../src/isa/isa.h"

enum cc_register {
    CC_REG_ARG, /* the first of three */
    CC_REG_RESULT = 3,
    CC_REG_SP,
    CC_REG_BACK, /* where a call returns to; x86 has it on the stack */
    CC_REGS
};

struct cc_register_layout;

/* Of the run. All zero: no registers. */
struct cc_register_map {
    const struct cc_register_layout *layout;
    unsigned proofs; /* system calls that agreed */
    bool refuted;
};

/* Of a vCPU. All zero: none known yet. */
struct cc_registers {
    const void *state;                             /* QEMU's, or NULL */
    struct qemu_plugin_register *by_name[CC_REGS]; /* instead */
    struct qemu_plugin_array *value;
    struct qemu_plugin_register **general; /* aarch64's x0 to x30; NULL: cannot be asked for */
};

/* The entry `name`, which translated code calls, hands on what it gets and the CPU's state as a third
 * argument to `to`. Where it is not known which host register has that, the third argument is none. */
#if defined __aarch64__
#define CC_FROM_CODE(name, to) \
    __asm__(".text\n.globl " #name "\n.hidden " #name "\n" #name ": mov x2, x19\n b " #to "\n")
#define CC_STATE_OF(argument) (argument)
#elif defined __x86_64__
#define CC_FROM_CODE(name, to) \
    __asm__(".text\n.globl " #name "\n.hidden " #name "\n" #name ": mov %rbp, %rdx\n jmp " #to "\n")
#define CC_STATE_OF(argument) (argument)
#else
#define CC_FROM_CODE(name, to) __asm__(".globl " #name "\n.hidden " #name "\n.set " #name ", " #to "\n")
#define CC_STATE_OF(argument) ((void)(argument), (const void *)0)
#endif

void cc_register_map_init(struct cc_register_map *m, const struct cc_isa *isa);
/* In the callback of a vCPU that starts. */
void cc_registers_open(const struct cc_register_map *m, struct cc_registers *r);
/* What a system call gets. */
void cc_registers_prove(struct cc_register_map *m, const struct cc_registers *r, const uint64_t args[4]);
bool cc_registers_proven(const struct cc_register_map *m); /* or refuted: no call says more */
bool cc_registers_known(const struct cc_register_map *m, const struct cc_registers *r);

/* Only when they are known, and in callbacks at the start of a block that were registered with CC_REGS_FLAG.
 */
#define CC_REGS_FLAG QEMU_PLUGIN_CB_R_REGS
uint64_t cc_register_get(const struct cc_register_map *m, const struct cc_registers *r,
                         enum cc_register which);
/* x0 to x30 of aarch64, 31 is zero; anywhere, with that flag. Only if r->general. */
uint64_t cc_register_general(const struct cc_registers *r, unsigned number);
/* The same, or at the start of a block what is in QEMU's state, 31 is the stack pointer; false: not known. */
bool cc_register_number(const struct cc_register_map *m, const struct cc_registers *r, unsigned number,
                        uint64_t *ret);
bool cc_register_back_on_stack(const struct cc_register_map *m);

#endif
