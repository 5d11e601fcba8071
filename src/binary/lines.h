/* Source lines of code: the line tables of programs and libraries, each looked at as far as it is asked for.
 */
#ifndef CC_BINARY_LINES_H
#define CC_BINARY_LINES_H

#include "symbols.h"

struct cc_lines;

struct cc_lines *cc_lines_new(struct cc_symbols *s); /* s is borrowed */
void cc_lines_free(struct cc_lines *l);

struct cc_line_place {
    const char *file;   /* as the compiler wrote it; NULL: unknown. Equal pointers are equal files. */
    const char *folder; /* the compiler ran in, if `file` starts from there; else NULL */
    unsigned line;      /* 0: unknown */
    unsigned column;    /* in bytes, from 1 on; 0: unknown */
};

/* The line of the instruction at a virtual address of the file, of inlined code the line it was written on.
 * Strings live as long as the symbols. */
struct cc_line_place cc_lines_find(struct cc_lines *l, const char *path, uint64_t address);

/* The function that the instruction was written in, if that was inlined there; NULL: it was not, or nobody
 * knows. Looks through a whole unit: for a few addresses. */
const char *cc_lines_inlined(struct cc_lines *l, const char *path, uint64_t address);

/* Where inlined code was called from: of the lines it was inlined at, from the inside out, the first in a
 * file of which `wanted` is true. Unknown if it was not inlined, or there is none. As slow as the one above.
 */
struct cc_line_place cc_lines_caller(struct cc_lines *l, const char *path, uint64_t address,
                                     bool (*wanted)(const char *file));

/* A function around an instruction: the one it was written in, then those which that was inlined into. */
struct cc_lines_frame {
    struct cc_line_place place; /* of the instruction; of the others, of the call that was inlined there */
    const char *function;       /* NULL: unknown */
    bool gives;                 /* what it gives its caller is an address, or the object that it constructs */
};
/* From the inside out, at most so many; 0: nobody knows. As slow. */
unsigned cc_lines_frames(struct cc_lines *l, const char *path, uint64_t address, struct cc_lines_frame *ret,
                         unsigned most);

/* Of names of files: whether it is one of the program's, not a header of the system or of the C++ library. */
bool cc_lines_own(const char *file);

/* Whether the file, if loaded at its own addresses, covers this one. */
bool cc_lines_covers(struct cc_lines *l, const char *path, uint64_t address);

#endif
