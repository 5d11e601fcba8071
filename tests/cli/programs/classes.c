/* A loop of known instructions on each instruction set: one turn is LOOP instructions, of these 1 m_int, 1
 * float, 1 specific, 1 address, 1 branch, 1 memory, 1 other (nop) and 2 s_int; `kernel` adds a return. On
 * x86-64 one s_int reads memory, so a turn has one instruction less. */
#include <corecast/mark.h>

#if defined __aarch64__
#define TURN(c)                                                                                           \
    "ldr w9, [%[p]]\n add w10, w9, w9\n mul w11, w9, w9\n fadd s16, s16, s16\n fdiv s17, s16, s16\n adr " \
    "x12, .\n nop\n"                                                                                      \
    "subs %[n], %[n], #1\n b.ne " c "\n"
#define CLOBBERS "x9", "x10", "x11", "x12", "v16", "v17", "cc", "memory"
#elif defined __x86_64__
#define TURN(c)                                                                                             \
    "addl (%[p]), %%r9d\n imul %%r9d, %%r10d\n addss %%xmm8, %%xmm8\n divss %%xmm8, %%xmm9\n lea 8(%[p]), " \
    "%%r11\n nop\n"                                                                                         \
    "dec %[n]\n jne " c "\n"
#define CLOBBERS "r9", "r10", "r11", "xmm8", "xmm9", "cc", "memory"
#elif defined __arm__
#define TURN(c)                                                                                         \
    "ldr r3, [%[p]]\n add r12, r3, r3\n mul r12, r3, r3\n vadd.f32 s14, s14, s14\n vdiv.f32 s15, s14, " \
    "s14\n adr r12, .+8\n nop\n"                                                                        \
    "subs %[n], %[n], #1\n bne " c "\n"
#define CLOBBERS "r3", "r12", "s14", "s15", "cc", "memory"
#elif defined __riscv
#define TURN(c)                                                                                         \
    "lw t0, 0(%[p])\n add t1, t0, t0\n mul t2, t0, t0\n fadd.s ft0, ft0, ft0\n fdiv.s ft1, ft0, ft0\n " \
    "auipc t3, 0\n nop\n"                                                                               \
    "addi %[n], %[n], -1\n bnez %[n], " c "\n"
#define CLOBBERS "t0", "t1", "t2", "t3", "ft0", "ft1", "memory"
#endif

static inline __attribute__((always_inline)) void turns(long n, const int *p)
{
    __asm__ volatile("1:\n" TURN("1b") : [n] "+r"(n) : [p] "r"(p) : CLOBBERS);
}

static int data[4];

__attribute__((noinline)) void kernel(long n, const int *p)
{
    turns(n, p);
}

__attribute__((noinline)) void marked(void)
{
    CC_REGION_BEGIN("hot");
    turns(300, data);
    CC_TASK_BEGIN("piece");
    turns(50, data);
    CC_TASK_END("piece");
    CC_REGION_END("hot");
}

int main(void)
{
    kernel(1000, data);
    kernel(2345, data);
    marked();
    return 0;
}
