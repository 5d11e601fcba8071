/* System calls as far as the engines care (syscalls.def): which fill memory, send it out or change the map,
 * and which move a thread in simulated time. */
#ifndef CC_ISA_SYSCALLS_H
#define CC_ISA_SYSCALLS_H

#include "isa.h"

enum cc_sys_kind {
    CC_SYS_RECEIVE,     /* fills memory with what comes from the file of its first argument */
    CC_SYS_OUT_BUFFER,  /* (fd, buffer, …) -> bytes */
    CC_SYS_OUT_VECTOR,  /* (fd, iovec, count) -> bytes */
    CC_SYS_OUT_MESSAGE, /* (fd, msghdr) -> bytes; OUT_MESSAGES: (fd, mmsghdrs, …) -> how many of them */
    CC_SYS_OUT_MESSAGES,
    CC_SYS_OUT_WHOLE, /* (queue, buffer, bytes): all of it; OUT_MSGBUF: behind a long */
    CC_SYS_OUT_MSGBUF,
    CC_SYS_OUT_EVENTS, /* tells which requests are over, some of which sent something */
    CC_SYS_MMAP,       /* offset in bytes, or in pages for mmap2 */
    CC_SYS_MUNMAP,
    CC_SYS_MREMAP,
    CC_SYS_EXEC,
    CC_SYS_SIGACTION,
    CC_SYS_FORK,
    CC_SYS_BRK,
    CC_SYS_MADVISE,
    CC_SYS_SHMAT, /* (segment, address, flags) -> where it is; SHMDT: (address) */
    CC_SYS_SHMDT,
    CC_SYS_RING_SETUP, /* (entries, parameters) -> a ring of requests; RING_ENTER: (ring, how many) */
    CC_SYS_RING_ENTER,
    CC_SYS_IPC,      /* (which of these calls, …): see cc_syscall_enter */
    CC_SYS_RESTRICT, /* from then on the process may do less: other rights, another root, limits */
    CC_SYS_LIMIT,    /* the same: (resource, new) */
    CC_SYS_PRLIMIT,  /* the same if there is something new: (process, resource, new, old) */
    CC_SYS_SECCOMP,  /* the same: (what, flags, filter) */
    CC_SYS_PRCTL,    /* the same for PR_SET_SECCOMP: (option, what, filter) */
    CC_SYS_KILL,     /* may be the process's end */
    CC_SYS_NONE,
};

/* What is filled, as syscalls.def explains. */
enum cc_fill_how {
    CC_FILL_NOTHING,
    CC_FILL_STRUCT,
    CC_FILL_CHILD,
    CC_FILL_LEFT,
    CC_FILL_RESULT,
    CC_FILL_UP_TO,
    CC_FILL_COUNT,
    CC_FILL_LENGTH,
    CC_FILL_BITS,
    CC_FILL_PAGES,
    CC_FILL_REVENTS,
    CC_FILL_VECTOR,
    CC_FILL_MESSAGE,
    CC_FILL_MESSAGES,
    CC_FILL_SENT,
    CC_FILL_MSGBUF,
    CC_FILL_HANDLE,
    CC_FILL_EVENTS,
    CC_FILL_SPLICED,
    CC_FILL_REMOTE,
    CC_FILL_FUTEX,
    CC_FILL_IOCTL, /* from here on: depends on a request, of which we do not know all */
    CC_FILL_FCNTL,
    CC_FILL_PRCTL,
    CC_FILL_CLONE,
    CC_FILL_CLONE3,
    CC_FILL_IPC,
    CC_FILL_KEY,
};

enum cc_struct {
#define CC_STRUCT(name, ...) CC_STRUCT_##name,
#include "structs.def"
#undef CC_STRUCT
    CC_STRUCTS
};

struct cc_fill {
    uint8_t how;      /* enum cc_fill_how */
    uint8_t argument; /* where it is */
    uint8_t by;       /* the argument that tells how much */
    uint8_t what;     /* enum cc_struct: what it is, or its elements */
};
enum { CC_FILLS = 4 };

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
    struct cc_fill fills[CC_FILLS]; /* up to the first that is CC_FILL_NOTHING */
};

const struct cc_syscall *cc_syscall(const struct cc_isa *isa, uint64_t number); /* NULL: not one we know */
unsigned cc_struct_size(const struct cc_isa *isa, enum cc_struct what);

#endif
