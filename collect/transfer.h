/* What a system call moves into and out of the program's memory. */
#ifndef CC_COLLECT_TRANSFER_H
#define CC_COLLECT_TRANSFER_H

#include "collect.h"
#include "../src/isa/syscalls.h"

/* After the call: `result` bytes went through. Guest memory is at `base` + its address; pointers have 8 bytes
 * if wide. */
void cc_syscall_output(struct cc_thread *t, const struct cc_syscall *s, const uint64_t *args, int64_t result,
                       uint64_t base, bool wide);
void cc_syscall_input(struct cc_thread *t, const struct cc_syscall *s, const uint64_t *args, int64_t result,
                      uint64_t base, bool wide, uint32_t source);

#endif
