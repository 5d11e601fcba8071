#include "entry.h"
#include "segments.h"
#include "../base/base.h"

enum { LOOK = 96 }; /* bytes of start-up code that are looked at */

struct program {
    Elf *elf;
    GElf_Ehdr header;
    size_t nsegments;
};

/* Up to `most` bytes of the file from an address on; how many there are, 0: none. */
static size_t bytes_at(const struct program *p, uint64_t address, bool code, uint8_t *to, size_t most)
{
    for (size_t i = 0; i < p->nsegments; i++) {
        GElf_Phdr s;
        if (!gelf_getphdr(p->elf, (int)i, &s) || s.p_type != PT_LOAD || (code && !(s.p_flags & PF_X)) ||
            address < s.p_vaddr || address - s.p_vaddr >= s.p_filesz)
            continue;
        uint64_t left = s.p_filesz - (address - s.p_vaddr);
        size_t n = left < most ? (size_t)left : most;
        Elf_Data *d =
            elf_getdata_rawchunk(p->elf, (int64_t)(s.p_offset + (address - s.p_vaddr)), n, ELF_T_BYTE);
        if (!d || d->d_size < n)
            return 0;
        memcpy(to, d->d_buf, n);
        return n;
    }
    return 0;
}

static uint64_t word(const uint8_t *b, unsigned n)
{
    uint64_t v = 0;
    while (n--)
        v = v << 8 | b[n];
    return v;
}

static int64_t extend(uint64_t v, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)(((v & ((sign << 1) - 1)) ^ sign) - sign);
}

/* What a relocation that only adds where the file is loaded puts there; else what the file has there. */
static uint64_t pointer_at(const struct program *p, uint64_t slot)
{
    GElf_Shdr h;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(p->elf, s));) {
        Elf_Data *d = gelf_getshdr(s, &h) && h.sh_type == SHT_RELA ? elf_getdata(s, NULL) : NULL;
        size_t n = d && h.sh_entsize ? h.sh_size / h.sh_entsize : 0;
        for (size_t i = 0; i < n; i++) {
            GElf_Rela r;
            if (gelf_getrela(d, (int)i, &r) && r.r_offset == slot)
                return GELF_R_SYM(r.r_info) == 0 ? (uint64_t)r.r_addend : 0;
        }
    }
    uint8_t b[8];
    return bytes_at(p, slot, false, b, 8) == 8 ? word(b, 8) : 0;
}

/* lea main(%rip), %rdi; mov $main, %rdi; or from the GOT: mov slot(%rip), %rdi. Up to where code leaves by
 * one of `ends`, whose place is *ret_end. */
static uint64_t x86_64_first(const struct program *p, uint64_t at, const uint8_t *b, size_t n,
                             const char *ends, size_t *ret_end)
{
    size_t i = 0;
    uint8_t code[1];
    for (; i + 7 <= n && !(b[i] && strchr(ends, b[i])); i++) {
        uint64_t next = at + i + 7, value = (uint64_t)extend(word(b + i + 3, 4), 32);
        if (memcmp(b + i, "\x48\x8d\x3d", 3) == 0)
            return next + value;
        if (memcmp(b + i, "\x48\xc7\xc7", 3) == 0)
            return value;
        if (memcmp(b + i, "\x48\x8b\x3d", 3) == 0)
            return pointer_at(p, next + value);
        if (b[i] == 0xbf && bytes_at(p, word(b + i + 1, 4), true, code, 1)) /* mov $main, %edi */
            return word(b + i + 1, 4);
    }
    *ret_end = i;
    return 0;
}

static bool has(const uint8_t *b, size_t n, const char *code, size_t size)
{
    return memmem(b, n, code, size) != NULL;
}

/* musl's start code hands its stack (mov %rsp, %rdi) to a function in C, which has the arguments (lea
 * 8(%rdi), %rdx) and main for one that it goes on to. */
static uint64_t x86_64_main(const struct program *p, const uint8_t *b, size_t n)
{
    size_t end = n;
    uint8_t more[LOOK];
    uint64_t entry = p->header.e_entry, found = x86_64_first(p, entry, b, n, "\xe8\xf4", &end);
    if (found || end + 5 > n || b[end] != 0xe8 || !has(b, end, "\x48\x89\xe7", 3))
        return found;
    uint64_t next = entry + end + 5 + (uint64_t)extend(word(b + end + 1, 4), 32);
    n = bytes_at(p, next, true, more, sizeof more);
    return has(more, n, "\x48\x8d\x57\x08", 4) ? x86_64_first(p, next, more, n, "\xe8\xe9\xf4\xc3", &end) : 0;
}

/* Programs at fixed addresses hand over a function that only goes on to main: nop, b main. */
static uint64_t aarch64_follow(const struct program *p, uint64_t address)
{
    uint8_t b[8];
    if (bytes_at(p, address, true, b, 8) != 8 || (word(b + 4, 4) & 0xfc000000) != 0x14000000 ||
        (word(b, 4) & 0xfffff01f) != 0xd503201f) /* nop, or a landing pad */
        return address;
    return address + 4 + (uint64_t)(extend(word(b + 4, 4), 26) * 4);
}

/* adrp x0, page; then add x0, x0, #offset or ldr x0, [x0, #offset] */
static uint64_t aarch64_main(const struct program *p, const uint8_t *b, size_t n)
{
    uint64_t page = 0;
    for (size_t i = 0; i + 4 <= n; i += 4) {
        uint64_t code = word(b + i, 4), at = p->header.e_entry + i;
        if ((code & 0xfc000000) == 0x94000000) /* bl */
            break;
        if ((code & 0x9f00001f) == 0x90000000)
            page = (at & ~UINT64_C(4095)) +
                   (uint64_t)extend((code >> 5 & 0x7ffff) << 2 | (code >> 29 & 3), 21) * 4096;
        else if ((code & 0xffc003ff) == 0x91000000 && page)
            return aarch64_follow(p, page + (code >> 10 & 4095));
        else if ((code & 0xffc003ff) == 0xf9400000 && page)
            return pointer_at(p, page + (code >> 10 & 4095) * 8);
    }
    return 0;
}

/* auipc a0, page; then addi a0, a0, offset or ld a0, offset(a0) */
static uint64_t riscv64_main(const struct program *p, const uint8_t *b, size_t n)
{
    uint64_t page = 0;
    for (size_t i = 0; i + 4 <= n; i += (b[i] & 3) == 3 ? 4 : 2) {
        uint64_t code = word(b + i, 4), offset = (uint64_t)extend(code >> 20, 12);
        if ((code & 0xfff) == 0x517)
            page = p->header.e_entry + i + (uint64_t)extend(code & 0xfffff000, 32);
        else if ((code & 0xfffff) == 0x50513 && page)
            return page + offset;
        else if ((code & 0xfffff) == 0x53503 && page)
            return pointer_at(p, page + offset);
    }
    return 0;
}

uint64_t cc_entry_main(Elf *elf)
{
    struct program p = {.elf = elf, .nsegments = cc_elf_headers(elf)};
    uint8_t b[LOOK], first[1];
    if (!gelf_getehdr(elf, &p.header) || !p.header.e_entry)
        return 0;
    size_t n = bytes_at(&p, p.header.e_entry, true, b, sizeof b);
    uint64_t found = p.header.e_machine == EM_X86_64    ? x86_64_main(&p, b, n)
                     : p.header.e_machine == EM_AARCH64 ? aarch64_main(&p, b, n)
                     : p.header.e_machine == EM_RISCV   ? riscv64_main(&p, b, n)
                                                        : 0;
    return found && bytes_at(&p, found, true, first, 1) ? found : 0;
}
