/* The program to be recorded: where it is, and what machine it is for. */
#ifndef CC_RUN_TARGET_H
#define CC_RUN_TARGET_H

#include "../base/err.h"
#include "../isa/isa.h"

struct cc_target {
    char *path; /* absolute, symbolic links resolved */
    const struct cc_isa *isa;
    bool is_host;      /* of this machine's ISA */
    char *interpreter; /* NULL: static */
    int status;        /* on failure: 126 found but cannot be run, 127 not found, as env(1); else 125 */
};

/* `name` is looked up in PATH when it has no slash. */
int cc_target_find(const char *name, struct cc_target *ret, struct cc_err *err);
void cc_target_fini(struct cc_target *t);

/* QEMU's word for a plugin and one argument of it; owned. */
char *cc_target_plugin(const char *file, const char *name, const char *value);

#endif
