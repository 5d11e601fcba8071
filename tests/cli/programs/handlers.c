/* Handlers of signals read what the kernel has put on their stack, where somebody else had written before. */
#include <signal.h>
#include <string.h>

enum { TIMES = 10, DEEP = 12000 };
static volatile long sink;

__attribute__((noinline)) static void dirty(void)
{
    volatile char deep[DEEP];
    for (int i = 0; i < DEEP; i++)
        deep[i] = (char)i;
}

__attribute__((noinline)) static void on_plain(int number)
{
    sink = number;
}

__attribute__((noinline)) static void on_told(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    sink = info->si_signo + info->si_code + info->si_pid;
}

__attribute__((noinline)) static void send(int number)
{
    long before[32]; /* above what the kernel puts there, and not the kernel's */
    memset(before, number, sizeof before);
    __asm__ volatile("" : : "r"(before) : "memory");
    raise(number);
    for (int i = 0; i < 32; i++)
        sink = ((volatile long *)before)[i];
}

int main(void)
{
    struct sigaction told = {.sa_flags = SA_SIGINFO};
    told.sa_sigaction = on_told;
    signal(SIGUSR1, on_plain);
    sigaction(SIGUSR2, &told, NULL);
    dirty();
    for (int i = 0; i < TIMES; i++)
        send(SIGUSR1);
    dirty();
    for (int i = 0; i < TIMES; i++)
        send(SIGUSR2);
    return 0;
}
