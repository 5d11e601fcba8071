/* Where control goes, against a disassembler that knows its own way: every instruction of millions of random
 * ones, and RISC-V by samples. */
#include "isa/flow.h"
#include "base/rng.h"
#include "tap.h"

#include <capstone/capstone.h>

enum { TRIES = 60000, AT = 0x400000 };

static bool in_group(const cs_insn *i, uint8_t group)
{
    for (unsigned k = 0; k < i->detail->groups_count; k++)
        if (i->detail->groups[k] == group)
            return true;
    return false;
}

/* The constant that a branch names, as the library gives it: absolute. */
static bool target_of(enum cc_isa_id isa, const cs_insn *i, uint64_t *ret)
{
    const cs_detail *d = i->detail;
    if (isa == CC_ISA_AARCH64)
        for (unsigned k = 0; k < d->arm64.op_count; k++)
            if (d->arm64.operands[k].type == ARM64_OP_IMM)
                *ret =
                    (uint64_t)d->arm64.operands[k].imm; /* the last one: tbz has a bit's number before it */
    if (isa == CC_ISA_ARM && d->arm.op_count)
        *ret = (uint32_t)d->arm.operands[d->arm.op_count - 1].imm;
    if (isa == CC_ISA_X86 && d->x86.op_count)
        *ret = (uint64_t)d->x86.operands[0].imm;
    if (isa == CC_ISA_MIPS && d->mips.op_count)
        *ret = (uint32_t)d->mips.operands[d->mips.op_count - 1].imm;
    return true;
}

struct tally {
    unsigned seen, wrong, targets, sizes;
};

static void compare(enum cc_isa_id isa, const cs_insn *i, const struct cc_flow *f, struct tally *t)
{
    bool direct = f->kind == CC_FLOW_JUMP || f->kind == CC_FLOW_BRANCH || f->kind == CC_FLOW_CALL;
    uint64_t target = f->target;
    t->seen++;
    t->sizes += f->size != i->size && isa != CC_ISA_MIPS;
    if (!direct)
        return;
    bool branch = in_group(i, CS_GRP_JUMP) || in_group(i, CS_GRP_CALL) || in_group(i, CS_GRP_BRANCH_RELATIVE);
    t->wrong += !branch && isa != CC_ISA_MIPS;
    target_of(isa, i, &target);
    if (isa == CC_ISA_ARM || isa == CC_ISA_MIPS)
        t->targets += (uint32_t)target != (uint32_t)f->target;
    else
        t->targets += target != f->target;
    if ((uint32_t)target != (uint32_t)f->target && t->targets < 4)
        printf("# %s %s: %d to %llx\n", i->mnemonic, i->op_str, (int)f->kind, (unsigned long long)f->target);
}

/* Whatever is direct here is a branch there, to the same place; and what jumps there moves control here. */
static void test_random(enum cc_isa_id isa, cs_arch arch, cs_mode mode, const char *name)
{
    csh handle;
    struct cc_flow_decoder d;
    struct cc_err err = {0};
    struct cc_rng rng;
    struct tally t = {0};
    unsigned missed = 0;
    bool thumb = mode & CS_MODE_THUMB;
    if (cs_open(arch, mode, &handle) != CS_ERR_OK || cc_flow_init(&d, &cc_isas[isa], &err) < 0) {
        OK(false, "decoders for %s", name);
        return;
    }
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    cs_insn *i = cs_malloc(handle);
    rng.state = 7 + isa;
    for (unsigned k = 0; k < TRIES; k++) {
        uint8_t code[16];
        for (unsigned b = 0; b < sizeof code; b++)
            code[b] = (uint8_t)(cc_rng_next(&rng) >> 24);
        const uint8_t *at = code;
        size_t left = sizeof code;
        uint64_t address = AT;
        if (!cs_disasm_iter(handle, &at, &left, &address, i))
            continue;
        d.it_left = 0;
        struct cc_flow f = cc_flow_at(&d, thumb, code, sizeof code, AT);
        compare(isa, i, &f, &t);
        /* what MIPS once had as a third coprocessor are floating point instructions now */
        bool moves =
            (in_group(i, CS_GRP_JUMP) || in_group(i, CS_GRP_RET)) && strncmp(i->mnemonic, "bc3", 3) != 0;
        if (moves && f.kind == CC_FLOW_NEXT && missed++ < 3)
            printf("# %s %s goes on here\n", i->mnemonic, i->op_str);
    }
    OK(t.seen > TRIES / 8, "%s: %u instructions", name, t.seen);
    OK_U64(t.sizes, 0, "%s: as long as the library says", name);
    OK_U64(t.wrong, 0, "%s: what goes somewhere is a branch", name);
    OK_U64(t.targets, 0, "%s: and goes where the library says", name);
    OK_U64(missed, 0, "%s: no jump or return is taken for anything else", name);
    cs_free(i, 1);
    cs_close(&handle);
    cc_flow_fini(&d);
}

/* As the assembler writes them. */
static void test_riscv(void)
{
    static const struct {
        const char *text;
        uint32_t code;
        unsigned size;
        enum cc_flow_kind kind;
        int64_t to;
    } samples[] = {
        {"j .+16", 0x0100006f, 4, CC_FLOW_JUMP, 16},
        {"j .-2048", 0x801ff06f, 4, CC_FLOW_JUMP, -2048},
        {"jal ra, .+4096", 0x000010ef, 4, CC_FLOW_CALL, 4096},
        {"beq a0, a1, .+8", 0x00b50463, 4, CC_FLOW_BRANCH, 8},
        {"bne a0, a1, .-4", 0xfeb51ee3, 4, CC_FLOW_BRANCH, -4},
        {"ret", 0x00008067, 4, CC_FLOW_RETURN, 0},
        {"jr a5", 0x00078067, 4, CC_FLOW_INDIRECT, 0},
        {"jalr a5", 0x000780e7, 4, CC_FLOW_CALL_INDIRECT, 0},
        {"ebreak", 0x00100073, 4, CC_FLOW_STOP, 0},
        {"add a0, a1, a2", 0x00c58533, 4, CC_FLOW_NEXT, 0},
        {"c.j .+4", 0xa011, 2, CC_FLOW_JUMP, 4},
        {"c.j .-2", 0xbffd, 2, CC_FLOW_JUMP, -2},
        {"c.beqz a0, .+6", 0xc119, 2, CC_FLOW_BRANCH, 6},
        {"c.bnez a5, .-10", 0xfbfd, 2, CC_FLOW_BRANCH, -10},
        {"c.jr ra", 0x8082, 2, CC_FLOW_RETURN, 0},
        {"c.jr a5", 0x8782, 2, CC_FLOW_INDIRECT, 0},
        {"c.jalr a5", 0x9782, 2, CC_FLOW_CALL_INDIRECT, 0},
        {"c.nop", 0x0001, 2, CC_FLOW_NEXT, 0},
    };
    struct cc_flow_decoder d;
    struct cc_err err = {0};
    cc_flow_init(&d, &cc_isas[CC_ISA_RISCV], &err);
    for (size_t i = 0; i < CC_COUNT(samples); i++) {
        uint8_t code[4];
        memcpy(code, &samples[i].code, 4);
        struct cc_flow f = cc_flow_at(&d, false, code, 4, AT);
        bool direct = f.kind == CC_FLOW_JUMP || f.kind == CC_FLOW_BRANCH || f.kind == CC_FLOW_CALL;
        if (!OK(f.size == samples[i].size && f.kind == samples[i].kind &&
                    (!direct || f.target == (uint64_t)(AT + samples[i].to)),
                "riscv64: %s", samples[i].text))
            printf("# size %u kind %d to %lld\n", f.size, (int)f.kind, (long long)(f.target - AT));
    }
    cc_flow_fini(&d);
}

static void test_short(void) /* the end of the code is no end of ours */
{
    unsigned bad = 0;
    for (unsigned isa = 0; isa < CC_ISAS; isa++) {
        struct cc_flow_decoder d;
        struct cc_err err = {0};
        if (cc_flow_init(&d, &cc_isas[isa], &err) < 0)
            continue;
        for (unsigned size = 1; size < 9; size++)
            for (unsigned first = 0; first < 256; first++) {
                uint8_t *code = malloc(size); /* so that a reader beyond it is seen */
                memset(code, (int)first, size);
                struct cc_flow f = cc_flow_at(&d, first & 1, code, size, AT);
                bad += f.size == 0 || f.size > size;
                free(code);
            }
        cc_flow_fini(&d);
    }
    OK_U64(bad, 0, "what is cut off stays inside");
}

int main(void)
{
    test_random(CC_ISA_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, "aarch64");
    test_random(CC_ISA_X86, CS_ARCH_X86, CS_MODE_64, "x86_64");
    test_random(CC_ISA_ARM, CS_ARCH_ARM, CS_MODE_ARM, "arm");
    test_random(CC_ISA_ARM, CS_ARCH_ARM, CS_MODE_THUMB, "thumb");
    test_random(CC_ISA_MIPS, CS_ARCH_MIPS, CS_MODE_MIPS32 | CS_MODE_LITTLE_ENDIAN, "mipsel");
    test_riscv();
    test_short();
    return TAP_DONE();
}
