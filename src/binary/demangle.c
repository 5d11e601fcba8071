#include "demangle.h"
#include "demangle_rust.h"
#include "../base/lazy.h"
#include "../base/text.h"

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

static char *cplusplus(const char *symbol)
{
    int status = 0;
    char *name = __cxa_demangle(symbol, NULL, NULL, &status);
    if (status == 0) {
        cc_demangle_old_rust(name);
        return name;
    }
    free(name);
    return NULL;
}

/* gfortran's "__physics_MOD_push" is push of the module physics. */
static char *fortran(const char *symbol)
{
    const char *module = symbol + 2, *end = strstr(module, "_MOD_");
    if (!end || end == module || !end[5] ||
        strspn(module, "abcdefghijklmnopqrstuvwxyz0123456789_.") < (size_t)(end - module))
        return NULL;
    return cc_asprintf("%.*s::%s", (int)(end - module), module, end + 5);
}

/* "_D4main4fillFAdZv" is main.fill; what is made of templates stays as it is. */
static char *d_name(const char *symbol)
{
    struct cc_buf out = {0};
    const char *at = symbol + 2;
    while (*at >= '1' && *at <= '9') {
        size_t n = 0;
        while (*at >= '0' && *at <= '9' && n < MAX_SYMBOL)
            n = n * 10 + (size_t)(*at++ - '0');
        if (n > strlen(at) || strncmp(at, "__T", 3) == 0 || strncmp(at, "__S", 3) == 0) {
            out.n = 0;
            break;
        }
        if (out.n)
            cc_buf_puts(&out, ".");
        cc_buf_add(&out, at, n);
        at += n;
    }
    char *ret = out.n && *at && *at != 'Q' && *at != '_' ? cc_strndup(out.s, out.n) : NULL;
    cc_buf_fini(&out);
    return ret;
}

char *cc_demangle(const char *symbol)
{
    if (symbol[0] != '_' || strnlen(symbol, MAX_SYMBOL) == MAX_SYMBOL)
        return NULL;
    switch (symbol[1]) {
    case 'Z':
        return cplusplus(symbol);
    case 'R':
        return cc_demangle_rust(symbol);
    case '_':
        return fortran(symbol);
    case 'D':
        return d_name(symbol);
    default:
        return NULL;
    }
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
    if (strncmp(rest, "::<", 3) == 0 && rest[strlen(rest) - 1] == '>') /* a generic one of Rust */
        return true;
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
    if (strstr(symbol, ".cold"))
        return false;
    size_t n = strcspn(symbol, ".@"); /* clones and versions have no demangled name */
    CC_CLEANUP(cc_free_ptr) char *bare = cc_strndup(symbol, n ? n : strlen(symbol));
    CC_CLEANUP(cc_free_ptr) char *plain = cc_demangle(bare), *whole = plain ? NULL : cc_demangle(symbol);
    return (plain && called(plain, name)) || (whole && called(whole, name));
}
