/* Which variable of a file lies at an address. */
#ifndef CC_BINARY_STATICS_H
#define CC_BINARY_STATICS_H

#include "symbols.h"

struct cc_statics;

struct cc_statics *cc_statics_new(struct cc_symbols *symbols); /* borrowed */
void cc_statics_free(struct cc_statics *s);
/* The name of the smallest variable around the file's virtual address, of equal ones the first in the file's
 * table; NULL: none. It lives as long as the symbols. */
const char *cc_statics_find(struct cc_statics *s, const char *path, uint64_t address, uint64_t *ret_from);

#endif
