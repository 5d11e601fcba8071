#include "debug_files.h"
#include "../base/base.h"
#include "../base/file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where debuginfod's client keeps files, as its manual says. */
static char *cache_folder(void)
{
    const char *given = getenv("DEBUGINFOD_CACHE_PATH"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (given && *given)
        return cc_strdup(given);
    CC_CLEANUP(cc_free_ptr)
    char *old = home && *home ? cc_asprintf("%s/.debuginfod_client_cache", home) : NULL;
    if (old && access(old, F_OK) == 0) /* where it was at first goes on as long as it is there */
        return cc_strdup(old);
    if (cache && *cache)
        return cc_asprintf("%s/debuginfod_client", cache);
    return home && *home ? cc_asprintf("%s/.cache/debuginfod_client", home) : NULL;
}

/* An empty file stands for what no server had. */
static int open_filled(const char *path)
{
    struct stat st;
    int fd = cc_file_open(path, NULL);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

static int find_in_cache(Dwfl_Module *module, char **ret_path)
{
    enum { LONGEST = 64 };
    const unsigned char *id;
    GElf_Addr address;
    char hex[2 * LONGEST + 1] = "";
    int n = dwfl_module_build_id(module, &id, &address);
    CC_CLEANUP(cc_free_ptr) char *folder = n > 0 && n <= LONGEST ? cache_folder() : NULL;
    if (!folder)
        return -1;
    for (int i = 0; i < n; i++)
        snprintf(hex + 2 * i, 3, "%02x", id[i]);
    char *path = cc_asprintf("%s/%s/debuginfo", folder, hex);
    int fd = open_filled(path);
    if (fd >= 0)
        *ret_path = path;
    else
        free(path);
    return fd;
}

int cc_find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
                      const char *link, GElf_Word sum, char **ret_path)
{
    int fd = dwfl_standard_find_debuginfo(module, user, name, base, file, link, sum, ret_path);
    return fd >= 0 || *ret_path ? fd : find_in_cache(module, ret_path);
}

/* libdw finds the file beside the program or where it was compiled. */
Dwarf_Die cc_unit_whole(Dwarf_Die *unit)
{
    Dwarf_Die whole = {0};
    uint8_t type = 0;
    bool told = dwarf_cu_info(unit->cu, NULL, &type, NULL, &whole, NULL, NULL, NULL) == 0;
    return told && type == DW_UT_skeleton && whole.cu ? whole : *unit;
}
