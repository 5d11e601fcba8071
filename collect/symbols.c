/* Which function an address belongs to: ELF symbols of the mapped files, and functions found by being called
 * where there are none. */
#include "bounds.h"
#include "data.h"
#include "helpers.h"
#include "../src/isa/isa.h"

enum { MAX_SECTIONS = 65536, MAX_TABLE = 512 << 20 };

/* --- names that decide what a function is --- */

static bool starts(const char *s, const char *prefix)
{
    while (*prefix)
        if (*s++ != *prefix++)
            return false;
    return true;
}

static const char *find_text(const char *s, const char *part)
{
    for (; *s; s++)
        if (starts(s, part))
            return s;
    return NULL;
}

static bool ends(const char *s, const char *with)
{
    size_t n = cc_length(s), m = cc_length(with);
    return n >= m && cc_same_text(s + n - m, with);
}

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cc_same_text(name, names[i]))
            return true;
    return false;
}

/* The name of a file without its folders. */
static const char *base_name(const char *path)
{
    const char *name = path;
    for (const char *p = path; *p; p++)
        if (*p == '/')
            name = p + 1;
    return name;
}

/* The dynamic loader, by its file's name: ld-linux-x86-64.so.2, ld-musl-armhf.so.1, ld.so.1, ld64.so.2 */
static bool is_loader(const char *path)
{
    const char *name = base_name(path);
    return starts(name, "ld-") || starts(name, "ld.so") || starts(name, "ld64.so");
}

/* --- run-time libraries linked into the program --- */

bool cc_runtime_ranges(struct cc_collect *c)
{
    size_t cap = 0;
    for (size_t i = 0; i < c->opt.runtime.n; i++) {
        const char *text = c->opt.runtime.v[i];
        struct cc_code r;
        if (!cc_hex(&text, &r.start) || *text++ != '-' || !cc_hex(&text, &r.end) || *text ||
            r.end < r.start || (i && r.start < c->code.runtime[i - 1].end))
            return false;
        c->code.runtime = cc_extend(c, c->code.runtime, &cap, i + 1, sizeof *c->code.runtime);
        c->code.runtime[i] = r;
        c->code.nruntime++;
    }
    return true;
}

static bool is_runtime(const struct cc_collect *c, const struct cc_binary *o, uint64_t address)
{
    uint32_t lo = 0, hi = c->code.nruntime;
    if (!hi || c->opt.libs == CC_LIBS_NODE || !cc_same_text(o->path, c->opt.program))
        return false;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (c->code.runtime[mid].start <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && address < c->code.runtime[lo - 1].end;
}

/* --- the symbol table of a file --- */

static bool symbol_before(const struct cc_symbol *a, const struct cc_symbol *b)
{
    if (a->address != b->address)
        return a->address < b->address;
    return a->bound != b->bound ? b->bound : a->size > b->size;
}

static void sift(struct cc_symbol *v, size_t i, size_t n)
{
    for (;;) {
        size_t top = i, child = 2 * i + 1;
        if (child < n && symbol_before(&v[top], &v[child]))
            top = child;
        if (child + 1 < n && symbol_before(&v[top], &v[child + 1]))
            top = child + 1;
        if (top == i)
            return;
        struct cc_symbol x = v[i];
        v[i] = v[top];
        v[top] = x;
        i = top;
    }
}

static void sort_symbols(struct cc_symbol *v, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(v, i, n);
    for (size_t end = n; end-- > 1;) {
        struct cc_symbol x = v[0];
        v[0] = v[end];
        v[end] = x;
        sift(v, 0, end);
    }
}

/* The same function once more. */
static void merge_symbol(struct cc_symbol *to, const struct cc_symbol *s)
{
    if (!to->size)
        to->size = s->size;
    if (!s->bound || to->bound)
        to->outside |= s->outside;
}

/* One function per address; a symbol with a size is one function, whatever else is said to begin in it; a
 * size that is missing reaches to the next one; sizes never overlap the next. */
static void tidy_symbols(struct cc_binary *o)
{
    uint32_t n = 0;
    uint64_t end = 0; /* of the symbols with sizes so far */
    for (uint32_t i = 0; i < o->nsymbols; i++) {
        const struct cc_symbol s = o->symbols[i];
        if (n && o->symbols[n - 1].address == s.address)
            merge_symbol(&o->symbols[n - 1], &s);
        else if (!s.bound || s.address >= end)
            o->symbols[n++] = s;
        if (!s.bound && s.address + s.size > end)
            end = s.address + s.size;
    }
    o->nsymbols = n;
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint64_t gap = o->symbols[i + 1].address - o->symbols[i].address;
        if (o->symbols[i].size == 0 || o->symbols[i].size > gap)
            o->symbols[i].size = gap;
    }
}

struct symtab {
    uint8_t *entries;
    char *names;
    uint64_t count, names_size, entry;
    uint64_t entries_bytes;
};

static bool symtab_load(const struct cc_elf *e, const struct cc_section *s, struct symtab *t)
{
    struct cc_section names;
    uint64_t least = e->wide ? 24 : 16;
    if (s->entry < least || s->size > MAX_TABLE || !cc_elf_section(e, s->link, &names) || names.size == 0 ||
        names.size > MAX_TABLE)
        return false;
    struct cc_host *h = &e->c->host;
    *t = (struct symtab){.count = s->size / s->entry,
                         .names_size = names.size,
                         .entry = s->entry,
                         .entries_bytes = s->size + 1};
    t->entries = h->map(h->self, t->entries_bytes);
    t->names = h->map(h->self, names.size + 1);
    if (cc_elf_read(e, t->entries, s->size, s->offset) && cc_elf_read(e, t->names, names.size, names.offset))
        return true;
    h->unmap(h->self, t->entries, t->entries_bytes);
    h->unmap(h->self, t->names, names.size + 1);
    return false;
}

enum { TYPE_NONE = 0, TYPE_OBJECT = 1, TYPE_FUNCTION = 2, TYPE_FILE = 4, TYPE_IFUNC = 10 };

struct elf_symbol {
    const char *name;
    uint64_t value, size;
    uint8_t type;
    bool local, defined, thumb;
};

/* false: it has no name. */
static bool symbol_at(const struct cc_elf *e, const struct symtab *t, uint64_t i, struct elf_symbol *ret)
{
    const uint8_t *s = t->entries + i * t->entry;
    uint64_t name = cc_elf_number(s, 4);
    uint8_t info = s[e->wide ? 4 : 12];
    if (name >= t->names_size)
        return false;
    *ret = (struct elf_symbol){.name = t->names + name,
                               .value = cc_elf_number(s + (e->wide ? 8 : 4), e->wide ? 8 : 4),
                               .size = e->wide ? cc_elf_number(s + 16, 8) : cc_elf_number(s + 8, 4),
                               .type = info & 15,
                               .local = info >> 4 == 0,
                               .defined = cc_elf_number(s + (e->wide ? 6 : 14), 2) != 0};
    if (e->machine == cc_isas[CC_ISA_ARM].machine &&
        (ret->type == TYPE_FUNCTION || ret->type == TYPE_IFUNC)) {
        ret->thumb = ret->value & 1;
        ret->value -= ret->thumb;
    }
    return true;
}

static bool is_function(const struct elf_symbol *s)
{
    return s->defined && (s->type == TYPE_FUNCTION || s->type == TYPE_IFUNC);
}

static bool is_stub(const struct cc_binary *o, uint64_t address)
{
    for (size_t k = 0; k < sizeof o->plt / sizeof *o->plt; k++)
        if (address >= o->plt[k][0] && address < o->plt[k][1])
            return true;
    return false;
}

/* Whether the file that a symbol comes from is one of the start-up files: crt1.o, Scrt1.o, crti.o, start.S.
 * Where that is not known (NULL) the symbol's name decides alone. */
static bool is_startup_file(const char *file)
{
    if (!file)
        return true;
    const char *name = base_name(file);
    return cc_same_text(name, "crtstuff.c") || cc_same_text(name, "crtbegin.c") || ends(name, ".S") ||
           (find_text(name, "crt") && ends(name, ".o"));
}

/* Code of the start-up files, linked into every program: by name where nobody else may use it, else also by
 * where it is. What a program without a C library begins with is its own (`by_library`: it has one). */
static bool is_startup(const struct cc_elf *e, const struct cc_binary *o, const struct elf_symbol *s,
                       const char *file, bool by_library)
{
    enum { ENTRY_TO_C = 128 };
    static const char *const reserved[] = {"__libc_csu_init", "__libc_csu_fini", "_dl_relocate_static_pie"};
    static const char *const local[] = {"__do_global_dtors_aux", "__do_init",    "__do_fini",
                                        "__wrap_main",           "call_weak_fn", "deregister_tm_clones",
                                        "register_tm_clones",    "frame_dummy",  "load_gp"};
    uint64_t from_entry = s->value - (s->thumb ? e->entry & ~(uint64_t)1 : e->entry);
    if (is_one_of(s->name, reserved, sizeof reserved / sizeof *reserved))
        return true;
    if (cc_same_text(s->name, "_start") || cc_same_text(s->name, "__start"))
        return by_library && from_entry == 0;
    if (cc_same_text(s->name, "_start_c"))
        return by_library && from_entry < ENTRY_TO_C;
    if (cc_same_text(s->name, "_init") || cc_same_text(s->name, "_fini"))
        return is_stub(o, s->value); /* the section of that name */
    return s->local && is_one_of(s->name, local, sizeof local / sizeof *local) && is_startup_file(file);
}

/* Whether a C library starts the program. */
static bool starts_with_library(const struct cc_elf *e, const struct symtab *t)
{
    struct elf_symbol s;
    for (uint64_t i = 0; i < t->count; i++)
        if (symbol_at(e, t, i, &s) &&
            (starts(s.name, "__libc_start_main") || cc_same_text(s.name, "__libc_init") ||
             cc_same_text(s.name, "__uClibc_main")))
            return true;
    return false;
}

/* "f.cold" is part of f that the compiler moved away; its address gets the symbol of f, found by name. */
static void join_cold(const struct cc_elf *e, struct cc_binary *o, const struct symtab *t,
                      const struct elf_symbol *cold)
{
    size_t n = (size_t)(find_text(cold->name, ".cold") - cold->name);
    struct elf_symbol s;
    for (uint64_t i = 0; i < t->count; i++) {
        if (!symbol_at(e, t, i, &s) || !cc_same_bytes(s.name, cold->name, n) || s.name[n] != 0)
            continue;
        for (uint32_t k = 0; k < o->nsymbols; k++) {
            if (o->symbols[k].address != cold->value)
                continue;
            o->symbols[k].part_of = s.value;
            return;
        }
    }
}

static void symbol_add(struct cc_collect *c, struct cc_binary *o, const struct cc_symbol *s)
{
    size_t cap = o->symbols_cap;
    o->symbols = cc_extend(c, o->symbols, &cap, o->nsymbols + 1, sizeof *o->symbols);
    o->symbols_cap = (uint32_t)cap;
    o->symbols[o->nsymbols++] = *s;
}

/* How many are moved parts of functions. */
static uint32_t symbols_read(const struct cc_elf *e, struct cc_binary *o, const struct symtab *t)
{
    uint32_t ncold = 0;
    const char *file = NULL;
    struct elf_symbol s;
    bool node = e->c->opt.libs == CC_LIBS_NODE, by_library = starts_with_library(e, t);
    for (uint64_t i = 0; i < t->count; i++) {
        if (!symbol_at(e, t, i, &s))
            continue;
        if (s.type == TYPE_FILE)
            file = *s.name ? s.name : NULL;
        bool startup = !node && is_startup(e, o, &s, file, by_library);
        if (!is_function(&s) && !(startup && s.defined && s.type == TYPE_NONE)) /* riscv's load_gp has none */
            continue;
        bool outside = startup || is_runtime(e->c, o, s.value) || (!node && cc_is_helper(s.name));
        symbol_add(e->c, o,
                   &(struct cc_symbol){.address = s.value,
                                       .size = s.size,
                                       .part_of = s.value,
                                       .outside = outside,
                                       .thumb = s.thumb});
        ncold += find_text(s.name, ".cold") != NULL;
    }
    return ncold;
}

static void join_all_cold(const struct cc_elf *e, struct cc_binary *o, const struct symtab *t)
{
    struct elf_symbol s;
    for (uint64_t i = 0; i < t->count; i++)
        if (symbol_at(e, t, i, &s) && is_function(&s) && find_text(s.name, ".cold"))
            join_cold(e, o, t, &s);
}

/* --- functions without symbols --- */

static bool in_startup(const struct cc_binary *o, uint64_t address)
{
    return address >= o->startup.start && address < o->startup.end;
}

struct bounds {
    struct cc_collect *c;
    struct cc_binary *o;
};

/* A part that was moved away is reached by a jump from its function: as nobody's code it is charged to it. */
static void add_bound(void *self, const struct cc_bound *b)
{
    struct bounds *x = self;
    if (is_stub(x->o, b->start))
        return;
    bool moved = b->part && !is_loader(x->o->path); /* which has entries of its own making */
    bool outside = moved || in_startup(x->o, b->start) || is_runtime(x->c, x->o, b->start);
    symbol_add(x->c, x->o,
               &(struct cc_symbol){.address = b->start,
                                   .size = b->size,
                                   .part_of = b->start,
                                   .outside = outside,
                                   .bound = true,
                                   .moved = moved});
}

/* Where a file has no symbol table: from the entry point of a program the start-up files' code reaches to the
 * functions that are the first in its arrays of initializers and finalizers; of a library only that of
 * crtbegin.o. They are taken for what they usually are only if they lie close to each other. */
static void find_startup(const struct cc_elf *e, struct cc_binary *o, uint64_t first_init,
                         uint64_t first_fini)
{
    enum { FINI_TO_INIT = 256, ENTRY_TO_FINI = 1024, CRTBEGIN = 144 };
    uint64_t entry = e->entry;
    o->startup = (struct cc_code){entry, entry + (entry != 0)};
    if (first_fini < CRTBEGIN || first_init <= first_fini || first_init - first_fini > FINI_TO_INIT)
        return;
    if (!entry || entry > first_fini || first_fini - entry > ENTRY_TO_FINI)
        o->startup.start = first_fini - CRTBEGIN;
    o->startup.end = first_init + 1;
    /* of the last one only where it begins is known */
    const struct cc_code both[] = {{first_fini, first_init}, {first_init, first_init + 1}};
    for (size_t i = 0; i < 2; i++)
        symbol_add(e->c, o,
                   &(struct cc_symbol){.address = both[i].start,
                                       .size = both[i].end - both[i].start,
                                       .part_of = both[i].start,
                                       .outside = true,
                                       .bound = true});
}

/* The last symbol that starts at or before the address; CC_NONE: none. */
static uint32_t symbol_before_address(const struct cc_binary *o, uint64_t address)
{
    uint32_t lo = 0, hi = o->nsymbols;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (o->symbols[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? lo - 1 : CC_NONE;
}

/* The linker puts the start-up files' code right behind the entry point, and some of it has no symbols
 * (load_gp on riscv64). */
static bool follows_entry(const struct cc_collect *c, const struct cc_binary *o, uint64_t address,
                          uint32_t after)
{
    enum { ALIGNMENT = 16 };
    if (after == CC_NONE || c->opt.libs == CC_LIBS_NODE || !o->entry ||
        o->symbols[after].address != o->entry || !o->symbols[after].size)
        return false;
    return address - (o->entry + o->symbols[after].size) < ALIGNMENT;
}

/* A function with no symbol, found because it is called. It reaches as far as the next one known. */
static uint32_t symbol_discover(struct cc_collect *c, struct cc_binary *o, uint64_t address, uint32_t after)
{
    bool outside = is_runtime(c, o, address) || in_startup(o, address) || follows_entry(c, o, address, after);
    struct cc_symbol s = {.address = address, .part_of = address, .outside = outside, .found = true};
    uint32_t at = after == CC_NONE ? 0 : after + 1;
    symbol_add(c, o, &s);
    for (uint32_t i = o->nsymbols - 1; i > at; i--)
        o->symbols[i] = o->symbols[i - 1];
    o->symbols[at] = s;
    return at;
}

/* Where the program begins: nobody calls it, and assembly may be in no table. */
static void note_entry(const struct cc_elf *e, struct cc_binary *o)
{
    uint32_t i = symbol_before_address(o, e->entry);
    if (!e->entry)
        return;
    if (i == CC_NONE ||
        (e->entry != o->symbols[i].address && e->entry - o->symbols[i].address >= o->symbols[i].size))
        i = symbol_discover(e->c, o, e->entry, i);
    o->symbols[i].found = false;
    if (o->symbols[i].address == e->entry && e->c->opt.libs != CC_LIBS_NODE)
        o->symbols[i].outside = true;
}

/* As much of a variable as can be in memory; `last` is the segment of the one before. */
static uint64_t size_in_memory(const struct cc_elf *e, const struct elf_symbol *s, struct cc_segment *last)
{
    if (s->value - last->address >= last->room && !cc_elf_loaded(e, s->value, last)) {
        *last = (struct cc_segment){0};
        return 0;
    }
    uint64_t room = last->room - (s->value - last->address);
    return s->size < room ? s->size : room;
}

/* Variables, and the functions of allocators. */
static void data_read(const struct cc_elf *e, struct cc_binary *o, const struct symtab *t)
{
    size_t cap = 0;
    struct elf_symbol s;
    struct cc_segment last = {0};
    for (uint64_t i = 0; i < t->count; i++) {
        if (!symbol_at(e, t, i, &s) || !s.defined)
            continue;
        if (s.type == TYPE_OBJECT)
            cc_data_static(e->c, (uint32_t)(o - e->c->code.binaries), o->bias, s.value,
                           size_in_memory(e, &s, &last));
        enum cc_alloc_kind kind = s.type == TYPE_FUNCTION ? cc_alloc_kind_of(s.name) : CC_ALLOC_NONE;
        if (kind == CC_ALLOC_NONE)
            continue;
        o->allocators = cc_extend(e->c, o->allocators, &cap, o->nallocators + 1, sizeof *o->allocators);
        o->allocators[o->nallocators++] = (struct cc_allocator){s.value, kind};
    }
    cc_data_statics_done(e->c);
}

static void note_stubs(struct cc_binary *o, const struct cc_section *s)
{
    for (size_t k = 0; k < sizeof o->plt / sizeof *o->plt; k++) {
        if (o->plt[k][1])
            continue;
        o->plt[k][0] = s->address;
        o->plt[k][1] = s->address + s->size;
        return;
    }
}

/* Sections of code whose name says what is in them. */
static void note_code(const struct cc_elf *e, struct cc_binary *o, const struct cc_section *s,
                      const char *name)
{
    bool startup = cc_same_text(name, ".init") || cc_same_text(name, ".fini");
    if (startup && e->c->opt.libs == CC_LIBS_NODE)
        symbol_add(e->c, o,
                   &(struct cc_symbol){
                       .address = s->address, .size = s->size, .part_of = s->address, .bound = true});
    else if (startup || starts(name, ".plt") || starts(name, ".iplt") || starts(name, ".MIPS.stubs"))
        note_stubs(o, s);
}

enum { SYMTAB = 2, DYNSYM = 11 }; /* types of sections */

/* What is of interest in the table of sections. */
struct sections {
    struct cc_section symbols; /* type 0: none */
    uint64_t first_init, first_fini;
};

static void sections_read(const struct cc_elf *e, struct cc_binary *o, struct sections *ret)
{
    enum { INIT_ARRAY = 14, FINI_ARRAY = 15, EXECUTABLE = 4 };
    struct cc_section s, names = {0};
    *ret = (struct sections){0};
    cc_elf_section(e, e->shstr, &names);
    for (unsigned i = 0; i < e->shnum && i < MAX_SECTIONS; i++) {
        if (!cc_elf_section(e, i, &s))
            break;
        if (s.type == SYMTAB || (s.type == DYNSYM && ret->symbols.type != SYMTAB))
            ret->symbols = s;
        else if (s.type == INIT_ARRAY)
            ret->first_init = cc_elf_pointer(e, s.address);
        else if (s.type == FINI_ARRAY)
            ret->first_fini = cc_elf_pointer(e, s.address);
        char name[16] = {0};
        if ((s.flags & EXECUTABLE) && s.name < names.size) {
            e->c->host.read_file(e->c->host.self, e->path, name, sizeof name - 1, names.offset + s.name);
            note_code(e, o, &s, name);
        }
    }
    if (ret->symbols.type != SYMTAB && e->c->opt.libs != CC_LIBS_NODE)
        find_startup(e, o, ret->first_init, ret->first_fini);
}

static void functions_read(const struct cc_elf *e, struct cc_binary *o, const struct symtab *t, bool stripped)
{
    uint32_t ncold = t ? symbols_read(e, o, t) : 0;
    cc_bounds_read(e, add_bound, &(struct bounds){e->c, o});
    sort_symbols(o->symbols, o->nsymbols);
    tidy_symbols(o);
    if (stripped)
        note_entry(e, o);
    if (ncold)
        join_all_cold(e, o, t);
}

static void binary_load(const struct cc_elf *e, struct cc_binary *o)
{
    struct sections s;
    struct symtab t;
    sections_read(e, o, &s);
    bool loaded = s.symbols.type && symtab_load(e, &s.symbols, &t);
    if (o->shown)
        functions_read(e, o, loaded ? &t : NULL, s.symbols.type != SYMTAB);
    if (loaded && e->c->data)
        data_read(e, o, &t);
    if (loaded) {
        e->c->host.unmap(e->c->host.self, t.entries, t.entries_bytes);
        e->c->host.unmap(e->c->host.self, t.names, t.names_size + 1);
    }
}

/* --- objects --- */

/* A library of the system's or a language's, whatever folder it lies in. */
static bool is_systems(const struct cc_elf *e)
{
    char soname[64];
    return cc_runtime_library(cc_elf_soname(e, soname, sizeof soname) ? soname : base_name(e->path));
}

/* Whether the functions of a file have nodes of their own. */
static bool is_shown(const struct cc_elf *e, bool program)
{
    if (e->c->opt.libs == CC_LIBS_NODE)
        return true;
    if (e->c->opt.libs == CC_LIBS_CALLER || cc_same_text(e->path, e->c->opt.program))
        return program;
    return !is_systems(e);
}

/* Whether a file's instructions are sites of their own, those of another being the calls that led to them:
 * a library somewhere else is the program's, too, if it has lines to tell of. */
static bool is_own(const struct cc_elf *e, bool program)
{
    struct cc_section s;
    return program ||
           (e->c->opt.libs != CC_LIBS_CALLER && !is_systems(e) && cc_elf_section_named(e, ".debug_line", &s));
}

void cc_binary_add(struct cc_collect *c, const char *path, uint64_t start, uint64_t end, uint64_t file_offset,
                   bool program)
{
    struct cc_elf e = {.c = c, .path = path};
    uint64_t va;
    cc_binary_remove(c, start, end);
    if (!cc_elf_open(&e) || !cc_elf_address(&e, file_offset, &va))
        return;
    cc_lock(c);
    uint32_t i = 0;
    while (i < c->code.nbinaries &&
           !(cc_same_text(c->code.binaries[i].path, path) && c->code.binaries[i].bias == start - va))
        i++;
    bool known = i < c->code.nbinaries;
    if (!known) {
        size_t cap = c->code.binaries_cap;
        c->code.binaries = cc_extend(c, c->code.binaries, &cap, i + 1, sizeof *c->code.binaries);
        c->code.binaries_cap = (uint32_t)cap;
        size_t n = cc_length(path);
        c->code.binaries[i].path = cc_pool(c, n + 1);
        __builtin_memcpy(c->code.binaries[i].path, path, n);
        c->code.binaries[i].bias = start - va;
        c->code.binaries[i].entry = e.entry;
        c->code.binaries[i].program = is_own(&e, program);
        c->code.binaries[i].shown = is_shown(&e, program);
        c->code.nbinaries++;
    }
    struct cc_binary *o = &c->code.binaries[i];
    o->start = known && o->mapped && o->start < start ? o->start : start;
    o->end = known && o->mapped && o->end > end ? o->end : end;
    o->mapped = true;
    if (!known) {
        if (o->shown || c->data)
            binary_load(&e, o);
        if (o->shown)
            cc_loops_load(c, o);
        cc_notes_read(&e, o);
    }
    cc_unlock(c);
}

bool cc_binary_remove(struct cc_collect *c, uint64_t start, uint64_t end)
{
    bool any = false;
    for (uint32_t i = 0; i < c->code.nbinaries; i++) {
        struct cc_binary *b = &c->code.binaries[i];
        if (b->mapped && b->start >= start && b->end <= end) {
            b->mapped = false;
            any = true;
        }
    }
    return any;
}

static struct cc_binary *binary_at(struct cc_collect *c, uint64_t address)
{
    for (uint32_t i = 0; i < c->code.nbinaries; i++)
        if (c->code.binaries[i].mapped && address >= c->code.binaries[i].start &&
            address < c->code.binaries[i].end)
            return &c->code.binaries[i];
    return NULL;
}

uint32_t cc_binary_of(struct cc_collect *c, uint64_t address, uint64_t *ret_va)
{
    const struct cc_binary *o = binary_at(c, address);
    *ret_va = o ? address - o->bias : address;
    return o ? (uint32_t)(o - c->code.binaries) : CC_NONE;
}

enum cc_alloc_kind cc_allocator_at(struct cc_collect *c, uint64_t address, bool *ret_near)
{
    const struct cc_binary *o = c->data ? binary_at(c, address) : NULL;
    *ret_near = o && o->nallocators;
    for (uint32_t i = 0; o && i < o->nallocators; i++)
        if (o->allocators[i].address == address - o->bias)
            return (enum cc_alloc_kind)o->allocators[i].kind;
    return CC_ALLOC_NONE;
}

bool cc_code_is_stub(struct cc_collect *c, uint64_t address)
{
    const struct cc_binary *o = binary_at(c, address);
    return o && is_stub(o, address - o->bias);
}

bool cc_code_is_own(struct cc_collect *c, uint32_t function)
{
    return function != CC_OUTSIDE && !cc_function_at(c, function)->library;
}

bool cc_code_known(struct cc_collect *c, uint64_t address)
{
    return binary_at(c, address) != NULL;
}

bool cc_code_is_moved(struct cc_collect *c, uint64_t address)
{
    const struct cc_binary *o = binary_at(c, address);
    uint32_t i = o && o->shown ? symbol_before_address(o, address - o->bias) : CC_NONE;
    return i != CC_NONE && o->symbols[i].moved;
}

bool cc_code_is_thumb(struct cc_collect *c, uint64_t address)
{
    const struct cc_binary *o = binary_at(c, address);
    uint32_t i = o ? symbol_before_address(o, address - o->bias) : CC_NONE;
    return i != CC_NONE && o->symbols[i].thumb;
}

/* The function that the symbol was when its file was mapped elsewhere; 0: none. */
static uint32_t function_elsewhere(const struct cc_collect *c, const struct cc_binary *o,
                                   const struct cc_symbol *s)
{
    for (uint32_t k = 0; k < c->code.nbinaries; k++) {
        const struct cc_binary *b = &c->code.binaries[k];
        uint32_t i =
            b != o && cc_same_text(b->path, o->path) ? symbol_before_address(b, s->address) : CC_NONE;
        if (i != CC_NONE && b->symbols[i].address == s->address && b->symbols[i].size == s->size &&
            b->symbols[i].function)
            return b->symbols[i].function;
    }
    return 0;
}

static uint32_t symbol_function(struct cc_collect *c, struct cc_binary *o, struct cc_symbol *s)
{
    if (!s->function)
        s->function = function_elsewhere(c, o, s);
    if (s->function)
        return s->function;
    if (s->part_of != s->address) {
        uint32_t i = symbol_before_address(o, s->part_of);
        if (i != CC_NONE && o->symbols[i].address == s->part_of && &o->symbols[i] != s)
            return s->function = symbol_function(c, o, &o->symbols[i]);
    }
    s->function = c->code.functions.n;
    struct cc_function *f = cc_grow_add(c, &c->code.functions);
    *f = (struct cc_function){.binary = (uint32_t)(o - c->code.binaries),
                              .library = !o->program,
                              .loader = is_loader(o->path),
                              .address = s->address,
                              .size = s->size};
    for (uint32_t i = 0; i < c->scopes.nfunctions; i++)
        if (c->scopes.functions[i].address == s->address &&
            cc_same_text(c->scopes.functions[i].path, o->path))
            f->region = &c->scopes.functions[i].site;
    cc_watch_function(c, f, o->path);
    return s->function;
}

struct cc_place cc_place_of(struct cc_collect *c, uint64_t address, bool called)
{
    struct cc_place none = {CC_OUTSIDE, false}, place = none;
    cc_lock(c);
    struct cc_binary *o = binary_at(c, address);
    if (o && o->shown) {
        uint64_t at = address - o->bias;
        bool stub = is_stub(o, at);
        uint32_t i = symbol_before_address(o, at);
        bool covered =
            i != CC_NONE && (o->symbols[i].size == 0 || at < o->symbols[i].address + o->symbols[i].size);
        if (called && !stub && (!covered || (o->symbols[i].size == 0 && o->symbols[i].address != at))) {
            i = symbol_discover(c, o, at, i);
            covered = true;
        }
        if (covered && !stub && !o->symbols[i].outside) {
            place.function = symbol_function(c, o, &o->symbols[i]);
            place.entry = at == o->symbols[i].address && o->symbols[i].part_of == at;
        }
    }
    cc_unlock(c);
    return place;
}
