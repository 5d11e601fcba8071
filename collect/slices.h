/* What functions read and wrote in each slice of time, packed: with thousands of functions there are a
 * million of them. Sorted by slice, then function. */
#ifndef CC_COLLECT_SLICES_H
#define CC_COLLECT_SLICES_H

#include "record.h"

#include <stdbool.h>
#include <stddef.h>

struct cc_collect;

struct cc_slices {
    uint8_t *bytes;
    size_t n, cap;
    uint32_t slice, function; /* of the last one */
};

/* One of them, and where the next is: begin with {.slices = s} and go to the first. */
struct cc_slice_reader {
    const struct cc_slices *slices;
    size_t at;
    struct cc_rec_slice entry;
    bool over;
};

void cc_slices_add(struct cc_collect *c, struct cc_slices *s, const struct cc_rec_slice *entry);
void cc_slices_next(struct cc_slice_reader *r);
void cc_slices_halve(struct cc_collect *c, struct cc_slices *s); /* two slices become one */

#endif
