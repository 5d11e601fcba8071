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

/* Beyond a parameter list, from its opening bracket on. */
static const char *skip_parameters(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        depth += (*s == '(') - (*s == ')');
        if (depth == 0)
            return s + 1;
    }
    return s;
}

/* `text` is `name`, or goes on with a parameter list; what is defined inside a function goes on after that.
 */
static bool called(const char *text, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(text, name, n) != 0)
        return false;
    const char *rest = text + n;
    if (*rest == '[') /* "[abi:cxx11]" */
        rest += strcspn(rest, "(");
    if (*rest == '(')
        rest = skip_parameters(rest);
    return !*rest || strcmp(rest, " const") == 0 ||
           (strncmp(rest, " [clone .", 9) == 0 && !strstr(rest, ".cold"));
}

/* "f.constprop.0" is a copy of f; "f.cold" only a part of it. */
static bool copy_of(const char *symbol, const char *name)
{
    size_t n = strlen(name);
    return strncmp(symbol, name, n) == 0 && symbol[n] == '.' && !strstr(symbol + n, ".cold");
}

bool cc_function_is(const char *symbol, const char *name)
{
    if (strcmp(symbol, name) == 0 || copy_of(symbol, name) || called(symbol, name))
        return true;
    size_t n = strcspn(symbol, ".@"); /* clones and versions have no demangled name */
    CC_CLEANUP(cc_free_ptr) char *bare = cc_strndup(symbol, n ? n : strlen(symbol));
    CC_CLEANUP(cc_free_ptr) char *plain = strstr(symbol, ".cold") ? NULL : cc_demangle(bare);
    return plain && called(plain, name);
}
