/* What the labelled loops share: kernels that are not inlined, and a sink that needs all they compute. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1024, R = 24 };

#ifdef __clang__
#define KERNEL(name) static __attribute__((noinline)) void name(int n)
#else
#define KERNEL(name) static __attribute__((noinline, noclone)) void name(int n)
#endif

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

static unsigned long long digest_;

static inline void digest(const void *p, size_t n)
{
    for (const unsigned char *c = (const unsigned char *)p, *end = c + n; c < end; c++)
        digest_ = (digest_ ^ *c) * 1099511628211u;
}

/* Says what became of everything, so that two runs can be compared. */
static inline int finish(void)
{
    printf("%.10g %llx\n", sink, digest_);
    return 0;
}
