#include "registers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PROOFS = 4, ON_STACK = 255, GENERAL = 31 };

struct cc_register_layout {
    enum cc_isa_id isa;
    uint16_t at;                             /* that many bytes into QEMU's state of the CPU, */
    uint8_t bytes, number[CC_REGS], call[4]; /* call: arguments of a system call */
    const char *name[CC_REGS];
};

static const struct cc_register_layout known[] = {
    {CC_ISA_X86, 0, 8, {7, 6, 2, 0, 4, ON_STACK}, {7, 6, 2, 10}, {"rdi", "rsi", "rdx", "rax", "rsp", NULL}},
    {CC_ISA_AARCH64, 16 * 4, 8, {0, 1, 2, 0, 31, 30}, {0, 1, 2, 3}, {"x0", "x1", "x2", "x0", "sp", "x30"}},
    {CC_ISA_ARM, 0, 4, {0, 1, 2, 0, 13, 14}, {0, 1, 2, 3}, {"r0", "r1", "r2", "r0", "sp", "lr"}},
    {CC_ISA_RISCV, 0, 8, {10, 11, 12, 10, 2, 1}, {10, 11, 12, 13}, {"a0", "a1", "a2", "a0", "sp", "ra"}},
    {CC_ISA_MIPS, 0, 4, {4, 5, 6, 2, 29, 31}, {4, 5, 6, 7}, {"r4", "r5", "r6", "r2", "r29", "r31"}},
};

void cc_register_map_init(struct cc_register_map *m, const struct cc_isa *isa)
{
    *m = (struct cc_register_map){0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].isa == isa->id)
            m->layout = &known[i];
}

/* Of a list that QEMU gave. */
static void find_general(struct cc_registers *r, const struct qemu_plugin_array *all)
{
    const struct qemu_plugin_reg_descriptor *d = (const void *)all->data;
    unsigned found = 0;
    r->general = calloc(GENERAL, sizeof *r->general);
    for (unsigned i = 0; r->general && i < all->len; i++) {
        char *end;
        unsigned long n = d[i].name[0] == 'x' ? strtoul(d[i].name + 1, &end, 10) : GENERAL;
        if (n >= GENERAL || *end || r->general[n])
            continue;
        r->general[n] = d[i].handle;
        found++;
    }
    if (found == GENERAL)
        return;
    free(r->general);
    r->general = NULL;
}

void cc_registers_open(const struct cc_register_map *m, struct cc_registers *r)
{
    if (!m->layout || !qemu_plugin_get_registers || !qemu_plugin_read_register || !g_byte_array_new)
        return;
    struct qemu_plugin_array *all = qemu_plugin_get_registers();
    const struct qemu_plugin_reg_descriptor *d = (const void *)all->data;
    for (unsigned i = 0; i < all->len; i++)
        for (unsigned k = 0; k < CC_REGS; k++)
            if (m->layout->name[k] && !r->by_name[k] && strcmp(d[i].name, m->layout->name[k]) == 0)
                r->by_name[k] = d[i].handle;
    if (m->layout->isa == CC_ISA_AARCH64)
        find_general(r, all);
    if (g_array_free)
        g_array_free(all, 1);
    bool whole = true;
    for (unsigned k = 0; k < CC_REGS; k++)
        whole &= !m->layout->name[k] || r->by_name[k];
    r->value = whole ? g_byte_array_new() : NULL;
}

static uint64_t in_state(const struct cc_register_layout *l, const void *state, unsigned number)
{
    const char *from = (const char *)state + l->at + (size_t)number * l->bytes;
    uint64_t wide = 0;
    uint32_t narrow;
    if (l->bytes == sizeof wide) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

void cc_registers_prove(struct cc_register_map *m, const struct cc_registers *r, const uint64_t args[4])
{
    const struct cc_register_layout *l = m->layout;
    uint64_t words[48] = {0}; /* read as a stranger's memory: it may be none */
    if (!l || r->value || !r->state || m->refuted)
        return;
    struct iovec here = {words, l->at + 32u * l->bytes}, there = {(void *)r->state, here.iov_len};
    if (m->proofs < PROOFS && process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)here.iov_len) {
        m->refuted = true;
        return;
    }
    uint64_t mask = l->bytes == 8 ? UINT64_MAX : UINT32_MAX;
    for (unsigned i = 0; i < 4; i++)
        m->refuted |= ((in_state(l, r->state, l->call[i]) ^ args[i]) & mask) != 0;
    m->proofs += m->proofs < PROOFS;
}

bool cc_registers_proven(const struct cc_register_map *m)
{
    return !m->layout || m->refuted || m->proofs == PROOFS;
}

bool cc_registers_known(const struct cc_register_map *m, const struct cc_registers *r)
{
    return r->value || (r->state && m->proofs == PROOFS && !m->refuted);
}

static uint64_t ask(const struct cc_registers *r, struct qemu_plugin_register *which, size_t bytes)
{
    uint64_t value = 0;
    r->value->len = 0;
    qemu_plugin_read_register(which, r->value);
    memcpy(&value, r->value->data, r->value->len < bytes ? r->value->len : bytes);
    return value;
}

uint64_t cc_register_general(const struct cc_registers *r, unsigned number)
{
    return number < GENERAL ? ask(r, r->general[number], sizeof(uint64_t)) : 0;
}

uint64_t cc_register_get(const struct cc_register_map *m, const struct cc_registers *r,
                         enum cc_register which)
{
    if (!r->value)
        return in_state(m->layout, r->state, m->layout->number[which]);
    return ask(r, r->by_name[which], m->layout->bytes);
}

bool cc_register_number(const struct cc_register_map *m, const struct cc_registers *r, unsigned number,
                        uint64_t *ret)
{
    if (!m->layout || m->layout->isa != CC_ISA_AARCH64 || !cc_registers_known(m, r) ||
        (r->value && number < GENERAL && !r->general))
        return false;
    *ret = !r->value          ? in_state(m->layout, r->state, number)
           : number < GENERAL ? cc_register_general(r, number)
                              : cc_register_get(m, r, CC_REG_SP);
    return true;
}

bool cc_register_back_on_stack(const struct cc_register_map *m)
{
    return m->layout->number[CC_REG_BACK] == ON_STACK;
}
