/* What the labelled loops share: kernels that are not inlined, and a sink that needs all they compute. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1024, R = 24 };

#define KERNEL(name) static __attribute__((noinline, noclone)) void name(int n)

static volatile double sink;

static inline void keep(double x)
{
    sink = sink + x;
}

/* The side of a square with about that many elements, not more than R. */
static inline int side(int n)
{
    int r = 1;
    while ((r + 1) * (r + 1) <= n)
        r++;
    return r < R ? r : R;
}

static inline int finish(void)
{
    return sink == 0.125 ? 1 : 0;
}
