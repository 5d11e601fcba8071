/* Names and source places of code, from the ELF symbols and DWARF of a file and of its separate debug file.
 */
#ifndef CC_BINARY_SYMBOLS_H
#define CC_BINARY_SYMBOLS_H

#include "../base/err.h"

struct cc_symbols;

struct cc_symbol_info {
    const char *name;   /* demangled; "prog+0x1139" where no symbol covers the address */
    const char *symbol; /* as in the file; NULL: none */
    const char *file;   /* where it is defined; NULL: unknown */
    unsigned line;      /* 0: unknown */
};

struct cc_symbols *cc_symbols_new(void);
void cc_symbols_free(struct cc_symbols *s);
/* The function at a virtual address of the file. Files are opened once; one that cannot be read simply has
 * no symbols. Strings live as long as `s`. */
void cc_symbols_find(struct cc_symbols *s, const char *path, uint64_t address, struct cc_symbol_info *ret);

/* Where the functions of that name start: those whose symbol or demangled name is `name`, with or without its
 * parameter list, and the copies a compiler makes of them ("name.constprop.0"). An error, offering the
 * nearest names, if there is none. The array is owned by the caller. */
int cc_symbols_named(struct cc_symbols *s, const char *path, const char *name, uint64_t **ret, size_t *ret_n,
                     struct cc_err *err);

struct cc_symbol_range {
    uint64_t from, to; /* [from, to) in the file's virtual addresses */
    const char *name;  /* demangled */
    bool data;         /* a variable, not a function */
};
typedef void cc_symbol_fn(const struct cc_symbol_range *r, void *data);

/* Calls `fn` for every function and variable of the file whose symbol has a size, in the order of its tables;
 * several may have one address. */
void cc_symbols_each(struct cc_symbols *s, const char *path, cc_symbol_fn *fn, void *data);

/* The line of the instruction at an address; *ret_file NULL: unknown. */
void cc_symbols_line(struct cc_symbols *s, const char *path, uint64_t address, const char **ret_file,
                     unsigned *ret_line);

/* For this room only: the file as libdwfl sees it, NULL if it cannot be read. libdwfl's addresses are the
 * file's plus *ret_bias. */
const char *cc_symbols_declared_in(void *die); /* of a Dwarf_Die: its source file, or NULL */
struct Dwfl_Module *cc_symbols_module(struct cc_symbols *s, const char *path, uint64_t *ret_bias);

#endif
