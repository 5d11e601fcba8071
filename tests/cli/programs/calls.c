/* A call tree in closed form: through the PLT (lazy or not), callbacks, tail calls, constructors, dlsym. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#define KEEP __attribute__((noinline, noclone))
volatile unsigned sink, comparisons;
KEEP void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i;
}
__attribute__((constructor)) KEEP static void before(void)
{
    work(1000);
}
__attribute__((destructor)) KEEP static void after(void)
{
    work(500);
}
KEEP int by_value(const void *a, const void *b)
{
    comparisons++;
    return *(const int *)a - *(const int *)b;
}
KEEP void sort(int n)
{
    int *v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = (i * 7919) % n;
    qsort(v, (size_t)n, sizeof *v, by_value);
    free(v);
}
KEEP unsigned tail_last(unsigned n)
{
    work(n);
    return sink;
}
KEEP unsigned tail_first(unsigned n)
{
    sink++;
    return tail_last(n + 1);
}
KEEP void at_end(void)
{
    work(300);
}
extern int visible(int);
int visible(int n)
{
    work((unsigned)n);
    return n;
}
KEEP void text(void)
{
    char b[64];
    for (int i = 0; i < 20; i++) {
        snprintf(b, sizeof b, "%d %s", i, "x");
        sink += (unsigned)b[0];
    }
}
int main(int argc, char **argv)
{
    (void)argv;
    atexit(at_end);
    for (int i = 0; i < 10; i++)
        work(2000);
    sort(64);
    for (int i = 0; i < 5; i++)
        tail_first(100);
    text();
    int (*f)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "visible");
    if (f)
        f(400);
    sink += (unsigned)atoi(getenv("HOME") ? "12" : "13");
    work(400000);
    if (argc > 1)
        printf("%u\n", comparisons);
    return 0;
}
