#include "needed.h"

#include <fcntl.h>
#include <gelf.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

enum { MAX_LIBRARIES = 256 };

struct search {
    struct cc_needed *found;
    const char *root, *triplet;
};

/* Code of these is charged to who calls it, so nobody asks for its loops. */
static bool is_system(const char *name)
{
    static const char *const names[] = {"libc.so",   "libm.so",    "ld-linux",      "libpthread.so",
                                        "libdl.so",  "librt.so",   "libgcc_s.so",   "libstdc++.so",
                                        "libc++.so", "libgomp.so", "libgfortran.so"};
    for (size_t i = 0; i < CC_COUNT(names); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool add(struct search *s, const char *folder, const char *name)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, name);
    CC_CLEANUP(cc_free_ptr) char *whole = realpath(path, NULL);
    if (!whole || access(whole, R_OK) != 0)
        return false;
    for (size_t i = 0; i < s->found->paths.n; i++)
        if (strcmp(s->found->paths.v[i], whole) == 0)
            return true;
    if (s->found->paths.n < MAX_LIBRARIES)
        CC_VEC_PUSH(&s->found->paths, cc_strdup(whole));
    return true;
}

/* A list of folders with colons between; $ORIGIN is the folder of who wants the library. */
static bool add_from(struct search *s, const char *folders, const char *origin, const char *name)
{
    for (const char *at = folders; at && *at;) {
        size_t n = strcspn(at, ":");
        CC_CLEANUP(cc_free_ptr) char *one = cc_strndup(at, n);
        const char *rest = strncmp(one, "$ORIGIN", 7) == 0     ? one + 7
                           : strncmp(one, "${ORIGIN}", 9) == 0 ? one + 9
                                                               : NULL;
        CC_CLEANUP(cc_free_ptr) char *folder = rest ? cc_asprintf("%s%s", origin, rest) : cc_strdup(one);
        if (*folder && add(s, folder, name))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

static void find(struct search *s, const char *run_path, const char *origin, const char *name)
{
    static const char *const folders[] = {"/usr/local/lib", "/lib", "/usr/lib"};
    if (is_system(name) || strchr(name, '/') || add_from(s, run_path, origin, name) ||
        add_from(s, getenv("LD_LIBRARY_PATH"), origin, name))
        return;
    for (size_t i = 0; i < CC_COUNT(folders); i++) {
        CC_CLEANUP(cc_free_ptr) char *plain = cc_asprintf("%s%s", s->root ? s->root : "", folders[i]);
        CC_CLEANUP(cc_free_ptr) char *own = cc_asprintf("%s/%s", plain, s->triplet);
        if (add(s, own, name) || add(s, plain, name))
            return;
    }
}

static void read_dynamic(struct search *s, Elf *elf, Elf_Scn *section, const char *origin)
{
    GElf_Shdr h;
    Elf_Data *d = gelf_getshdr(section, &h) ? elf_getdata(section, NULL) : NULL;
    size_t n = d && h.sh_entsize ? h.sh_size / h.sh_entsize : 0;
    const char *run_path = NULL;
    GElf_Dyn dyn;
    for (size_t i = 0; i < n && gelf_getdyn(d, (int)i, &dyn); i++)
        if (dyn.d_tag == DT_RUNPATH || (dyn.d_tag == DT_RPATH && !run_path))
            run_path = elf_strptr(elf, h.sh_link, dyn.d_un.d_val);
    for (size_t i = 0; i < n && gelf_getdyn(d, (int)i, &dyn); i++) {
        const char *name = dyn.d_tag == DT_NEEDED ? elf_strptr(elf, h.sh_link, dyn.d_un.d_val) : NULL;
        if (name)
            find(s, run_path, origin, name);
    }
}

static void read_file(struct search *s, const char *path)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(path);
    const char *origin = dirname(copy);
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    GElf_Shdr h;
    for (Elf_Scn *x = NULL; elf && elf_kind(elf) == ELF_K_ELF && (x = elf_nextscn(elf, x));)
        if (gelf_getshdr(x, &h) && h.sh_type == SHT_DYNAMIC)
            read_dynamic(s, elf, x, origin);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

void cc_needed_find(struct cc_needed *n, const char *program, const char *root, const char *triplet)
{
    *n = (struct cc_needed){0};
    struct search s = {n, root, triplet};
    read_file(&s, program);
    for (size_t i = 0; i < n->paths.n; i++) /* grows */
        read_file(&s, n->paths.v[i]);
}

void cc_needed_fini(struct cc_needed *n)
{
    for (size_t i = 0; i < n->paths.n; i++)
        free(n->paths.v[i]);
    CC_VEC_FINI(&n->paths);
}
