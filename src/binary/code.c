#include "code.h"
#include "segments.h"
#include "frames.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* --- bytes --- */

static void read_segments(struct cc_code *c, Elf *elf)
{
    size_t n = cc_elf_headers(elf);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr s;
        if (!gelf_getphdr(elf, (int)i, &s) || s.p_type != PT_LOAD || !(s.p_flags & PF_X) || !s.p_filesz)
            continue;
        Elf_Data *d = elf_getdata_rawchunk(elf, (int64_t)s.p_offset, s.p_filesz, ELF_T_BYTE);
        if (d && d->d_buf && d->d_size && s.p_vaddr + d->d_size > s.p_vaddr)
            CC_VEC_PUSH(&c->bytes, (struct cc_code_bytes){d->d_buf, s.p_vaddr, s.p_vaddr + d->d_size});
    }
}

const uint8_t *cc_code_at(const struct cc_code *c, uint64_t address, size_t *ret_n)
{
    for (size_t i = 0; i < c->bytes.n; i++) {
        const struct cc_code_bytes *b = &c->bytes.v[i];
        if (address < b->from || address >= b->to)
            continue;
        *ret_n = (size_t)(b->to - address);
        return b->data + (address - b->from);
    }
    *ret_n = 0;
    return NULL;
}

/* --- functions --- */

static int by_start(const void *a, const void *b) /* of two that begin together the longer comes first */
{
    const struct cc_code_part *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to < y->to) - (x->to > y->to);
}

static int by_address(const void *a, const void *b)
{
    const struct cc_code_slot *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static int by_from(const void *a, const void *b)
{
    const struct cc_landing *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

#define SORT(vec, how)                                        \
    do {                                                      \
        if ((vec)->n)                                         \
            qsort((vec)->v, (vec)->n, sizeof *(vec)->v, how); \
    } while (0)

static void add_part(struct cc_code *c, uint64_t from, uint64_t size, bool thumb)
{
    size_t left;
    if (size && cc_code_at(c, from, &left))
        CC_VEC_PUSH(&c->parts,
                    (struct cc_code_part){.from = from, .to = from + CC_MIN(size, left), .thumb = thumb});
}

/* Functions of the C and C++ libraries that leave otherwise. */
static enum cc_callee callee_named(const char *name)
{
    static const char *const never[] = {"abort",
                                        "exit",
                                        "_exit",
                                        "_Exit",
                                        "quick_exit",
                                        "__assert_fail",
                                        "__assert_perror_fail",
                                        "__assert",
                                        "__stack_chk_fail",
                                        "__chk_fail",
                                        "__fortify_fail",
                                        "longjmp",
                                        "_longjmp",
                                        "siglongjmp",
                                        "__longjmp_chk",
                                        "__cxa_throw",
                                        "__cxa_rethrow",
                                        "_Unwind_Resume",
                                        "__cxa_bad_cast",
                                        "__cxa_bad_typeid",
                                        "__cxa_throw_bad_array_new_length",
                                        "__cxa_pure_virtual",
                                        "__clang_call_terminate",
                                        "_ZSt9terminatev",
                                        "pthread_exit",
                                        "err",
                                        "errx",
                                        "verr",
                                        "verrx",
                                        "__libc_start_main",
                                        "_gfortran_stop_string",
                                        "_gfortran_error_stop_string",
                                        "_gfortran_runtime_error"};
    static const char *const twice[] = {"setjmp",    "_setjmp", "__sigsetjmp",
                                        "sigsetjmp", "vfork",   "getcontext"};
    for (size_t i = 0; i < CC_COUNT(never); i++)
        if (strcmp(name, never[i]) == 0)
            return CC_CALLEE_NEVER_RETURNS;
    for (size_t i = 0; i < CC_COUNT(twice); i++)
        if (strcmp(name, twice[i]) == 0)
            return CC_CALLEE_RETURNS_TWICE;
    return strncmp(name, "_ZSt", 4) == 0 && strstr(name, "__throw_") ? CC_CALLEE_NEVER_RETURNS
                                                                     : CC_CALLEE_PLAIN;
}

static void read_symbols(struct cc_code *c, Dwfl_Module *mod, uint64_t bias)
{
    bool thumbs = c->isa->id == CC_ISA_ARM;
    int n = dwfl_module_getsymtab(mod);
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(mod, i, &sym, &address, NULL, NULL, NULL);
        unsigned type = GELF_ST_TYPE(sym.st_info);
        if (!name || sym.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC))
            continue;
        address -= bias;
        bool thumb = thumbs && address & 1;
        if (thumbs)
            address &= ~(GElf_Addr)1;
        add_part(c, address, sym.st_size, thumb);
        if (callee_named(name) != CC_CALLEE_PLAIN)
            CC_VEC_PUSH(&c->callees, (struct cc_code_slot){address, name});
    }
}

/* Several symbols at one place are one function, and one inside another is a part of that. */
static void tidy_parts(struct cc_code *c)
{
    SORT(&c->parts, by_start);
    size_t kept = 0;
    for (size_t i = 0; i < c->parts.n; i++) {
        struct cc_code_part p = c->parts.v[i];
        if (kept && p.from < c->parts.v[kept - 1].to) {
            if (p.to <= c->parts.v[kept - 1].to || p.from == c->parts.v[kept - 1].from)
                continue;
            p.from = c->parts.v[kept - 1].to;
        }
        c->parts.v[kept++] = p;
    }
    c->parts.n = kept;
}

const struct cc_code_part *cc_code_part_of(const struct cc_code *c, uint64_t address)
{
    size_t lo; /* the first beyond the address */
    CC_FIRST(lo, c->parts.n, c->parts.v[lo].from > address);
    return lo && address < c->parts.v[lo - 1].to ? &c->parts.v[lo - 1] : NULL;
}

/* --- stubs --- */

/* The cells that the dynamic loader fills with functions of other files. */
static void read_slots(struct cc_code *c, Elf *elf)
{
    GElf_Shdr h, of;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
        if (!gelf_getshdr(s, &h) || (h.sh_type != SHT_RELA && h.sh_type != SHT_REL) || !h.sh_entsize ||
            !(h.sh_flags & SHF_ALLOC))
            continue;
        Elf_Scn *symbols = elf_getscn(elf, h.sh_link);
        Elf_Data *d = elf_getdata(s, NULL), *table = symbols ? elf_getdata(symbols, NULL) : NULL;
        if (!d || !table || !gelf_getshdr(symbols, &of))
            continue;
        for (size_t i = 0; i < h.sh_size / h.sh_entsize; i++) {
            GElf_Rela r = {0};
            GElf_Rel rel = {0};
            GElf_Sym sym;
            bool found = h.sh_type == SHT_RELA ? gelf_getrela(d, (int)i, &r) != NULL
                                               : gelf_getrel(d, (int)i, &rel) != NULL;
            if (h.sh_type == SHT_REL)
                r = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
            if (!found || !GELF_R_SYM(r.r_info) || !gelf_getsym(table, (int)GELF_R_SYM(r.r_info), &sym))
                continue;
            const char *name = elf_strptr(elf, of.sh_link, sym.st_name);
            if (name && *name)
                CC_VEC_PUSH(&c->slots, (struct cc_code_slot){r.r_offset, name});
        }
    }
}

static const char *name_at(const struct cc_code_slot *v, size_t n, uint64_t address)
{
    size_t lo;
    CC_FIRST(lo, n, v[lo].address >= address);
    return lo < n && v[lo].address == address ? v[lo].name : NULL;
}

static uint32_t word(const uint8_t *b)
{
    return (uint32_t)(b[0] | b[1] << 8 | b[2] << 16) | (uint32_t)b[3] << 24;
}

static uint64_t extend(uint64_t v, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return ((v & ((sign << 1) - 1)) ^ sign) - sign;
}

/* adrp x16, page; ldr x17, [x16, #offset]; perhaps after a landing pad */
static uint64_t aarch64_slot(const uint8_t *b, size_t n, uint64_t at)
{
    size_t k = n >= 4 && word(b) == 0xd503245f ? 4 : 0;
    if (n < k + 8 || (word(b + k) & 0x9f00001f) != 0x90000010 || (word(b + k + 4) & 0xffc003ff) != 0xf9400211)
        return 0;
    uint32_t i = word(b + k);
    uint64_t page = extend((uint64_t)(i >> 5 & 0x7ffff) << 2 | (i >> 29 & 3), 21) << 12;
    return ((at + k) & ~UINT64_C(4095)) + page + (word(b + k + 4) >> 10 & 4095) * 8;
}

/* jmp *slot(%rip), perhaps after endbr64 and with a prefix */
static uint64_t x86_slot(const uint8_t *b, size_t n, uint64_t at)
{
    size_t k = n >= 4 && word(b) == 0xfa1e0ff3 ? 4 : 0;
    k += n > k && b[k] == 0xf2;
    return n >= k + 6 && b[k] == 0xff && b[k + 1] == 0x25 ? at + k + 6 + extend(word(b + k + 2), 32) : 0;
}

/* auipc t3, page; ld t3, offset(t3) */
static uint64_t riscv_slot(const uint8_t *b, size_t n, uint64_t at)
{
    if (n < 8 || (word(b) & 0xfff) != 0xe17 || (word(b + 4) & 0xfffff) != 0xe3e03)
        return 0;
    return at + extend(word(b) & 0xfffff000, 32) + extend(word(b + 4) >> 20, 12);
}

/* add ip, pc, #a; add ip, ip, #b; ldr pc, [ip, #c]! */
static uint64_t arm_slot(const uint8_t *b, size_t n, uint64_t at)
{
    if (n < 12 || (word(b) & 0xfffff000) != 0xe28fc000 || (word(b + 4) & 0xfffff000) != 0xe28cc000 ||
        (word(b + 8) & 0xfffff000) != 0xe5bcf000)
        return 0;
    uint64_t sum = at + 8 + (word(b + 8) & 4095);
    for (size_t k = 0; k < 8; k += 4) {
        uint32_t i = word(b + k), turn = (i >> 8 & 15) * 2, v = i & 255;
        sum += turn ? v >> turn | v << (32 - turn) : v;
    }
    return (uint32_t)sum;
}

const char *cc_code_stub(const struct cc_code *c, uint64_t target)
{
    size_t n;
    const uint8_t *b = c->slots.n ? cc_code_at(c, target, &n) : NULL;
    if (!b)
        return NULL;
    uint64_t slot = c->isa->id == CC_ISA_AARCH64 ? aarch64_slot(b, n, target)
                    : c->isa->id == CC_ISA_X86   ? x86_slot(b, n, target)
                    : c->isa->id == CC_ISA_RISCV ? riscv_slot(b, n, target)
                    : c->isa->id == CC_ISA_ARM   ? arm_slot(b, n, target)
                                                 : 0;
    return slot ? name_at(c->slots.v, c->slots.n, slot) : NULL;
}

enum cc_callee cc_code_callee(struct cc_code *c, uint64_t target)
{
    const char *name = name_at(c->callees.v, c->callees.n, target);
    name = name ? name : cc_code_stub(c, target);
    return name ? callee_named(name) : CC_CALLEE_PLAIN;
}

uint64_t cc_code_landing(const struct cc_code *c, uint64_t call)
{
    size_t lo;
    CC_FIRST(lo, c->landings.n, c->landings.v[lo].from > call);
    return lo && call < c->landings.v[lo - 1].to ? c->landings.v[lo - 1].pad : 0;
}

/* --- */

static void note_frame(void *self, const struct cc_frame_entry *f)
{
    add_part(self, f->from, f->to - f->from, false);
}

static void note_landing(void *self, const struct cc_landing *l)
{
    struct cc_code *c = self;
    CC_VEC_PUSH(&c->landings, *l);
}

int cc_code_init(struct cc_code *c, struct cc_symbols *symbols, const char *path, struct cc_err *err)
{
    uint64_t bias = 0;
    GElf_Ehdr header;
    *c = (struct cc_code){0};
    Dwfl_Module *mod = cc_symbols_module(symbols, path, &bias);
    Elf *elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;
    bool known = elf && gelf_getehdr(elf, &header) && header.e_ident[EI_DATA] == ELFDATA2LSB;
    c->isa = known ? cc_isa_of_machine(header.e_machine) : NULL;
    if (!c->isa)
        return 0;
    int rc = cc_flow_init(&c->decoder, c->isa, err);
    if (rc < 0)
        return rc;
    read_segments(c, elf);
    read_symbols(c, mod, bias);
    cc_frames_read(elf, note_frame, note_landing, c);
    read_slots(c, elf);
    tidy_parts(c);
    SORT(&c->slots, by_address);
    SORT(&c->callees, by_address);
    SORT(&c->landings, by_from);
    return 0;
}

void cc_code_fini(struct cc_code *c)
{
    cc_flow_fini(&c->decoder);
    CC_VEC_FINI(&c->bytes);
    CC_VEC_FINI(&c->parts);
    CC_VEC_FINI(&c->slots);
    CC_VEC_FINI(&c->landings);
    CC_VEC_FINI(&c->callees);
}
