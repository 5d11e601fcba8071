/* Functions whose last call is of a library: optimised, they jump to its stub. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char to[4000], from[4000];
static unsigned *volatile held;

__attribute__((noinline)) static void copied(unsigned *x, int n)
{
    for (int i = 1; i < n; i++) /* 99 */
        x[i] = x[i - 1] * 3 ^ (unsigned)i;
    memcpy(to, from, (size_t)n);
}

__attribute__((noinline)) static void said(unsigned *x, int n)
{
    for (int i = 1; i < n; i++) /* 99 */
        x[i] = x[i - 1] * 5 ^ (unsigned)i;
    puts(x[n - 1] & 1 ? "odd" : "even");
}

__attribute__((noinline)) static void freed(int n)
{
    unsigned *x = calloc((size_t)n, sizeof *x);
    for (int i = 1; i < n; i++) /* 99 */
        x[i] = x[i - 1] * 7 ^ (unsigned)i;
    held = x;
    free(x);
}

int main(int argc, char **argv)
{
    static unsigned x[100];
    copied(x, 100 * argc);
    said(x, 100 * argc);
    freed(100 * argc);
    (void)argv;
    return 0;
}
