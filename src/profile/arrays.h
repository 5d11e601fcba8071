/* Records that a profile keeps as they are, as arrays in chunks: time lines, frames, flows, slices, code. One
 * place says what each may hold, for the import and for the reader. */
#ifndef CC_PROFILE_ARRAYS_H
#define CC_PROFILE_ARRAYS_H

#include "../../collect/record.h"
#include "../base/err.h"

/* How many there are of what an item may refer to; `items`: of the array itself, so far. */
struct cc_limits {
    size_t functions, threads, regions, scopes, frames, blocks, items;
};

struct cc_array {
    enum cc_rec_tag tag;
    const char *stream;
    size_t size; /* of an item; of CC_REC_BLOCK: without its code, which follows, padded to 8 bytes */
};

enum { CC_ARRAYS = 8 };
extern const struct cc_array cc_arrays[CC_ARRAYS]; /* frames and blocks before what refers to them */

const struct cc_array *cc_array_of(enum cc_rec_tag tag); /* NULL: not kept as an array */
/* Whether the item at `item` of `left` bytes is sound; *ret_size is set to the bytes it takes in the array.
 */
bool cc_array_fits(const struct cc_array *a, const struct cc_limits *l, const void *item, size_t left,
                   size_t *ret_size);
/* Group of a level: an id below n, or a special node. */
bool cc_group_fits(uint32_t id, size_t n);

#endif
