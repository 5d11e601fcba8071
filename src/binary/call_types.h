/* In how many registers functions of the C and mathematical libraries, whose types the language fixes, take
 * what they are given, and which give that back. */
#ifndef CC_BINARY_CALL_TYPES_H
#define CC_BINARY_CALL_TYPES_H

#include "../base/err.h"

struct cc_call_type {
    unsigned integers, floats; /* arguments: numbers and pointers; floating point */
    bool hands_back;           /* it returns its first argument */
    bool counted; /* it takes as many as it is given, perhaps more than registers hold; on x86-64 AL says how
                     many of them are floating point */
};

/* `name` as in the symbol table. false: nobody knows. */
bool cc_call_type(const char *name, struct cc_call_type *ret);

#endif
