#include "demangle.h"

/* The C++ run-time library's own; <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

enum { MAX_SYMBOL = 8192 }; /* the demangler keeps several times this on the stack */

char *cc_demangle(const char *symbol)
{
    if (strncmp(symbol, "_Z", 2) != 0 || strnlen(symbol, MAX_SYMBOL) == MAX_SYMBOL)
        return NULL;
    int status = 0;
    char *name = __cxa_demangle(symbol, NULL, NULL, &status);
    if (status == 0)
        return name;
    free(name);
    return NULL;
}
