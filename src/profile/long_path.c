/* The usual VFS asks nothing more of a path than that it fits into its own buffers when it makes it absolute,
 * or puts a journal beside it. So paths stay as they are here, and everything else is handed on, with the
 * usual one as its own: what it does with files that have no name depends on that. */
#include "long_path.h"
#include "../base/base.h"

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

static sqlite3_vfs *usual(sqlite3_vfs *v)
{
    return v->pAppData;
}

static int open_file(sqlite3_vfs *v, const char *path, sqlite3_file *file, int flags, int *ret_flags)
{
    return usual(v)->xOpen(usual(v), path, file, flags, ret_flags);
}

static int delete_file(sqlite3_vfs *v, const char *path, int sync)
{
    return usual(v)->xDelete(usual(v), path, sync);
}

static int access_file(sqlite3_vfs *v, const char *path, int flags, int *ret)
{
    return usual(v)->xAccess(usual(v), path, flags, ret);
}

static int full_path(sqlite3_vfs *v, const char *path, int size, char *ret)
{
    (void)v;
    size_t n = strlen(path) + 1;
    if (n > (size_t)size)
        return SQLITE_CANTOPEN;
    memcpy(ret, path, n);
    return SQLITE_OK;
}

static sqlite3_vfs vfs;

static void make(void)
{
    sqlite3_vfs *v = sqlite3_vfs_find(NULL);
    vfs = *v;
    vfs.zName = "corecast";
    vfs.pNext = NULL;
    vfs.pAppData = v;
    vfs.mxPathname = PATH_MAX + 16; /* and the ending of a journal */
    vfs.xOpen = open_file;
    vfs.xDelete = delete_file;
    vfs.xAccess = access_file;
    vfs.xFullPathname = full_path;
    sqlite3_vfs_register(&vfs, 0);
}

const char *cc_long_path_vfs(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make);
    return vfs.zName;
}
