/* A function with calls of places amid itself, which are no calls of a function: two subroutines that have no
 * symbol, and one of the next instruction, by which code finds out where it is. */
#include <stdio.h>

extern volatile long sink;
volatile long sink;
void outer(long n);

__attribute__((noinline, used)) void leaf(void)
{
    sink++;
}

#if defined __x86_64__
__asm__(".text\n.globl outer\n.type outer, @function\n"
        "outer: push %rbx\n mov %rdi, %rbx\n"
        "1: call .Lfirst\n call 2f\n2: pop %rax\n dec %rbx\n jnz 1b\n pop %rbx\n ret\n"
        ".Lfirst: push %rbp\n call leaf\n call .Lsecond\n pop %rbp\n ret\n"
        ".Lsecond: sub $8, %rsp\n call leaf\n add $8, %rsp\n ret\n"
        ".size outer, . - outer\n");
#elif defined __aarch64__
__asm__(".text\n.globl outer\n.type outer, %function\n"
        "outer: stp x29, x30, [sp, -32]!\n str x19, [sp, 16]\n mov x19, x0\n"
        "1: bl .Lfirst\n bl 2f\n2: subs x19, x19, 1\n b.ne 1b\n ldr x19, [sp, 16]\n ldp x29, x30, [sp], 32\n "
        "ret\n"
        ".Lfirst: stp x29, x30, [sp, -16]!\n bl leaf\n bl .Lsecond\n ldp x29, x30, [sp], 16\n ret\n"
        ".Lsecond: stp x29, x30, [sp, -16]!\n bl leaf\n ldp x29, x30, [sp], 16\n ret\n"
        ".size outer, . - outer\n");
#endif

__attribute__((noinline)) static void twice(void)
{
    outer(10);
    outer(5);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        twice();
    printf("%ld\n", sink);
    return 0;
}
