#include "marks.h"
#include "segments.h"
#include "../base/file.h"

#include <gelf.h>

enum { MAX_FILE = 1 << 30, MAX_MARKS = 1 << 20, NOTE_TYPE = 3 };

struct reader {
    const char *path;
    Elf *elf;
    bool big, wide; /* byte order and class of the file */
    bool has_base;
    uint64_t base; /* address of .stapsdt.base as it is now */
    GElf_Phdr code[64];
    size_t ncode;
    CC_VEC(struct cc_mark) marks;
    struct cc_marks *out;
};

static const char *const kind_names[CC_MARK_KINDS] = {
    "region_begin", "region_end", "task_begin", "task_end", "frame", "record_on", "record_off", "object",
};

const char *cc_mark_kind_name(enum cc_mark_kind kind)
{
    return kind_names[kind];
}

static uint64_t read_number(const struct reader *r, const unsigned char *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[r->big ? i : n - 1 - i];
    return v;
}

/* The NUL-terminated text at *at, which moves behind it; NULL if it does not end before `end`. */
static const char *read_text(const unsigned char **at, const unsigned char *end)
{
    const unsigned char *nul = memchr(*at, 0, (size_t)(end - *at));
    const char *text = (const char *)*at;
    if (!nul)
        return NULL;
    *at = nul + 1;
    return text;
}

static bool in_code(const struct reader *r, uint64_t pc)
{
    for (size_t i = 0; i < r->ncode; i++)
        if (pc >= r->code[i].p_vaddr && pc - r->code[i].p_vaddr < r->code[i].p_memsz)
            return true;
    return false;
}

/* "region_begin", or "region_begin_named" for marks with a record; object always has one. */
static bool find_kind(const char *name, struct cc_mark *m)
{
    for (int k = 0; k < CC_MARK_KINDS; k++) {
        size_t n = strlen(kind_names[k]);
        if (strncmp(name, kind_names[k], n) != 0)
            continue;
        m->kind = (enum cc_mark_kind)k;
        m->record = k == CC_MARK_OBJECT || strcmp(name + n, "_named") == 0;
        if (name[n] == 0 || (k <= CC_MARK_TASK_END && strcmp(name + n, "_named") == 0))
            return true;
    }
    return false;
}

/* NAME " @" FILE ":" LINE, cut at the last " @". */
static bool split_place(const char *arguments, struct cc_mark *m)
{
    const char *cut = NULL;
    for (const char *p = arguments; (p = strstr(p, " @")); p++)
        cut = p;
    const char *colon = cut ? strrchr(cut, ':') : NULL;
    uint64_t line;
    if (!colon || !cc_parse_u64(colon + 1, &line) || line > UINT32_MAX)
        return false;
    m->name = cc_strndup(arguments, (size_t)(cut - arguments));
    m->file = cc_strndup(cut + 2, (size_t)(colon - cut - 2));
    m->line = (unsigned)line;
    return true;
}

static void read_note(struct reader *r, const unsigned char *desc, size_t size)
{
    size_t word = r->wide ? 8 : 4;
    const unsigned char *at = desc + 3 * word, *end = desc + size;
    if (size < 3 * word)
        return;
    const char *provider = read_text(&at, end);
    if (!provider || strcmp(provider, "corecast") != 0)
        return;
    const char *name = read_text(&at, end), *arguments = name ? read_text(&at, end) : NULL;
    struct cc_mark m = {.pc = read_number(r, desc, word)};
    if (r->has_base)
        m.pc += r->base - read_number(r, desc + word, word);
    if (!r->wide)
        m.pc &= UINT32_MAX;
    if (!in_code(r, m.pc))
        r->out->dropped++;
    else if (!arguments || !find_kind(name, &m) || (!m.record && !split_place(arguments, &m)) ||
             r->marks.n >= MAX_MARKS)
        r->out->unknown++;
    else
        CC_VEC_PUSH(&r->marks, m);
}

static void read_notes(struct reader *r, const unsigned char *data, size_t size)
{
    size_t at = 0;
    while (size - at >= 12) {
        uint64_t name = read_number(r, data + at, 4), desc = read_number(r, data + at + 4, 4);
        uint64_t type = read_number(r, data + at + 8, 4);
        uint64_t desc_at = at + 12 + ((name + 3) & ~(uint64_t)3),
                 next = desc_at + ((desc + 3) & ~(uint64_t)3);
        if (desc_at + desc > size)
            return; /* cut short */
        if (type == NOTE_TYPE && name == 8 && memcmp(data + at + 12, "stapsdt", 8) == 0)
            read_note(r, data + desc_at, (size_t)desc);
        if (next > size)
            return;
        at = (size_t)next;
    }
}

static void read_sections(struct reader *r)
{
    size_t names;
    if (elf_getshdrstrndx(r->elf, &names) != 0)
        return;
    for (int pass = 0; pass < 2; pass++) /* the base first: notes need it */
        for (Elf_Scn *s = NULL; (s = elf_nextscn(r->elf, s));) {
            GElf_Shdr h;
            const char *name = gelf_getshdr(s, &h) ? elf_strptr(r->elf, names, h.sh_name) : NULL;
            if (!name)
                continue;
            if (pass == 0 && strcmp(name, ".stapsdt.base") == 0) {
                r->base = h.sh_addr;
                r->has_base = true;
            }
            Elf_Data *d;
            if (pass == 1 && h.sh_type == SHT_NOTE && strcmp(name, ".note.stapsdt") == 0 &&
                (d = elf_rawdata(s, NULL)) && d->d_buf)
                read_notes(r, d->d_buf, d->d_size);
        }
}

static int by_pc(const void *a, const void *b)
{
    const struct cc_mark *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static int read_elf(struct reader *r, struct cc_err *err)
{
    GElf_Ehdr h;
    if (!r->elf || elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &h))
        return cc_err_at(err, CC_EINPUT, r->path, 0, "not an ELF file");
    r->big = h.e_ident[EI_DATA] == ELFDATA2MSB;
    r->wide = h.e_ident[EI_CLASS] == ELFCLASS64;
    size_t n = cc_elf_headers(r->elf);
    for (size_t i = 0; i < n && r->ncode < CC_COUNT(r->code); i++) {
        GElf_Phdr p;
        if (gelf_getphdr(r->elf, (int)i, &p) && p.p_type == PT_LOAD && p.p_flags & PF_X)
            r->code[r->ncode++] = p;
    }
    read_sections(r);
    if (r->marks.n)
        qsort(r->marks.v, r->marks.n, sizeof *r->marks.v, by_pc);
    r->out->v = r->marks.v;
    r->out->n = r->marks.n;
    return 0;
}

int cc_marks_parse(const char *path, const void *data, size_t size, struct cc_marks *ret, struct cc_err *err)
{
    *ret = (struct cc_marks){0};
    elf_version(EV_CURRENT);
    /* libelf wants a buffer it may write to; it does not, for reading. */
    struct reader r = {.path = path, .out = ret, .elf = elf_memory((char *)data, size)};
    int rc = read_elf(&r, err);
    elf_end(r.elf);
    return rc;
}

int cc_marks_load(const char *path, struct cc_marks *ret, struct cc_err *err)
{
    char *data;
    size_t size;
    *ret = (struct cc_marks){0};
    int rc = cc_file_read(path, MAX_FILE, &data, &size, err);
    if (rc < 0)
        return rc;
    rc = cc_marks_parse(path, data, size, ret, err);
    free(data);
    return rc;
}

void cc_marks_fini(struct cc_marks *m)
{
    for (size_t i = 0; i < m->n; i++) {
        free(m->v[i].name);
        free(m->v[i].file);
    }
    free(m->v);
    *m = (struct cc_marks){0};
}

const struct cc_mark *cc_marks_at(const struct cc_marks *m, uint64_t pc)
{
    size_t low;
    CC_FIRST(low, m->n, m->v[low].pc >= pc);
    return low < m->n && m->v[low].pc == pc ? &m->v[low] : NULL;
}
