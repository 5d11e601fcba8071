/* How kinds and flags of events are written. */
#include "trace.h"

#include <stdio.h>

const char *cc_trace_kind_name(unsigned kind)
{
    static const char *const names[] = {"fetch", "load", "store", "linked", "atomic", "wait", "idle"};
    return kind < CC_TRACE_KINDS ? names[kind] : "?";
}

static const char *const flag_names[] = {"hit",     "shared", "false", "buffered",
                                         "stalled", "vain",   "ended", "failed"};

char *cc_trace_flags(unsigned flags, char out[static 64])
{
    size_t n = 0;
    out[0] = 0;
    for (unsigned i = 0; i < sizeof flag_names / sizeof *flag_names; i++)
        if (flags >> i & 1)
            n += (size_t)snprintf(out + n, 64 - n, "%s%s", n ? "+" : "", flag_names[i]);
    return out;
}
