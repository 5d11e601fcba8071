/* The marks of a file: notes in .note.stapsdt, as include/corecast/mark.h describes them. src/binary/marks.c
 * reads the same for people; here there is no libelf. */
#include "elf.h"

enum { MAX_NOTES = 64 << 20, MAX_MARKS = 1 << 20, NOTE_TYPE = 3 };

struct notes {
    const struct cc_elf *e;
    struct cc_binary *o;
    size_t cap;
    bool has_base;
    uint64_t base; /* address of .stapsdt.base as it is now */
};

/* The text at *at, which moves behind it; NULL if it does not end before `end`. */
static char *take_text(uint8_t **at, const uint8_t *end)
{
    uint8_t *text = *at;
    while (*at < end)
        if (*(*at)++ == 0)
            return (char *)text;
    return NULL;
}

static bool find_kind(const char *text, struct cc_mark_site *m)
{
    static const char *const kinds[] = {"region_begin", "region_end", "task_begin", "task_end",
                                        "frame",        "record_on",  "record_off", "object"};
    static const char *const named[] = {"region_begin_named", "region_end_named", "task_begin_named",
                                        "task_end_named"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        m->what = (enum cc_mark_what)i;
        m->record = i == CC_MARK_SITE_OBJECT;
        if (cc_same_text(text, kinds[i]))
            return true;
        m->record = true;
        if (i < sizeof named / sizeof *named && cc_same_text(text, named[i]))
            return true;
    }
    return false;
}

/* NAME " @" FILE ":" LINE, cut at the last " @"; the text is cut where it stands. */
static bool split_place(char *arguments, struct cc_mark_site *m)
{
    size_t n = cc_length(arguments), at = n, colon = n;
    while (at > 0 && !(arguments[at] == ' ' && arguments[at + 1] == '@'))
        at--;
    if (!(arguments[at] == ' ' && at + 1 < n && arguments[at + 1] == '@'))
        return false;
    while (colon > at && arguments[colon] != ':')
        colon--;
    if (colon == at)
        return false;
    for (size_t i = colon + 1; i < n; i++) {
        if (arguments[i] < '0' || arguments[i] > '9' || m->line > INT32_MAX / 10 - 9)
            return false;
        m->line = m->line * 10 + (uint32_t)(arguments[i] - '0');
    }
    arguments[at] = arguments[colon] = 0;
    m->name = arguments;
    m->file = arguments + at + 2;
    return true;
}

static void read_note(struct notes *n, uint8_t *desc, uint64_t size)
{
    unsigned word = n->e->wide ? 8 : 4;
    uint8_t *at = desc + 3 * word;
    const uint8_t *end = desc + size;
    if (size < 3 * word)
        return;
    const char *provider = take_text(&at, end), *kind = provider ? take_text(&at, end) : NULL;
    char *arguments = kind ? take_text(&at, end) : NULL;
    struct cc_mark_site m = {.address = cc_elf_number(desc, word)};
    if (!arguments || !cc_same_text(provider, "corecast") || !find_kind(kind, &m) ||
        (!m.record && !split_place(arguments, &m)) || n->o->nmarks >= MAX_MARKS)
        return;
    if (n->has_base)
        m.address += n->base - cc_elf_number(desc + word, word);
    if (!n->e->wide)
        m.address &= UINT32_MAX;
    if (!cc_elf_is_code(n->e, m.address))
        return; /* the linker threw its code away */
    n->o->marks = cc_extend(n->e->c, n->o->marks, &n->cap, n->o->nmarks + 1, sizeof m);
    uint32_t i = n->o->nmarks++;
    for (; i && n->o->marks[i - 1].address > m.address; i--) /* nearly sorted as it is */
        n->o->marks[i] = n->o->marks[i - 1];
    n->o->marks[i] = m;
}

void cc_notes_read(const struct cc_elf *e, struct cc_binary *o)
{
    struct cc_section s, base = {0};
    struct notes n = {.e = e, .o = o};
    if (!cc_elf_section_named(e, ".note.stapsdt", &s) || s.size > MAX_NOTES)
        return;
    n.has_base = cc_elf_section_named(e, ".stapsdt.base", &base);
    n.base = base.address;
    uint8_t *data = e->c->host.map(e->c->host.self, s.size + 1); /* stays: the marks' texts lie in it */
    if (!cc_elf_read(e, data, s.size, s.offset))
        return;
    for (uint64_t at = 0; s.size - at >= 12;) {
        uint64_t name = cc_elf_number(data + at, 4), desc = cc_elf_number(data + at + 4, 4);
        uint64_t desc_at = at + 12 + ((name + 3) & ~UINT64_C(3)),
                 next = desc_at + ((desc + 3) & ~UINT64_C(3));
        if (desc_at + desc > s.size)
            return;
        if (cc_elf_number(data + at + 8, 4) == NOTE_TYPE && name == 8 &&
            cc_same_bytes(data + at + 12, "stapsdt", 8))
            read_note(&n, data + desc_at, desc);
        if (next > s.size)
            return;
        at = next;
    }
}
