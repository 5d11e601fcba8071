#ifndef CC_BINARY_DEMANGLE_RUST_H
#define CC_BINARY_DEMANGLE_RUST_H

#include "../base/base.h"

/* "_RNv…"; owned, NULL if it is none. Crates without their hashes. */
char *cc_demangle_rust(const char *symbol);

/* What a C++ demangler made of "_ZN…17h0123456789abcdefE", in place; other names stay as they are. */
void cc_demangle_old_rust(char *name);

#endif
