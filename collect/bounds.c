/* Where functions begin and end in a file without a symbol table, from the unwind tables (.eh_frame), which
 * stripping leaves. */
#include "elf.h"

enum {
    MAX_BYTES = 64 << 20,
    DW_OMIT = 0xff,
    DW_FORMAT = 0x07, /* without the sign */
    DW_APPLICATION = 0x70,
    DW_PCREL = 0x10,
};

struct table {
    const uint8_t *data;
    uint64_t size, address; /* address: of its first byte, in the file's addresses */
    unsigned word;
};

/* One entry: [at, end), behind the word that says whose it is. */
struct entry {
    uint64_t at, end;
    uint64_t id_at, id; /* 0: a CIE; else how far its CIE lies before id_at */
};

static bool entry_at(const struct table *t, uint64_t at, struct entry *ret)
{
    if (t->size < 8 || at > t->size - 8)
        return false;
    uint64_t length = cc_elf_number(t->data + at, 4);
    if (length < 4 || length >= 0xfffffff0 || length > t->size - at - 4)
        return false; /* the end; 64-bit tables are nobody's habit */
    *ret = (struct entry){
        .id_at = at + 4, .id = cc_elf_number(t->data + at + 4, 4), .at = at + 8, .end = at + 4 + length};
    return true;
}

static uint64_t skip_leb(const struct table *t, uint64_t at, uint64_t end)
{
    while (at < end && t->data[at] & 0x80)
        at++;
    return at + 1;
}

/* How the addresses of a CIE's entries are written; DW_OMIT: not in a way that is known here. */
static uint8_t encoding_of(const struct table *t, uint64_t cie)
{
    struct entry c;
    if (!entry_at(t, cie, &c) || c.id != 0 || c.at + 2 > c.end)
        return DW_OMIT;
    uint64_t text = c.at + 1, at = text;
    while (at < c.end && t->data[at])
        at++;
    at = skip_leb(t, at + 1, c.end); /* code alignment */
    at = skip_leb(t, at, c.end);     /* data alignment */
    at = t->data[c.at] == 1 ? at + 1 : skip_leb(t, at, c.end);
    if (t->data[text] != 'z')
        return t->data[text] ? DW_OMIT : 0;
    at = skip_leb(t, at, c.end);
    for (uint64_t i = text + 1; i < c.end && t->data[i] && at < c.end; i++) {
        if (t->data[i] == 'R')
            return t->data[at];
        if (t->data[i] == 'P') {
            static const uint8_t sizes[] = {0, 0, 2, 4, 8};
            uint8_t format = t->data[at] & DW_FORMAT;
            if (format == 1 || format > 4)
                return DW_OMIT;
            at += 1 + (format ? sizes[format] : t->word);
        } else if (t->data[i] == 'L') {
            at++;
        }
    }
    return 0;
}

static bool bounds_of(const struct table *t, const struct entry *f, uint64_t *ret_start, uint64_t *ret_size)
{
    if (f->id > f->id_at)
        return false;
    uint8_t encoding = encoding_of(t, f->id_at - f->id);
    uint8_t format = encoding & DW_FORMAT, application = encoding & DW_APPLICATION;
    unsigned n = format == 0 ? t->word : format == 3 ? 4 : format == 4 ? 8 : 0;
    if (encoding == DW_OMIT || !n || (application && application != DW_PCREL) || f->at + 2 * n > f->end)
        return false;
    uint64_t value = cc_elf_number(t->data + f->at, n);
    if (n == 4 && encoding & 8)
        value = (uint64_t)(int64_t)(int32_t)value;
    *ret_start = application == DW_PCREL ? t->address + f->at + value : value;
    if (t->word == 4)
        *ret_start = (uint32_t)*ret_start;
    *ret_size = cc_elf_number(t->data + f->at + n, n);
    return *ret_size != 0;
}

void cc_bounds_read(const struct cc_elf *e, void (*found)(void *self, uint64_t start, uint64_t size),
                    void *self)
{
    struct cc_section s;
    struct cc_host *h = &e->c->host;
    if (!cc_elf_section_named(e, ".eh_frame", &s) || s.size > MAX_BYTES || s.size < 8)
        return;
    uint8_t *data = h->map(h->self, s.size);
    struct table t = {data, s.size, s.address, e->wide ? 8 : 4};
    struct entry f;
    uint64_t start, size;
    if (cc_elf_read(e, data, s.size, s.offset))
        for (uint64_t at = 0; entry_at(&t, at, &f); at = f.end)
            if (f.id != 0 && bounds_of(&t, &f, &start, &size))
                found(self, start, size);
    h->unmap(h->self, data, s.size);
}
