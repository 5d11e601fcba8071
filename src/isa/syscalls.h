/* System calls as far as the engines care (syscalls.def): which fill memory, send it out or change the map,
 * and which move a thread in simulated time. */
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
    CC_SYS_NONE,
};

/* What the simulator, where one thread at a time runs, does with the thread that calls. */
enum cc_sys_race {
    CC_RACE_HOLD, /* keeps its turn; the watchdog steps in if it sleeps long */
    CC_RACE_FUTEX,
    CC_RACE_SLEEP,
    CC_RACE_CLOCK_SLEEP,
    CC_RACE_READ,  /* waits in simulated time for a pipe; else: */
    CC_RACE_READS, /* leaves if poll says that reading would block */
    CC_RACE_WRITE,
    CC_RACE_WRITES, /* the same for writing */
    CC_RACE_LEAVE,
    CC_RACE_LOCKS, /* fcntl: leaves for the commands that wait */
    CC_RACE_CLONE,
    CC_RACE_FORK,
    CC_RACE_EXEC,
    CC_RACE_EXIT_GROUP,
    CC_RACE_YIELD,
    CC_RACE_CLOCK,
    CC_RACE_TIMEOFDAY,
    CC_RACE_TIME,
    CC_RACE_RANDOM,
    CC_RACE_AFFINITY,
    CC_RACE_CLOSE,
    CC_RACE_MAP,
    CC_RACE_UNMAP,
    CC_RACE_REMAP,
    CC_RACE_BREAK,
    CC_RACE_TID_ADDRESS,
    CC_RACE_KILL,
};

struct cc_syscall {
    const char *name;
    enum cc_sys_kind kind;
    enum cc_sys_race race;
    bool wide_times;                /* 64-bit times on 32-bit machines too */
    int16_t number[CC_SYS_COLUMNS]; /* -1: none */
};

const struct cc_syscall *cc_syscall(const struct cc_isa *isa, uint64_t number); /* NULL: not one we know */

#endif
