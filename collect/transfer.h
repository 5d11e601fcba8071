/* What a system call moves into and out of the program's memory. */
#ifndef CC_COLLECT_TRANSFER_H
#define CC_COLLECT_TRANSFER_H

#include "collect.h"
#include "../src/isa/syscalls.h"

/* A call that is under way. */
struct cc_call {
    const struct cc_syscall *s; /* NULL: none that we know */
    const struct cc_isa *isa;
    uint64_t args[8];
    uint32_t room; /* what the length told that the call will change (LENGTH, MESSAGE) */
    uint64_t told; /* where shmat puts the address of what it attaches; 0: it returns that */
};

/* Before the call: s, isa and args are set. They become those of the call itself where one call stands for
 * several. */
void cc_syscall_enter(struct cc_collect *c, struct cc_call *call);

/* Whether the process may do less once it was made: our files had better be open then. */
bool cc_syscall_restricts(const struct cc_call *call);

/* After it. A result from -4095 to -1 is an error. */
void cc_syscall_output(struct cc_thread *t, const struct cc_call *call, int64_t result);

/* After it, and after what else the engine does when the map changes: memory that is shared, and such that
 * its program gives back without unmapping it. */
void cc_syscall_mapped(struct cc_collect *c, const struct cc_call *call, int64_t result);

/* Where a segment of shared memory is that has been attached. */
uint64_t cc_syscall_attached(struct cc_collect *c, const struct cc_call *call, int64_t result);

/* The source is asked for once something has been filled. */
typedef uint32_t cc_source_of(const struct cc_call *call);
void cc_syscall_input(struct cc_thread *t, const struct cc_call *call, int64_t result, cc_source_of *source);

#endif
