/* Just enough of ELF, read through the host: little-endian files of 32 and 64 bits. Nothing in them is
 * trusted. */
#ifndef CC_COLLECT_ELF_H
#define CC_COLLECT_ELF_H

#include "internal.h"

struct cc_elf {
    struct cc_collect *c;
    const char *path;
    bool wide; /* 64-bit */
    uint16_t machine, phnum, phsize, shnum, shsize, shstr;
    uint64_t entry, phoff, shoff;
};

struct cc_section {
    uint32_t name, type, link;
    uint64_t flags, address, offset, size, entry;
};

enum { CC_SEGMENT_LOAD = 1, CC_SEGMENT_DYNAMIC = 2 };

struct cc_segment {
    uint32_t type, flags;
    uint64_t offset, address, size; /* size: in the file */
    uint64_t room;                  /* in memory */
};

static inline uint64_t cc_elf_number(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    while (n--)
        v = v << 8 | p[n];
    return v;
}

bool cc_elf_open(struct cc_elf *e); /* c and path are set */
bool cc_elf_read(const struct cc_elf *e, void *to, size_t size, uint64_t offset);
/* Virtual address of a file offset, from the program headers. */
bool cc_elf_address(const struct cc_elf *e, uint64_t offset, uint64_t *ret);
/* Where in the file an address lies; *ret_size: bytes of the file from there to the end of its segment. */
bool cc_elf_offset(const struct cc_elf *e, uint64_t address, uint64_t *ret, uint64_t *ret_size);
/* The loaded segment that an address lies in. */
bool cc_elf_loaded(const struct cc_elf *e, uint64_t address, struct cc_segment *ret);
/* The first segment of a type. */
bool cc_elf_segment(const struct cc_elf *e, uint32_t type, struct cc_segment *ret);
/* The pointer at an address, as the loader leaves it in a file that is loaded at 0; 0: none. */
uint64_t cc_elf_pointer(const struct cc_elf *e, uint64_t address);
/* DT_SONAME; false: it has none, or one that does not fit. */
bool cc_elf_soname(const struct cc_elf *e, char *to, size_t size);
/* The segments that can be executed; how many there are, `most` at most. */
unsigned cc_elf_code(const struct cc_elf *e, struct cc_segment *to, unsigned most);
bool cc_elf_is_code(const struct cc_elf *e, uint64_t address); /* in an executable segment */
bool cc_elf_section(const struct cc_elf *e, unsigned i, struct cc_section *s);
bool cc_elf_section_named(const struct cc_elf *e, const char *name, struct cc_section *s);

#endif
