#include "bounds.h"

enum { MAX_TABLE = 512 << 20 };

/* How a pointer is written: the size in the low four bits, what it is relative to above. */
enum {
    PTR_4 = 0x03,
    PTR_8 = 0x04,
    PTR_SIGNED_4 = 0x0b,
    PTR_SIGNED_8 = 0x0c,
    PTR_PC = 0x10,
    PTR_TABLE = 0x30
};

struct piece { /* of the file, in memory */
    uint8_t *data;
    uint64_t address, size;
};

static bool piece_load(const struct cc_elf *e, uint64_t address, uint64_t most, struct piece *ret)
{
    struct cc_host *h = &e->c->host;
    uint64_t offset, left;
    if (!cc_elf_offset(e, address, &offset, &left))
        return false;
    *ret = (struct piece){.address = address, .size = left < most ? left : most};
    if (!ret->size || ret->size > MAX_TABLE)
        return false;
    ret->data = h->map(h->self, ret->size);
    long n = h->read_file(h->self, e->path, ret->data, ret->size, offset);
    if (n == (long)ret->size)
        return true;
    h->unmap(h->self, ret->data, ret->size);
    return false;
}

static void piece_drop(const struct cc_elf *e, const struct piece *p)
{
    e->c->host.unmap(e->c->host.self, p->data, p->size);
}

/* --- reading on in a piece; beyond its end there are zeros and `bad` --- */

struct cursor {
    const struct piece *p;
    uint64_t at, end;
    bool bad;
};

static uint64_t take(struct cursor *r, unsigned n)
{
    if (r->bad || r->end - r->at < n) {
        r->bad = true;
        return 0;
    }
    r->at += n;
    return cc_elf_number(r->p->data + r->at - n, n);
}

static uint64_t take_leb(struct cursor *r)
{
    uint64_t v = 0, byte = 0x80;
    for (unsigned shift = 0; byte & 0x80 && !r->bad; shift += 7) {
        byte = take(r, 1);
        if (shift < 64)
            v |= (byte & 0x7f) << shift;
        else
            r->bad = true;
    }
    return v;
}

static int64_t signed_4(uint64_t v)
{
    return (int64_t)(int32_t)(uint32_t)v;
}

static uint64_t take_pointer(struct cursor *r, uint8_t how, bool wide)
{
    uint64_t here = r->p->address + r->at, v;
    switch (how & 15) {
    case 0:
        v = take(r, wide ? 8 : 4);
        break;
    case PTR_4:
        v = take(r, 4);
        break;
    case PTR_SIGNED_4:
        v = (uint64_t)signed_4(take(r, 4));
        break;
    case PTR_8:
    case PTR_SIGNED_8:
        v = take(r, 8);
        break;
    default:
        r->bad = true;
        return 0;
    }
    if ((how & 0x70) == PTR_PC)
        v += here;
    else if (how & 0x70)
        r->bad = true;
    return wide ? v : (uint32_t)v;
}

/* --- entries of .eh_frame --- */

enum { MAX_CODE = 8 };

struct frames {
    struct piece p; /* from the start of .eh_frame on */
    bool wide;
    struct cc_segment code[MAX_CODE]; /* what can be executed */
    unsigned ncode;
    uint64_t cie; /* the one that was read last: its place, */
    uint8_t how;  /* how its entries write pointers, */
    bool sized;   /* whether they have an augmentation, */
    bool known;   /* and whether all that was understood */
};

/* The entry at a place: what follows its length. */
static struct cursor entry_at(const struct frames *f, uint64_t at)
{
    struct cursor r = {&f->p, at, f->p.size, at > f->p.size};
    uint64_t n = take(&r, 4);
    if (n < 4 || n == UINT32_MAX || n > r.end - r.at) /* none, or of 64 bits */
        r.bad = true;
    else
        r.end = r.at + n;
    return r;
}

static void augmentation(struct frames *f, struct cursor *r, const char *letters)
{
    f->sized = *letters == 'z';
    if (f->sized)
        take_leb(r);
    for (letters += f->sized; *letters && !r->bad; letters++) {
        if (*letters == 'R')
            f->how = (uint8_t)take(r, 1);
        else if (*letters == 'L')
            take(r, 1);
        else if (*letters == 'P')
            take_pointer(r, (uint8_t)(take(r, 1) & 0x1f), f->wide);
        else if (*letters != 'S' && *letters != 'B' && *letters != 'G')
            r->bad = true;
    }
}

static bool cie_read(struct frames *f, uint64_t at)
{
    struct cursor r = entry_at(f, at);
    char letters[8] = {0};
    if (at == f->cie && f->known)
        return true;
    f->cie = at;
    f->how = 0;
    r.bad |= take(&r, 4) != 0;
    uint64_t version = take(&r, 1);
    for (unsigned i = 0; i < sizeof letters && (letters[i] = (char)take(&r, 1)); i++)
        r.bad |= i + 1 == sizeof letters;
    take_leb(&r);
    take_leb(&r);
    if (version == 1)
        take(&r, 1);
    else
        take_leb(&r);
    augmentation(f, &r, letters);
    return f->known = !r.bad;
}

/* A function begins with what its CIE says. What begins with a frame that is already there was moved away. */
static bool begins_amid(struct cursor r)
{
    enum { NOP = 0, UNDEFINED = 7, REMEMBER = 10, DEF_CFA = 12, DEF_CFA_OFFSET = 14, NEGATE_RA = 0x2d };
    enum { OFFSET = 2, RESTORE = 3, MOST = 64 };
    for (int i = 0; i < MOST && r.at < r.end && !r.bad; i++) {
        unsigned op = (unsigned)take(&r, 1);
        if (op >> 6 == OFFSET || (op >= DEF_CFA && op <= DEF_CFA_OFFSET))
            return true;
        if (op == UNDEFINED)
            take_leb(&r);
        else if (op != NOP && op != REMEMBER && op != NEGATE_RA && op >> 6 != RESTORE)
            return false;
    }
    return false;
}

/* What the entry says behind its length; false: it is none of a function's. */
static bool bound_read(struct frames *f, struct cursor r, struct cc_bound *ret)
{
    uint64_t here = r.at, back = take(&r, 4);
    if (r.bad || !back || back > here || !cie_read(f, here - back))
        return false;
    ret->start = take_pointer(&r, f->how, f->wide);
    ret->size = take_pointer(&r, f->how & 15, f->wide);
    if (f->sized) {
        uint64_t n = take_leb(&r);
        if (n > r.end - r.at)
            return false;
        r.at += n;
    }
    ret->part = begins_amid(r);
    return !r.bad && ret->size && ret->size < MAX_TABLE && ret->start + ret->size > ret->start;
}

static bool is_code(const struct frames *f, const struct cc_bound *b)
{
    for (unsigned i = 0; i < f->ncode; i++)
        if (b->start - f->code[i].address < f->code[i].size)
            return true;
    return false;
}

/* .eh_frame; a file without sections has a segment that says where it begins. */
static bool find_frames(const struct cc_elf *e, struct piece *ret)
{
    enum { HEADER = 0x6474e550 };
    struct cc_section section;
    struct cc_segment s;
    struct piece head;
    if (cc_elf_section_named(e, ".eh_frame", &section))
        return piece_load(e, section.address, section.size, ret);
    if (!cc_elf_segment(e, HEADER, &s) || !piece_load(e, s.address, 8, &head))
        return false;
    struct cursor r = {&head, 0, head.size, false};
    bool usual = take(&r, 1) == 1 && take(&r, 1) == (PTR_SIGNED_4 | PTR_PC);
    take(&r, 2);
    uint64_t frames = take_pointer(&r, PTR_SIGNED_4 | PTR_PC, true);
    piece_drop(e, &head);
    return usual && !r.bad && piece_load(e, frames, MAX_TABLE, ret);
}

void cc_bounds_read(const struct cc_elf *e, cc_bound_fn *fn, void *self)
{
    struct frames f = {.wide = e->wide};
    struct cc_bound b;
    if (!find_frames(e, &f.p))
        return;
    f.ncode = cc_elf_code(e, f.code, MAX_CODE);
    for (struct cursor r = entry_at(&f, 0); !r.bad; r = entry_at(&f, r.end))
        if (bound_read(&f, r, &b) && is_code(&f, &b))
            fn(self, &b);
    piece_drop(e, &f.p);
}
