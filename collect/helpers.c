#include "helpers.h"

#include <stddef.h>

static const char *const names[] = {
#include "helpers.def"
};

static const char *const atomics[] = {"load~",         "store~",        "exchange~",      "compare_exchange~",
                                      "fetch_add~",    "fetch_sub~",    "fetch_and~",     "fetch_or~",
                                      "fetch_xor~",    "fetch_nand~",   "add_fetch~",     "sub_fetch~",
                                      "and_fetch~",    "or_fetch~",     "xor_fetch~",     "nand_fetch~",
                                      "test_and_set~", "is_lock_free~", "feraiseexcept~", NULL};

/* Families of hundreds: atomics, decimal and fixed-point arithmetic, saving registers. Others have names
 * that begin alike (`__avx_dot`), so more is looked at. `#`: a digit; `~`: the end, or an underscore and a
 * digit; `%`: modes up to the end. */
static const struct family {
    const char *first;
    const char *const *next;
} families[] = {
    {"__aarch64_", (const char *const[]){"cas#", "swp#", "ldadd#", "ldclr#", "ldeor#", "ldset#", "have_lse",
                                         "sync_cache_range", NULL}},
    {"__aeabi_", (const char *const[]){"", NULL}},
    {"__atomic_", atomics},
    {"libat_", atomics},
    {"__avx_", (const char *const[]){"savms64", "resms64", NULL}},
    {"__bid", (const char *const[]){"32_",   "64",       "128",     "_round",   "_add%",   "_div%",
                                    "_eq%",  "_extend%", "_fix%",   "_fixuns%", "_float%", "_floatuns%",
                                    "_ge%",  "_gt%",     "_le%",    "_lt%",     "_mul%",   "_ne%",
                                    "_sub%", "_trunc%",  "_unord%", NULL}},
    {"__gnu_", (const char *const[]){"Unwind_",    "unwind_",        "d2h_",         "f2h_",
                                     "h2f_",       "ldivmod_helper", "thumb1_case_", "add%",
                                     "ashl%",      "ashlhelper%",    "ashr%",        "ashrhelper%",
                                     "cmp%",       "div%",           "divhelper%",   "fract%",
                                     "fractuns%",  "lshr%",          "mul%",         "mulhelper%",
                                     "neg%",       "satfract%",      "satfractuns%", "saturate1%",
                                     "saturate2%", "ssadd%",         "ssashl%",      "ssdiv%",
                                     "ssmul%",     "ssneg%",         "sssub%",       "sub%",
                                     "udiv%",      "udivhelper%",    "usadd%",       "usashl%",
                                     "usdiv%",     "usmul%",         "usneg%",       "ussub%",
                                     NULL}},
    {"__riscv_", (const char *const[]){"save_#", "restore_#", NULL}},
    {"__splitstack_", (const char *const[]){"", NULL}},
    {"__sse_", (const char *const[]){"savms64", "resms64", NULL}},
    {"__sync_",
     (const char *const[]){"add_and_fetch~", "and_and_fetch~", "bool_compare_and_swap~", "fetch_and_add~",
                           "fetch_and_and~", "fetch_and_nand~", "fetch_and_or~", "fetch_and_sub~",
                           "fetch_and_xor~", "lock_release~", "lock_test_and_set~", "nand_and_fetch~",
                           "or_and_fetch~", "sub_and_fetch~", "synchronize~", "val_compare_and_swap~",
                           "xor_and_fetch~", NULL}},
    {"_call_via_", (const char *const[]){"", NULL}}};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(char c, const char *set)
{
    while (*set)
        if (*set++ == c)
            return true;
    return false;
}

/* One or two modes, each perhaps unsigned, and 2 or 3. */
static bool is_modes(const char *s)
{
    unsigned n = 0;
    for (; *s && !is_digit(*s); n++) {
        s += *s == 'u';
        if (!is_one_of(s[0], "qhsdtx") || !is_one_of(s[1], "qaifd"))
            return false;
        s += 2;
    }
    s += *s == '2' || *s == '3';
    return (n == 1 || n == 2) && !*s;
}

static bool matches(const char *name, const char *pattern)
{
    for (; *pattern; name++, pattern++) {
        if (*pattern == '#')
            return is_digit(*name);
        if (*pattern == '~')
            return !*name || (name[0] == '_' && is_digit(name[1]));
        if (*pattern == '%')
            return is_modes(name);
        if (*name != *pattern)
            return false;
    }
    return true;
}

static const char *behind(const char *s, const char *prefix)
{
    while (*prefix)
        if (*s++ != *prefix++)
            return NULL;
    return s;
}

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

bool cc_is_helper(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const char *rest = behind(name, families[i].first);
        for (const char *const *next = families[i].next; rest && *next; next++)
            if (matches(rest, *next))
                return true;
    }
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
