/* Types as people write them. */
#ifndef CC_BINARY_TYPES_H
#define CC_BINARY_TYPES_H

#include "../base/text.h"

#include <elfutils/libdw.h>

bool cc_type_of(Dwarf_Die *die, Dwarf_Die *ret);       /* false: it has none */
void cc_type_put(Dwarf_Die *type, struct cc_buf *out); /* "const char *[3]"; no longer than some 400 bytes */

#endif
