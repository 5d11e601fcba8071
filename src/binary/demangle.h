/* Names of C++, Rust, Fortran's modules and D as people write them. */
#ifndef CC_BINARY_DEMANGLE_H
#define CC_BINARY_DEMANGLE_H

#include "../base/base.h"

char *cc_demangle(const char *symbol); /* owned; NULL if it is no mangled name */

/* Does someone who writes `name` mean this function? `symbol`, mangled or not, is `name`, with or without its
 * parameter list, or a copy a compiler makes of it ("name.constprop.0"), but no part of it ("name.cold"). */
bool cc_function_is(const char *symbol, const char *name);

#endif
