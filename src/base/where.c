#include "where.h"
#include "text.h"

#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

/* For tools that read the sources without the settings of the build. */
#ifndef CC_LIBEXEC_DIR
#define CC_LIBEXEC_DIR "/usr/local/libexec/corecast"
#define CC_LIBEXEC_FROM_BIN "../libexec/corecast"
#define CC_DATA_DIR "/usr/local/share/corecast"
#define CC_DATA_FROM_BIN "../share/corecast"
#endif

char *cc_where_self(void)
{
    char exe[4096] = "";
    return readlink("/proc/self/exe", exe, sizeof exe - 1) > 0 ? cc_strdup(exe) : NULL;
}

/* A folder that is not absolute is relative to the tool's own; NULL when that is not known. */
static char *join(const char *folder, const char *name)
{
    if (folder[0] == '/')
        return cc_asprintf("%s/%s", folder, name);
    CC_CLEANUP(cc_free_ptr) char *exe = cc_where_self();
    if (!exe)
        return NULL;
    const char *own = dirname(exe);
    for (; strncmp(folder, "../", 3) == 0; folder += 3)
        own = dirname(exe);
    return cc_asprintf("%s/%s/%s", own, folder, name);
}

static char *find(const char *const *folders, const char *name)
{
    for (; *folders; folders++) {
        char *path = join(*folders, name);
        if (path && access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static const char *const *folders_of(enum cc_own kind)
{
    static const char *const engines[] = {"engines", CC_LIBEXEC_FROM_BIN, CC_LIBEXEC_DIR, NULL};
    static const char *const platforms[] = {"platforms", CC_DATA_FROM_BIN "/platforms",
                                            CC_DATA_DIR "/platforms", NULL};
    static const char *const models[] = {"models", CC_DATA_FROM_BIN "/models", CC_DATA_DIR "/models", NULL};
    return kind == CC_OWN_ENGINE ? engines : kind == CC_OWN_PLATFORM ? platforms : models;
}

char *cc_where(enum cc_own kind, const char *name)
{
    return find(folders_of(kind), name);
}

char *cc_where_looked(enum cc_own kind, const char *name)
{
    struct cc_buf text = {0};
    const char *last = NULL;
    for (const char *const *folder = folders_of(kind); *folder; folder++) {
        CC_CLEANUP(cc_free_ptr) char *path = join(*folder, name);
        if (!path || (text.s && strstr(text.s, path)))
            continue;
        cc_buf_printf(&text, "%s'%s'", last ? ", " : "", path);
        last = *folder;
    }
    cc_buf_puts(&text, "");
    return text.s;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool cc_where_path_is_plain(void)
{
    const char *path = getenv("PATH");
    size_t n = path ? strlen(path) : 0;
    return n && path[0] != ':' && path[n - 1] != ':' && !strstr(path, "::");
}

char *cc_where_program(const char *name)
{
    if (strchr(name, '/'))
        return cc_strdup(name);
    const char *path = getenv("PATH");
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(path && *path ? path : "/usr/local/bin:/usr/bin:/bin");
    char *denied = NULL, *save = NULL;
    for (char *dir = strtok_r(copy, ":", &save); dir; dir = strtok_r(NULL, ":", &save)) {
        char *full = cc_asprintf("%s/%s", dir, name);
        if (is_file(full) && access(full, X_OK) == 0) {
            free(denied);
            return full;
        }
        if (!denied && is_file(full))
            denied = full;
        else
            free(full);
    }
    return denied;
}
