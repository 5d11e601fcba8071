/* Functions that compilers call by themselves (128-bit division, outline atomics) and link into the program:
 * libgcc's and compiler-rt's. */
#ifndef CC_COLLECT_HELPERS_H
#define CC_COLLECT_HELPERS_H

#include <stdbool.h>

bool cc_is_helper(const char *name); /* C reserves such names */

#endif
