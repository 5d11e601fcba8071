/* The program that is to be run: where it is, what it is for, whether it may be run, and with what. */
#ifndef CC_RUN_TARGET_H
#define CC_RUN_TARGET_H

#include "../base/err.h"
#include "../isa/isa.h"

struct cc_target {
    char *named; /* as it was named, or found in PATH */
    char *path;  /* absolute, symbolic links resolved */
    const struct cc_isa *isa;
    bool big_too, big; /* may be, is big-endian: "mips", which only the simulator runs */
    bool firmware;
    bool is_host;      /* of this machine's ISA */
    char *interpreter; /* NULL: static */
};

/* `name` is looked up in PATH when it has no slash. CC_ENOT_FOUND or CC_ECANNOT_RUN. */
int cc_target_find(const char *name, struct cc_target *ret, struct cc_err *err);
/* The same for the simulator. */
int cc_target_find_simulated(const char *name, struct cc_target *ret, struct cc_err *err);
const char *cc_target_machine(const struct cc_target *t); /* its ISA's name, QEMU's too */
/* A file that an emulated machine starts with: not looked up, need not be executable. */
int cc_target_find_firmware(const char *path, struct cc_target *ret, struct cc_err *err);
void cc_target_fini(struct cc_target *t);

/* The QEMU that runs it; owned. */
int cc_target_emulator(const struct cc_target *t, char **ret, struct cc_err *err);
/* Where QEMU finds the libraries of a foreign program; owned, NULL if that need not be said. */
char *cc_target_sysroot(const struct cc_target *t);
/* QEMU's word for the processor; NULL: its own choice, or QEMU_CPU says. */
const char *cc_target_cpu(const struct cc_target *t);
/* Room for as large a stack as the limits allow the program, bounded where there is no limit; `later`: or as
 * they will if it raises its own. */
uint64_t cc_target_stack(const struct cc_target *t, bool later);
/* QEMU's word for that, behind its `-s`; owned, NULL if that need not be said. */
char *cc_target_stack_word(const struct cc_target *t);
/* QEMU's word for a plugin and one argument of it; owned. */
char *cc_target_plugin(const char *file, const char *name, const char *value);

#endif
