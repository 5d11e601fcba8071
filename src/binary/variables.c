#include "variables.h"
#include "called.h"
#include "debug_files.h"
#include "types.h"
#include "segments.h"
#include "demangle.h"
#include "../base/arena.h"
#include "../base/map.h"
#include "../base/text.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

enum { MAX_DEPTH = 64, MAX_FRAME = 20000, MAX_SHARED = 4 };

struct symbol {
    const char *name;
    uint64_t size;
    struct cc_called called;
};

struct frame {
    struct cc_variable *v;
    size_t n;
};

struct data_module {
    Dwfl_Module *mod;
    uint64_t bias; /* libdwfl's addresses minus the file's */
    bool walked;
    struct cc_map symbols;   /* file address -> 1 + index */
    struct cc_map globals;   /* file address -> 1 + index */
    struct cc_map functions; /* file address of the entry -> 1 + index into dies */
    struct cc_map frames;    /* the same -> 1 + index */
    CC_VEC(struct symbol) symbol_list;
    CC_VEC(struct cc_variable) global_list;
    CC_VEC(Dwarf_Die) dies;
    CC_VEC(struct frame) frame_list;
};

struct cc_variables {
    struct cc_symbols *symbols;
    struct cc_arena arena;
    struct cc_strmap paths; /* -> 1 + index */
    CC_VEC(struct data_module *) modules;
};

struct cc_variables *cc_variables_new(struct cc_symbols *symbols)
{
    struct cc_variables *v = cc_alloc(sizeof *v);
    v->symbols = symbols;
    return v;
}

void cc_variables_free(struct cc_variables *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->modules.n; i++) {
        struct data_module *m = v->modules.v[i];
        cc_map_fini(&m->symbols);
        cc_map_fini(&m->globals);
        cc_map_fini(&m->functions);
        cc_map_fini(&m->frames);
        CC_VEC_FINI(&m->symbol_list);
        CC_VEC_FINI(&m->global_list);
        CC_VEC_FINI(&m->dies);
        CC_VEC_FINI(&m->frame_list);
        free(m);
    }
    CC_VEC_FINI(&v->modules);
    cc_strmap_fini(&v->paths);
    cc_arena_fini(&v->arena);
    free(v);
}

/* --- variables --- */

/* gfortran's "__result_f" is what the function f returns, and bears its name. */
static const char *variable_name(Dwarf_Die *die)
{
    static const char result[] = "__result_";
    const char *name = dwarf_diename(die);
    bool hidden = name && strncmp(name, result, sizeof result - 1) == 0 && name[sizeof result - 1];
    return hidden ? name + sizeof result - 1 : name;
}

static struct cc_variable describe(struct cc_variables *v, Dwarf_Die *die)
{
    struct cc_variable ret = {.name = variable_name(die), .file = cc_symbols_declared_in(die)};
    Dwarf_Die type;
    Dwarf_Word size;
    int line;
    if (dwarf_decl_line(die, &line) == 0 && line > 0)
        ret.line = (unsigned)line;
    if (!cc_type_of(die, &type))
        return ret;
    if (dwarf_aggregate_size(&type, &size) == 0)
        ret.size = size;
    struct cc_buf text = {0};
    cc_type_put(&type, &text);
    if (text.n)
        ret.type = cc_arena_strndup(&v->arena, text.s, text.n);
    cc_buf_fini(&text);
    return ret;
}

struct walk {
    struct cc_variables *v;
    struct data_module *m;
    uint64_t bias; /* DWARF address + bias = libdwfl's address */
};

static bool fixed_address(Dwarf_Die *die, Dwarf_Addr *ret)
{
    Dwarf_Attribute attr, indirect;
    Dwarf_Op *ops;
    size_t n;
    if (!dwarf_attr_integrate(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &n) != 0 ||
        n != 1)
        return false;
    if (ops[0].atom == DW_OP_addr) {
        *ret = ops[0].number;
        return true;
    } /* else an index into a table of addresses, as clang writes it, and -gsplit-dwarf */
    return (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) &&
           dwarf_getlocation_attr(&attr, &ops[0], &indirect) == 0 && dwarf_formaddr(&indirect, ret) == 0;
}

static void note_global(struct walk *w, Dwarf_Die *die, const char *scope)
{
    Dwarf_Addr at;
    bool fresh;
    if (!fixed_address(die, &at))
        return;
    uint64_t *slot = cc_map_put(&w->m->globals, at + w->bias - w->m->bias, &fresh);
    if (!fresh)
        return;
    struct cc_variable found = describe(w->v, die);
    if (found.name && scope) {
        CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s::%s", scope, found.name);
        found.name = cc_arena_strdup(&w->v->arena, name);
    }
    CC_VEC_PUSH(&w->m->global_list, found);
    *slot = w->m->global_list.n;
}

/* Fortran's: it lies where the first of its variables does, which have other names elsewhere. */
static void note_common(struct walk *w, Dwarf_Die *block)
{
    Dwarf_Die die;
    Dwarf_Addr first = UINT64_MAX, at;
    for (int rc = dwarf_child(block, &die); rc == 0; rc = dwarf_siblingof(&die, &die))
        if (dwarf_tag(&die) == DW_TAG_variable && fixed_address(&die, &at))
            first = CC_MIN(first, at);
    struct cc_variable found = describe(w->v, block);
    bool fresh = false;
    uint64_t *slot = NULL;
    if (found.name && first != UINT64_MAX)
        slot = cc_map_put(&w->m->globals, first + w->bias - w->m->bias, &fresh);
    if (!fresh)
        return;
    CC_CLEANUP(cc_free_ptr)
    char *name = cc_asprintf("/%s/", strcmp(found.name, "__BLNK__") == 0 ? "" : found.name);
    found.name = cc_arena_strdup(&w->v->arena, name);
    CC_VEC_PUSH(&w->m->global_list, found);
    *slot = w->m->global_list.n;
}

/* Functions and variables at fixed addresses; `scope` is the function around, for variables that are static
 * in it. */
static void walk_children(struct walk *w, Dwarf_Die *parent, const char *scope, int depth)
{
    Dwarf_Die die;
    if (depth > MAX_DEPTH)
        return;
    for (int rc = dwarf_child(parent, &die); rc == 0; rc = dwarf_siblingof(&die, &die)) {
        Dwarf_Addr entry;
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            note_global(w, &die, scope);
            break;
        case DW_TAG_common_block:
            note_common(w, &die);
            break;
        case DW_TAG_subprogram:
            if (dwarf_entrypc(&die, &entry) == 0) {
                bool fresh;
                uint64_t *slot = cc_map_put(&w->m->functions, entry + w->bias - w->m->bias, &fresh);
                if (fresh) {
                    CC_VEC_PUSH(&w->m->dies, die);
                    *slot = w->m->dies.n;
                }
            }
            walk_children(w, &die, dwarf_diename(&die), depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:         /* Fortran, D */
        case DW_TAG_structure_type: /* Rust has functions in them */
        case DW_TAG_enumeration_type:
        case DW_TAG_union_type:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            walk_children(w, &die, scope, depth + 1);
            break;
        default:
            break;
        }
    }
}

static void read_symbols(struct cc_variables *v, struct data_module *m)
{
    struct cc_strmap old = {0};
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(m->mod, &bias);
    if (elf)
        cc_called_read_old(elf, &old);
    int n = dwfl_module_getsymtab(m->mod);
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(m->mod, i, &sym, &address, NULL, NULL, NULL);
        if (!name || !*name || sym.st_shndx == SHN_UNDEF || GELF_ST_TYPE(sym.st_info) != STT_OBJECT ||
            strnlen(name, 65536) == 65536)
            continue;
        bool fresh;
        uint64_t *slot = cc_map_put(&m->symbols, address - m->bias, &fresh);
        struct cc_called called = cc_called_of(&old, &sym, address - m->bias, name);
        if (!fresh && cc_called_compare(&called, &m->symbol_list.v[*slot - 1].called) >= 0)
            continue;
        size_t length = strcspn(name, "@");
        CC_CLEANUP(cc_free_ptr) char *bare = cc_strndup(name, length ? length : strlen(name));
        CC_CLEANUP(cc_free_ptr) char *plain = cc_demangle(bare);
        struct symbol s = {cc_arena_strdup(&v->arena, plain ? plain : bare), sym.st_size, called};
        if (fresh) {
            CC_VEC_PUSH(&m->symbol_list, s);
            *slot = m->symbol_list.n;
        } else {
            m->symbol_list.v[*slot - 1] = s;
        }
    }
    cc_strmap_fini(&old);
}

static struct data_module *module_of(struct cc_variables *v, const char *path)
{
    uint64_t *slot = cc_strmap_put(&v->paths, path, NULL);
    if (*slot)
        return v->modules.v[*slot - 1];
    struct data_module *m = cc_alloc(sizeof *m);
    CC_VEC_PUSH(&v->modules, m);
    *slot = v->modules.n;
    m->mod = cc_symbols_module(v->symbols, path, &m->bias);
    if (!m->mod)
        return m;
    read_symbols(v, m);
    Dwarf_Addr bias;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(m->mod, unit, &bias));) {
        struct walk w = {v, m, bias};
        Dwarf_Die whole = cc_unit_whole(unit);
        walk_children(&w, &whole, NULL, 0);
    }
    return m;
}

void cc_variables_at(struct cc_variables *v, const char *path, uint64_t address, struct cc_variable *ret)
{
    *ret = (struct cc_variable){0};
    struct data_module *m = module_of(v, path);
    const uint64_t *symbol = cc_map_get(&m->symbols, address), *global = cc_map_get(&m->globals, address);
    if (global)
        *ret = m->global_list.v[*global - 1];
    if (symbol) {
        const struct symbol *s = &m->symbol_list.v[*symbol - 1];
        bool scoped = ret->name && (strstr(ret->name, "::") || ret->name[0] == '/');
        if (!scoped) /* the symbol of a C++ variable tells its namespaces */
            ret->name = s->name;
        ret->size = ret->size ? ret->size : s->size; /* a symbol may have padding (sanitizers) */
    }
    if (!ret->name) {
        CC_CLEANUP(cc_free_ptr)
        char *name = cc_asprintf("%s+0x%llx", cc_text_base(path), (unsigned long long)address);
        ret->name = cc_arena_strdup(&v->arena, name);
    }
}

/* --- frames --- */

enum { MAX_REGISTERS = 4, MAX_ROWS = 10000 };

struct base {
    int64_t frame; /* the frame base, from the CFA */
    bool has_frame;
    struct { /* CFA = number + offset, in most of the function's code that says so */
        int number;
        int64_t offset;
        uint64_t span; /* bytes of code */
    } reg[MAX_REGISTERS];
    size_t nregs;
    uint64_t code; /* bytes of it */
};

static bool register_op(const Dwarf_Op *op, int *reg, int64_t *offset)
{
    *offset = 0;
    if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
        *reg = op->atom - DW_OP_reg0;
    } else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
        *reg = op->atom - DW_OP_breg0;
        *offset = (int64_t)op->number;
    } else if (op->atom == DW_OP_bregx) {
        *reg = (int)op->number;
        *offset = (int64_t)op->number2;
    } else {
        return false;
    }
    return true;
}

static void note_register(struct base *b, int number, int64_t offset, uint64_t span)
{
    size_t i = 0;
    while (i < b->nregs && b->reg[i].number != number)
        i++;
    if (i == MAX_REGISTERS || (i < b->nregs && b->reg[i].span >= span))
        return;
    b->reg[i].number = number;
    b->reg[i].offset = offset;
    b->reg[i].span = span;
    b->nregs = CC_MAX(b->nregs, i + 1);
}

/* Registers whose distance from the CFA the unwinding tables tell: as the function's body has it, which is
 * longer than what leads into it and out of it. */
static void find_registers(const struct data_module *m, Dwarf_Die *function, struct base *b)
{
    Dwarf_Addr pc, end, bias = 0, cfi_bias;
    Dwarf *dwarf = dwfl_module_getdwarf(m->mod, &bias);
    Dwarf_CFI *cfi = dwfl_module_eh_cfi(m->mod, &cfi_bias);
    if (!cfi)
        cfi = dwfl_module_dwarf_cfi(m->mod, &cfi_bias);
    if (!dwarf || !cfi || dwarf_entrypc(function, &pc) != 0 || dwarf_highpc(function, &end) != 0)
        return;
    b->code = end > pc ? end - pc : 0;
    for (int rows = 0; pc < end && rows < MAX_ROWS; rows++) {
        Dwarf_Frame *frame = NULL;
        Dwarf_Op *ops;
        Dwarf_Addr from, to;
        size_t n;
        int number;
        int64_t offset;
        if (dwarf_cfi_addrframe(cfi, pc + bias - cfi_bias, &frame) != 0)
            return;
        if (dwarf_frame_info(frame, &from, &to, NULL) < 0 || to + cfi_bias - bias <= pc)
            to = pc + bias - cfi_bias + 4;
        if (dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && register_op(ops, &number, &offset))
            note_register(b, number, offset, to + cfi_bias - bias - pc);
        pc = to + cfi_bias - bias;
        free(frame);
    }
}

/* Bytes of a file at a virtual address; NULL: none there. */
static const unsigned char *bytes_at(const struct data_module *m, uint64_t address, size_t size)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(m->mod, &bias);
    GElf_Phdr p;
    size_t n = elf ? cc_elf_headers(elf) : 0;
    for (size_t i = 0; i < n; i++) {
        if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr ||
            address - p.p_vaddr > p.p_filesz || p.p_filesz - (address - p.p_vaddr) < size)
            continue;
        const Elf_Data *d =
            elf_getdata_rawchunk(elf, (int64_t)(p.p_offset + address - p.p_vaddr), size, ELF_T_BYTE);
        return d ? d->d_buf : NULL;
    }
    return NULL;
}

/* Clang on aarch64 places variables by sp, of which its tables tell nothing: where the frame pointer is set
 * tells how far apart the two are. */
static void follow_prologue(const struct data_module *m, uint64_t entry, struct base *b)
{
    enum { FP = 29, SP = 31, INSTRUCTIONS = 24 };
    GElf_Ehdr header;
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(m->mod, &bias);
    size_t i = 0;
    while (i < b->nregs && (b->reg[i].number != FP || b->reg[i].span * 2 < b->code))
        i++;
    const unsigned char *code = bytes_at(m, entry, INSTRUCTIONS * 4);
    if (i == b->nregs || !code || !elf || !gelf_getehdr(elf, &header) || header.e_machine != EM_AARCH64)
        return;
    int64_t apart = -1; /* fp - sp */
    for (int k = 0; k < INSTRUCTIONS; k++, code += 4) {
        uint32_t insn = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
        int64_t immediate = (int64_t)(insn >> 10 & 0xfff) << (insn >> 22 & 1 ? 12 : 0);
        if ((insn & 0xff8003ff) == 0x910003fd) /* add x29, sp, … */
            apart = immediate;
        else if ((insn & 0xff8003ff) == 0xd10003ff && apart >= 0) /* sub sp, sp, … */
            apart += immediate;
        else if ((insn & 0x7c000000) == 0x14000000) /* a jump: the prologue is over */
            break;
    }
    if (apart >= 0)
        note_register(b, SP, b->reg[i].offset + apart, b->reg[i].span);
}

/* From the CFA to `offset` off a register. The tables of some compilers tell of the stack pointer only where
 * the function begins, which says nothing about its body. */
static bool from_register(const struct base *b, int number, int64_t offset, int64_t *ret)
{
    for (size_t i = 0; i < b->nregs; i++) {
        if (b->reg[i].number != number || b->reg[i].span * 2 < b->code)
            continue;
        *ret = offset - b->reg[i].offset;
        return true;
    }
    return false;
}

static void find_base(const struct data_module *m, Dwarf_Die *function, struct base *b)
{
    Dwarf_Attribute attr;
    Dwarf_Op *ops;
    size_t n;
    int reg;
    int64_t offset;
    Dwarf_Addr entry, bias = 0;
    find_registers(m, function, b);
    if (dwarf_entrypc(function, &entry) == 0 && dwfl_module_getdwarf(m->mod, &bias))
        follow_prologue(m, entry + bias - m->bias, b);
    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) || dwarf_getlocation(&attr, &ops, &n) != 0 ||
        n != 1)
        return;
    b->has_frame = ops[0].atom == DW_OP_call_frame_cfa ||
                   (register_op(ops, &reg, &offset) && from_register(b, reg, offset, &b->frame));
}

struct range {
    Dwarf_Addr from, to;
};
static const struct range anywhere = {0, UINT64_MAX};

/* Where a variable lies, if it is in memory in any part of its scope that meets a range of addresses. */
static bool place_of(Dwarf_Die *die, const struct base *b, struct range in, int64_t *ret)
{
    Dwarf_Attribute attr;
    Dwarf_Op *ops;
    size_t n;
    Dwarf_Addr base, start, end;
    if (!dwarf_attr(die, DW_AT_location, &attr))
        return false;
    ptrdiff_t at = 0;
    while ((at = dwarf_getlocations(&attr, at, &base, &start, &end, &ops, &n)) > 0) {
        int reg;
        int64_t offset;
        if (n != 1 || start > in.to || end < in.from)
            continue;
        if (ops[0].atom == DW_OP_fbreg && b->has_frame) {
            *ret = b->frame + (int64_t)ops[0].number;
            return true;
        }
        bool plain = ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31; /* in the register itself */
        if (!plain && register_op(ops, &reg, &offset) && from_register(b, reg, offset, ret))
            return true;
    }
    return false;
}

/* The temporaries of the marks in corecast/mark.h: ours, not the program's. Their bytes are the frame's. */
static bool of_a_mark(Dwarf_Die *die)
{
    static const char *const names[] = {"corecast_r_", "corecast_v_", "corecast_n_", "corecast_s_"};
    const char *name = dwarf_diename(die);
    for (size_t i = 0; name && i < CC_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

struct frame_walk {
    struct cc_variables *v;
    const struct base *base;
    struct range in, at; /* of blocks, of variables in them */
    CC_VEC(struct cc_variable) found;
};

/* Whether code of a block, or of one in it, lies in the range; a function's own variables are everywhere. */
static bool block_meets(Dwarf_Die *block, struct range in, int depth)
{
    Dwarf_Addr base, start, end;
    bool bounded = false;
    ptrdiff_t at = 0;
    if (in.from == 0 && in.to == UINT64_MAX)
        return true;
    while ((at = dwarf_ranges(block, at, &base, &start, &end)) > 0) {
        bounded = true;
        if (start <= in.to && end > in.from)
            return true;
    }
    Dwarf_Die die;
    for (int rc = depth < MAX_DEPTH ? dwarf_child(block, &die) : -1; rc == 0;
         rc = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
            block_meets(&die, in, depth + 1))
            return true;
    }
    return !bounded;
}

static void walk_frame(struct frame_walk *w, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth > MAX_DEPTH || (depth && !block_meets(parent, w->in, depth)))
        return;
    for (int rc = dwarf_child(parent, &die); rc == 0; rc = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        int64_t from;
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
            walk_frame(w, &die, depth + 1);
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || w->found.n >= MAX_FRAME ||
            of_a_mark(&die) || !place_of(&die, w->base, w->at, &from))
            continue;
        struct cc_variable found = describe(w->v, &die);
        found.from = from;
        if (found.name && found.size && found.size < INT32_MAX && from > INT32_MIN && from < INT32_MAX)
            CC_VEC_PUSH(&w->found, found);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct cc_variable *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->line > y->line) - (x->line < y->line);
}

/* Variables of different scopes may share bytes: they become one, named after the first few. */
static size_t join(struct cc_variables *v, struct cc_variable *list, size_t n)
{
    size_t kept = 0;
    unsigned shared = 0;
    for (size_t i = 0; i < n; i++) {
        struct cc_variable *last = kept ? &list[kept - 1] : NULL;
        int64_t end = last ? last->from + (int64_t)last->size : 0;
        if (!last || list[i].from >= end) {
            list[kept++] = list[i];
            shared = 1;
            continue;
        }
        if (list[i].from + (int64_t)list[i].size > end)
            last->size = (uint64_t)(list[i].from + (int64_t)list[i].size - last->from);
        if (!last->type || !list[i].type || strcmp(last->type, list[i].type) != 0)
            last->type = NULL;
        size_t length = strlen(list[i].name), all = strlen(last->name);
        bool again = all >= length && strcmp(last->name + all - length, list[i].name) == 0;
        if (again || ++shared > MAX_SHARED)
            continue;
        CC_CLEANUP(cc_free_ptr)
        char *name = cc_asprintf("%s / %s", last->name, shared == MAX_SHARED ? "…" : list[i].name);
        last->name = cc_arena_strdup(&v->arena, name);
    }
    return kept;
}

static struct frame frame_of(struct cc_variables *v, struct data_module *m, uint64_t function,
                             struct range in, struct range at)
{
    struct base base = {0};
    struct frame_walk w = {.v = v, .base = &base, .in = in, .at = at};
    Dwarf_Die die = m->dies.v[function - 1];
    find_base(m, &die, &base);
    walk_frame(&w, &die, 0);
    if (w.found.n)
        qsort(w.found.v, w.found.n, sizeof *w.found.v, by_place);
    struct frame f = {.n = join(v, w.found.v, w.found.n)};
    f.v = cc_arena_alloc(&v->arena, (f.n + 1) * sizeof *f.v);
    if (f.n)
        memcpy(f.v, w.found.v, f.n * sizeof *f.v);
    CC_VEC_FINI(&w.found);
    return f;
}

size_t cc_variables_frame(struct cc_variables *v, const char *path, uint64_t address,
                          const struct cc_variable **ret)
{
    struct data_module *m = module_of(v, path);
    const uint64_t *function = cc_map_get(&m->functions, address);
    *ret = NULL;
    if (!function)
        return 0;
    bool fresh;
    uint64_t *slot = cc_map_put(&m->frames, address, &fresh);
    if (fresh) {
        CC_VEC_PUSH(&m->frame_list, frame_of(v, m, *function, anywhere, anywhere));
        *slot = m->frame_list.n;
    }
    *ret = m->frame_list.v[*slot - 1].v;
    return m->frame_list.v[*slot - 1].n;
}

const char *cc_variables_near(struct cc_variables *v, const char *path, uint64_t address, int64_t from,
                              struct cc_variables_code code)
{
    struct data_module *m = module_of(v, path);
    const uint64_t *function = cc_map_get(&m->functions, address);
    Dwarf_Addr bias;
    if (!function || !dwfl_module_getdwarf(m->mod, &bias))
        return NULL;
    uint64_t shift = m->bias - bias;
    struct range in = {code.from + shift, code.to + shift};
    struct frame f = frame_of(v, m, *function, in, code.whole ? anywhere : in);
    for (size_t i = 0; i < f.n; i++)
        if (from >= f.v[i].from && (uint64_t)(from - f.v[i].from) < f.v[i].size)
            return f.v[i].name;
    return NULL;
}

static bool peel_type(Dwarf_Die *die)
{
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
        Dwarf_Attribute attr;
        int tag = dwarf_tag(die);
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
            tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type)
            return true;
        if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, die))
            return false;
    }
    return false;
}

static enum cc_result_kind result_of_type(Dwarf_Die *type)
{
    Dwarf_Attribute attr;
    Dwarf_Word encoding = 0, size = 0;
    if (!peel_type(type))
        return CC_RESULT_UNKNOWN;
    int tag = dwarf_tag(type);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_enumeration_type || tag == DW_TAG_reference_type)
        return CC_RESULT_INTEGER;
    if (tag != DW_TAG_base_type || dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &encoding) != 0 ||
        dwarf_formudata(dwarf_attr(type, DW_AT_byte_size, &attr), &size) != 0 || size > 8)
        return CC_RESULT_UNKNOWN;
    switch (encoding) {
    case DW_ATE_float:
        return CC_RESULT_FLOAT;
    case DW_ATE_boolean:
    case DW_ATE_signed:
    case DW_ATE_signed_char:
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
        return CC_RESULT_INTEGER;
    default:
        return CC_RESULT_UNKNOWN;
    }
}

enum cc_result_kind cc_variables_result(struct cc_variables *v, const char *path, uint64_t address)
{
    struct data_module *m = module_of(v, path);
    const uint64_t *function = cc_map_get(&m->functions, address);
    Dwarf_Attribute attr;
    if (!function)
        return CC_RESULT_UNKNOWN;
    Dwarf_Die die = m->dies.v[*function - 1], type, unit;
    bool assembled = !dwarf_diecu(&die, &unit, NULL, NULL) || dwarf_srclang(&unit) == DW_LANG_Mips_Assembler;
    if (!dwarf_attr_integrate(&die, DW_AT_type, &attr)) /* assemblers do not know what is returned */
        return assembled ? CC_RESULT_UNKNOWN : CC_RESULT_NONE;
    return dwarf_formref_die(&attr, &type) ? result_of_type(&type) : CC_RESULT_UNKNOWN;
}
