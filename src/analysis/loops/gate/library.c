/* What functions of the C library keep where no memory, or not this run, shows it: how floats are rounded and
 * what has happened to them lies in registers of the processor, as does whatever assembly sets there, what a
 * conversion of characters is in the middle of is kept in some locales alone, errno is set where something
 * has gone wrong. */
#include "library.h"
#include "shared.h"

/* The last part of a symbol, without types: of C's functions, in headers too, the name. */
static bool is_named(const char *symbol, const char *name)
{
    const char *at = strstr(symbol, "@F@");
    size_t n = strlen(name);
    return at && strncmp(at + 3, name, n) == 0 && (!at[3 + n] || at[3 + n] == '#');
}

static bool is_among(const char *symbol, const char *const *names, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found = found || is_named(symbol, names[i]);
    return found;
}

/* What the call leaves to those after it, or takes from those before it; NULL: nothing that is known here. */
static const char *kept_by(const struct cc_loop_call *c)
{
    static const char *const floats[] = {"fesetround",
                                         "fesetenv",
                                         "feupdateenv",
                                         "feholdexcept",
                                         "feraiseexcept",
                                         "fetestexcept",
                                         "feclearexcept",
                                         "fegetexceptflag",
                                         "fesetexceptflag",
                                         "fesetexcept",
                                         "fesetmode",
                                         "feenableexcept",
                                         "fedisableexcept",
                                         "_mm_setcsr",
                                         "__builtin_ia32_ldmxcsr",
                                         "_mm_getcsr",
                                         "__builtin_ia32_stmxcsr"};
    static const char *const characters[] = {"mblen", "mbtowc", "wctomb"};
    static const char *const given[] = {"mbrlen",     "mbrtowc",    "wcrtomb",  "mbsrtowcs", "wcsrtombs",
                                        "mbsnrtowcs", "wcsnrtombs", "mbrtoc16", "mbrtoc32",  "mbrtoc8",
                                        "c16rtomb",   "c32rtomb",   "c8rtomb"};
    if (is_among(c->symbol, floats, CC_COUNT(floats)))
        return "how floats are rounded, or what has happened to them,";
    if (is_named(c->symbol, "asm"))
        return "what its instructions leave in the processor";
    if (is_among(c->symbol, characters, CC_COUNT(characters)) ||
        (c->ends_in_null && is_among(c->symbol, given, CC_COUNT(given))))
        return "what it is in the middle of";
    return NULL;
}

/* Where errno is looked at though nothing has set it in these calls before, by their order in the source, and
 * nothing but that decides about it: what an earlier iteration left there may be found. 0: nowhere. */
static unsigned line_of_errno(const struct cc_loop_call *calls, size_t n)
{
    bool set = false;
    for (size_t i = 0; i < n; i++)
        if (calls[i].always && is_named(calls[i].symbol, "__errno_location")) {
            if (!calls[i].assigned && !set)
                return calls[i].line;
            set = set || !calls[i].maybe;
        }
    return 0;
}

static const char *refusal(const struct gate_input *in, const struct cc_loop_call *calls, size_t n,
                           unsigned *ret_line)
{
    for (size_t i = 0; i < n; i++) {
        const char *what = kept_by(&calls[i]);
        if (!what)
            continue;
        const char *name = strstr(calls[i].symbol, "@F@") + 3;
        bool assembly = is_named(calls[i].symbol, "asm");
        *ret_line = calls[i].line;
        return cc_arena_printf(in->arena,
                               "iterations did not need each other, but %.*s, %s line %u, %s %s from "
                               "call to call",
                               (int)strcspn(name, "#"), name, assembly ? "at" : "called at", calls[i].line,
                               assembly ? "may keep" : "keeps", what);
    }
    unsigned line = line_of_errno(calls, n);
    if (!line)
        return NULL;
    *ret_line = line;
    return cc_arena_printf(in->arena,
                           "iterations did not need each other, but line %u looks at errno, which an earlier "
                           "one may have set",
                           line);
}

const char *cc_library_refusal(const struct gate_input *in, unsigned *ret_line)
{
    struct cc_reached r = {0};
    const char *why = refusal(in, in->source->calls.v, in->source->calls.n, ret_line);
    if (!why)
        cc_shared_reach(in, &r);
    for (size_t i = 0; i < r.v.n && !why; i++)
        why = refusal(in, r.v.v[i]->calls.v, r.v.v[i]->calls.n, ret_line);
    CC_VEC_FINI(&r.v);
    return why;
}
