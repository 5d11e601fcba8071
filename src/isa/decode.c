#include "decode.h"
#include "registers.h"
#include "match.h"
#include "riscv.h"
#include "../base/map.h"

#include <capstone/capstone.h>

enum counts {
    COUNTS_S_INT = CC_S_INT,
    COUNTS_M_INT = CC_M_INT,
    COUNTS_FLOAT = CC_FLOAT,
    COUNTS_SPECIFIC = CC_SPECIFIC,
    COUNTS_BRANCH = CC_BRANCH,
    COUNTS_ADDRESS = CC_ADDRESS,
    COUNTS_NONE,
    COUNTS_OTHER,
    COUNTS_MOVE,
    COUNTS_FMOVE,
};
enum memory { MEMORY_NO = 0, MEMORY_R = 1, MEMORY_W = 2, MEMORY_RW = 3, MEMORY_FROM, MEMORY_TO, MEMORY_WITH };

struct rule {
    enum cc_isa_id isa;
    enum counts counts;
    enum memory memory;
    const char *names;
};
static const struct rule rules[] = {
#define CC_RULE(isa, counts, memory, names) {CC_ISA_##isa, COUNTS_##counts, MEMORY_##memory, names},
#define CC_BITS(...)
#include "rules.def"
#undef CC_RULE
#undef CC_BITS
};

struct bits {
    enum cc_isa_id isa;
    uint32_t mask, value;
    struct rule rule; /* `names` is what to call it */
    unsigned operands, memory_operands;
};
static const struct bits by_bits[] = {
#define CC_RULE(...)
#define CC_BITS(isa, mask, value, counts, memory, operands, memory_operands, name)                \
    {CC_ISA_##isa, mask,           value, {CC_ISA_##isa, COUNTS_##counts, MEMORY_##memory, name}, \
     operands,     memory_operands},
#include "rules.def"
#undef CC_RULE
#undef CC_BITS
};

struct cc_decoder {
    enum cc_isa_id isa;
    csh handle[2]; /* [1]: Thumb; 0: not open */
    cs_insn *insn;
    struct cc_strmap known; /* name -> index of its rule, SIZE_MAX: none */
    char name[CS_MNEMONIC_SIZE + 32];
};

static size_t find_rule(enum cc_isa_id isa, const char *name)
{
    for (size_t i = 0; i < CC_COUNT(rules); i++)
        if (rules[i].isa == isa && cc_names_fit(rules[i].names, name))
            return i;
    return SIZE_MAX;
}

static const struct rule *rule_of(struct cc_decoder *d, const char *name)
{
    bool is_new;
    uint64_t *at = cc_strmap_put(&d->known, name, &is_new);
    if (is_new)
        *at = find_rule(d->isa, name);
    return *at == SIZE_MAX ? NULL : &rules[*at];
}

/* The capstone library's name for each; HAND and NONE are not its affair. */
enum {
    DECODE_NONE = -1,
    DECODE_HAND = -2,
    DECODE_X86 = CS_ARCH_X86,
    DECODE_ARM64 = CS_ARCH_ARM64,
    DECODE_ARM = CS_ARCH_ARM
};
static const int arches[CC_ISAS] = {
#define CC_ISA(id, name, machine, bits, triplet, syscalls, classes, cpu) [CC_ISA_##id] = DECODE_##classes,
#include "isa.def"
#undef CC_ISA
};

int cc_decoder_new(const struct cc_isa *isa, struct cc_decoder **ret, struct cc_err *err)
{
    static const cs_mode modes[CC_ISAS][2] = {
        [CC_ISA_X86] = {CS_MODE_64}, [CC_ISA_ARM] = {CS_MODE_ARM | CS_MODE_V8, CS_MODE_THUMB | CS_MODE_V8}};
    int arch = arches[isa->id];
    if (arch == DECODE_NONE)
        return cc_err_set(err, CC_EINPUT, "no instruction classes are known for '%s'", isa->name);
    struct cc_decoder *d = cc_alloc(sizeof *d);
    d->isa = isa->id;
    for (size_t i = 0; arch != DECODE_HAND && i < (isa->id == CC_ISA_ARM ? 2 : 1); i++)
        if (cs_open((cs_arch)arch, modes[isa->id][i], &d->handle[i]) != CS_ERR_OK ||
            cs_option(d->handle[i], CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK) {
            cc_decoder_free(d);
            return cc_err_set(err, CC_EINPUT, "the capstone library cannot disassemble '%s'", isa->name);
        }
    d->insn = d->handle[0] ? cs_malloc(d->handle[0]) : NULL;
    *ret = d;
    return 0;
}

void cc_decoder_free(struct cc_decoder *d)
{
    if (!d)
        return;
    if (d->insn)
        cs_free(d->insn, 1);
    for (size_t i = 0; i < 2; i++)
        if (d->handle[i])
            cs_close(&d->handle[i]);
    cc_strmap_fini(&d->known);
    free(d);
}

/* ret->operands, memory_operands, reads and writes hold what the written operands tell. */
static void apply(const struct rule *r, struct cc_insn *ret)
{
    if (r->memory == MEMORY_NO) {
        ret->memory_operands = 0;
        ret->reads = ret->writes = false;
    } else if (r->memory <= MEMORY_RW) {
        ret->reads |= (r->memory & MEMORY_R) != 0;
        ret->writes |= (r->memory & MEMORY_W) != 0;
    }
    bool access = ret->reads || ret->writes;
    switch (r->counts) {
    case COUNTS_NONE:
        ret->kind = CC_INSN_ACCESS;
        break;
    case COUNTS_OTHER:
        ret->kind = access ? CC_INSN_ACCESS : CC_INSN_OTHER;
        break;
    case COUNTS_MOVE:
        ret->kind = access ? CC_INSN_ACCESS : CC_S_INT;
        break;
    case COUNTS_FMOVE:
        ret->kind = access ? CC_INSN_ACCESS : CC_FLOAT;
        break;
    default:
        ret->kind = (unsigned)r->counts;
    }
}

/* How an operand in memory is used comes from the rules: capstone 4 takes many stores for loads. Beside an
 * implied one (push, pop, call) a written one is the other end of the move. */
static unsigned x86_access(const struct rule *r, bool first)
{
    switch (r->memory) {
    case MEMORY_TO:
        return first ? MEMORY_W : MEMORY_R;
    case MEMORY_WITH:
        return first ? MEMORY_RW : MEMORY_R;
    case MEMORY_R:
        return MEMORY_W;
    case MEMORY_NO:
        return MEMORY_NO;
    default:
        return MEMORY_R;
    }
}

static void x86_operands(const cs_x86 *x, const struct rule *r, struct cc_insn *ret)
{
    ret->operands = x->op_count;
    for (unsigned i = 0; i < x->op_count; i++) {
        if (x->operands[i].type != X86_OP_MEM)
            continue;
        unsigned access = x86_access(r, i == 0);
        ret->memory_operands++;
        ret->reads |= (access & MEMORY_R) != 0;
        ret->writes |= (access & MEMORY_W) != 0;
    }
    if (r->memory == MEMORY_R || r->memory == MEMORY_W || r->memory == MEMORY_RW) {
        ret->operands++;
        ret->memory_operands++;
    }
}

/* What follows the operand in memory is how its address changes afterwards. Of instructions that access
 * memory without such an operand the stack's are implied (push, pop); the others name a base register or a
 * label. */
static void count_operands(unsigned n, unsigned memory_at, const struct rule *r, bool implied,
                           struct cc_insn *ret)
{
    bool access = r->memory != MEMORY_NO;
    ret->operands = access && memory_at < n ? memory_at + 1 : n;
    if (access && memory_at >= n && implied)
        ret->operands++;
    ret->memory_operands = access;
}

static void aarch64_operands(const cs_arm64 *x, const struct rule *r, bool block_zero, struct cc_insn *ret)
{
    unsigned memory_at = 0;
    while (memory_at < x->op_count && x->operands[memory_at].type != ARM64_OP_MEM)
        memory_at++;
    count_operands(block_zero ? 1 : x->op_count, memory_at, r, false, ret);
}

static bool is_pc(const cs_arm_op *op)
{
    return op->type == ARM_OP_REG && op->reg == ARM_REG_PC;
}

/* Writing the program counter is a branch; adding to it and not writing it is computing an address. */
static unsigned arm_pc(const cs_insn *insn, const cs_arm *x, const struct rule *r, unsigned kind)
{
    bool list = r->memory == MEMORY_R; /* ldr, ldm, pop: any register but a base is written */
    if (kind == CC_BRANCH || kind == CC_INSN_OTHER || (r->memory & MEMORY_W))
        return kind;
    for (unsigned i = 0; i < x->op_count; i++)
        if (is_pc(&x->operands[i]) && (i == 0 || list))
            return insn->id == ARM_INS_CMP || insn->id == ARM_INS_CMN || insn->id == ARM_INS_TST ||
                           insn->id == ARM_INS_TEQ
                       ? kind
                       : CC_BRANCH;
    bool sum = insn->id == ARM_INS_ADD || insn->id == ARM_INS_SUB || insn->id == ARM_INS_ADDW ||
               insn->id == ARM_INS_SUBW;
    for (unsigned i = 1; sum && i < x->op_count; i++)
        if (is_pc(&x->operands[i]))
            return CC_ADDRESS;
    return kind;
}

static void arm_operands(const cs_insn *insn, const cs_arm *x, const struct rule *r, struct cc_insn *ret)
{
    unsigned memory_at = 0;
    while (memory_at < x->op_count && x->operands[memory_at].type != ARM_OP_MEM)
        memory_at++;
    bool stack = insn->id == ARM_INS_PUSH || insn->id == ARM_INS_POP || insn->id == ARM_INS_VPUSH ||
                 insn->id == ARM_INS_VPOP;
    count_operands(x->op_count, memory_at, r, stack, ret);
}

/* The key of the rules: the mnemonic without condition; on ARM its type follows. */
static const char *key_of(struct cc_decoder *d, csh handle, const uint8_t *code)
{
    const char *base = cs_insn_name(handle, d->insn->id), *type = "";
    if (d->isa == CC_ISA_ARM) {
        const char *dot = strchr(d->insn->mnemonic, '.');
        type = dot && strcmp(dot, ".w") != 0 && strcmp(dot, ".n") != 0 ? dot : "";
    }
    if (d->isa == CC_ISA_AARCH64 && d->insn->id == ARM64_INS_DC && (code[0] & 0xe0) == 0x20 &&
        code[1] == 0x74)
        type = ".zva";
    snprintf(d->name, sizeof d->name, "%s%s", base ? base : "?", type);
    return d->name;
}

static bool by_library(struct cc_decoder *d, bool thumb, const uint8_t *code, size_t size, uint64_t address,
                       struct cc_insn *ret)
{
    csh handle = d->handle[thumb && d->isa == CC_ISA_ARM];
    const uint8_t *at = code;
    if (!cs_disasm_iter(handle, &at, &size, &address, d->insn))
        return false;
    const char *name = key_of(d, handle, code);
    const struct rule *r = rule_of(d, name);
    if (!r)
        return false;
    *ret = (struct cc_insn){.size = d->insn->size, .name = name};
    const cs_detail *detail = d->insn->detail;
    if (d->isa == CC_ISA_X86)
        x86_operands(&detail->x86, r, ret);
    else if (d->isa == CC_ISA_AARCH64)
        aarch64_operands(&detail->arm64, r, strcmp(name, "dc.zva") == 0, ret);
    else
        arm_operands(d->insn, &detail->arm, r, ret);
    apply(r, ret);
    struct cc_registers regs;
    cc_registers(handle, d->insn, d->isa, &regs);
    ret->taken = regs.taken;
    ret->set = regs.set;
    ret->address = regs.address;
    ret->moved = regs.moved;
    ret->frame = regs.frame;
    if (d->isa == CC_ISA_ARM)
        ret->kind = arm_pc(d->insn, &detail->arm, r, ret->kind);
    if (d->isa == CC_ISA_X86 && d->insn->id == X86_INS_CMPSD && ret->memory_operands == 2)
        ret->kind = CC_S_INT; /* the string instruction has the name of one that compares doubles */
    return true;
}

static bool by_encoding(const struct cc_decoder *d, const uint8_t *code, size_t size, struct cc_insn *ret)
{
    if (d->isa == CC_ISA_X86 || size < 4)
        return false;
    uint32_t i = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    for (size_t k = 0; k < CC_COUNT(by_bits); k++) {
        const struct bits *b = &by_bits[k];
        if (b->isa != d->isa || (i & b->mask) != b->value)
            continue;
        *ret = (struct cc_insn){
            .size = 4, .name = b->rule.names, .operands = b->operands, .memory_operands = b->memory_operands};
        apply(&b->rule, ret);
        return true;
    }
    return false;
}

static bool by_hand(struct cc_decoder *d, const uint8_t *code, size_t size, struct cc_insn *ret)
{
    struct cc_riscv v;
    cc_riscv_decode(code, size, &v);
    const struct rule *r = v.name ? rule_of(d, v.name) : NULL;
    if (!r)
        return false;
    *ret = (struct cc_insn){
        .size = v.size, .name = v.name, .operands = v.operands, .memory_operands = v.memory_operands};
    apply(r, ret);
    return true;
}

static unsigned unknown_size(const struct cc_decoder *d, bool thumb, const uint8_t *code, size_t size)
{
    struct cc_riscv v;
    unsigned n = 4;
    switch (d->isa) {
    case CC_ISA_X86:
        return (unsigned)size;
    case CC_ISA_RISCV:
        cc_riscv_decode(code, size, &v);
        return v.size;
    default:
        if (thumb && d->isa == CC_ISA_ARM && size > 1 &&
            code[1] < 0xe8) /* 0b11101 and above begin four bytes */
            n = 2;
        return n < size ? n : (unsigned)size;
    }
}

void cc_decode(struct cc_decoder *d, bool thumb, const uint8_t *code, size_t size, uint64_t address,
               struct cc_insn *ret)
{
    bool known = d->isa == CC_ISA_RISCV
                     ? by_hand(d, code, size, ret)
                     : by_library(d, thumb, code, size, address, ret) || by_encoding(d, code, size, ret);
    if (!known)
        *ret = (struct cc_insn){
            .size = unknown_size(d, thumb, code, size), .kind = CC_INSN_UNKNOWN, .name = "?"};
}

unsigned cc_decode_rule(enum cc_isa_id isa, const char *name)
{
    size_t at = find_rule(isa, name);
    if (at == SIZE_MAX)
        return CC_INSN_UNKNOWN;
    struct cc_insn i = {0};
    apply(&rules[at], &i);
    return i.kind;
}
