#include "symbols.h"
#include "called.h"
#include "debug_files.h"
#include "demangle.h"
#include "entry.h"
#include "../base/arena.h"
#include "../base/map.h"
#include "../base/text.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

struct entry {
    uint64_t address, size; /* in the file's virtual addresses */
    struct cc_called called;
};

struct module {
    bool walked; /* every unit was looked through */
    bool thumb;  /* the low bit of a function's address says "Thumb code" */
    Dwfl *dwfl;
    Dwfl_Module *mod;
    uint64_t bias;
    CC_VEC(struct entry) entries; /* sorted by address, the best name first */
    struct cc_strmap old;         /* names of old versions */
    struct cc_map units;          /* DWARF units whose functions are in `defined` */
    struct cc_map defined;        /* file address -> 1 + index into places */
    CC_VEC(struct cc_symbol_info) places;
};

struct cc_symbols {
    struct cc_arena arena;
    struct cc_strmap paths; /* -> 1 + index; 0 is never stored */
    CC_VEC(struct module *) modules;
};

struct cc_symbols *cc_symbols_new(void)
{
    return cc_alloc(sizeof(struct cc_symbols));
}

void cc_symbols_free(struct cc_symbols *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->modules.n; i++) {
        struct module *m = s->modules.v[i];
        if (m->dwfl)
            dwfl_end(m->dwfl);
        CC_VEC_FINI(&m->entries);
        CC_VEC_FINI(&m->places);
        cc_map_fini(&m->units);
        cc_map_fini(&m->defined);
        cc_strmap_fini(&m->old);
        free(m);
    }
    CC_VEC_FINI(&s->modules);
    cc_strmap_fini(&s->paths);
    cc_arena_fini(&s->arena);
    free(s);
}

static int by_address(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return cc_called_compare(&x->called, &y->called);
}

/* main has a name wherever it can be found. */
static void add_main(struct module *m, Elf *elf)
{
    uint64_t address = cc_entry_main(elf);
    for (size_t i = 0; address && i < m->entries.n; i++)
        if (address - m->entries.v[i].address < CC_MAX(m->entries.v[i].size, 1))
            return;
    if (address)
        CC_VEC_PUSH(&m->entries, (struct entry){address, 0, {"main", 0}});
}

static void read_symbols(struct module *m)
{
    GElf_Ehdr header;
    Elf *elf = dwfl_module_getelf(m->mod, &m->bias);
    if (!elf || !gelf_getehdr(elf, &header))
        return;
    m->thumb = header.e_machine == EM_ARM;
    cc_called_read_old(elf, &m->old);
    int n = dwfl_module_getsymtab(m->mod);
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(m->mod, i, &sym, &address, NULL, NULL, NULL);
        unsigned type = GELF_ST_TYPE(sym.st_info);
        if (!name || !*name || sym.st_shndx == SHN_UNDEF || name[0] == '$' || strnlen(name, 65536) == 65536 ||
            (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
            continue;
        if (m->thumb)
            address &= ~(GElf_Addr)1;
        address -= m->bias;
        CC_VEC_PUSH(&m->entries,
                    (struct entry){address, sym.st_size, cc_called_of(&m->old, &sym, address, name)});
    }
    add_main(m, elf);
    if (m->entries.n)
        qsort(m->entries.v, m->entries.n, sizeof *m->entries.v, by_address);
}

static struct module *module_of(struct cc_symbols *s, const char *path)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = cc_find_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    uint64_t *slot = cc_strmap_put(&s->paths, path, NULL);
    if (*slot)
        return s->modules.v[*slot - 1];
    struct module *m = cc_alloc(sizeof *m);
    CC_VEC_PUSH(&s->modules, m);
    *slot = s->modules.n;
    m->dwfl = dwfl_begin(&callbacks);
    if (!m->dwfl)
        return m;
    dwfl_report_begin(m->dwfl);
    m->mod = dwfl_report_offline(m->dwfl, path, path, -1);
    dwfl_report_end(m->dwfl, NULL, NULL);
    if (m->mod)
        read_symbols(m);
    return m;
}

/* --- source places --- */

struct unit_walk {
    struct module *m;
    uint64_t bias; /* DWARF address + bias = libdwfl's address */
};

/* Not by dwarf_decl_file, which (0.188) takes file 0, DWARF 5's first, for none, and ends the process for
 * units of -gsplit-dwarf. The number is of the unit that says it, which may be another one's function. */
const char *cc_symbols_declared_in(void *entry)
{
    Dwarf_Die *die = entry, unit;
    Dwarf_Attribute attr;
    Dwarf_Word number;
    Dwarf_Half version;
    Dwarf_Files *files;
    size_t n;
    if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &number) != 0 ||
        !dwarf_cu_die(attr.cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) || (version < 5 && !number) ||
        dwarf_getsrcfiles(&unit, &files, &n) != 0 || number >= n)
        return NULL;
    return dwarf_filesrc(files, (size_t)number, NULL, NULL);
}

/* Fortran's own name of what the linker calls by that name and an underscore; NULL: it is none. */
static const char *fortran_name(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    const char *name = dwarf_diename(die);
    const char *linked = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
    size_t n = name ? strlen(name) : 0;
    return n && linked && strncmp(linked, name, n) == 0 && strcmp(linked + n, "_") == 0 ? name : NULL;
}

static int note_function(Dwarf_Die *die, void *arg)
{
    struct unit_walk *w = arg;
    Dwarf_Addr entry;
    int line = 0;
    if (dwarf_entrypc(die, &entry) != 0)
        return DWARF_CB_OK;
    const char *file = cc_symbols_declared_in(die);
    if (!file || dwarf_decl_line(die, &line) != 0)
        return DWARF_CB_OK;
    bool fresh;
    uint64_t *slot = cc_map_put(&w->m->defined, entry + w->bias - w->m->bias, &fresh);
    if (fresh) {
        CC_VEC_PUSH(&w->m->places,
                    (struct cc_symbol_info){.name = fortran_name(die), .file = file, .line = (unsigned)line});
        *slot = w->m->places.n;
    }
    return DWARF_CB_OK;
}

static void walk_unit(struct module *m, Dwarf_Die *unit, Dwarf_Addr bias)
{
    bool fresh;
    cc_map_put(&m->units, (uint64_t)dwarf_dieoffset(unit), &fresh);
    struct unit_walk walk = {m, bias};
    Dwarf_Die whole = cc_unit_whole(unit);
    if (fresh)
        dwarf_getfuncs(&whole, note_function, &walk, 0);
}

/* Clang writes no table from addresses to units (.debug_aranges), so all of them are looked through, once. */
static void walk_all_units(struct module *m)
{
    Dwarf_Addr bias;
    if (m->walked)
        return;
    m->walked = true;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(m->mod, unit, &bias));)
        walk_unit(m, unit, bias);
}

/* The line a function is defined on; failing that, the line of its first instruction. */
static void find_place(struct module *m, uint64_t address, struct cc_symbol_info *ret)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(m->mod, address + m->bias, &bias);
    if (unit)
        walk_unit(m, unit, bias);
    else
        walk_all_units(m);
    const uint64_t *place = cc_map_get(&m->defined, address);
    if (place) {
        ret->file = m->places.v[*place - 1].file;
        ret->line = m->places.v[*place - 1].line;
        ret->name = m->places.v[*place - 1].name ? m->places.v[*place - 1].name : ret->name;
        return;
    }
    Dwfl_Line *line = dwfl_module_getsrc(m->mod, address + m->bias);
    int number = 0;
    const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file && number > 0) {
        ret->file = file;
        ret->line = (unsigned)number;
    }
}

/* The symbol that starts at the address, or that covers it by its size; NULL if none. */
static const struct entry *covering(const struct module *m, uint64_t address)
{
    size_t lo; /* the first entry beyond the address */
    CC_FIRST(lo, m->entries.n, m->entries.v[lo].address > address);
    if (lo == 0)
        return NULL;
    uint64_t start = m->entries.v[lo - 1].address;
    while (lo > 1 && m->entries.v[lo - 2].address == start)
        lo--;
    const struct entry *e = &m->entries.v[lo - 1];
    return start == address || address - start < e->size ? e : NULL;
}

/* "memcpy@@GLIBC_2.17": the version is no part of what people call it. */
static const char *plain_name(struct cc_symbols *s, const char *symbol)
{
    size_t size = strcspn(symbol, "@");
    CC_CLEANUP(cc_free_ptr) char *bare = cc_strndup(symbol, size ? size : strlen(symbol));
    CC_CLEANUP(cc_free_ptr) char *plain = cc_demangle(bare);
    return cc_arena_strdup(&s->arena, plain ? plain : bare);
}

static char *arena_printf(struct cc_arena *a, const char *name, uint64_t offset)
{
    CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf("%s+0x%llx", name, (unsigned long long)offset);
    return cc_arena_strdup(a, text);
}

void cc_symbols_find(struct cc_symbols *s, const char *path, uint64_t address, struct cc_symbol_info *ret)
{
    *ret = (struct cc_symbol_info){0};
    struct module *m = module_of(s, path);
    const struct entry *e = m->mod ? covering(m, address) : NULL;
    if (e) {
        ret->symbol = e->called.name;
        ret->name = plain_name(s, e->called.name);
        if (e->address != address)
            ret->name = arena_printf(&s->arena, ret->name, address - e->address);
    } else {
        ret->name = arena_printf(&s->arena, cc_text_base(path), address);
    }
    if (m->mod)
        find_place(m, address, ret);
}

/* --- all of a file's symbols --- */

void cc_symbols_each(struct cc_symbols *s, const char *path, cc_symbol_fn *fn, void *data)
{
    struct module *m = module_of(s, path);
    Dwarf_Addr low = 0, high = 0;
    if (!m->mod)
        return;
    dwfl_module_info(m->mod, NULL, &low, &high, NULL, NULL, NULL, NULL);
    int n = dwfl_module_getsymtab(m->mod);
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(m->mod, i, &sym, &address, NULL, NULL, NULL);
        unsigned type = GELF_ST_TYPE(sym.st_info);
        bool code = type == STT_FUNC || type == STT_GNU_IFUNC;
        if (!name || !*name || sym.st_shndx == SHN_UNDEF || !sym.st_size || (!code && type != STT_OBJECT) ||
            address < low || address >= high) /* sections that are never loaded lie outside */
            continue;
        if (code && m->thumb)
            address &= ~(GElf_Addr)1;
        address -= m->bias;
        struct cc_symbol_range r = {address, address + sym.st_size, plain_name(s, name), !code};
        fn(&r, data);
    }
}

/* --- functions by name --- */

/* Up to three names that differ from `name` by a few letters, or contain it. */
static void offer(struct cc_symbols *s, struct module *m, const char *path, const char *name,
                  struct cc_err *err)
{
    CC_VEC(const char *) names = {0};
    for (size_t i = 0; i < m->entries.n; i++)
        if (m->entries.v[i].called.rank < CC_CALLED_LABEL)
            CC_VEC_PUSH(&names, plain_name(s, m->entries.v[i].called.name));
    char text[200] = "";
    for (int k = 0; k < 3 && names.n; k++) {
        const char *near = cc_nearest(name, names.v, names.n);
        for (size_t i = 0; !near && i < names.n; i++)
            if (strstr(names.v[i], name))
                near = names.v[i];
        if (!near || strlen(text) + strlen(near) + 5 > sizeof text)
            break;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s'%s'", k ? ", " : "", near);
        for (size_t i = 0; i < names.n; i++)
            if (strcmp(names.v[i], near) == 0)
                names.v[i--] = names.v[--names.n];
    }
    CC_VEC_FINI(&names);
    if (text[0])
        cc_err_hint(err, "did you mean %s?", text);
    else if (!m->entries.n)
        cc_err_hint(err, "'%s' has no symbols: link it without -s", path);
    else
        cc_err_hint(err, "it may have been inlined everywhere: compile with -O1, or mark it noinline");
}

int cc_symbols_named(struct cc_symbols *s, const char *path, const char *name, uint64_t **ret, size_t *ret_n,
                     struct cc_err *err)
{
    struct module *m = module_of(s, path);
    CC_VEC(uint64_t) found = {0};
    for (size_t i = 0; *name && i < m->entries.n; i++) {
        const struct entry *e = &m->entries.v[i];
        if (found.n && found.v[found.n - 1] == e->address)
            continue; /* another name of the same function */
        if (cc_function_is(e->called.name, name))
            CC_VEC_PUSH(&found, e->address);
    }
    CC_CLEANUP(cc_free_ptr) char *fortran = cc_asprintf("%s_", name);
    for (size_t i = 0; *name && !found.n && i < m->entries.n; i++)
        if (strcmp(m->entries.v[i].called.name, fortran) == 0)
            CC_VEC_PUSH(&found, m->entries.v[i].address);
    *ret = found.v;
    *ret_n = found.n;
    if (found.n)
        return 0;
    cc_err_set(err, CC_EINPUT, "there is no function '%s' in '%s'", name, path);
    offer(s, m, path, name, err);
    return -CC_EINPUT;
}

void cc_symbols_line(struct cc_symbols *s, const char *path, uint64_t address, const char **ret_file,
                     unsigned *ret_line)
{
    const struct module *m = module_of(s, path);
    Dwfl_Line *line = m->mod ? dwfl_module_getsrc(m->mod, address + m->bias) : NULL;
    int number = 0;
    *ret_file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    *ret_line = *ret_file && number > 0 ? (unsigned)number : 0;
}

struct Dwfl_Module *cc_symbols_module(struct cc_symbols *s, const char *path, uint64_t *ret_bias)
{
    const struct module *m = module_of(s, path);
    *ret_bias = m->bias;
    return m->mod;
}
