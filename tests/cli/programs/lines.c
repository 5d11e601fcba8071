/* Loops whose lines are executed a known number of times. */
#include <stdint.h>

enum { TURNS = 1000 };
static int64_t from[TURNS], to[TURNS];

static inline __attribute__((always_inline)) int64_t mix(int64_t s, int64_t x)
{
    return (s ^ x) * 3;
}

__attribute__((noinline)) int64_t kernel(const int64_t *x, int64_t *y, int64_t n)
{
    int64_t s = 0, i = 0;
    do {
        s = mix(s, x[i]);
        y[i] = s;
        i++;
    } while (i < n);
    return s;
}

int main(void)
{
    return kernel(from, to, TURNS) == 1;
}
