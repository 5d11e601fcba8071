/* What blocks are called: which of the calls that led to their allocation tells them apart. */
#ifndef CC_PROFILE_ALLOCATION_H
#define CC_PROFILE_ALLOCATION_H

#include "../base/arena.h"
#include "../binary/lines.h"

struct cc_allocation_call {
    const char *path;    /* of the file; NULL: nobody's */
    uint64_t returns_to; /* an address of that file */
};

struct cc_allocation_name {
    struct cc_line_place at;
    const char *function; /* that was inlined, and has the line; NULL: that of the call */
    size_t call;          /* which of the calls it is, 0 the innermost */
    const char *where;    /* "mesh.c:10", "mesh.c:10 for main.c:5"; NULL: unknown */
};

struct cc_allocations;

struct cc_allocations *cc_allocations_new(struct cc_lines *lines); /* borrowed */
void cc_allocations_free(struct cc_allocations *a);
/* calls: from the inside out; paths are borrowed. Returns its number: 0, 1, 2, … */
size_t cc_allocations_add(struct cc_allocations *a, const struct cc_allocation_call *calls, size_t n);
/* Add all before the first is asked for. Texts live as long as `a` and the lines. */
const struct cc_allocation_name *cc_allocations_name(struct cc_allocations *a, size_t number);

#endif
