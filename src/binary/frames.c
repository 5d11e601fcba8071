#include "frames.h"

struct piece { /* a section */
    const uint8_t *data;
    uint64_t address, size;
};

/* Reads on in a piece; beyond its end there are zeros and `bad`. */
struct cursor {
    const struct piece *p;
    uint64_t at, end;
    bool bad, wide;
};

struct reader {
    void (*frame)(void *self, const struct cc_frame_entry *);
    void (*landing)(void *self, const struct cc_landing *);
    void *self;
    struct piece frames, exceptions;
    bool wide;
};

struct shape { /* how the entries under a common one are written */
    bool sized;
    uint8_t pointer, exceptions; /* encodings; OMITTED: there is none */
};

enum { OMITTED = 0xff, PC_RELATIVE = 0x10 };

static uint64_t take(struct cursor *r, unsigned n)
{
    uint64_t v = 0;
    if (r->bad || r->end - r->at < n) {
        r->bad = true;
        return 0;
    }
    for (unsigned i = n; i-- > 0;)
        v = v << 8 | r->p->data[r->at + i];
    r->at += n;
    return v;
}

static uint64_t extend(uint64_t v, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return bits < 64 ? ((v & ((sign << 1) - 1)) ^ sign) - sign : v;
}

static uint64_t take_leb(struct cursor *r, bool is_signed)
{
    uint64_t v = 0, byte = 0x80;
    unsigned shift = 0;
    for (; byte & 0x80 && !r->bad; shift += 7) {
        byte = take(r, 1);
        if (shift < 64)
            v |= (byte & 0x7f) << shift;
        else
            r->bad = true;
    }
    return is_signed && shift < 64 && byte & 0x40 ? v | UINT64_MAX << shift : v;
}

static uint64_t take_pointer(struct cursor *r, uint8_t how)
{
    uint64_t here = r->p->address + r->at, v = 0;
    switch (how & 15) {
    case 0:
        v = take(r, r->wide ? 8 : 4);
        break;
    case 1:
    case 9:
        v = take_leb(r, (how & 15) == 9);
        break;
    case 2:
        v = take(r, 2);
        break;
    case 3:
        v = take(r, 4);
        break;
    case 10:
        v = extend(take(r, 2), 16);
        break;
    case 11:
        v = extend(take(r, 4), 32);
        break;
    case 4:
    case 12:
        v = take(r, 8);
        break;
    default:
        r->bad = true;
    }
    if (!v)
        return 0;
    if ((how & 0x70) == PC_RELATIVE)
        v += here;
    else if (how & 0x70)
        r->bad = true;
    return r->wide ? v : (uint32_t)v;
}

/* --- tables of exceptions --- */

static void read_landings(const struct reader *x, uint64_t table, uint64_t function)
{
    if (table < x->exceptions.address || table - x->exceptions.address >= x->exceptions.size)
        return;
    struct cursor r = {&x->exceptions, table - x->exceptions.address, x->exceptions.size, false, x->wide};
    uint8_t how = (uint8_t)take(&r, 1);
    uint64_t base = how == OMITTED ? function : take_pointer(&r, how);
    how = (uint8_t)take(&r, 1);
    if (how != OMITTED)
        take_leb(&r, false);
    how = (uint8_t)take(&r, 1);
    uint64_t size = take_leb(&r, false);
    if (r.bad || size > r.end - r.at)
        return;
    r.end = r.at + size;
    while (r.at < r.end && !r.bad) {
        uint64_t from = take_pointer(&r, how), length = take_pointer(&r, how), pad = take_pointer(&r, how);
        take_leb(&r, false);
        struct cc_landing l = {function + from, function + from + length, base + pad};
        if (!r.bad && pad && length && l.from < l.to)
            x->landing(x->self, &l);
    }
}

/* --- .eh_frame --- */

/* The entry that others refer to, at an offset. */
static bool read_common(const struct reader *x, uint64_t at, struct shape *ret)
{
    *ret = (struct shape){.exceptions = OMITTED};
    if (at >= x->frames.size)
        return false;
    struct cursor r = {&x->frames, at, x->frames.size, false, x->wide};
    uint64_t size = take(&r, 4);
    if (size == UINT32_MAX)
        size = take(&r, 8);
    if (r.bad || size > r.end - r.at)
        return false;
    r.end = r.at + size;
    char text[8] = "";
    unsigned n = 0;
    if (take(&r, 4) != 0)
        return false;
    uint64_t version = take(&r, 1);
    for (char c; (c = (char)take(&r, 1)) && !r.bad;)
        if (n + 1 < sizeof text)
            text[n++] = c;
    if (version == 4)
        take(&r, 2);
    take_leb(&r, false);
    take_leb(&r, true);
    if (version == 1)
        take(&r, 1);
    else
        take_leb(&r, false);
    ret->sized = text[0] == 'z';
    if (ret->sized)
        take_leb(&r, false);
    for (unsigned i = 1; ret->sized && i < n && !r.bad; i++) {
        if (text[i] == 'R')
            ret->pointer = (uint8_t)take(&r, 1);
        else if (text[i] == 'L')
            ret->exceptions = (uint8_t)take(&r, 1);
        else if (text[i] == 'P') {
            uint8_t how = (uint8_t)take(&r, 1);
            take_pointer(&r, how & 0x7f);
        }
    }
    return !r.bad;
}

static void read_entry(const struct reader *x, struct cursor r, const struct shape *s)
{
    uint64_t from = take_pointer(&r, s->pointer), size = take_pointer(&r, s->pointer & 15);
    if (r.bad || !from || !size || from + size < from)
        return;
    x->frame(x->self, &(struct cc_frame_entry){from, from + size});
    if (!s->sized || s->exceptions == OMITTED)
        return;
    take_leb(&r, false);
    uint64_t table = take_pointer(&r, s->exceptions & 0x7f);
    if (!r.bad && table)
        read_landings(x, table, from);
}

static void read_entries(const struct reader *x)
{
    struct cursor r = {&x->frames, 0, x->frames.size, false, x->wide};
    struct shape shape = {0};
    uint64_t common = UINT64_MAX;
    bool known = false;
    while (r.at < r.end) {
        uint64_t size = take(&r, 4);
        if (size == UINT32_MAX)
            size = take(&r, 8);
        if (r.bad || size > r.end - r.at)
            return;
        struct cursor entry = r;
        entry.end = r.at + size;
        r.at += size;
        uint64_t back = size >= 4 ? take(&entry, 4) : 0, here = entry.at - 4;
        if (!back || back > here)
            continue;
        if (here - back != common) {
            common = here - back;
            known = read_common(x, common, &shape);
        }
        if (known)
            read_entry(x, entry, &shape);
    }
}

void cc_frames_read(Elf *elf, void (*frame)(void *self, const struct cc_frame_entry *),
                    void (*landing)(void *self, const struct cc_landing *), void *self)
{
    struct reader x = {.frame = frame, .landing = landing, .self = self};
    GElf_Ehdr header;
    GElf_Shdr h;
    size_t names;
    if (!gelf_getehdr(elf, &header) || elf_getshdrstrndx(elf, &names) != 0)
        return;
    x.wide = header.e_ident[EI_CLASS] == ELFCLASS64;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
        const char *name = gelf_getshdr(s, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
        if (!name || h.sh_type == SHT_NOBITS || !(h.sh_flags & SHF_ALLOC))
            continue;
        struct piece *to = strcmp(name, ".eh_frame") == 0 ? &x.frames
                           : strncmp(name, ".gcc_except_table", sizeof ".gcc_except_table" - 1) == 0
                               ? &x.exceptions
                               : NULL;
        Elf_Data *d = to ? elf_rawdata(s, NULL) : NULL;
        if (d && d->d_buf && d->d_size)
            *to = (struct piece){d->d_buf, h.sh_addr, d->d_size};
    }
    read_entries(&x);
}
