/* The files of the engines, and whether what they run with is of a version they know. */
#ifndef CC_RUN_ENGINE_H
#define CC_RUN_ENGINE_H

#include "../base/err.h"

/* A file of ours, `what` it is for the message. *ret is owned. */
int cc_engine_file(const char *name, const char *what, char **ret, struct cc_err *err);

/* The valgrind engine of this machine, if it and what it needs of Valgrind's own files are there. */
int cc_engine_valgrind(char **ret, struct cc_err *err);

/* Why a QEMU that left no trace of our plugin did not load it: its version, by asking it. Sets the hint. */
void cc_engine_explain_qemu(const char *qemu, struct cc_err *err);

/* "QEMU emulator version 7.2.22 …", "qemu-aarch64 version 10.0.2 …": 7 and 2. False: no version in it. */
bool cc_engine_qemu_version(const char *text, int *major, int *minor);

#endif
