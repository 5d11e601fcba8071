/* Whether a build has switched OpenMP on: without it a patched program is the sequential one, and nothing is
 * proven by running it. */
#include "internal.h"
#include "../../base/file.h"

#include <dirent.h>
#include <elf.h>
#include <sys/stat.h>

enum { DEEPEST = 32, MAX_FILE = 256 << 20 };

struct search {
    struct timespec since;
    bool made, calls; /* some object or program; one that calls the library of gcc, or that of LLVM */
};

static bool is_later(const struct stat *s, const struct timespec *since)
{
    return s->st_mtim.tv_sec != since->tv_sec ? s->st_mtim.tv_sec > since->tv_sec
                                              : s->st_mtim.tv_nsec >= since->tv_nsec;
}

static void look_into(struct search *x, const char *path)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size = 0;
    if (cc_file_read(path, MAX_FILE, &text, &size, NULL) < 0 || size < SELFMAG ||
        memcmp(text, ELFMAG, SELFMAG) != 0)
        return;
    x->made = true;
    x->calls = memmem(text, size, "GOMP_", 5) || memmem(text, size, "__kmpc_", 7);
}

static void look_through(struct search *x, const char *folder, unsigned depth)
{
    DIR *d = depth < DEEPEST ? opendir(folder) : NULL;
    for (struct dirent *e; d && !x->calls && (e = readdir(d));) {
        CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, e->d_name);
        struct stat s;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || lstat(path, &s) != 0)
            continue;
        if (S_ISDIR(s.st_mode))
            look_through(x, path, depth + 1);
        else if (S_ISREG(s.st_mode) && is_later(&s, &x->since))
            look_into(x, path);
    }
    if (d)
        closedir(d);
}

bool cc_explore_without_openmp(const char *tree, struct timespec since)
{
    struct search x = {.since = since};
    look_through(&x, tree, 0);
    return x.made && !x.calls;
}
