/* Names and types of data, from the ELF symbols and DWARF of a file: variables at fixed addresses, and what
 * lies where in a function's frame. */
#ifndef CC_BINARY_VARIABLES_H
#define CC_BINARY_VARIABLES_H

#include "symbols.h"

struct cc_variable {
    const char *name; /* "a / b" where variables share their bytes */
    const char *type; /* "float[11]", "struct point *"; NULL: unknown */
    const char *file; /* NULL: unknown */
    unsigned line;    /* 0: unknown */
    uint64_t size;    /* bytes, of the declared type or the symbol */
    int64_t from;     /* in a frame: from its top (the CFA), negative is below */
};

struct cc_variables;

struct cc_variables *cc_variables_new(struct cc_symbols *symbols); /* borrowed */
void cc_variables_free(struct cc_variables *v);

/* The variable that begins at a virtual address of the file. Strings live as long as `v` and the symbols. */
void cc_variables_at(struct cc_variables *v, const char *path, uint64_t address, struct cc_variable *ret);

/* The variables in the frame of the function that begins at an address: sorted by `from`, none overlap.
 * Borrowed; 0 where nothing is known, as for optimised variables that live in registers. */
size_t cc_variables_frame(struct cc_variables *v, const char *path, uint64_t address,
                          const struct cc_variable **ret);

/* The name of what the bytes at `from` of that frame hold while some of the code runs. NULL: no variable; in
 * other code one may be there, here the compiler keeps something of its own. */
struct cc_variables_code {
    uint64_t from, to; /* virtual addresses */
    bool whole;        /* a variable that lies there in any code of its block counts */
};
const char *cc_variables_near(struct cc_variables *v, const char *path, uint64_t address, int64_t from,
                              struct cc_variables_code code);

/* What the function that begins at an address returns. */
enum cc_result_kind {
    CC_RESULT_UNKNOWN, /* or in several registers, or in memory */
    CC_RESULT_NONE,
    CC_RESULT_INTEGER, /* a number, an enumerator, a pointer: what fits into an integer register */
    CC_RESULT_FLOAT,
};
enum cc_result_kind cc_variables_result(struct cc_variables *v, const char *path, uint64_t address);

#endif
