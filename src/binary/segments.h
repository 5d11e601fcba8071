/* What of an ELF file is loaded where: its PT_LOAD program headers. */
#ifndef CC_BINARY_SEGMENTS_H
#define CC_BINARY_SEGMENTS_H

#include "../base/base.h"

struct Elf;

/* Program headers of an open file: no more than a program may have, whatever a damaged one says. */
size_t cc_elf_headers(struct Elf *elf);

struct cc_segment {
    uint64_t offset, bytes; /* in the file */
    uint64_t address, size; /* as linked, in memory */
    bool code;
};

/* Owned; 0 for what is no ELF file. */
size_t cc_segments_read(const char *path, struct cc_segment **ret);

/* What must be added to the file's own addresses where a mapping shows the file from `offset` on at the
 * address `from`. False: no segment is there. */
bool cc_segments_bias(const struct cc_segment *v, size_t n, uint64_t from, uint64_t offset, uint64_t *ret);

#endif
