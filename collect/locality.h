/* Locality, on request: which lines each function touches and how far apart, and a trace of the lines that
 * caches would notice (locality_record.h). Each thread is looked at as if it were alone. */
#ifndef CC_COLLECT_LOCALITY_H
#define CC_COLLECT_LOCALITY_H

#include "collect.h"
#include "data.h"
#include "../src/isa/exclusive.h"

struct cc_locality; /* of one thread */

void cc_locality_thread_init(struct cc_thread *t);
/* [a, a + size) is read or written; `raw` is the thread's own count of instructions, as in cc_mark. */
void cc_locality_access(struct cc_thread *t, uint64_t raw, uint64_t a, uint32_t size, enum cc_line_kind kind);
/* What an instruction's access is; one that loads and stores in one is told by its load alone, which may be
 * all there is. CC_LINE_KINDS: nothing. */
static inline enum cc_line_kind cc_line_kind(enum cc_atomic atomic, bool write)
{
    if (atomic == CC_ATOMIC_UPDATE)
        return write ? CC_LINE_KINDS : CC_LINE_ATOMIC;
    return !write ? CC_LINE_LOAD : atomic ? CC_LINE_ATOMIC : CC_LINE_STORE;
}
void cc_locality_boundary(struct cc_thread *t); /* a task begins or ends */
void cc_locality_flush(struct cc_thread *t);    /* the trace, to the file of task events */
void cc_locality_forget(struct cc_thread *t);   /* a forked child starts to count anew */
void cc_locality_write(struct cc_collect *c, const struct cc_data_writer *w);

#endif
