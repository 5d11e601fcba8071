#include "helpers.h"

#include <stddef.h>

static const char *const names[] = {
#include "helpers.def"
};

/* Families of hundreds: atomics, decimal and fixed-point arithmetic, saving registers. */
static const char *const families[] = {"__aarch64_",    "__aeabi_", "__atomic_", "__avx_",
                                       "__bid",         "__gnu_",   "__riscv_",  "__sse_",
                                       "__splitstack_", "__sync_",  "_call_via_"};

static bool starts(const char *s, const char *prefix)
{
    while (*prefix)
        if (*s++ != *prefix++)
            return false;
    return true;
}

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

bool cc_is_helper(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (starts(name, families[i]))
            return true;
    size_t lo = 0, hi = sizeof names / sizeof *names;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int order = compare(name, names[mid]);
        if (order == 0)
            return true;
        if (order < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return false;
}
