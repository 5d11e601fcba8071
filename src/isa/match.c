#include "match.h"

#include <stddef.h>

/* Of several stars only the last has to be tried again further on. */
static bool fits(const char *p, const char *end, const char *s)
{
    const char *star = NULL, *from = NULL;
    while (*s) {
        if (p < end && *p == '*') {
            star = p++;
            from = s;
        } else if (p < end && (*p == '?' || *p == *s)) {
            p++;
            s++;
        } else if (star) {
            p = star + 1;
            s = ++from;
        } else {
            return false;
        }
    }
    while (p < end && *p == '*')
        p++;
    return p == end;
}

bool cc_names_fit(const char *names, const char *name)
{
    while (*names) {
        const char *end = names;
        while (*end && *end != ' ')
            end++;
        bool may = *names == *name || *names == '*' || *names == '?'; /* most do not */
        if (may && fits(names, end, name))
            return true;
        names = *end ? end + 1 : end;
    }
    return false;
}
