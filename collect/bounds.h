/* Where functions begin and end by what unwinding needs (.eh_frame), which stripping leaves. */
#ifndef CC_COLLECT_BOUNDS_H
#define CC_COLLECT_BOUNDS_H

#include "elf.h"

struct cc_bound {
    uint64_t start, size; /* in the file's addresses; size > 0 */
    bool part;            /* a part that the compiler moved away from its function, which is not known */
};

typedef void cc_bound_fn(void *self, const struct cc_bound *b);

/* Calls `fn` for each function of the file's .eh_frame, as long as that makes sense. */
void cc_bounds_read(const struct cc_elf *e, cc_bound_fn *fn, void *self);

#endif
