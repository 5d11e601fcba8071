/* The platforms that ship with the tool. */
#include "platform.h"
#include "../base/where.h"

#include <dirent.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t cc_platform_shipped(struct cc_arena *a, const char *const **ret)
{
    CC_CLEANUP(cc_free_ptr) char *folder = cc_where(CC_OWN_PLATFORM, ".");
    DIR *dir = folder ? opendir(folder) : NULL;
    CC_VEC(const char *) names = {0};
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n > 4 && strcmp(e->d_name + n - 4, ".ini") == 0)
            CC_VEC_PUSH(&names, cc_arena_strndup(a, e->d_name, n - 4));
    }
    if (dir)
        closedir(dir);
    if (names.n)
        qsort(names.v, names.n, sizeof *names.v, by_name);
    const char **list = cc_arena_alloc(a, (names.n + 1) * sizeof *list);
    if (names.n)
        memcpy(list, names.v, names.n * sizeof *list);
    *ret = list;
    size_t n = names.n;
    CC_VEC_FINI(&names);
    return n;
}
