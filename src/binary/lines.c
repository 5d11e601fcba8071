#include "lines.h"
#include "debug_files.h"
#include "../base/map.h"
#include "../base/text.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

struct range {
    uint64_t from, to; /* in the file's virtual addresses */
    Dwarf_Die unit;
    uint64_t bias; /* DWARF address + bias = the file's virtual address */
};

enum { DEEP = 64 }; /* more is not looked into */

/* Code of a function, wherever in its unit it is described: that of a lambda is inside the function which
 * has it, far from that one's code. */
struct function {
    uint64_t from, to; /* as in `range` */
    Dwarf_Die die;
};

struct module {
    bool walked;        /* ranges are known */
    Dwfl_Module *mod;   /* NULL: it cannot be read */
    uint64_t bias;      /* of libdwfl's addresses */
    uint64_t low, high; /* [low, high) in the file's virtual addresses */
    const struct range *last;
    CC_VEC(struct range) ranges;       /* of its units, by `from` */
    CC_VEC(struct function) functions; /* of the units in `asked`, by `from` */
    struct cc_map asked;               /* offsets of units */
};

struct cc_lines {
    struct cc_symbols *symbols;
    struct cc_strmap paths; /* -> 1 + index */
    CC_VEC(struct module *) modules;
};

struct cc_lines *cc_lines_new(struct cc_symbols *s)
{
    struct cc_lines *l = cc_alloc(sizeof *l);
    l->symbols = s;
    return l;
}

void cc_lines_free(struct cc_lines *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->modules.n; i++) {
        CC_VEC_FINI(&l->modules.v[i]->ranges);
        CC_VEC_FINI(&l->modules.v[i]->functions);
        cc_map_fini(&l->modules.v[i]->asked);
        free(l->modules.v[i]);
    }
    CC_VEC_FINI(&l->modules);
    cc_strmap_fini(&l->paths);
    free(l);
}

static struct module *module_of(struct cc_lines *l, const char *path)
{
    uint64_t *slot = cc_strmap_put(&l->paths, path, NULL);
    if (*slot)
        return l->modules.v[*slot - 1];
    struct module *m = cc_alloc(sizeof *m);
    CC_VEC_PUSH(&l->modules, m);
    *slot = l->modules.n;
    m->mod = cc_symbols_module(l->symbols, path, &m->bias);
    if (m->mod) {
        Dwarf_Addr low = 0, high = 0;
        dwfl_module_info(m->mod, NULL, &low, &high, NULL, NULL, NULL, NULL);
        m->low = low - m->bias;
        m->high = high - m->bias;
    }
    return m;
}

static int by_from(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* .debug_aranges, libdwfl's way from an address to its unit, is written by gcc but not by clang. */
static void walk(struct module *m)
{
    Dwarf_Addr bias = 0;
    m->walked = true;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(m->mod, unit, &bias));) {
        Dwarf_Addr base, from, to;
        uint64_t shift = bias - m->bias;
        for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &from, &to)) > 0;)
            if (from < to && from) /* code that the linker threw away lies at 0 */
                CC_VEC_PUSH(&m->ranges, (struct range){from + shift, to + shift, *unit, shift});
    }
    if (m->ranges.n)
        qsort(m->ranges.v, m->ranges.n, sizeof *m->ranges.v, by_from);
}

static const struct range *range_of(struct module *m, uint64_t address)
{
    if (!m->walked)
        walk(m);
    if (m->last && m->last->from <= address && address < m->last->to)
        return m->last;
    size_t lo; /* the first beyond the address */
    CC_FIRST(lo, m->ranges.n, m->ranges.v[lo].from > address);
    const struct range *r = lo ? &m->ranges.v[lo - 1] : NULL;
    return r && address < r->to ? (m->last = r) : NULL;
}

static struct cc_line_place call_of(const struct range *r, Dwarf_Die *inlined)
{
    Dwarf_Die unit = r->unit, whole;
    struct cc_line_place place = {0};
    Dwarf_Attribute attr;
    Dwarf_Word file, line, column;
    Dwarf_Files *files;
    size_t n;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attr), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attr), &line) != 0 ||
        !dwarf_diecu(inlined, &whole, NULL, NULL) || dwarf_getsrcfiles(&whole, &files, &n) != 0 ||
        file >= n || !line || line > UINT32_MAX)
        return place;
    place.file = dwarf_filesrc(files, file, NULL, NULL);
    place.line = place.file ? (unsigned)line : 0;
    if (place.file && dwarf_formudata(dwarf_attr(inlined, DW_AT_call_column, &attr), &column) == 0 &&
        column <= UINT32_MAX)
        place.column = (unsigned)column;
    if (place.file && place.file[0] != '/')
        place.folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attr));
    return place;
}

static bool has_functions(Dwarf_Die *d)
{
    switch (dwarf_tag(d)) {
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return true;
    default:
        return false;
    }
}

static void add_functions(struct module *m, Dwarf_Die *parent, uint64_t bias, unsigned depth)
{
    Dwarf_Die d;
    for (int rc = dwarf_child(parent, &d); rc == 0 && depth < DEEP; rc = dwarf_siblingof(&d, &d)) {
        Dwarf_Addr base, from, to;
        if (!has_functions(&d))
            continue;
        for (ptrdiff_t at = 0;
             dwarf_tag(&d) == DW_TAG_subprogram && (at = dwarf_ranges(&d, at, &base, &from, &to)) > 0;)
            if (from < to && from)
                CC_VEC_PUSH(&m->functions, (struct function){from + bias, to + bias, d});
        add_functions(m, &d, bias, depth + 1);
    }
}

static int by_start(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static const struct function *function_of(struct module *m, const struct range *r, uint64_t address)
{
    bool fresh;
    Dwarf_Die unit = r->unit;
    cc_map_put(&m->asked, dwarf_dieoffset(&unit), &fresh);
    if (fresh) {
        Dwarf_Die whole = cc_unit_whole(&unit);
        add_functions(m, &whole, r->bias, 0);
        if (m->functions.n)
            qsort(m->functions.v, m->functions.n, sizeof *m->functions.v, by_start);
    }
    size_t lo; /* the first beyond the address */
    CC_FIRST(lo, m->functions.n, m->functions.v[lo].from > address);
    const struct function *f = lo ? &m->functions.v[lo - 1] : NULL;
    return f && address < f->to ? f : NULL;
}

/* What was inlined around the address, from the outside in. */
static unsigned inlined_at(struct module *m, const struct range *r, uint64_t address, Dwarf_Die ret[DEEP])
{
    const struct function *f = function_of(m, r, address);
    unsigned n = 0;
    Dwarf_Die at, d;
    if (!f)
        return 0;
    at = f->die;
    for (int rc = dwarf_child(&at, &d); rc == 0 && n < DEEP;) {
        int tag = dwarf_tag(&d);
        if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
            dwarf_haspc(&d, address - r->bias) <= 0) {
            rc = dwarf_siblingof(&d, &d);
            continue;
        }
        if (tag == DW_TAG_inlined_subroutine)
            ret[n++] = d;
        at = d;
        rc = dwarf_child(&at, &d);
    }
    return n;
}

static struct cc_line_place written_at(const struct range *r, uint64_t address)
{
    struct cc_line_place place = {0};
    Dwarf_Die unit = r->unit;
    Dwarf_Attribute attr;
    int number = 0, column = 0;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address - r->bias);
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (!file || dwarf_lineno(line, &number) != 0 || number <= 0)
        return place;
    place.file = file;
    place.line = (unsigned)number;
    if (dwarf_linecol(line, &column) == 0 && column > 0)
        place.column = (unsigned)column;
    if (file[0] != '/')
        place.folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attr));
    return place;
}

/* `out[i] = std::max(x[i], 0)`: what the likes of it compare is what their arguments lead to, so that it is
 * the caller's line that looks at them. */
static bool is_comparison(const char *function)
{
    char name[8] = ""; /* "max<int>" */
    size_t n = function ? strcspn(function, "<") : 0;
    if (n && n < sizeof name)
        memcpy(name, function, n);
    return cc_text_listed(" min max clamp ", name);
}

static bool may_compare(const char *file)
{
    const char *base = strrchr(file, '/');
    return base && strstr(file, "/c++/") &&
           cc_text_listed(" stl_algobase.h stl_algo.h min.h max.h clamp.h ", base + 1);
}

struct cc_line_place cc_lines_find(struct cc_lines *l, const char *path, uint64_t address)
{
    struct module *m = module_of(l, path);
    const struct range *r = m->mod ? range_of(m, address) : NULL;
    if (!r)
        return (struct cc_line_place){0};
    struct cc_line_place place = written_at(r, address);
    if (!place.file || !may_compare(place.file))
        return place;
    Dwarf_Die inlined[DEEP];
    Dwarf_Attribute attr;
    for (unsigned i = inlined_at(m, r, address, inlined); i-- > 0;) {
        const char *name = dwarf_formstring(dwarf_attr_integrate(&inlined[i], DW_AT_name, &attr));
        bool compares = may_compare(place.file) && is_comparison(name);
        struct cc_line_place call = compares ? call_of(r, &inlined[i]) : (struct cc_line_place){0};
        if (!call.file)
            break;
        place = call;
    }
    return place;
}

struct cc_line_place cc_lines_caller(struct cc_lines *l, const char *path, uint64_t address,
                                     bool (*wanted)(const char *file))
{
    struct cc_line_place place = {0};
    struct module *m = module_of(l, path);
    const struct range *r = m->mod ? range_of(m, address) : NULL;
    Dwarf_Die inlined[DEEP];
    if (!r)
        return place;
    for (unsigned i = inlined_at(m, r, address, inlined); i-- > 0 && !place.file;) {
        place = call_of(r, &inlined[i]);
        if (place.file && !wanted(place.file))
            place = (struct cc_line_place){0};
    }
    return place;
}

const char *cc_lines_inlined(struct cc_lines *l, const char *path, uint64_t address)
{
    struct module *m = module_of(l, path);
    const struct range *r = m->mod ? range_of(m, address) : NULL;
    Dwarf_Die inlined[DEEP];
    Dwarf_Attribute attr;
    unsigned n = r ? inlined_at(m, r, address, inlined) : 0;
    return n ? dwarf_formstring(dwarf_attr_integrate(&inlined[n - 1], DW_AT_name, &attr)) : NULL;
}

/* What a pointer leads to, typedefs and qualifiers aside; false: it is none. */
static bool pointed(Dwarf_Die *d, Dwarf_Die *ret)
{
    Dwarf_Die type;
    Dwarf_Attribute attr;
    if (!dwarf_attr_integrate(d, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type) ||
        dwarf_peel_type(&type, &type) != 0 || dwarf_tag(&type) != DW_TAG_pointer_type)
        return false;
    if (!dwarf_attr_integrate(&type, DW_AT_type, &attr) || !dwarf_formref_die(&attr, ret))
        *ret = type; /* void */
    return true;
}

/* Whether the function has its class's name: that of what `this` points to, but for a template's arguments.
 */
static bool constructs(Dwarf_Die *function, const char *name)
{
    Dwarf_Attribute attr;
    Dwarf_Die of = *function, d, class;
    if (dwarf_attr(function, DW_AT_abstract_origin, &attr))
        dwarf_formref_die(&attr, &of);
    if (!name || dwarf_child(&of, &d) != 0)
        return false;
    bool hidden = dwarf_tag(&d) == DW_TAG_formal_parameter && dwarf_hasattr_integrate(&d, DW_AT_artificial);
    if (!hidden || !pointed(&d, &class) || dwarf_peel_type(&class, &class) != 0 || !dwarf_diename(&class))
        return false;
    const char *whole = dwarf_diename(&class);
    size_t n = strcspn(whole, "<");
    return strlen(name) == n && strncmp(name, whole, n) == 0;
}

unsigned cc_lines_frames(struct cc_lines *l, const char *path, uint64_t address, struct cc_lines_frame *ret,
                         unsigned most)
{
    struct module *m = module_of(l, path);
    const struct range *r = m->mod ? range_of(m, address) : NULL;
    const struct function *f = r ? function_of(m, r, address) : NULL;
    Dwarf_Die inlined[DEEP], pointee;
    Dwarf_Attribute attr;
    if (!f)
        return 0;
    unsigned deep = inlined_at(m, r, address, inlined), n = 0;
    struct cc_line_place place = cc_lines_find(l, path, address);
    for (unsigned i = deep + 1; i-- > 0 && n < most; n++) {
        Dwarf_Die d = i ? inlined[i - 1] : f->die;
        const char *name = dwarf_formstring(dwarf_attr_integrate(&d, DW_AT_name, &attr));
        bool gives = pointed(&d, &pointee) || constructs(&d, name);
        ret[n] = (struct cc_lines_frame){.place = place, .function = name, .gives = gives};
        if (i)
            place = call_of(r, &d);
    }
    return n;
}

bool cc_lines_own(const char *file)
{
    return strncmp(file, "/usr/", 5) != 0 && !strstr(file, "/include/c++/");
}

bool cc_lines_covers(struct cc_lines *l, const char *path, uint64_t address)
{
    const struct module *m = module_of(l, path);
    return m->mod && m->low <= address && address < m->high;
}
