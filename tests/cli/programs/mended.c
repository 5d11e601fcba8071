/* Faults at an instruction amid others, in code that ran before there was a handler; the handler is told
 * which one it was, and goes on behind it. What it loads is not overwritten at once: Valgrind leaves such a
 * load out. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

extern const char fault_at[], fault_behind[];
static volatile int other[4] = {1, 2, 3, 4};
static int right, wrong;

__attribute__((noinline)) static void touch(const int *p)
{
#if defined __aarch64__
    __asm__ volatile("ldr w9, [%1]\n\tldr w10, [%1, #4]\n\t.globl fault_at\nfault_at:\n\tldr w11, "
                     "[%0]\n\t.globl fault_behind\n"
                     "fault_behind:\n\tldr w9, [%1, #8]"
                     :
                     : "r"(p), "r"(other)
                     : "x9", "x10", "x11", "memory");
#else
    __asm__ volatile("mov (%1), %%eax\n\tmov 4(%1), %%ecx\n\t.globl fault_at\nfault_at:\n\tmov (%0), "
                     "%%edx\n\t.globl fault_behind\n"
                     "fault_behind:\n\tmov 8(%1), %%eax"
                     :
                     : "r"(p), "r"(other)
                     : "eax", "ecx", "edx", "memory");
#endif
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)info;
    mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
#if defined __aarch64__
    unsigned long *at = (unsigned long *)&m->pc;
#else
    unsigned long *at = (unsigned long *)&m->gregs[REG_RIP];
#endif
    if (*at == (unsigned long)fault_at)
        right++;
    else
        wrong++;
    *at = (unsigned long)fault_behind;
}

int main(void)
{
    int there = 0;
    for (int i = 0; i < 100; i++)
        touch(&there);
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 5; i++)
        touch(NULL);
    printf("%d %d\n", right, wrong);
}
