/* System calls as far as the engines care: which fill memory, which send it out, which change the map. */
#ifndef CC_ISA_SYSCALLS_H
#define CC_ISA_SYSCALLS_H

#include "isa.h"

enum cc_sys_kind {
    CC_SYS_IN_BUFFER,  /* (fd, buffer, …) -> bytes */
    CC_SYS_IN_VECTOR,  /* (fd, iovec, count) -> bytes */
    CC_SYS_IN_MESSAGE, /* (fd, msghdr) -> bytes */
    CC_SYS_IN_FIRST,   /* (buffer, …) -> bytes */
    CC_SYS_IN_OTHER,   /* fills something; only the name matters */
    CC_SYS_OUT_BUFFER,
    CC_SYS_OUT_VECTOR,
    CC_SYS_OUT_MESSAGE,
    CC_SYS_MMAP, /* offset in bytes, or in pages for mmap2 */
    CC_SYS_MUNMAP,
    CC_SYS_MREMAP,
    CC_SYS_EXEC,
    CC_SYS_SIGACTION,
    CC_SYS_FORK,
    CC_SYS_BRK,
};

struct cc_syscall {
    const char *name;
    enum cc_sys_kind kind;
    int16_t number[CC_SYS_COLUMNS]; /* -1: none */
};

const struct cc_syscall *cc_syscall(const struct cc_isa *isa, uint64_t number); /* NULL: not one we know */

#endif
