/* C++ names as people write them. */
#ifndef CC_BINARY_DEMANGLE_H
#define CC_BINARY_DEMANGLE_H

#include "../base/base.h"

char *cc_demangle(const char *symbol); /* owned; NULL if it is no mangled name */

#endif
