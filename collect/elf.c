#include "elf.h"
#include "../src/isa/isa.h"

enum { MAX_SECTIONS = 65536 };

bool cc_elf_read(const struct cc_elf *e, void *to, size_t size, uint64_t offset)
{
    return e->c->host.read_file(e->c->host.self, e->path, to, size, offset) == (long)size;
}

bool cc_elf_open(struct cc_elf *e)
{
    uint8_t h[64] = {0};
    if (!cc_elf_read(e, h, 52, 0) || cc_elf_number(h, 4) != 0x464c457f || h[5] != 1 /* little-endian */)
        return false;
    e->wide = h[4] == 2;
    if (e->wide && !cc_elf_read(e, h, 64, 0))
        return false;
    e->machine = (uint16_t)cc_elf_number(h + 18, 2);
    e->entry = cc_elf_number(h + 24, e->wide ? 8 : 4);
    if (e->machine == cc_isas[CC_ISA_ARM].machine)
        e->entry &= ~UINT64_C(1); /* Thumb */
    e->phoff = e->wide ? cc_elf_number(h + 32, 8) : cc_elf_number(h + 28, 4);
    e->shoff = e->wide ? cc_elf_number(h + 40, 8) : cc_elf_number(h + 32, 4);
    const uint8_t *rest = h + (e->wide ? 54 : 42);
    e->phsize = (uint16_t)cc_elf_number(rest, 2);
    e->phnum = (uint16_t)cc_elf_number(rest + 2, 2);
    e->shsize = (uint16_t)cc_elf_number(rest + 4, 2);
    e->shnum = (uint16_t)cc_elf_number(rest + 6, 2);
    e->shstr = (uint16_t)cc_elf_number(rest + 8, 2);
    return e->phsize <= 64 && e->shsize <= 64;
}

static bool segment_at(const struct cc_elf *e, unsigned i, struct cc_segment *s)
{
    uint8_t p[64] = {0};
    if (!cc_elf_read(e, p, e->wide ? 56 : 32, e->phoff + (uint64_t)i * e->phsize))
        return false;
    s->type = (uint32_t)cc_elf_number(p, 4);
    s->flags = (uint32_t)cc_elf_number(p + (e->wide ? 4 : 24), 4);
    s->offset = e->wide ? cc_elf_number(p + 8, 8) : cc_elf_number(p + 4, 4);
    s->address = e->wide ? cc_elf_number(p + 16, 8) : cc_elf_number(p + 8, 4);
    s->size = e->wide ? cc_elf_number(p + 32, 8) : cc_elf_number(p + 16, 4);
    s->room = e->wide ? cc_elf_number(p + 40, 8) : cc_elf_number(p + 20, 4);
    return true;
}

/* One page of a file may lie in several segments (lld's way): code is what is asked for. */
bool cc_elf_address(const struct cc_elf *e, uint64_t offset, uint64_t *ret)
{
    enum { EXECUTE = 1 };
    struct cc_segment s;
    bool found = false;
    for (unsigned i = 0; i < e->phnum && segment_at(e, i, &s); i++) {
        uint64_t page_off = s.offset & ~UINT64_C(4095);
        if (s.type != CC_SEGMENT_LOAD || offset < page_off || offset >= s.offset + s.size)
            continue;
        if (!found || s.flags & EXECUTE)
            *ret = s.address - s.offset + offset;
        found = true;
    }
    return found;
}

bool cc_elf_offset(const struct cc_elf *e, uint64_t address, uint64_t *ret, uint64_t *ret_size)
{
    struct cc_segment s;
    for (unsigned i = 0; i < e->phnum && segment_at(e, i, &s); i++) {
        if (s.type != CC_SEGMENT_LOAD || address < s.address || address - s.address >= s.size)
            continue;
        *ret = s.offset + (address - s.address);
        *ret_size = s.size - (address - s.address);
        return true;
    }
    return false;
}

bool cc_elf_loaded(const struct cc_elf *e, uint64_t address, struct cc_segment *ret)
{
    for (unsigned i = 0; i < e->phnum && segment_at(e, i, ret); i++)
        if (ret->type == CC_SEGMENT_LOAD && address >= ret->address && address - ret->address < ret->room)
            return true;
    return false;
}

bool cc_elf_segment(const struct cc_elf *e, uint32_t type, struct cc_segment *ret)
{
    for (unsigned i = 0; i < e->phnum && segment_at(e, i, ret); i++)
        if (ret->type == type)
            return true;
    return false;
}

/* The value of an entry of the dynamic section. */
static bool dynamic_value(const struct cc_elf *e, uint64_t tag, uint64_t *ret)
{
    enum { MOST = 4096 };
    unsigned w = e->wide ? 8 : 4;
    uint8_t entry[16];
    struct cc_segment d;
    if (!cc_elf_segment(e, CC_SEGMENT_DYNAMIC, &d))
        return false;
    for (uint64_t i = 0; i < MOST && i < d.size / (2 * w); i++) {
        if (!cc_elf_read(e, entry, 2 * w, d.offset + i * 2 * w) || cc_elf_number(entry, w) == 0)
            return false;
        if (cc_elf_number(entry, w) == tag) {
            *ret = cc_elf_number(entry + w, w);
            return true;
        }
    }
    return false;
}

/* What the relocation of an address adds, if it has one with an addend; 0: none. */
static uint64_t addend_of(const struct cc_elf *e, uint64_t address)
{
    enum { RELA = 7, RELASZ = 8, AT_ONCE = 64, MOST = 1 << 18 };
    unsigned w = e->wide ? 8 : 4, size = 3 * w;
    uint8_t entries[AT_ONCE * 24];
    uint64_t table, bytes, offset, left;
    if (!dynamic_value(e, RELA, &table) || !dynamic_value(e, RELASZ, &bytes) ||
        !cc_elf_offset(e, table, &offset, &left))
        return 0;
    uint64_t n = (bytes < left ? bytes : left) / size;
    for (uint64_t i = 0; i < n && i < MOST; i += AT_ONCE) {
        uint64_t some = n - i < AT_ONCE ? n - i : AT_ONCE;
        if (!cc_elf_read(e, entries, (size_t)some * size, offset + i * size))
            return 0;
        for (uint64_t k = 0; k < some; k++)
            if (cc_elf_number(entries + k * size, w) == address)
                return cc_elf_number(entries + k * size + 2 * w, w);
    }
    return 0;
}

uint64_t cc_elf_pointer(const struct cc_elf *e, uint64_t address)
{
    uint8_t word[8];
    unsigned w = e->wide ? 8 : 4;
    uint64_t offset, left, value = 0;
    if (cc_elf_offset(e, address, &offset, &left) && left >= w && cc_elf_read(e, word, w, offset))
        value = cc_elf_number(word, w);
    return value ? value : addend_of(e, address);
}

bool cc_elf_soname(const struct cc_elf *e, char *to, size_t size)
{
    enum { STRTAB = 5, SONAME = 14 };
    uint64_t strings, name, offset, left;
    if (!dynamic_value(e, SONAME, &name) || !dynamic_value(e, STRTAB, &strings) ||
        !cc_elf_offset(e, strings + name, &offset, &left))
        return false;
    long n = e->c->host.read_file(e->c->host.self, e->path, to, left < size ? (size_t)left : size, offset);
    for (long i = 0; i < n; i++)
        if (!to[i])
            return i > 0;
    return false;
}

unsigned cc_elf_code(const struct cc_elf *e, struct cc_segment *to, unsigned most)
{
    unsigned n = 0;
    struct cc_segment s;
    for (unsigned i = 0; i < e->phnum && n < most && segment_at(e, i, &s); i++)
        if (s.type == CC_SEGMENT_LOAD && s.flags & 1)
            to[n++] = s;
    return n;
}

bool cc_elf_is_code(const struct cc_elf *e, uint64_t address)
{
    struct cc_segment s;
    for (unsigned i = 0; i < e->phnum && segment_at(e, i, &s); i++)
        if (s.type == CC_SEGMENT_LOAD && s.flags & 1 && address - s.address < s.size)
            return true;
    return false;
}

bool cc_elf_section(const struct cc_elf *e, unsigned i, struct cc_section *s)
{
    uint8_t h[64] = {0};
    if (i >= e->shnum || !cc_elf_read(e, h, e->wide ? 64 : 40, e->shoff + (uint64_t)i * e->shsize))
        return false;
    unsigned w = e->wide ? 8 : 4;
    const uint8_t *p = h + 8;
    s->name = (uint32_t)cc_elf_number(h, 4);
    s->type = (uint32_t)cc_elf_number(h + 4, 4);
    s->flags = cc_elf_number(p, w);
    s->address = cc_elf_number(p + w, w);
    s->offset = cc_elf_number(p + 2 * w, w);
    s->size = cc_elf_number(p + 3 * w, w);
    s->link = (uint32_t)cc_elf_number(p + 4 * w, 4);
    s->entry = cc_elf_number(h + (e->wide ? 56 : 36), w);
    return true;
}

bool cc_elf_section_named(const struct cc_elf *e, const char *name, struct cc_section *s)
{
    struct cc_section names;
    char text[32];
    size_t n = cc_length(name) + 1;
    if (n > sizeof text || !cc_elf_section(e, e->shstr, &names))
        return false;
    for (unsigned i = 0; i < e->shnum && i < MAX_SECTIONS && cc_elf_section(e, i, s); i++)
        if (s->name < names.size && cc_elf_read(e, text, n, names.offset + s->name) &&
            cc_same_bytes(text, name, n))
            return true;
    return false;
}
