/* Numbers of the first or last bit that is set: the instructions leave their register as it was where there
 * is none, so that each seems to need what the one before has found. */
#include "loops.h"
#include <stdint.h>
#include <stdlib.h>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

static uint64_t x[N];
static uint32_t w[N];
static int to[N], where[N];

ALONE static void logarithms(int n, const uint64_t *v, int *out)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        out[i] = 63 - __builtin_clzll(v[i] | 1);
}
ALONE static void lowest(int n, const uint32_t *v, int *out)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        out[i] = __builtin_ctz(v[i]);
}
/* Where there is none a number is chosen. */
ALONE static void or_else(int n, const uint64_t *v, int *out)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        out[i] = v[i] ? __builtin_ctzll(v[i]) : 64;
}
ALONE static int longest(int n, const uint64_t *v)
{
    int most = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        int bits = v[i] ? 64 - __builtin_clzll(v[i]) : 0;
        most = bits > most ? bits : most;
    }
    return most;
}
/* The last one that was found is what is taken where there is none. */
ALONE static void last_found(int n, const uint64_t *v, int *out)
{
    int last = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        last = v[i] ? 63 - __builtin_clzll(v[i]) : last;
        out[i] = last;
    }
}
#ifdef __x86_64__
ALONE static void left_as_it_was(int n, const uint64_t *v, int *out)
{
    uint64_t last = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        __asm__("bsrq %1, %0" : "+r"(last) : "r"(v[i]) : "cc");
        out[i] = (int)last;
    }
}
/* Of which nothing tells the compiler. */
ALONE static void left_unsaid(int n, const uint64_t *v, int *out)
{
    uint64_t last;
    __asm__("xorl %k0, %k0" : "=r"(last));
    for (int i = 0; i < n; i++) { /* loop: no */
        uint64_t same = last;
        __asm__("bsfq %1, %0" : "+r"(same) : "r"(v[i]) : "cc");
        out[i] = (int)same;
        last = same;
    }
}
#else
#define left_as_it_was last_found
#define left_unsaid last_found
#endif

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    (void)argv;
    for (int i = 0; i < n; i++) {
        x[i] = i % 7 == 3 ? 0 : (uint64_t)i * 0x9e3779b97f4a7c15u >> i % 60;
        w[i] = (uint32_t)i * 2654435761u | 1u << i % 32;
    }
    logarithms(n, x, to);
    digest(to, sizeof to);
    lowest(n, w, to);
    digest(to, sizeof to);
    or_else(n, x, to);
    last_found(n, x, where);
    digest(to, sizeof to);
    digest(where, sizeof where);
    left_as_it_was(n, x, to);
    left_unsaid(n, x, where);
    digest(to, sizeof to);
    digest(where, sizeof where);
    keep(longest(n, x));
    return finish();
}
