/* Instructions of x86-64 that access memory in their own ways, N times each on an object of its own, which
 * nobody else touches. With an argument it prints, of each: name, bytes read and written in all, and whether
 * both engines can know (a plugin of QEMU's sees neither flags nor masks, nor what QEMU does not do). What is
 * loaded is used: VEX leaves out what is not. */
#include <stdio.h>

enum { N = 100 };
static struct {
    const char *name;
    int read, written, both;
    void (*run)(void);
} cases[128];
static int ncases;

#define CASE(what, r, w, b, code)                                                                          \
    static unsigned char what##_at[4096] __attribute__((aligned(64)));                                     \
    __attribute__((noinline)) static void what(void)                                                       \
    {                                                                                                      \
        for (int i = 0; i < N; i++) {                                                                      \
            unsigned char *p = what##_at;                                                                  \
            __asm__ volatile(code                                                                          \
                             : "+D"(p)                                                                     \
                             :                                                                             \
                             : "rax", "rbx", "rcx", "rdx", "rsi", "xmm0", "xmm1", "xmm2", "cc", "memory"); \
        }                                                                                                  \
    }                                                                                                      \
    __attribute__((constructor)) static void add_##what(void)                                              \
    {                                                                                                      \
        cases[ncases].name = #what;                                                                        \
        cases[ncases].read = (r);                                                                          \
        cases[ncases].written = (w);                                                                       \
        cases[ncases].both = (b);                                                                          \
        cases[ncases++].run = what;                                                                        \
    }
#define C(what, r, w, code) CASE(what, r, w, 1, code)
#define V(what, r, w, code) CASE(what, r, w, 0, code)

C(lock_addb, 1, 1, "lock addb $1, (%%rdi)")
C(lock_addw, 2, 2, "lock addw $1, (%%rdi)")
C(lock_incl, 4, 4, "lock incl (%%rdi)")
V(lock_negq, 8, 8, "lock negq (%%rdi)")
C(plain_addq, 8, 8, "addq $1, (%%rdi)")
C(lock_xadd, 8, 8, "movl $1, %%eax; lock xaddq %%rax, (%%rdi)")
C(plain_xadd, 4, 4, "movl $1, %%eax; xaddl %%eax, (%%rdi)")
C(xchg_b, 1, 1, "movl $7, %%eax; xchgb %%al, (%%rdi)")
C(xchg_q, 8, 8, "movl $7, %%eax; xchgq %%rax, (%%rdi)")
C(cmpxchg_hit, 8, 8, "xorl %%eax, %%eax; xorl %%ecx, %%ecx; lock cmpxchgq %%rcx, (%%rdi)")
V(cmpxchg_miss, 4, 0, "movl $5, %%eax; movl $6, %%ecx; lock cmpxchgl %%ecx, (%%rdi)")
C(cmpxchg_unlocked, 4, 4, "xorl %%eax, %%eax; xorl %%ecx, %%ecx; cmpxchgl %%ecx, (%%rdi)")
C(cmpxchg8b_hit, 8, 8,
  "xorl %%eax, %%eax; xorl %%edx, %%edx; xorl %%ebx, %%ebx; xorl %%ecx, %%ecx; lock cmpxchg8b (%%rdi)")
V(cmpxchg8b_miss, 8, 0,
  "movl $1, %%eax; xorl %%edx, %%edx; xorl %%ebx, %%ebx; xorl %%ecx, %%ecx; lock cmpxchg8b (%%rdi)")
C(cmpxchg16b_hit, 16, 16,
  "xorl %%eax, %%eax; xorl %%edx, %%edx; xorl %%ebx, %%ebx; xorl %%ecx, %%ecx; lock cmpxchg16b (%%rdi)")
V(cmpxchg16b_miss, 16, 0,
  "movl $1, %%eax; xorl %%edx, %%edx; xorl %%ebx, %%ebx; xorl %%ecx, %%ecx; lock cmpxchg16b (%%rdi)")
C(lock_btsq, 8, 8, "movl $3, %%eax; lock btsq %%rax, (%%rdi)")
C(bt_reg_far, 8, 0, "movl $1000, %%eax; btq %%rax, (%%rdi); setc %%bl")
C(bts_imm, 4, 4, "btsl $3, (%%rdi)")
C(rep_stosb, 0, 100, "movl $100, %%ecx; xorl %%eax, %%eax; rep stosb")
C(rep_stosq, 0, 800, "movl $100, %%ecx; xorl %%eax, %%eax; rep stosq")
C(rep_movsb, 100, 100, "movq %%rdi, %%rsi; addq $1024, %%rdi; movl $100, %%ecx; rep movsb")
C(rep_movsq, 800, 800, "movq %%rdi, %%rsi; addq $1024, %%rdi; movl $100, %%ecx; rep movsq")
C(rep_none, 0, 0, "movq %%rdi, %%rsi; xorl %%ecx, %%ecx; rep movsq")
C(movs_down, 16, 16, "std; leaq 256(%%rdi), %%rsi; movl $2, %%ecx; addq $512, %%rdi; rep movsq; cld")
C(lods, 12, 0, "movq %%rdi, %%rsi; lodsl; movl %%eax, %%ebx; lodsq")
C(repne_scasb, 50, 0, "movl $1, %%eax; movl $50, %%ecx; repne scasb")
C(repe_cmpsb, 60, 0, "movq %%rdi, %%rsi; addq $64, %%rdi; movl $30, %%ecx; repe cmpsb")
C(x87_m32, 4, 4, "flds (%%rdi); fstps 64(%%rdi)")
C(x87_m64, 8, 8, "fldl (%%rdi); fstpl 64(%%rdi)")
C(x87_m80, 10, 10, "fldt (%%rdi); fstpt 64(%%rdi)")
C(x87_int, 14, 14,
  "fildq (%%rdi); fistpq 64(%%rdi); fildl (%%rdi); fistpl 64(%%rdi); filds (%%rdi); fistps 64(%%rdi)")
C(x87_arith, 8, 4, "flds (%%rdi); fadds 4(%%rdi); fstps 64(%%rdi)")
C(x87_control, 2, 4, "fnstcw (%%rdi); fldcw (%%rdi); fnstsw 8(%%rdi)")
V(x87_env, 28, 28, "fnstenv (%%rdi); fldenv (%%rdi)")
C(mxcsr, 4, 4, "stmxcsr (%%rdi); ldmxcsr (%%rdi)")
C(sse_16, 16, 16, "movaps (%%rdi), %%xmm0; movaps %%xmm0, 64(%%rdi)")
C(sse_unaligned, 16, 16, "movups 3(%%rdi), %%xmm0; movups %%xmm0, 61(%%rdi)")
C(sse_scalar, 12, 12,
  "movss (%%rdi), %%xmm0; movss %%xmm0, 64(%%rdi); movsd (%%rdi), %%xmm0; movsd %%xmm0, 64(%%rdi)")
C(sse_half, 16, 16,
  "movlps (%%rdi), %%xmm0; movhps 8(%%rdi), %%xmm0; movlps %%xmm0, 64(%%rdi); movhps %%xmm0, 72(%%rdi)")
C(sse_op, 16, 0, "paddd (%%rdi), %%xmm0")
C(sse_scalar_op, 12, 0, "xorps %%xmm0, %%xmm0; addss (%%rdi), %%xmm0; addsd (%%rdi), %%xmm0")
C(sse_stream, 0, 24, "movntdq %%xmm0, (%%rdi); movnti %%rax, 16(%%rdi)")
C(sse_insert, 15, 15,
  "pinsrb $1, (%%rdi), %%xmm0; pinsrw $1, (%%rdi), %%xmm0; pinsrd $1, (%%rdi), %%xmm0; pinsrq $1, (%%rdi), "
  "%%xmm0;"
  "pextrb $1, %%xmm0, (%%rdi); pextrw $1, %%xmm0, (%%rdi); pextrd $1, %%xmm0, (%%rdi); pextrq $1, %%xmm0, "
  "(%%rdi)")
C(sse_widen, 14, 0, "pmovzxbw (%%rdi), %%xmm0; pmovzxbd (%%rdi), %%xmm1; pmovzxbq (%%rdi), %%xmm2")
C(sse_string, 16, 0, "pcmpistri $0x0c, (%%rdi), %%xmm0")
C(sse_aes, 16, 0, "aesenc (%%rdi), %%xmm0")
C(avx_16, 16, 16, "vmovups (%%rdi), %%xmm0; vmovups %%xmm0, 64(%%rdi)")
C(avx_32, 32, 32, "vmovaps (%%rdi), %%ymm0; vmovaps %%ymm0, 64(%%rdi)")
C(avx_32_unaligned, 32, 32, "vmovdqu 5(%%rdi), %%ymm0; vmovdqu %%ymm0, 107(%%rdi)")
C(avx_op, 32, 0, "vaddpd (%%rdi), %%ymm0, %%ymm0")
C(avx_broadcast, 28, 0,
  "vbroadcastss (%%rdi), %%ymm0; vbroadcastsd (%%rdi), %%ymm1; vbroadcastf128 (%%rdi), %%ymm2")
C(avx_half, 16, 16, "vinsertf128 $1, (%%rdi), %%ymm0, %%ymm0; vextractf128 $1, %%ymm0, 64(%%rdi)")
V(avx_maskmov, 8, 8,
  "vpxor %%xmm0, %%xmm0, %%xmm0; movq $-1, %%rax; vmovq %%rax, %%xmm0; vmaskmovps (%%rdi), %%ymm0, %%ymm1; "
  "vmaskmovps %%ymm1, %%ymm0, 64(%%rdi)")
V(avx2_maskmov, 8, 8,
  "movq $-1, %%rax; vmovq %%rax, %%xmm0; vpmaskmovq (%%rdi), %%ymm0, %%ymm1; vpmaskmovq %%ymm1, %%ymm0, "
  "64(%%rdi)")
C(avx2_gather, 32, 0,
  "vpxor %%ymm1, %%ymm1, %%ymm1; vpcmpeqd %%ymm2, %%ymm2, %%ymm2; vpgatherdd %%ymm2, 16(%%rdi,%%ymm1,4), "
  "%%ymm0")
C(avx2_gather_some, 8, 0,
  "vpxor %%ymm1, %%ymm1, %%ymm1; movq $-1, %%rax; vmovq %%rax, %%xmm2; vpgatherdd %%ymm2, "
  "16(%%rdi,%%ymm1,4), %%ymm0")
C(avx2_byte, 3, 0, "vpbroadcastb (%%rdi), %%ymm0; vpbroadcastw (%%rdi), %%ymm1")
C(avx_stream, 32, 32, "vmovntdqa (%%rdi), %%ymm0; vmovntdq %%ymm0, 64(%%rdi)")
C(fused_single, 4, 0, "vfmadd213ss (%%rdi), %%xmm0, %%xmm1")
C(fused_double, 24, 0, "vfnmadd231sd (%%rdi), %%xmm0, %%xmm1; vfmadd132pd 16(%%rdi), %%xmm0, %%xmm1")
C(widen_int, 24, 0, "cvtdq2pd (%%rdi), %%xmm0; vcvtdq2pd 16(%%rdi), %%ymm1")
C(movbe, 8, 8, "movbeq (%%rdi), %%rax; movbeq %%rax, 64(%%rdi)")
C(push_memory, 8, 0, "pushq (%%rdi); addq $8, %%rsp")
C(pop_memory, 0, 8, "pushq $1; popq (%%rdi)")
C(cmov_taken, 4, 0, "xorl %%eax, %%eax; cmovzl (%%rdi), %%eax")
C(setcc, 0, 1, "setz (%%rdi)")
C(shift, 12, 12, "shlq $3, (%%rdi); movl $1, %%ecx; shldl $2, %%eax, (%%rdi)")
C(multiply, 12, 0, "movl $3, %%eax; mull (%%rdi); imulq $3, (%%rdi), %%rbx")
C(divide, 4, 4, "movl $1, (%%rdi); movl $3, %%eax; xorl %%edx, %%edx; divl (%%rdi)")
C(no_access, 0, 0, "prefetcht0 (%%rdi); leaq (%%rdi), %%rax; nopl (%%rdi)")
C(bmi, 12, 0, "andnl (%%rdi), %%eax, %%eax; popcntq (%%rdi), %%rbx")
C(bts_word, 2, 2, "movl $3, %%eax; btsw %%ax, (%%rdi)")
C(bt_registers, 0, 0, "movl $3, %%eax; btq %%rax, %%rdi; setc %%bl; btsl %%eax, %%edi")
C(pushes, 0, 0,
  "pushq %%rax; pushq %%rbx; pushq %%rcx; pushq %%rdx; popq %%rdx; popq %%rcx; popq %%rbx; popq %%rax")

int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < ncases; i++)
        if (argc > 1)
            printf("%s %d %d %d\n", cases[i].name, N * cases[i].read, N * cases[i].written, cases[i].both);
        else
            cases[i].run();
    return 0;
}
