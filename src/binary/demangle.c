#include "demangle.h"
#include "../base/lazy.h"

/* The C++ run-time library's own; <cxxabi.h> is for C++ only. Loaded when the first such name is met. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1", NULL};
static struct cc_lazy cxx = {.names = libraries};

/* Without a library names stay as they are. */
enum { NO_LIBRARY = -4 };
static char *no_name(int *status)
{
    *status = NO_LIBRARY;
    return NULL;
}
CC_LAZY(cxx, no_name(status), char *, __cxa_demangle,
        (const char *mangled, char *buffer, size_t *length, int *status), (mangled, buffer, length, status))

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
