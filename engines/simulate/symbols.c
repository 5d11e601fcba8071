/* Functions of a file that the program maps: of ELF just what that needs, in both widths and byte orders.
 * Nothing in a file is trusted. */
#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE_AT_MOST = 65536 };

struct file {
    const uint8_t *bytes;
    uint64_t size;
    bool wide, big;
};

/* A number of so many bytes; 0 beyond the file. */
static uint64_t number(const struct file *f, uint64_t at, unsigned bytes)
{
    uint64_t v = 0;
    if (at > f->size || bytes > f->size - at)
        return 0;
    for (unsigned i = 0; i < bytes; i++)
        v = v << 8 | f->bytes[at + (f->big ? i : bytes - 1 - i)];
    return v;
}

/* A field that is as wide as an address, where it is in each width. */
static uint64_t address(const struct file *f, uint64_t at, unsigned narrow, unsigned wide)
{
    return number(f, at + (f->wide ? wide : narrow), f->wide ? 8 : 4);
}

static bool find_bias(const struct file *f, uint64_t from, uint64_t offset, uint64_t *ret)
{
    uint64_t first = address(f, 0, 28, 32), each = number(f, f->wide ? 54 : 42, 2),
             n = number(f, f->wide ? 56 : 44, 2);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t p = first + i * each, at = address(f, p, 4, 8), length = address(f, p, 16, 32);
        if (number(f, p, 4) == PT_LOAD && offset + PAGE_AT_MOST > at && offset < at + length) {
            *ret = from - offset + at - address(f, p, 8, 16);
            return true;
        }
    }
    return false;
}

static void read_table(const struct file *f, uint64_t table, uint64_t names, uint64_t bias, symbol_told *told)
{
    uint64_t at = address(f, table, 16, 24), size = address(f, table, 20, 32);
    uint64_t text = address(f, names, 16, 24), text_size = address(f, names, 20, 32);
    if (at > f->size || size > f->size - at || text > f->size || text_size > f->size - text)
        return;
    unsigned each = f->wide ? 24 : 16;
    for (uint64_t i = 0; i < size / each; i++) {
        uint64_t s = at + i * each, name = number(f, s, 4);
        unsigned info = (unsigned)number(f, s + (f->wide ? 4 : 12), 1),
                 section = (unsigned)number(f, s + (f->wide ? 6 : 14), 2);
        if (section == SHN_UNDEF || ELF64_ST_TYPE(info) != STT_FUNC || name >= text_size ||
            !memchr(f->bytes + text + name, 0, text_size - name))
            continue;
        told(address(f, s, 4, 8) + bias, (const char *)f->bytes + text + name);
    }
}

static void read_tables(const struct file *f, uint64_t from, uint64_t offset, symbol_told *told)
{
    uint64_t first = address(f, 0, 32, 40), each = number(f, f->wide ? 58 : 46, 2),
             n = number(f, f->wide ? 60 : 48, 2), bias;
    if (!find_bias(f, from, offset, &bias))
        return;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t s = first + i * each, type = number(f, s + 4, 4),
                 link = number(f, s + (f->wide ? 40 : 24), 4);
        if ((type == SHT_SYMTAB || type == SHT_DYNSYM) && link < n)
            read_table(f, s, first + link * each, bias, told);
    }
}

void symbols_read(const char *path, uint64_t from, uint64_t offset, symbol_told *told)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return;
    void *p = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > EI_NIDENT
                  ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                  : MAP_FAILED;
    close(fd);
    if (p == MAP_FAILED)
        return;
    const uint8_t *bytes = p;
    struct file f = {.bytes = bytes,
                     .size = (uint64_t)st.st_size,
                     .wide = bytes[EI_CLASS] == ELFCLASS64,
                     .big = bytes[EI_DATA] == ELFDATA2MSB};
    if (memcmp(bytes, ELFMAG, SELFMAG) == 0)
        read_tables(&f, from, offset, told);
    munmap(p, (size_t)st.st_size);
}
