#include "segments.h"
#include "../base/file.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

size_t cc_elf_headers(struct Elf *elf)
{
    size_t n = 0;
    return elf_getphdrnum(elf, &n) == 0 ? CC_MIN(n, (size_t)PN_XNUM) : 0;
}

size_t cc_segments_read(const char *path, struct cc_segment **ret)
{
    CC_VEC(struct cc_segment) found = {0};
    elf_version(EV_CURRENT);
    int fd = cc_file_open(path, NULL);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    size_t n = elf && elf_kind(elf) == ELF_K_ELF ? cc_elf_headers(elf) : 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr ph;
        if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD)
            CC_VEC_PUSH(&found, (struct cc_segment){.offset = ph.p_offset,
                                                    .bytes = ph.p_filesz,
                                                    .address = ph.p_vaddr,
                                                    .size = ph.p_memsz,
                                                    .code = (ph.p_flags & PF_X) != 0});
    }
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    *ret = found.v;
    return found.n;
}

/* A mapping begins with the page its segment begins in, which may hold the end of the segment before, too:
 * one that begins there is meant before one that goes on there. */
bool cc_segments_bias(const struct cc_segment *v, size_t n, uint64_t from, uint64_t offset, uint64_t *ret)
{
    enum { PAGE = 4096 };
    const struct cc_segment *found = NULL;
    for (size_t i = 0; i < n; i++) {
        uint64_t first = v[i].offset & ~(uint64_t)(PAGE - 1), end = v[i].offset + v[i].bytes;
        bool begins = offset == first, within = offset >= first && offset < end;
        if (begins || (within && !found))
            found = &v[i];
        if (begins)
            break;
    }
    if (found)
        *ret = from - offset + found->offset - found->address;
    return found != NULL;
}
