/* Loops that write one element again and again, of which the last has to stay, and loops that compilers let
 * count in floating point or in a part of a register. Labels as in dependent.c and independent.c. */
#include "loops.h"

enum { MANY = 200 };

static double x[MANY], y[MANY], z[MANY];
static int on = 1;
static unsigned char bytes[MANY];

KERNEL(last_of_all)
{
    for (int i = 0; i < n; i++) /* loop: private */
        x[5] = y[i] * 2;
}

KERNEL(looked_at_again)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        x[6] = y[i] + 1;
        z[i] = x[6] * x[6];
    }
}

KERNEL(in_all_or_in_none)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        z[i] = y[i];
        if (on)
            x[7] = y[i] / 2;
    }
}

KERNEL(looked_at_before)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = x[5];
        x[5] = i;
    }
}

KERNEL(by_another_name)
{
    double *p = x;
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = p[5];
        x[5] = i;
    }
}

static __attribute__((noinline)) void by_one_name_of_two(double *p, double *q, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = q[5];
        p[5] = i;
    }
}

static double peek(void)
{
    return x[5];
}

KERNEL(by_a_function)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = peek();
        x[5] = i;
    }
}

KERNEL(beside_others)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = x[i];
        x[100] = i;
    }
}

KERNEL(counted_as_numbers)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        x[i] = i;
        z[i] = y[i] + i;
    }
}

KERNEL(counted_in_bytes)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        bytes[i] = (unsigned char)(i + i);
}

KERNEL(moved_on)
{
    double t = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        x[i] = t;
        t += 0.1;
    }
    keep(t);
}

KERNEL(element_moved_on)
{
    z[0] = 0;
    for (int i = 1; i < n; i++) { /* loop: no */
        y[i] = z[0];
        z[0] += 1.0;
    }
}

static inline double drawn(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0;
}

KERNEL(seed_of_its_own)
{
    double inside = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        unsigned seed = 77u * (unsigned)i + 1;
        double u = drawn(&seed), v = drawn(&seed);
        if (u * u + v * v < 1)
            inside += u;
    }
    keep(inside);
}

KERNEL(seed_for_all)
{
    unsigned seed = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned other = 3;
        z[i] = drawn(&seed) + drawn(&other);
    }
}

static double total;

static __attribute__((noinline)) void adds_itself(const double *p, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        total = total + *p * 0.01;
}

static __attribute__((noinline)) double found_anywhere(const int *first, const int *at, const double *v,
                                                       int n)
{
    double sum = 0;
    for (int i = first[n]; i < first[n + 1]; i++) /* loop: reduction */
        sum += v[at[i]] * v[at[i]];
    return sum;
}

static __attribute__((noinline)) void into_one(double *to, const double *from, const double *mean, int k,
                                               int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        to[k] += (from[i] - mean[k]) * (from[i] - mean[k]);
}

static __attribute__((noinline)) void into_one_of_them(double *to, const double *from, int k, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[k] += from[i] * 0.5;
}

int main(int argc, char **argv)
{
    static int first[] = {0, MANY}, at[MANY];
    (void)argv;
    int n = MANY - 1 + argc;
    for (int i = 0; i < n; i++)
        y[i] = i % 7;
    last_of_all(n), keep(x[5]), looked_at_again(n), keep(x[6] + z[3]), in_all_or_in_none(n),
        keep(x[7] + z[4]);
    looked_at_before(n), keep(z[7]), by_another_name(n), keep(z[8]), by_one_name_of_two(x, x, n), keep(z[9]);
    by_a_function(n), keep(z[10]), beside_others(n), keep(z[100] + z[101]);
    counted_as_numbers(n), keep(x[11] + z[12]), counted_in_bytes(n), keep(bytes[150]);
    for (int i = 0; i < n; i++)
        at[i] = (i * 7) % n;
    seed_of_its_own(n), seed_for_all(n), keep(z[15]), total = argc, adds_itself(&total, n), keep(total);
    keep(found_anywhere(first, at, y, 0)), into_one(x, y, z, 9, n), keep(x[9]);
    into_one_of_them(y, y, 100, n), keep(y[100]);
    moved_on(n), element_moved_on(n), keep(x[13] + y[14]);
    return 0;
}
