/* Data objects with known figures: variables, blocks that are freed, moved, leaked, named, huge, made by
 * threads and in a signal handler. */
#include "corecast/mark.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int table[256];
int untouched[64] = {1};
int *volatile keep[64];

__attribute__((noinline)) static void fill(int *to, int n) /* 4 n bytes written */
{
    for (int i = 0; i < n; i++)
        to[i] = i;
}

__attribute__((noinline)) static long sum(const int *from, int n) /* 4 n bytes read */
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += from[i];
    return s;
}

__attribute__((noinline)) static int mend(volatile int *t) /* 1200 bytes read at 400 addresses, 120 written */
{
    int s = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 100; i++)
            s += t[i];
    for (int i = 0; i < 30; i++)
        t[i] = s;
    return s;
}

__attribute__((noinline)) static long heap_blocks(void)
{
    long s = 0;
    for (int k = 0; k < 10; k++) { /* one site, ten blocks, one at a time, very likely at the same address */
        int *p = malloc(1000 * sizeof *p);
        fill(p, 1000);
        s += sum(p, 1000);
        free(p);
    }
    int *q = calloc(50, 8); /* the same address again, for another object */
    s += sum(q, 100);
    free(q);
    return s;
}

__attribute__((noinline)) static long moving(void)
{
    int *p = malloc(16);
    for (int n = 8; n <= 1 << 16; n *= 2) /* in place and elsewhere */
        p = realloc(p, (size_t)n * sizeof *p);
    fill(p, 1 << 16);
    long s = sum(p, 1 << 16);
    free(p);
    free(NULL);
    return s;
}

__attribute__((noinline)) static long huge(void) /* sparse: 6 GiB, of which two pages are used */
{
    size_t size = (size_t)6 << 30;
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return 0;
    fill((int *)p, 1024);
    fill((int *)(p + size - 4096), 1024);
    long s = sum((const int *)(p + size - 4096), 1024);
    munmap(p, size);
    return s;
}

static void *worker(void *arg)
{
    for (int i = 0; i < 100; i++) {
        int *p = malloc(40);
        fill(p, 10);
        free(p);
    }
    return arg;
}

static void on_signal(int sig)
{
    int *p = malloc(80);
    fill(p, 20);
    keep[sig] = p; /* not freed */
}

__attribute__((noinline)) static void named(const char *name, int n)
{
    int *p = malloc((size_t)n * sizeof *p);
    CC_OBJECT(p, (size_t)n * sizeof *p, name);
    fill(p, n);
    keep[0] = p;
    free(p);
}

int main(void)
{
    long s = 0;
    int local[100];
    fill(table, 256);
    s += sum(table, 256);
    s += mend(table);
    fill(local, 100);
    s += sum(local, 100);
    s += heap_blocks() + moving() + huge();
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    named("tile", 30);
    named("tile", 50);
    named("a \"quoted\"\nname of ü", 10);
    char *longest = malloc(5000);
    memset(longest, 'x', 4999);
    longest[4999] = 0;
    named(longest, 10);
    free(longest);
    return s == 0;
}
