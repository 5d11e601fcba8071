#include "elf.h"

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

struct segment {
    uint32_t type, flags;
    uint64_t offset, address, size;
};

static bool segment_at(const struct cc_elf *e, unsigned i, struct segment *s)
{
    uint8_t p[64] = {0};
    if (!cc_elf_read(e, p, e->wide ? 56 : 32, e->phoff + (uint64_t)i * e->phsize))
        return false;
    s->type = (uint32_t)cc_elf_number(p, 4);
    s->flags = (uint32_t)cc_elf_number(p + (e->wide ? 4 : 24), 4);
    s->offset = e->wide ? cc_elf_number(p + 8, 8) : cc_elf_number(p + 4, 4);
    s->address = e->wide ? cc_elf_number(p + 16, 8) : cc_elf_number(p + 8, 4);
    s->size = e->wide ? cc_elf_number(p + 32, 8) : cc_elf_number(p + 16, 4);
    return true;
}

bool cc_elf_address(const struct cc_elf *e, uint64_t offset, uint64_t *ret)
{
    struct segment s;
    for (unsigned i = 0; i < e->phnum && segment_at(e, i, &s); i++) {
        uint64_t page_off = s.offset & ~UINT64_C(4095);
        if (s.type != 1 || offset < page_off || offset >= s.offset + s.size)
            continue;
        *ret = s.address - s.offset + offset;
        return true;
    }
    return false;
}

bool cc_elf_is_code(const struct cc_elf *e, uint64_t address)
{
    struct segment s;
    for (unsigned i = 0; i < e->phnum && segment_at(e, i, &s); i++)
        if (s.type == 1 && s.flags & 1 && address - s.address < s.size)
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
