/* Which code of a static program is that of the run-time libraries (C, C++, the compiler's) and not the
 * program's own. */
#ifndef CC_BINARY_RUNTIME_H
#define CC_BINARY_RUNTIME_H

#include "../base/err.h"

struct cc_code_range { /* [start, end) in the file's addresses */
    uint64_t start, end;
};

/* Sorted and disjoint; owned by the caller. A file that cannot be read or has no symbols has none: nothing is
 * known then. README.md says how it is decided. */
size_t cc_runtime_code(const char *path, struct cc_code_range **ret);

/* A function that C and C++ reserve for, or that is offered by, the run-time libraries; `name` as in the
 * symbol table. */
bool cc_runtime_name(const char *name);

#endif
