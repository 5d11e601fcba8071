#include "target.h"
#include "../base/text.h"
#include "../base/where.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int cannot_run(const struct cc_target *t, struct cc_err *err, const char *what)
{
    return cc_err_set(err, CC_ECANNOT_RUN, "'%s': %s", t->named, what);
}

/* The program headers, for the interpreter. */
static int read_segments(struct cc_target *t, int fd, const void *head, struct cc_err *err)
{
    const Elf64_Ehdr *e64 = head;
    const Elf32_Ehdr *e32 = head;
    bool wide = t->isa->wide;
    uint64_t at = wide ? e64->e_phoff : e32->e_phoff;
    unsigned count = wide ? e64->e_phnum : e32->e_phnum,
             size = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    for (unsigned i = 0; i < count; i++, at += size) {
        union {
            Elf64_Phdr p64;
            Elf32_Phdr p32;
        } ph = {0};
        if (pread(fd, &ph, size, (off_t)at) != (ssize_t)size)
            return cannot_run(t, err, "a damaged ELF program");
        uint32_t type = ph.p64.p_type, offset = ph.p32.p_offset; /* the type is the first of both */
        if ((t->big ? be32toh(type) : type) != PT_INTERP || t->interpreter)
            continue;
        char path[256] = "";
        if (pread(fd, path, sizeof path - 1,
                  (off_t)(wide     ? ph.p64.p_offset
                          : t->big ? be32toh(offset)
                                   : offset)) > 0)
            t->interpreter = cc_strdup(path);
    }
    return 0;
}

/* "#!/usr/bin/env bash -e": bash, the file's own words otherwise. */
static int refuse_script(struct cc_target *t, int fd, struct cc_err *err)
{
    char line[256] = "";
    ssize_t n = pread(fd, line, sizeof line - 1, 2);
    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    char *rest, *word = strtok_r(line, " \t\r", &rest);
    if (word && strcmp(cc_text_base(word), "env") == 0) {
        char *next = strtok_r(NULL, " \t\r", &rest);
        word = next && *next != '-' ? next : word;
    }
    int rc = cannot_run(t, err, "a script, not a program that can be measured");
    cc_err_hint(
        err,
        "name its interpreter as the program: %s %s; or put 'corecast record' in front of a program in it",
        word ? word : "INTERPRETER", t->named);
    return rc;
}

/* The header of a program for big-endian MIPS as if it were little-endian, as far as it is looked at. */
static void turn_around(struct cc_target *t, unsigned char *head)
{
    Elf32_Ehdr *e = (Elf32_Ehdr *)head;
    if (head[EI_CLASS] != ELFCLASS32 || be16toh(e->e_machine) != EM_MIPS)
        return;
    head[EI_DATA] = ELFDATA2LSB;
    e->e_type = be16toh(e->e_type);
    e->e_machine = be16toh(e->e_machine);
    e->e_phoff = be32toh(e->e_phoff);
    e->e_phnum = be16toh(e->e_phnum);
    t->big = true;
}

static int read_elf(struct cc_target *t, int fd, struct cc_err *err)
{
    _Alignas(Elf64_Ehdr) unsigned char head[sizeof(Elf64_Ehdr)] = {0};
    ssize_t n = pread(fd, head, sizeof head, 0);
    if (n >= 2 && head[0] == '#' && head[1] == '!')
        return refuse_script(t, fd, err);
    if (n < (ssize_t)sizeof(Elf32_Ehdr) || memcmp(head, ELFMAG, SELFMAG) != 0)
        return cannot_run(t, err, "not an ELF program");
    if (head[EI_DATA] == ELFDATA2MSB && t->big_too)
        turn_around(t, head);
    if (head[EI_DATA] != ELFDATA2LSB)
        return cannot_run(t, err, "a big-endian program; only little-endian ones can be measured");
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)head; /* up to e_machine both classes are alike */
    if (e->e_type != ET_EXEC && e->e_type != ET_DYN)
        return cannot_run(t, err, "an ELF file, but not a program");
    t->isa = cc_isa_of_elf(head);
    if (!t->isa)
        return cannot_run(t, err, "a program for a machine corecast does not know");
    t->is_host = t->isa == cc_isa_host();
    return read_segments(t, fd, head, err);
}

static int check_rights(struct cc_target *t, const struct stat *st, struct cc_err *err)
{
    if (st->st_mode & (S_ISUID | S_ISGID)) {
        int rc = cannot_run(t, err,
                            "runs with another user's rights (setuid or setgid), which measuring would drop");
        cc_err_hint(err, "make a copy without the setuid bit");
        return rc;
    }
    if (getxattr(t->named, "security.capability", NULL, 0) > 0) {
        int rc = cannot_run(t, err, "has capabilities (setcap), which measuring would drop");
        cc_err_hint(err, "make a copy: it has none");
        return rc;
    }
    return 0;
}

static int look_at(struct cc_target *t, struct cc_err *err)
{
    struct stat st;
    if (stat(t->named, &st) != 0)
        return cc_err_set(err, errno == ENOENT || errno == ENOTDIR ? CC_ENOT_FOUND : CC_ECANNOT_RUN,
                          "'%s': %s", t->named, strerror(errno));
    if (!S_ISREG(st.st_mode)) /* opening a pipe would wait for ever */
        return cannot_run(t, err, S_ISDIR(st.st_mode) ? "is a directory" : "not a program");
    int rc = t->firmware ? 0 : check_rights(t, &st, err);
    if (rc < 0)
        return rc;
    int fd = open(t->named, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot_run(t, err, strerror(errno));
    rc = read_elf(t, fd, err);
    close(fd);
    if (rc == 0 && !t->firmware && access(t->named, X_OK) != 0)
        rc = cannot_run(t, err, "not executable");
    if (rc == 0)
        t->path = realpath(t->named, NULL);
    return rc == 0 && !t->path ? cannot_run(t, err, strerror(errno)) : rc;
}

static int find(const char *name, bool big_too, struct cc_target *ret, struct cc_err *err)
{
    *ret = (struct cc_target){.named = cc_where_program(name), .big_too = big_too};
    if (!ret->named)
        return cc_err_set(err, CC_ENOT_FOUND, "'%s': command not found", name);
    int rc = look_at(ret, err);
    if (rc < 0)
        cc_target_fini(ret);
    return rc;
}

int cc_target_find(const char *name, struct cc_target *ret, struct cc_err *err)
{
    return find(name, false, ret, err);
}

int cc_target_find_simulated(const char *name, struct cc_target *ret, struct cc_err *err)
{
    return find(name, true, ret, err);
}

const char *cc_target_machine(const struct cc_target *t)
{
    return t->big ? "mips" : t->isa->name;
}

int cc_target_find_firmware(const char *path, struct cc_target *ret, struct cc_err *err)
{
    *ret = (struct cc_target){.named = cc_strdup(path), .firmware = true};
    int rc = look_at(ret, err);
    if (rc < 0)
        cc_target_fini(ret);
    return rc;
}

void cc_target_fini(struct cc_target *t)
{
    free(t->named);
    free(t->path);
    free(t->interpreter);
    t->named = t->path = t->interpreter = NULL;
}

/* --- with what --- */

int cc_target_emulator(const struct cc_target *t, char **ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr)
    char *name = cc_asprintf("qemu-%s%s", t->firmware ? "system-" : "", cc_target_machine(t));
    *ret = cc_where_program(name);
    if (*ret)
        return 0;
    int rc = cc_err_set(err, CC_EENGINE, "'%s' is %s for %s, and there is no '%s'", t->named,
                        t->firmware ? "firmware" : "a program", cc_target_machine(t), name);
    cc_err_hint(err, "install the package %s",
                t->firmware ? "qemu-system-arm or qemu-system-misc" : "qemu-user");
    return rc;
}

char *cc_target_sysroot(const struct cc_target *t)
{
    if (t->is_host || !t->interpreter || getenv("QEMU_LD_PREFIX"))
        return NULL;
    char *root = cc_asprintf("/usr/%s", t->isa->triplet);
    if (access(root, X_OK) == 0)
        return root;
    free(root);
    return NULL;
}

/* QEMU 7.2 tells plugins nothing of most that SVE and SME access, and glibc copies what is short by SVE:
 * without them it takes another way, and a program that needs them is killed rather than misread. */
const char *cc_target_cpu(const struct cc_target *t)
{
    return t->isa->id == CC_ISA_AARCH64 && !getenv("QEMU_CPU") ? "max,sve=off,sme=off" : NULL;
}

enum { USUAL_STACK = 8 << 20 }; /* QEMU's as well */

uint64_t cc_target_stack(const struct cc_target *t, bool later)
{
    uint64_t most = t->isa->wide ? 4ULL << 30 : 256ULL << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return USUAL_STACK;
    return CC_MIN((uint64_t)(later ? limit.rlim_max : limit.rlim_cur), most);
}

/* It does as the limit says, but takes none for the usual one. */
char *cc_target_stack_word(const struct cc_target *t)
{
    uint64_t size = cc_target_stack(t, false);
    return size > USUAL_STACK && !getenv("QEMU_STACK_SIZE") ? cc_asprintf("%llu", (unsigned long long)size)
                                                            : NULL;
}

/* QEMU splits the word at commas; one that stands twice is one of the path. */
char *cc_target_plugin(const char *file, const char *name, const char *value)
{
    CC_CLEANUP(cc_free_ptr) char *f = cc_text_doubled(file, ','), *v = cc_text_doubled(value, ',');
    return cc_asprintf("file=%s,%s=%s", f, name, v);
}
