#include "alloc.h"

#include <stdbool.h>
#include <stddef.h>

static bool is(const char *s, const char *name)
{
    size_t k = 0;
    while (name[k] && name[k] == s[k])
        k++;
    return !name[k] && !s[k];
}

enum cc_alloc_kind cc_alloc_kind_of(const char *s)
{
    static const struct {
        const char *name;
        enum cc_alloc_kind kind;
    } known[] = {{"malloc", CC_ALLOC_MALLOC},
                 {"calloc", CC_ALLOC_CALLOC},
                 {"realloc", CC_ALLOC_REALLOC},
                 {"reallocarray", CC_ALLOC_REALLOCARRAY},
                 {"memalign", CC_ALLOC_MEMALIGN},
                 {"aligned_alloc", CC_ALLOC_MEMALIGN},
                 {"posix_memalign", CC_ALLOC_POSIX_MEMALIGN},
                 {"valloc", CC_ALLOC_VALLOC},
                 {"pvalloc", CC_ALLOC_VALLOC},
                 {"free", CC_ALLOC_FREE},
                 {"cfree", CC_ALLOC_FREE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (is(s, known[i].name))
            return known[i].kind;
    }
    if (s[0] != '_' || s[1] != 'Z' || (s[2] != 'n' && s[2] != 'd') || !s[3])
        return CC_ALLOC_NONE;
    /* operators new, new[] (of size_t: m or j), delete, delete[] (of void *), with any further parameters but
     * a place that is given: that one allocates nothing */
    bool array = s[3] == 'a', size = s[4] == 'm' || s[4] == 'j';
    if (s[2] == 'n' && (s[3] == 'w' || array) && size)
        return is(s + 5, "Pv") ? CC_ALLOC_NONE : array ? CC_ALLOC_NEW_ARRAY : CC_ALLOC_NEW;
    bool frees = s[2] == 'd' && (s[3] == 'l' || array) && s[4] == 'P' && s[5] == 'v';
    return frees && !is(s + 6, "S_") ? CC_ALLOC_FREE : CC_ALLOC_NONE;
}
