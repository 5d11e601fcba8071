/* Source lines of code: the line tables of programs and libraries, each looked at as far as it is asked for.
 */
#ifndef CC_BINARY_LINES_H
#define CC_BINARY_LINES_H

#include "symbols.h"

struct cc_lines;

struct cc_lines *cc_lines_new(struct cc_symbols *s); /* s is borrowed */
void cc_lines_free(struct cc_lines *l);

/* The line of the instruction at a virtual address of the file, of inlined code the line it was written on.
 * *ret_file NULL, *ret_line 0: it has none. Equal pointers are equal files. They live as long as `s`. */
void cc_lines_find(struct cc_lines *l, const char *path, uint64_t address, const char **ret_file,
                   unsigned *ret_line);

/* Whether the file, if loaded at its own addresses, covers this one. */
bool cc_lines_covers(struct cc_lines *l, const char *path, uint64_t address);

#endif
