/* Of the symbols that lie at one address, the one whose name people use. */
#ifndef CC_BINARY_CALLED_H
#define CC_BINARY_CALLED_H

#include "../base/map.h"

#include <gelf.h>

/* A symbol as far as that counts. */
struct cc_called {
    const char *name; /* as in the file, perhaps with a version: "memcpy@@GLIBC_2.14" */
    unsigned rank;    /* lower is better */
};

enum { CC_CALLED_LABEL = 1000 }; /* the ranks of what is not known to be a function begin here */

/* Names that a file keeps for programs which were linked long ago ("llseek@GLIBC_2.2.5"), from its table of
 * versions. */
void cc_called_read_old(Elf *elf, struct cc_strmap *ret);
/* `address` is the file's own. */
struct cc_called cc_called_of(const struct cc_strmap *old, const GElf_Sym *sym, uint64_t address,
                              const char *name);
/* As for qsort: the better one comes first. */
int cc_called_compare(const struct cc_called *a, const struct cc_called *b);

#endif
