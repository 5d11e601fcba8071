#include "runtime.h"
#include "debug_files.h"
#include "symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* --- names --- */

static int by_name(const void *key, const void *entry)
{
    return strcmp(key, *(const char *const *)entry);
}

static bool is_offered(const char *name)
{
    static const char *const names[] = {
#include "runtime_names.def"
    };
    return bsearch(name, names, CC_COUNT(names), sizeof *names, by_name) != NULL;
}

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Of namespace std, the library's own namespaces, or operator new and delete. */
static bool is_cxx_runtime(const char *mangled)
{
    const char *p = mangled + 2;                       /* behind _Z */
    if (p[0] == 'T' && (p[1] == 'h' || p[1] == 'v')) { /* a thunk: its target's name follows the offsets */
        const char *target = strstr(p, "_N");
        p = target ? target + 1 : "";
    }
    if (*p == 'N')
        p += 1 + strspn(p + 1, "rVKRO");
    if (p[0] == 'S' && p[1] && strchr("tabsiod", p[1]))
        return true;
    static const char *const others[] = {"9__gnu_cxx", "10__cxxabiv1", "nw", "na", "dlPv", "daPv"};
    for (size_t i = 0; i < CC_COUNT(others); i++)
        if (starts(p, others[i]))
            return true;
    return false;
}

bool cc_runtime_name(const char *name)
{
    if (starts(name, "_Z"))
        return is_cxx_runtime(name);
    return name[0] == '_' || is_offered(name);
}

/* --- files --- */

/* Archives of the system are stripped of the names of their sources; the linker names such a member by
 * itself. */
static bool is_member(const char *file)
{
    static const char *const ends[] = {".o", ".lo", ".os", ".oS"}; /* .lo: musl's; .os: glibc's shared */
    const char *end = strrchr(file, '.');
    for (size_t i = 0; end && end > file && i < CC_COUNT(ends); i++)
        if (strcmp(end, ends[i]) == 0)
            return true;
    return strcmp(file, "crtstuff.c") == 0;
}

/* A folder of that name, or of that name and a version. */
static bool has_folder(const char *path, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, name, n) == 0 &&
            (p[n] == '/' || p[n] == 0 || (p[n] == '-' && p[n + 1] >= '0' && p[n + 1] <= '9')))
            return true;
    }
    return false;
}

/* A C library that was built by hand may have kept its debug data. */
static bool is_runtime_source(Dwarf_Die *unit)
{
    static const char *const trees[] = {"glibc",    "eglibc", "musl",         "newlib",    "uclibc-ng",
                                        "dietlibc", "libgcc", "libstdc++-v3", "libatomic", "libgomp"};
    Dwarf_Attribute attribute;
    Dwarf_Die whole = cc_unit_whole(unit);
    const char *name = dwarf_diename(&whole),
               *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    for (size_t i = 0; i < CC_COUNT(trees); i++)
        if ((name && has_folder(name, trees[i])) || (folder && has_folder(folder, trees[i])))
            return true;
    return false;
}

/* --- what the file says --- */

enum verdict { UNKNOWN, OWN, RUNTIME };

struct function {
    uint64_t address, size;
    enum verdict verdict;
    bool named;         /* nothing but its name says so */
    bool member;        /* a local one of an archive's member */
    bool last_of_start; /* frame_dummy: behind it come the program's own files */
    bool calls_main;    /* __libc_start_main, of the first member of the C library that is needed */
};

struct unit_range {
    uint64_t start, end;
    enum verdict verdict;
};

/* Code of one file. On ARM and RISC-V the assembler begins each with a mapping symbol, which is local. */
struct piece {
    uint64_t start;
    unsigned section;
    bool own;
};

struct code {
    CC_VEC(struct function) functions;
    CC_VEC(struct unit_range) units;
    CC_VEC(struct piece) pieces;
    bool names_members; /* the linker says which member of an archive a local symbol is of */
};

static int by_start(const void *a, const void *b)
{
    const struct unit_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void read_units(struct code *c, Dwfl_Module *mod, uint64_t bias)
{
    Dwarf_Die *unit = NULL;
    Dwarf_Addr unit_bias;
    while ((unit = dwfl_module_nextcu(mod, unit, &unit_bias))) {
        enum verdict verdict = is_runtime_source(unit) ? RUNTIME : OWN;
        Dwarf_Addr base, start, end;
        for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &start, &end)) > 0;)
            CC_VEC_PUSH(&c->units,
                        (struct unit_range){start + unit_bias - bias, end + unit_bias - bias, verdict});
    }
    if (c->units.n)
        qsort(c->units.v, c->units.n, sizeof *c->units.v, by_start);
}

static enum verdict unit_verdict(const struct code *c, uint64_t address)
{
    size_t lo;
    CC_FIRST(lo, c->units.n, c->units.v[lo].start > address);
    return lo && address < c->units.v[lo - 1].end ? c->units.v[lo - 1].verdict : UNKNOWN;
}

/* --- pieces --- */

static bool is_mapping(const char *name, unsigned type)
{
    return type == STT_NOTYPE && name[0] == '$' && name[1] && strchr("xatd", name[1]);
}

static int by_piece(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void read_pieces(struct code *c, Dwfl_Module *mod, uint64_t bias)
{
    int n = dwfl_module_getsymtab(mod);
    const char *file = NULL;
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        GElf_Word section = 0;
        const char *name = dwfl_module_getsym_info(mod, i, &sym, &address, &section, NULL, NULL);
        if (!name)
            continue;
        unsigned type = GELF_ST_TYPE(sym.st_info);
        if (type == STT_FILE) {
            file = *name ? name : NULL;
            c->names_members |= is_member(name) && strcmp(name, "crtstuff.c") != 0;
        }
        if (file && GELF_ST_BIND(sym.st_info) == STB_LOCAL && is_mapping(name, type))
            CC_VEC_PUSH(&c->pieces, (struct piece){address - bias, section, !is_member(file)});
    }
    if (c->pieces.n)
        qsort(c->pieces.v, c->pieces.n, sizeof *c->pieces.v, by_piece);
}

/* Whether the code there is of a file with the name of a source. */
static bool in_own_piece(const struct code *c, uint64_t address, unsigned section)
{
    size_t lo;
    CC_FIRST(lo, c->pieces.n, c->pieces.v[lo].start > address);
    return lo && c->pieces.v[lo - 1].section == section && c->pieces.v[lo - 1].own;
}

/* --- symbols --- */

/* A local function is its file's; without the name of that, its neighbours decide. `hidden`: it was global
 * until it was linked. */
static void judge_local(struct function *f, const char *name, const char *file, bool hidden)
{
    f->last_of_start = strcmp(name, "frame_dummy") == 0;
    if (file) {
        f->member = is_member(file);
        f->verdict = f->member ? RUNTIME : OWN;
    } else if (f->last_of_start) {
        f->verdict = OWN; /* it is start-up code, which the collector knows by itself */
    } else {
        f->verdict =
            (name[0] == '_' && name[1] == '_') || (hidden && cc_runtime_name(name)) ? RUNTIME : UNKNOWN;
    }
}

static void judge_global(const struct code *c, struct function *f, const char *name, unsigned section)
{
    f->named = !in_own_piece(c, f->address, section);
    f->verdict = f->named && cc_runtime_name(name) ? RUNTIME : OWN;
}

static int by_address(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Symbols follow the file they are of, local ones before all others. */
static void read_symbols(struct code *c, Dwfl_Module *mod, uint64_t bias, bool arm)
{
    int n = dwfl_module_getsymtab(mod);
    const char *file = NULL;
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        GElf_Word section = 0;
        const char *name = dwfl_module_getsym_info(mod, i, &sym, &address, &section, NULL, NULL);
        unsigned type = GELF_ST_TYPE(sym.st_info);
        if (!name)
            continue;
        if (type == STT_FILE)
            file = *name ? name : NULL;
        if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym.st_shndx == SHN_UNDEF)
            continue;
        if (arm)
            address &= ~(GElf_Addr)1; /* the low bit says "Thumb code" */
        const char *of = c->names_members || (file && strcmp(file, "crtstuff.c") == 0) ? file : NULL;
        struct function f = {.address = address - bias,
                             .size = sym.st_size,
                             .verdict = unit_verdict(c, address - bias),
                             .calls_main = strcmp(name, "__libc_start_main") == 0};
        if (f.verdict == UNKNOWN && GELF_ST_BIND(sym.st_info) == STB_LOCAL)
            judge_local(&f, name, of, GELF_ST_VISIBILITY(sym.st_other) == STV_HIDDEN);
        else if (f.verdict == UNKNOWN)
            judge_global(c, &f, name, section);
        CC_VEC_PUSH(&c->functions, f);
    }
    if (c->functions.n)
        qsort(c->functions.v, c->functions.n, sizeof *c->functions.v, by_address);
}

/* --- the verdict --- */

/* One function an address: the library's if one of its names is. */
static void join_aliases(struct code *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->functions.n; i++) {
        struct function *f = &c->functions.v[i], *last = kept ? &c->functions.v[kept - 1] : NULL;
        if (!last || last->address != f->address) {
            c->functions.v[kept++] = *f;
            continue;
        }
        last->verdict = CC_MAX(last->verdict, f->verdict);
        last->size = CC_MAX(last->size, f->size);
        last->named &= f->named;
        last->member |= f->member;
        last->calls_main |= f->calls_main;
    }
    c->functions.n = kept;
}

/* A program that nothing of a library has started holds none: what it calls `puts` is its own. */
static void join_bare(struct code *c)
{
    for (size_t i = 0; i < c->functions.n; i++)
        if (c->functions.v[i].member || c->functions.v[i].calls_main)
            return;
    for (size_t i = 0; i < c->functions.n; i++)
        if (c->functions.v[i].named)
            c->functions.v[i].verdict = OWN;
}

/* The linker puts the program's own files behind those of the start, and archives behind them: what lies
 * between two functions that are certainly its own is its own, whatever its name. The archives begin with the
 * first local function of a member at the latest, or with what calls main. */
static void join_own(struct code *c)
{
    size_t i = 0, first, last = 0;
    while (i < c->functions.n && !c->functions.v[i].last_of_start)
        i++;
    for (first = i++; i < c->functions.n; i++) {
        const struct function *f = &c->functions.v[i];
        if (f->member || f->calls_main)
            break;
        last = f->verdict == OWN ? i : last;
    }
    if (i == c->functions.n)
        return;
    for (size_t k = first + 1; k < last; k++)
        if (c->functions.v[k].named)
            c->functions.v[k].verdict = OWN;
}

/* The linker puts the members of an archive side by side: what lies between two functions of the library is
 * of the library. */
static void ask_neighbours(struct code *c)
{
    enum verdict before = OWN;
    for (size_t i = 0; i < c->functions.n; i++) {
        struct function *f = &c->functions.v[i];
        if (f->verdict != UNKNOWN) {
            before = f->verdict;
            continue;
        }
        size_t next = i;
        while (next < c->functions.n && c->functions.v[next].verdict == UNKNOWN)
            next++;
        bool inside =
            before == RUNTIME && (next == c->functions.n || c->functions.v[next].verdict == RUNTIME);
        for (; i < next; i++)
            c->functions.v[i].verdict = inside ? RUNTIME : OWN;
        i--;
    }
}

static size_t make_ranges(const struct code *c, struct cc_code_range **ret)
{
    CC_VEC(struct cc_code_range) ranges = {0};
    bool before = false;
    for (size_t i = 0; i < c->functions.n; i++) {
        const struct function *f = &c->functions.v[i];
        bool runtime = f->verdict == RUNTIME;
        uint64_t end = f->address + CC_MAX(f->size, 1);
        if (runtime && before) /* what is between them has no name */
            ranges.v[ranges.n - 1].end = end;
        else if (runtime)
            CC_VEC_PUSH(&ranges, (struct cc_code_range){f->address, end});
        before = runtime;
    }
    *ret = ranges.v;
    return ranges.n;
}

size_t cc_runtime_code(const char *path, struct cc_code_range **ret)
{
    struct cc_symbols *symbols = cc_symbols_new();
    struct code c = {0};
    uint64_t bias = 0;
    GElf_Ehdr header;
    GElf_Addr ignored;
    Dwfl_Module *mod = cc_symbols_module(symbols, path, &bias);
    *ret = NULL;
    if (mod && gelf_getehdr(dwfl_module_getelf(mod, &ignored), &header)) {
        read_units(&c, mod, bias);
        read_pieces(&c, mod, bias);
        read_symbols(&c, mod, bias, header.e_machine == EM_ARM);
        join_aliases(&c);
        join_bare(&c);
        join_own(&c);
        ask_neighbours(&c);
    }
    size_t n = make_ranges(&c, ret);
    CC_VEC_FINI(&c.functions);
    CC_VEC_FINI(&c.units);
    CC_VEC_FINI(&c.pieces);
    cc_symbols_free(symbols);
    return n;
}
