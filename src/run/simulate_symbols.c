/* Names for what a simulation saw: functions and variables from symbol tables, lines from DWARF, stacks from
 * the plugin. */
#include "simulate.h"
#include "../base/map.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

static char *no_debug_path;
static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo,
                                         .debuginfo_path = &no_debug_path};

/* What must be added to the file's own addresses: the mapping's start less the address of the part of a
 * segment that it shows. */
static bool find_bias(const char *path, const struct cc_sim_module *m, GElf_Addr *ret)
{
    Elf *elf = NULL;
    FILE *f = fopen(path, "rb");
    bool found = false;
    if (f)
        elf = elf_begin(fileno(f), ELF_C_READ, NULL);
    size_t n = 0;
    if (elf && elf_kind(elf) == ELF_K_ELF && elf_getphdrnum(elf, &n) == 0)
        for (size_t i = 0; i < n && !found; i++) {
            GElf_Phdr ph;
            if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
                continue;
            uint64_t first = ph.p_offset & ~(uint64_t)0xfff, end = ph.p_offset + ph.p_filesz;
            if (m->offset < first || m->offset >= end)
                continue;
            *ret = m->from - m->offset + ph.p_offset - ph.p_vaddr;
            found = true;
        }
    if (elf)
        elf_end(elf);
    if (f)
        fclose(f);
    return found;
}

bool cc_simulate_code_segment(const char *path, uint64_t *offset, uint64_t *address)
{
    bool found = false;
    elf_version(EV_CURRENT);
    FILE *f = fopen(path, "rb");
    Elf *elf = f ? elf_begin(fileno(f), ELF_C_READ, NULL) : NULL;
    size_t n = 0;
    if (elf && elf_kind(elf) == ELF_K_ELF && elf_getphdrnum(elf, &n) == 0)
        for (size_t i = 0; i < n && !found; i++) {
            GElf_Phdr ph;
            found = gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && (ph.p_flags & PF_X);
            *offset = found ? ph.p_offset : 0;
            *address = found ? ph.p_vaddr : 0;
        }
    if (elf)
        elf_end(elf);
    if (f)
        fclose(f);
    return found;
}

static Dwfl *open_modules(const struct cc_sim_shared *s, const char *firmware)
{
    elf_version(EV_CURRENT);
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (!dwfl)
        return NULL;
    dwfl_report_begin(dwfl);
    if (firmware)
        dwfl_report_elf(dwfl, "firmware", firmware, -1, 0, true);
    for (uint32_t i = 0; i < s->modules && i < CC_SIM_MODULES; i++) {
        const struct cc_sim_module *m = &s->module[i];
        bool known = false; /* one mapping of a file tells where all of it is */
        for (uint32_t k = 0; k < i; k++)
            known |= strcmp(s->module[k].path, m->path) == 0 && m->from - s->module[k].from < (1u << 30);
        GElf_Addr bias;
        if (known || !find_bias(m->path, m, &bias))
            continue;
        const char *slash = strrchr(m->path, '/');
        dwfl_report_elf(dwfl, slash ? slash + 1 : m->path, m->path, -1, bias, true);
    }
    dwfl_report_end(dwfl, NULL, NULL);
    return dwfl;
}

struct context {
    struct cc_trace_writer *w;
    bool thumb; /* the module's functions may be marked as Thumb code by the low bit of their address */
};

static void add_symbol(struct context *x, Dwfl_Module *mod, const char *object, const char *name,
                       GElf_Addr addr, const GElf_Sym *sym)
{
    int type = GELF_ST_TYPE(sym->st_info);
    if (sym->st_shndx == SHN_UNDEF || !name || !*name || !sym->st_size)
        return;
    if (type == STT_FUNC || type == STT_GNU_IFUNC) {
        addr &= x->thumb ? ~(GElf_Addr)1 : ~(GElf_Addr)0;
        Dwfl_Line *line = dwfl_module_getsrc(mod, addr);
        int number = 0;
        const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
        struct cc_trace_symbol t = {
            addr, addr + sym->st_size, name, file, file && number > 0 ? (uint32_t)number : 0, object};
        cc_trace_writer_symbol(x->w, &t);
    } else if (type == STT_OBJECT) {
        struct cc_trace_object o = {.from = addr,
                                    .to = addr + sym->st_size,
                                    .until = UINT64_MAX,
                                    .name = name,
                                    .storage = CC_TRACE_GLOBAL};
        cc_trace_writer_object(x->w, &o);
    }
}

static int each_module(Dwfl_Module *mod, void **unused, const char *name, Dwarf_Addr start, void *data)
{
    (void)unused, (void)start;
    Dwarf_Addr low = 0, high = 0;
    dwfl_module_info(mod, NULL, &low, &high, NULL, NULL, NULL, NULL);
    struct context *x = data;
    GElf_Addr bias;
    GElf_Ehdr header;
    x->thumb = gelf_getehdr(dwfl_module_getelf(mod, &bias), &header) && header.e_machine == EM_ARM;
    int n = dwfl_module_getsymtab(mod);
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr addr;
        GElf_Word section;
        const char *symbol = dwfl_module_getsym_info(mod, i, &sym, &addr, &section, NULL, NULL);
        if (symbol && addr >= low && addr < high) /* not those of sections that are never loaded */
            add_symbol(x, mod, name, symbol, addr, &sym);
    }
    return DWARF_CB_OK;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* A row for every instruction seen, unless it says the same as the row before. */
static void add_lines(struct context *x, Dwfl *dwfl, const struct cc_map *seen)
{
    CC_VEC(uint64_t) pcs = {0};
    for (size_t i = 0; i < seen->cap; i++)
        if (seen->used[i])
            CC_VEC_PUSH(&pcs, seen->keys[i]);
    if (pcs.n)
        qsort(pcs.v, pcs.n, sizeof *pcs.v, by_value);
    const char *last_file = NULL;
    int last_line = 0;
    for (size_t i = 0; i < pcs.n; i++) {
        Dwfl_Module *mod = dwfl_addrmodule(dwfl, pcs.v[i]);
        Dwfl_Line *line = mod ? dwfl_module_getsrc(mod, pcs.v[i]) : NULL;
        int number = 0;
        const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
        if (i > 0 && number == last_line &&
            (file == last_file || (file && last_file && strcmp(file, last_file) == 0)))
            continue;
        struct cc_trace_line l = {pcs.v[i], file, file && number > 0 ? (uint32_t)number : 0};
        cc_trace_writer_line(x->w, &l);
        last_file = file;
        last_line = number;
    }
    CC_VEC_FINI(&pcs);
}

static void add_stacks(struct context *x, const struct cc_sim_shared *s)
{
    for (uint32_t i = 0; i < s->stacks && i < CC_SIM_MAX_STACKS; i++) {
        char name[32];
        snprintf(name, sizeof name, "stack of thread %u", s->stack[i].thread);
        struct cc_trace_object o = {.from = s->stack[i].from,
                                    .to = s->stack[i].to,
                                    .until = UINT64_MAX,
                                    .name = name,
                                    .storage = CC_TRACE_STACK};
        bool again = false; /* a stack reused by a later thread is named once */
        for (uint32_t k = 0; k < i; k++)
            again |= s->stack[k].from < o.to && s->stack[k].to > o.from;
        if (!again)
            cc_trace_writer_object(x->w, &o);
    }
}

static void add_objects(struct context *x, const struct cc_sim_shared *s)
{
    for (uint32_t i = 0; i < s->objects && i < CC_SIM_OBJECTS; i++) {
        const struct cc_sim_object *o = &s->object[i];
        struct cc_trace_object t = {.from = o->from,
                                    .to = o->to,
                                    .since = o->since,
                                    .until = o->until,
                                    .name = o->name[0] ? o->name : "unnamed object",
                                    .file = o->file[0] ? o->file : NULL,
                                    .line = o->line,
                                    .storage = CC_TRACE_HEAP};
        cc_trace_writer_object(x->w, &t);
    }
}

void cc_simulate_write_symbols(struct cc_trace_writer *w, const struct cc_sim_shared *shared,
                               const struct cc_map *seen, const char *firmware)
{
    struct context x = {.w = w};
    Dwfl *dwfl = open_modules(shared, firmware);
    if (dwfl) {
        dwfl_getmodules(dwfl, each_module, &x, 0);
        add_lines(&x, dwfl, seen);
        dwfl_end(dwfl);
    }
    add_stacks(&x, shared);
    add_objects(&x, shared);
}
