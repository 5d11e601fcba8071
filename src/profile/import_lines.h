/* From blocks of code to lines of source, while records are imported. */
#ifndef CC_PROFILE_IMPORT_LINES_H
#define CC_PROFILE_IMPORT_LINES_H

#include "writer.h"
#include "../base/map.h"
#include "../binary/lines.h"

struct cc_lines_import {
    struct cc_lines *lines;
    uint32_t last_binary;
    struct cc_strmap files; /* folder and path -> 1 + id */
    struct cc_map known;    /* a file's name as a pointer -> 1 + id */
    CC_VEC(struct cc_rec_line) block;
    CC_VEC(struct cc_pfile) found; /* files, by id */
};

void cc_lines_import_init(struct cc_lines_import *x, struct cc_symbols *symbols);
void cc_lines_import_fini(struct cc_lines_import *x);
/* A block of code; insns: b->instructions of struct cc_rec_insn, anywhere in memory. p has the binaries and
 * functions. */
void cc_lines_take(struct cc_lines_import *x, const struct cc_rec_block *b, const void *insns,
                   struct cc_profile *p, struct cc_writer *out);
/* The file an address as executed lies in; of files that were loaded there one after the other, the last.
 * CC_NONE: none. */
uint32_t cc_lines_binary(struct cc_lines_import *x, const struct cc_profile *p, uint64_t address);
/* The files that were found. */
void cc_lines_put(struct cc_lines_import *x, struct cc_profile *p, struct cc_writer *out);

#endif
