#include "isa/decode.h"
#include "base/rng.h"
#include "tap.h"

#include <capstone/capstone.h>

struct sample {
    enum cc_isa_id isa;
    bool thumb;
    const char *bytes, *text, *class, *access;
    unsigned operands, memory_operands;
};
static const struct sample samples[] = {
#define INSN(isa, thumb, bytes, text, class, access, operands, memory_operands) \
    {CC_ISA_##isa, thumb, bytes, text, #class, access, operands, memory_operands},
#include "instructions.def"
};

static const char *kind_name(unsigned kind)
{
    return kind < CC_CLASSES ? cc_class_names[kind] : kind == CC_INSN_OTHER ? "other" : "unknown";
}

static size_t parse_hex(const char *s, uint8_t *out)
{
    size_t n = 0;
    unsigned byte;
    for (; s[0] && s[1]; s += 2) {
        sscanf(s, "%2x", &byte);
        out[n++] = (uint8_t)byte;
    }
    return n;
}

static void test_samples(void)
{
    struct cc_decoder *d = NULL;
    struct cc_err err = {0};
    enum cc_isa_id isa = CC_ISAS;
    for (size_t i = 0; i < CC_COUNT(samples); i++) {
        const struct sample *s = &samples[i];
        if (s->isa != isa) {
            cc_decoder_free(d);
            isa = s->isa;
            if (!OK(cc_decoder_new(&cc_isas[isa], &d, &err) == 0, "a decoder for %s", cc_isas[isa].name))
                return;
        }
        uint8_t code[32] = {0};
        size_t n = parse_hex(s->bytes, code);
        struct cc_insn in;
        cc_decode(d, s->thumb, code, n, 0x10000, &in);
        char access[3] = "";
        snprintf(access, sizeof access, "%s%s", in.reads ? "r" : "", in.writes ? "w" : "");
        if (!access[0])
            access[0] = '-';
        bool ok = in.size == n && strcmp(kind_name(in.kind), s->class) == 0 &&
                  strcmp(access, s->access) == 0 && in.operands == s->operands &&
                  in.memory_operands == s->memory_operands;
        if (!OK(ok, "%s: %s", s->text, s->class))
            printf("# %s: %u bytes, %s, %s, %u operands, %u in memory; want %zu, %s, %s, %u, %u\n", in.name,
                   in.size, kind_name(in.kind), access, in.operands, in.memory_operands, n, s->class,
                   s->access, s->operands, s->memory_operands);
    }
    cc_decoder_free(d);
}

/* Every instruction the disassembler can name has a rule. */
static void test_complete(enum cc_isa_id isa, cs_arch arch, cs_mode mode, unsigned end, const char *name)
{
    csh handle;
    unsigned missing = 0;
    if (!OK(cs_open(arch, mode, &handle) == CS_ERR_OK, "capstone for %s", name))
        return;
    for (unsigned id = 1; id < end; id++) {
        const char *mnemonic = cs_insn_name(handle, id);
        if (!mnemonic || cc_decode_rule(isa, mnemonic) != CC_INSN_UNKNOWN)
            continue;
        printf("# %s has no rule\n", mnemonic);
        missing++;
    }
    cs_close(&handle);
    OK_U64(missing, 0, "every instruction of %s has a rule", name);
}

/* Whatever the bytes are, each step moves on, stays inside and says something that holds together. */
static void test_random(enum cc_isa_id isa, bool thumb, const char *name)
{
    enum { BYTES = 400000 };
    struct cc_rng rng;
    rng.state = cc_isas[isa].machine + thumb;
    uint8_t *code = cc_alloc(BYTES);
    for (size_t i = 0; i < BYTES; i++)
        code[i] = (uint8_t)cc_rng_next(&rng);
    struct cc_decoder *d;
    struct cc_err err = {0};
    size_t bad = 0, known = 0, all = 0;
    if (cc_decoder_new(&cc_isas[isa], &d, &err) < 0)
        return;
    for (size_t at = 0; at < BYTES;) {
        struct cc_insn in;
        size_t left = CC_MIN((size_t)BYTES - at, 1 + cc_rng_next(&rng) % 16);
        cc_decode(d, thumb, code + at, left, at, &in);
        bad += in.size == 0 || in.size > left || in.kind >= CC_INSN_KINDS ||
               in.memory_operands > in.operands || (in.kind == CC_INSN_ACCESS && !in.reads && !in.writes) ||
               (in.kind == CC_INSN_UNKNOWN && (in.operands || in.reads || in.writes)) ||
               ((in.reads || in.writes) != (in.memory_operands > 0)) || !in.name;
        known += in.kind != CC_INSN_UNKNOWN;
        all++;
        at += in.size ? in.size : 1;
    }
    cc_decoder_free(d);
    free(code);
    OK(bad == 0 && known > 1000, "%s: random bytes, %zu of %zu were instructions, %zu inconsistent", name,
       known, all, bad);
}

/* What lies at a fixed distance from the stack pointer, by the bytes of each instruction. */
static void test_frame(void)
{
    static const struct {
        enum cc_isa_id isa;
        const char *bytes, *text;
        bool frame;
    } insns[] = {
        {CC_ISA_AARCH64, "f3a311a9", "stp x19, x8, [sp, #280]", true},
        {CC_ISA_AARCH64, "fcc300b9", "str w28, [sp, #192]", true},
        {CC_ISA_AARCH64, "fd7bbea9", "stp x29, x30, [sp, #-32]!", true},
        {CC_ISA_AARCH64, "e06a34fc", "str d0, [x23, x20]", false},
        {CC_ISA_AARCH64, "e06a20b8", "str w0, [x23, x0]", false},
        {CC_ISA_AARCH64, "e06b20b8", "str w0, [sp, x0]", false},
        {CC_ISA_AARCH64, "0000018b", "add x0, x0, x1", false},
        {CC_ISA_X86, "4889442408", "mov qword ptr [rsp + 8], rax", true},
        {CC_ISA_X86, "488944c408", "mov qword ptr [rsp + rax*8 + 8], rax", false},
        {CC_ISA_X86, "48890512000000", "mov qword ptr [rip + 0x12], rax", false},
        {CC_ISA_X86, "488903", "mov qword ptr [rbx], rax", false},
        {CC_ISA_X86, "53", "push rbx", true},
        {CC_ISA_X86, "ff33", "push qword ptr [rbx]", false},
        {CC_ISA_X86, "4801d8", "add rax, rbx", false},
    };
    struct cc_err err = {0};
    for (size_t i = 0; i < CC_COUNT(insns); i++) {
        struct cc_decoder *d;
        struct cc_insn in;
        uint8_t code[32] = {0};
        size_t n = parse_hex(insns[i].bytes, code);
        if (!OK(cc_decoder_new(&cc_isas[insns[i].isa], &d, &err) == 0, "a decoder"))
            return;
        cc_decode(d, false, code, n, 0x10000, &in);
        OK(in.size == n && in.frame == insns[i].frame, "%s: %sin the frame", insns[i].text,
           insns[i].frame ? "" : "not ");
        cc_decoder_free(d);
    }
}

static void test_unknown(void)
{
    struct cc_decoder *d;
    struct cc_err err = {0};
    struct cc_insn in;
    static const uint8_t zeros[8];
    OK(cc_decoder_new(&cc_isas[CC_ISA_MIPS], &d, &err) < 0, "an instruction set without rules");
    cc_decoder_new(&cc_isas[CC_ISA_RISCV], &d, &err);
    cc_decode(d, false, zeros, 8, 0, &in);
    OK(in.kind == CC_INSN_UNKNOWN && in.size == 2, "riscv: zeros are no instruction");
    cc_decode(d, false, (const uint8_t[]){0x33, 0x85, 0xc5}, 3, 0, &in);
    OK(in.kind == CC_INSN_UNKNOWN && in.size == 3, "riscv: cut short");
    cc_decoder_free(d);
    cc_decoder_new(&cc_isas[CC_ISA_AARCH64], &d, &err);
    cc_decode(d, false, zeros, 8, 0, &in);
    OK(in.kind == CC_INSN_UNKNOWN && in.size == 4,
       "aarch64: zeros are no instruction, the next is four bytes on");
    cc_decode(d, false, zeros, 3, 0, &in);
    OK(in.kind == CC_INSN_UNKNOWN && in.size == 3, "aarch64: cut short");
    cc_decoder_free(d);
    cc_decoder_new(&cc_isas[CC_ISA_X86], &d, &err);
    cc_decode(d, false, (const uint8_t[]){0x06, 0x90, 0x90}, 3, 0, &in);
    OK(in.kind == CC_INSN_UNKNOWN && in.size == 3, "x86-64: nobody knows where the next begins");
    cc_decoder_free(d);
    cc_decoder_free(NULL);
}

int main(void)
{
    test_samples();
    test_complete(CC_ISA_X86, CS_ARCH_X86, CS_MODE_64, X86_INS_ENDING, "x86-64");
    test_complete(CC_ISA_AARCH64, CS_ARCH_ARM64, 0, ARM64_INS_ENDING, "aarch64");
    test_complete(CC_ISA_ARM, CS_ARCH_ARM, 0, ARM_INS_ENDING, "arm");
    test_random(CC_ISA_X86, false, "x86-64");
    test_random(CC_ISA_AARCH64, false, "aarch64");
    test_random(CC_ISA_ARM, false, "arm");
    test_random(CC_ISA_ARM, true, "Thumb");
    test_random(CC_ISA_RISCV, false, "riscv64");
    test_frame();
    test_unknown();
    return TAP_DONE();
}
