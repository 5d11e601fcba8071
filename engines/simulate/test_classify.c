/* Disassembly as QEMU prints it, to what an instruction costs and how it uses memory. */
#include "race.h"
#include "tap.h"

static int wrong;

static void want(const char *text, enum cc_isa_id isa, uint32_t code, uint8_t cost, uint8_t access)
{
    struct insn_kind k = classify(text, &code, 4, isa), quick;
    if (k.cost == cost && k.access == access &&
        (!classify_quick(&code, 4, isa, &quick) ||
         (quick.cost == cost && quick.access == access && !quick.zeroes && !quick.calls)))
        return;
    wrong++;
    printf("# '%s': class %u, access %u, wanted %u and %u\n", text, k.cost, k.access, cost, access);
}

static const struct {
    const char *text;
    enum cc_isa_id isa;
    uint32_t code;
    uint8_t cost, access;
} cases[] = {
    {"add x0, x1, x2", CC_ISA_AARCH64, 0x8b020020, CC_SIM_INT, CC_SIM_LOAD},
    {"bic x0, x1, x2", CC_ISA_AARCH64, 0x8a220020, CC_SIM_INT, CC_SIM_LOAD},
    {"bfi w0, w1, #4, #4", CC_ISA_AARCH64, 0x331c0c20, CC_SIM_INT, CC_SIM_LOAD},
    {"b.eq #0x400", CC_ISA_AARCH64, 0x54000000, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"ret ", CC_ISA_AARCH64, 0xd65f03c0, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"madd x0, x1, x2, x3", CC_ISA_AARCH64, 0x9b020c20, CC_SIM_MUL, CC_SIM_LOAD},
    {"udiv x0, x1, x2", CC_ISA_AARCH64, 0x9ac20820, CC_SIM_DIV, CC_SIM_LOAD},
    {"fmul d0, d1, d2", CC_ISA_AARCH64, 0x1e620820, CC_SIM_FLOAT, CC_SIM_LOAD},
    {"fdiv d0, d1, d2", CC_ISA_AARCH64, 0x1e621820, CC_SIM_FDIV, CC_SIM_LOAD},
    {"fsub d0, d1, d2", CC_ISA_AARCH64, 0x1e623820, CC_SIM_FLOAT, CC_SIM_LOAD},
    {"ldp x29, x30, [sp], #0x20", CC_ISA_AARCH64, 0xa8c27bfd, CC_SIM_LDST, CC_SIM_LOAD},
    {"stp x29, x30, [sp, #-16]!", CC_ISA_AARCH64, 0xa9bf7bfd, CC_SIM_LDST, CC_SIM_LOAD},
    {"ldr x0, [x1, #8]", CC_ISA_AARCH64, 0xf9400420, CC_SIM_LDST, CC_SIM_LOAD},
    {"ldr q0, [x1, x2]", CC_ISA_AARCH64, 0x3ce26820, CC_SIM_LDST, CC_SIM_LOAD},
    {"ldur d0, [x1, #-8]", CC_ISA_AARCH64, 0xfc5f8020, CC_SIM_LDST, CC_SIM_LOAD},
    {"ldrsw x0, [x1, x2, lsl #2]", CC_ISA_AARCH64, 0xb8a27820, CC_SIM_LDST, CC_SIM_LOAD},
    {"prfm pldl1keep, [x1]", CC_ISA_AARCH64, 0xf9800020, CC_SIM_INT, CC_SIM_LOAD},
    {"prfum pldl1keep, [x1, #-8]", CC_ISA_AARCH64, 0xf89f8020, CC_SIM_INT, CC_SIM_LOAD},
    {"cbnz x0, #0x400", CC_ISA_AARCH64, 0xb5000000, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"tbz w0, #3, #0x400", CC_ISA_AARCH64, 0x36180000, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"bl #0x400", CC_ISA_AARCH64, 0x94000000, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"blr x1", CC_ISA_AARCH64, 0xd63f0020, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"svc #0", CC_ISA_AARCH64, 0xd4000001, CC_SIM_INT, CC_SIM_LOAD},
    {"adrp x0, #0x1000", CC_ISA_AARCH64, 0xb0000000, CC_SIM_INT, CC_SIM_LOAD},
    {"mov w0, #1", CC_ISA_AARCH64, 0x52800020, CC_SIM_INT, CC_SIM_LOAD},
    {"cmp x0, x1", CC_ISA_AARCH64, 0xeb01001f, CC_SIM_INT, CC_SIM_LOAD},
    {"lsl w0, w1, #2", CC_ISA_AARCH64, 0x531e7420, CC_SIM_INT, CC_SIM_LOAD},
    {"cset w0, eq", CC_ISA_AARCH64, 0x1a9f17e0, CC_SIM_INT, CC_SIM_LOAD},
    {"mul x0, x1, x2", CC_ISA_AARCH64, 0x9b027c20, CC_SIM_MUL, CC_SIM_LOAD},
    {"stlr w0, [x1]", CC_ISA_AARCH64, 0x889ffc20, CC_SIM_LDST, CC_SIM_LOAD},
    {"stxr w2, w0, [x1]", CC_ISA_AARCH64, 0x88027c20, CC_SIM_LDST, CC_SIM_SC},
    {"casp x0, x1, x2, x3, [x4]", CC_ISA_AARCH64, 0x48207c82, CC_SIM_LDST, CC_SIM_ATOMIC},
    {"dmb ish", CC_ISA_AARCH64, 0xd5033bbf, CC_SIM_SYNC, CC_SIM_LOAD},
    {"ldaxr w0, [x1]", CC_ISA_AARCH64, 0x885ffc20, CC_SIM_LDST, CC_SIM_LL},
    {"stlxr w2, w0, [x1]", CC_ISA_AARCH64, 0x8802fc20, CC_SIM_LDST, CC_SIM_SC},
    {".byte 0x20, 0x00, 0xe2, 0xb8", CC_ISA_AARCH64, 0xb8e20020, CC_SIM_LDST, CC_SIM_ATOMIC}, /* ldaddal */
    {"", CC_ISA_AARCH64, 0x88e0fc41, CC_SIM_LDST, CC_SIM_ATOMIC},                             /* casal */
    {"", CC_ISA_AARCH64, 0xb8e08041, CC_SIM_LDST, CC_SIM_ATOMIC},                             /* swpal */
    {"ldapr w0, [x1]", CC_ISA_AARCH64, 0xb8bfc020, CC_SIM_LDST, CC_SIM_LOAD},
    {"0cf5252f          amoswap.w.aq      a0,a5,(a0)", CC_ISA_RISCV, 0, CC_SIM_INT, CC_SIM_ATOMIC},
    {"1005272f          lr.w              a4,(a0)", CC_ISA_RISCV, 0, CC_SIM_INT, CC_SIM_LL},
    {"18f5272f          sc.w              a4,a5,(a0)", CC_ISA_RISCV, 0, CC_SIM_INT, CC_SIM_SC},
    {"02b50533          mul               a0,a0,a1", CC_ISA_RISCV, 0, CC_SIM_MUL, CC_SIM_LOAD},
    {"02b54533          div               a0,a0,a1", CC_ISA_RISCV, 0, CC_SIM_DIV, CC_SIM_LOAD},
    {"0330000f          fence             rw,rw", CC_ISA_RISCV, 0, CC_SIM_SYNC, CC_SIM_LOAD},
    {"a001              j                 0", CC_ISA_RISCV, 0, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"lock cmpxchg dword ptr [rdi], esi", CC_ISA_X86, 0x37b10ff0, CC_SIM_INT, CC_SIM_ATOMIC},
    {"xchg dword ptr [rdi], eax", CC_ISA_X86, 0x90900787, CC_SIM_INT, CC_SIM_ATOMIC},
    {"addsd xmm0, xmm1", CC_ISA_X86, 0xc1580ff2, CC_SIM_FLOAT, CC_SIM_LOAD},
    {"divsd xmm0, xmm1", CC_ISA_X86, 0xc15e0ff2, CC_SIM_FDIV, CC_SIM_LOAD},
    {"cvtsi2sdl %ecx, %xmm0", CC_ISA_X86, 0xc12a0ff2, CC_SIM_FLOAT, CC_SIM_LOAD}, /* with its size, as AT&T */
    {"cvtsi2ssq %rcx, %xmm0", CC_ISA_X86, 0x2a0f48f3, CC_SIM_FLOAT, CC_SIM_LOAD},
    {"cvtsi2sd xmm0, ecx", CC_ISA_X86, 0xc12a0ff2, CC_SIM_FLOAT, CC_SIM_LOAD},
    {"jne 0x400", CC_ISA_X86, 0x90900075, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"movsd xmm0, qword ptr [rax]", CC_ISA_X86, 0x00100ff2, CC_SIM_INT, CC_SIM_LOAD},
    {"mfence ", CC_ISA_X86, 0x90f0ae0f, CC_SIM_SYNC, CC_SIM_LOAD},
    {"lock addl $1, (%rdi)", CC_ISA_X86, 0x010783f0, CC_SIM_INT, CC_SIM_ATOMIC},
    {"xchgl %eax, %fs:0x10", CC_ISA_X86, 0x25048764, CC_SIM_INT, CC_SIM_ATOMIC},
    {"xchgw %ax, %ax", CC_ISA_X86, 0x9090c087, CC_SIM_INT, CC_SIM_LOAD},
    {"xchg ecx, eax", CC_ISA_X86, 0x9090c187, CC_SIM_INT, CC_SIM_LOAD},
    {"xchg eax, ecx", CC_ISA_X86, 0x90909091, CC_SIM_INT, CC_SIM_LOAD},
    {"lock add dword ptr [rdi], 1", CC_ISA_X86, 0x010783f0, CC_SIM_INT, CC_SIM_ATOMIC},
    {"imul eax, dword ptr [rdi]", CC_ISA_X86, 0x9007af0f, CC_SIM_MUL, CC_SIM_LOAD},
    {"div ecx", CC_ISA_X86, 0x9090f1f7, CC_SIM_DIV, CC_SIM_LOAD},
    {"neg ecx", CC_ISA_X86, 0x9090d9f7, CC_SIM_INT, CC_SIM_LOAD},
    {"call rax", CC_ISA_X86, 0x9090d0ff, CC_SIM_BRANCH, CC_SIM_LOAD},
    {"inc dword ptr [rax]", CC_ISA_X86, 0x909000ff, CC_SIM_INT, CC_SIM_LOAD},
    {"push rbx", CC_ISA_X86, 0x90909053, CC_SIM_LDST, CC_SIM_LOAD},
    {"ldrex r0, [r1]", CC_ISA_ARM, 0, CC_SIM_LDST, CC_SIM_LL},
    {"strex r2, r0, [r1]", CC_ISA_ARM, 0, CC_SIM_LDST, CC_SIM_SC},
    {"vmul.f64 d0, d1, d2", CC_ISA_ARM, 0, CC_SIM_FLOAT, CC_SIM_LOAD},
    {"vadd.i32 q0, q1, q2", CC_ISA_ARM, 0, CC_SIM_INT, CC_SIM_LOAD},
};

/* Which may access memory: a gate is put before them. */
static unsigned wrong_memory(void)
{
    static const struct {
        const char *text;
        uint8_t code[8], size;
        bool memory, quick;
    } x86[] = {
        {"mov eax, dword ptr [rdi]", {0x8b, 0x07}, 2, true, true},
        {"mov eax, edi", {0x89, 0xf8}, 2, false, true},
        {"mov rax, qword ptr fs:[0x28]", {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28}, 6, true, true},
        {"add dword ptr [rdi], 1", {0x83, 0x07, 0x01}, 3, true, true},
        {"cmp byte ptr [rdi], 0", {0x80, 0x3f, 0x00}, 3, true, true},
        {"jmp 0x400", {0xeb, 0x00}, 2, false, true},
        {"mov eax, 1", {0xb8, 1}, 5, false, true},
        {"lock inc qword ptr [rax]", {0xf0, 0x48, 0xff, 0x00}, 4, true, false},
        {"xchg dword ptr [rdi], eax", {0x87, 0x07}, 2, true, false},
        {"pause ", {0xf3, 0x90}, 2, false, false},
        {"rep stosb byte ptr es:[rdi], al", {0xf3, 0xaa}, 2, true, false},
        {"movnti dword ptr [rax], ecx", {0x0f, 0xc3, 0x08}, 3, true, false},
    };
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof x86 / sizeof *x86; i++) {
        struct insn_kind quick, k = classify(x86[i].text, x86[i].code, x86[i].size, CC_ISA_X86);
        bool is = classify_quick(x86[i].code, x86[i].size, CC_ISA_X86, &quick);
        bad += k.memory != x86[i].memory || is != x86[i].quick || (is && quick.memory != x86[i].memory);
    }
    struct insn_kind lea, nop, cut;
    bad += !classify_quick("\x48\x8d\x07", 3, CC_ISA_X86, &lea) || lea.memory;
    bad += !classify_quick("\x0f\x1f\x00", 3, CC_ISA_X86, &nop) || nop.memory;
    bad += classify_quick("\x48", 1, CC_ISA_X86, &cut) || classify_quick("", 0, CC_ISA_X86, &cut);
    return bad;
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        want(cases[i].text, cases[i].isa, cases[i].code, cases[i].cost, cases[i].access);
    OK_U64((unsigned)wrong, 0, "%zu instructions of four processors are what they are",
           sizeof cases / sizeof cases[0]);
    OK_U64(wrong_memory(), 0, "of x86, which may access memory, by bytes and by name");
    struct insn_kind zero = classify("dc zva, x0", &(uint32_t){0xd50b7420}, 4, CC_ISA_AARCH64);
    OK(zero.zeroes && zero.access == CC_SIM_STORE, "a block-zero instruction is a store");
    struct insn_kind none = classify(NULL, "", 0, CC_ISA_X86);
    OK(none.cost == CC_SIM_INT && !none.zeroes, "no disassembly: a simple instruction");
    struct insn_kind k;
    OK(classify_quick(&(uint32_t){0xf9400420}, 4, CC_ISA_AARCH64, &k) && k.cost == CC_SIM_LDST,
       "a load needs no disassembly");
    OK(!classify_quick(&(uint32_t){0xf9400420}, 4, CC_ISA_ARM, &k) &&
           !classify_quick(&(uint32_t){0xb8e20020}, 4, CC_ISA_AARCH64, &k) &&
           !classify_quick(&(uint32_t){0xd50b7420}, 4, CC_ISA_AARCH64, &k),
       "other processors' instructions, atomics and block-zero do");
    return TAP_DONE();
}
