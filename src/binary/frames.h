/* What .eh_frame and the tables of exceptions say of a file's code. Both survive stripping. */
#ifndef CC_BINARY_FRAMES_H
#define CC_BINARY_FRAMES_H

#include "code.h"

#include <gelf.h>

struct cc_frame_entry { /* a function or a moved part of one */
    uint64_t from, to;
};

/* Calls `frame` for each entry that can be understood, and `landing` for each call with a landing pad. */
void cc_frames_read(Elf *elf, void (*frame)(void *self, const struct cc_frame_entry *),
                    void (*landing)(void *self, const struct cc_landing *), void *self);

#endif
