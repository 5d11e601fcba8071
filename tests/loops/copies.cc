/* As copies.c, by way of containers: `v[i]` is a call, and which element that is the source does not tell. */
#include "loops.h"
#include <vector>

#define ALONE __attribute__((noinline))
#ifdef __clang__
#define FOURFOLD _Pragma("clang loop unroll_count(4) vectorize(disable)")
#else
#define FOURFOLD _Pragma("GCC unroll 4")
#endif

static std::vector<double> x(4 * N), y(4 * N);
static std::vector<int> whole(4 * N);
static const int lasts[41] = {0,   7,   14,  21,  28,  35,  42,  49,  56,  63,  70,  77,  84,  91,
                              98,  105, 112, 119, 126, 133, 140, 147, 154, 161, 168, 175, 182, 189,
                              196, 203, 210, 217, 224, 231, 238, 245, 252, 259, 266, 273, 7};
static int fours[4 * N];

static inline void add(double *p, double v)
{
    *p += v;
}
static inline void blend(double *p, double v)
{
    *p = *p * 2 + v;
    *p = *p - 1;
}

ALONE static double last_look(int n)
{
    double s = 0;
    FOURFOLD
    for (long i = 0; i < n; i++) { /* loop: sequential */
        s = x[i] + i;
        x[fours[i]] = n;
    }
    return s;
}

ALONE static void handed_on(int n)
{
    int i = 0;
    FOURFOLD
    while (i < n) { /* loop: sequential */
        whole[3 + i] = whole[1 + i];
        i++;
    }
}

ALONE static double look_beside_add(int n)
{
    double s = 0;
    FOURFOLD
    for (long i = 0; i < n; i++) { /* loop: sequential */
        add(&x[4 + i], y[4 + i] + i);
        s = x[1 + 2 * i];
    }
    return s;
}

ALONE static double look_beside_blend(int n)
{
    double s = 0;
    FOURFOLD
    for (long i = 0; i < n; i++) { /* loop: sequential */
        blend(&x[4 + i], y[4 + i] + i);
        s = x[1 + 2 * i];
    }
    return s;
}

ALONE static void left_over(int n)
{
    FOURFOLD
    for (long i = 0; i < n; i++) /* loop: sequential */
        x[N + lasts[i]] = i + x[2 + i];
}

ALONE static void left_over_apart(int n)
{
    FOURFOLD
    for (long i = 0; i < n; i++) /* loop: parallel */
        x[2 + i] = y[i] + x[2 + i];
}

ALONE static void left_over_set(int n)
{
    FOURFOLD
    for (long i = 0; i < n; i++) /* loop: sequential */
        x[N + lasts[i]] = i;
}

ALONE static void looks_at_its_sum(int n)
{
    FOURFOLD
    for (long i = 0; i < n; i++) /* loop: sequential */
        x[3] += x[3 + i] + y[i];
}

/* What is read was loaded three iterations before, or in front of the loop, and is written soon after. */
ALONE static double loaded_ahead(std::vector<int> &from, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s += from[i + 2] * from[i + 5];
        from[i] = n + i;
    }
    return s;
}

/* Four iterations are one of a vector loop, which has another line than the loop for the rest: what the one
 * leaves to the other is not followed. */
std::vector<float> fifth(512), second(512);
ALONE static void left_to_the_rest(int n)
{
    for (unsigned long i = 0; i < (unsigned long)n; i++) { /* loop: sequential */
        fifth[1 + i] = second[2 + i];
        fifth[5 + i] *= i;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 41;
    for (int i = 0; i < 4 * N; i++) {
        x[i] = i * 0.5, y[i] = i * 0.25 + 1, whole[i] = i;
        fours[i] = i % 4 == 0 && i + 4 < N ? i + 4 : N + i % N;
    }
    keep(last_look(n - 1)), handed_on(9), keep(look_beside_add(n)), keep(look_beside_blend(n));
    left_over(n), left_over_apart(n), left_over_set(n), looks_at_its_sum(n);
    std::vector<int> few(64);
    keep(loaded_ahead(few, n - 36)), left_to_the_rest(n - 34);
    keep(fifth[5]);
    for (int i = 0; i < 4 * N; i++)
        keep(x[i] + whole[i]);
    printf("%.10g\n", sink);
    return 0;
}
