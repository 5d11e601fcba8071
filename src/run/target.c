#include "target.h"
#include "../base/text.h"
#include "../base/where.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct cc_target *t, int status, struct cc_err *err, const char *name, const char *what)
{
    t->status = status;
    return cc_err_set(err, CC_EINPUT, "'%s': %s", name, what);
}

static int read_elf(struct cc_target *t, const char *name, int fd, struct cc_err *err)
{
    unsigned char head[64] = {0};
    ssize_t n = pread(fd, head, sizeof head, 0);
    if (n >= 2 && head[0] == '#' && head[1] == '!') {
        int rc = fail(t, 126, err, name, "a script, not a program that can be measured");
        cc_err_hint(err, "name the interpreter: corecast record -- INTERPRETER %s", name);
        return rc;
    }
    if (n < 52 || memcmp(head, ELFMAG, SELFMAG) != 0)
        return fail(t, 126, err, name, "not an ELF program");
    bool wide = head[EI_CLASS] == ELFCLASS64;
    const Elf64_Ehdr *e64 = (const Elf64_Ehdr *)head;
    const Elf32_Ehdr *e32 = (const Elf32_Ehdr *)head;
    if (head[EI_DATA] != ELFDATA2LSB)
        return fail(t, 126, err, name, "a big-endian program; only little-endian ones can be measured");
    if (e64->e_type != ET_EXEC && e64->e_type != ET_DYN)
        return fail(t, 126, err, name, "an ELF file, but not a program");
    t->isa = cc_isa_of_elf(head);
    if (!t->isa)
        return fail(t, 126, err, name, "a program for a machine corecast does not know");
    uint64_t at = wide ? e64->e_phoff : e32->e_phoff;
    unsigned count = wide ? e64->e_phnum : e32->e_phnum,
             size = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    for (unsigned i = 0; i < count; i++, at += size) {
        unsigned char ph[sizeof(Elf64_Phdr)] = {0};
        if (pread(fd, ph, size, (off_t)at) != (ssize_t)size)
            return fail(t, 126, err, name, "a damaged ELF program");
        const Elf64_Phdr *p64 = (const Elf64_Phdr *)ph;
        const Elf32_Phdr *p32 = (const Elf32_Phdr *)ph;
        if (p64->p_type != PT_INTERP)
            continue;
        char path[256] = "";
        if (pread(fd, path, sizeof path - 1, (off_t)(wide ? p64->p_offset : p32->p_offset)) > 0)
            t->interpreter = cc_strdup(path);
    }
    return 0;
}

int cc_target_find(const char *name, struct cc_target *ret, struct cc_err *err)
{
    memset(ret, 0, sizeof *ret);
    ret->status = 125;
    CC_CLEANUP(cc_free_ptr) char *found = cc_where_program(name);
    struct stat st;
    if (!found || stat(found, &st) != 0)
        return fail(ret, 127, err, name, found ? strerror(errno) : "command not found");
    if (S_ISDIR(st.st_mode))
        return fail(ret, 126, err, name, "is a directory");
    if (st.st_mode & (S_ISUID | S_ISGID)) {
        ret->status = 125;
        int rc = fail(ret, 125, err, name,
                      "runs with another user's rights (setuid or setgid), which measuring would drop");
        cc_err_hint(err, "make a copy without the setuid bit");
        return rc;
    }
    int fd = open(found, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(ret, 126, err, name, strerror(errno));
    int rc = read_elf(ret, name, fd, err);
    close(fd);
    if (rc == 0 && access(found, X_OK) != 0)
        rc = fail(ret, 126, err, name, "not executable");
    if (rc < 0) {
        free(ret->interpreter);
        ret->interpreter = NULL;
        return rc;
    }
    ret->path = realpath(found, NULL);
    if (!ret->path)
        ret->path = cc_strdup(found);
    ret->is_host = ret->isa == cc_isa_host();
    return 0;
}

void cc_target_fini(struct cc_target *t)
{
    free(t->path);
    free(t->interpreter);
    t->path = t->interpreter = NULL;
}

/* QEMU splits the word at commas; one that stands twice is one of the path. */
char *cc_target_plugin(const char *file, const char *name, const char *value)
{
    CC_CLEANUP(cc_free_ptr) char *f = cc_text_doubled(file, ','), *v = cc_text_doubled(value, ',');
    return cc_asprintf("file=%s,%s=%s", f, name, v);
}
