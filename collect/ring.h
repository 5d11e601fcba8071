/* Rings of requests that a program shares with the kernel (io_uring): what is read and written for it goes
 * into memory that no system call names. */
#ifndef CC_COLLECT_RING_H
#define CC_COLLECT_RING_H

#include "transfer.h"

/* A ring has been made, or a part of it mapped; a call hands requests over. */
void cc_ring_made(struct cc_collect *c, const struct cc_call *call, int64_t fd);
void cc_ring_mapped(struct cc_collect *c, const struct cc_call *call, uint64_t at);
/* What was mapped there is no ring's any more. */
void cc_ring_unmapped(struct cc_collect *c, uint64_t at, uint64_t size);
void cc_ring_submit(struct cc_collect *c, const struct cc_call *call);

/* What is over by now: looked at after every call, since the kernel tells nobody. */
void cc_ring_look(struct cc_thread *t, cc_source_of *source);

#endif
