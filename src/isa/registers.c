#include "registers.h"
#include "../base/base.h"

/* The stack pointer is nobody's data. */
static uint32_t x86_bit(unsigned reg)
{
    static const uint16_t names[][2] = {
        {X86_REG_RAX, X86_REG_EAX},  {X86_REG_RBX, X86_REG_EBX},  {X86_REG_RCX, X86_REG_ECX},
        {X86_REG_RDX, X86_REG_EDX},  {X86_REG_RSI, X86_REG_ESI},  {X86_REG_RDI, X86_REG_EDI},
        {X86_REG_RBP, X86_REG_EBP},  {X86_REG_R8, X86_REG_R8D},   {X86_REG_R9, X86_REG_R9D},
        {X86_REG_R10, X86_REG_R10D}, {X86_REG_R11, X86_REG_R11D}, {X86_REG_R12, X86_REG_R12D},
        {X86_REG_R13, X86_REG_R13D}, {X86_REG_R14, X86_REG_R14D}, {X86_REG_R15, X86_REG_R15D},
    };
    for (unsigned i = 0; i < CC_COUNT(names); i++)
        if (reg == names[i][0] || reg == names[i][1])
            return 1u << i;
    return 0;
}

static uint32_t aarch64_bit(unsigned reg)
{
    if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
        return 1u << (reg - ARM64_REG_X0);
    if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
        return 1u << (reg - ARM64_REG_W0);
    return reg == ARM64_REG_X29 ? 1u << 29 : reg == ARM64_REG_X30 ? 1u << 30 : 0;
}

static uint32_t bits(enum cc_isa_id isa, const uint16_t *regs, unsigned n)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < n; i++)
        all |= isa == CC_ISA_X86 ? x86_bit(regs[i]) : aarch64_bit(regs[i]);
    return all;
}

/* An operand in memory that has no other register than the stack pointer. */
static bool is_x86_frame(const cs_insn *insn)
{
    const cs_x86 *x = &insn->detail->x86;
    bool implied = insn->id == X86_INS_PUSH || insn->id == X86_INS_CALL, all = true;
    size_t n = 0;
    for (unsigned i = 0; i < x->op_count; i++) {
        const x86_op_mem *m = &x->operands[i].mem;
        bool memory = x->operands[i].type == X86_OP_MEM;
        n += memory;
        all = all && (!memory || (m->base == X86_REG_RSP && m->index == X86_REG_INVALID &&
                                  m->segment == X86_REG_INVALID));
    }
    return all && (n > 0 || implied);
}

static bool is_aarch64_frame(const cs_insn *insn)
{
    const cs_arm64 *a = &insn->detail->arm64;
    bool all = true;
    size_t n = 0;
    for (unsigned i = 0; i < a->op_count; i++) {
        const arm64_op_mem *m = &a->operands[i].mem;
        bool memory = a->operands[i].type == ARM64_OP_MEM;
        n += memory;
        all = all && (!memory || (m->base == ARM64_REG_SP && m->index == ARM64_REG_INVALID));
    }
    return all && n > 0;
}

void cc_registers(csh handle, const cs_insn *insn, enum cc_isa_id isa, struct cc_registers *ret)
{
    cs_regs taken, set;
    uint8_t ntaken = 0, nset = 0;
    *ret = (struct cc_registers){0};
    if ((isa != CC_ISA_X86 && isa != CC_ISA_AARCH64) ||
        cs_regs_access(handle, insn, taken, &ntaken, set, &nset) != CS_ERR_OK)
        return;
    ret->taken = bits(isa, taken, ntaken);
    ret->set = bits(isa, set, nset);
    ret->frame = isa == CC_ISA_X86 ? is_x86_frame(insn) : is_aarch64_frame(insn);
    const cs_x86 *x = &insn->detail->x86;
    for (unsigned i = 0; isa == CC_ISA_X86 && i < x->op_count; i++)
        if (x->operands[i].type == X86_OP_MEM)
            ret->address |= x86_bit(x->operands[i].mem.base) | x86_bit(x->operands[i].mem.index);
    const cs_arm64 *a = &insn->detail->arm64;
    for (unsigned i = 0; isa == CC_ISA_AARCH64 && i < a->op_count; i++)
        if (a->operands[i].type == ARM64_OP_MEM) {
            uint32_t base = aarch64_bit(a->operands[i].mem.base);
            ret->address |= base | aarch64_bit(a->operands[i].mem.index);
            ret->moved = a->writeback ? base : 0;
        }
}
