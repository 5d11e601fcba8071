/* A signal handler that does far more than what it interrupts. */
#include <signal.h>
#include <stdio.h>

static volatile int n;

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 50000; i++)
        n++;
}

static void handler(int sig)
{
    (void)sig;
    work();
}

__attribute__((noinline)) static void interrupted(void)
{
    for (int k = 0; k < 5; k++)
        raise(SIGUSR1);
}

int main(void)
{
    signal(SIGUSR1, handler);
    interrupted();
    printf("%d\n", n);
    return 0;
}
