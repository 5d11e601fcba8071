/* Sums that compilers put aside in the frame, around a call or because there are more of them than registers;
 * and values that lie in the same places and are looked at when the loop is over. */
#include "loops.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

enum { WIDE = 16 };
static double x[N * WIDE], y[N * WIDE], z[N];

/* The sum is put aside around the logarithm, which only some iterations take. */
ALONE static double logs(int n, const double *v)
{
    double s = 0, t = 1;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double u = v[i] * v[i] + v[i + 1];
        if (u > 0.25) {
            s += log(u) * v[i];
            t += 1;
        }
    }
    return s / t;
}

/* What the sum was before the last iteration that takes it is looked at behind the loop. */
ALONE static double logs_before(int n, const double *v)
{
    double s = 0, before = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        double u = v[i] * v[i] + v[i + 1];
        if (u > 0.25) {
            before = s;
            s += log(u) * v[i];
        }
    }
    return s - before;
}

/* And by a function behind it. */
ALONE static double difference(const double *p, const double *q)
{
    return *p - *q;
}
ALONE static double logs_handed(int n, const double *v)
{
    double s = 0, before[2] = {0, 0};
    for (int i = 0; i < n; i++) { /* loop: no */
        double u = v[i] * v[i] + v[i + 1];
        if (u > 0.25) {
            before[1] = s;
            s += log(u) * v[i];
        }
    }
    return difference(&s, &before[1]);
}

/* A function that has handed on where others of its variables lie. */
ALONE static void fill(double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = i * 0.5;
}
ALONE static double logs_beside(int n, const double *v)
{
    double s = 0, t = 0, table[8];
    fill(table, 8);
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double u = v[i] * v[i] + 0.125;
        if (u > 0.25) {
            double w = log(u) * v[i];
            table[(int)(u * 8) & 7] += 1;
            s += w * 0.5;
            t += w * u;
        }
    }
    fill(table + 4, 2);
    return s / t + table[1] + table[4];
}
/* What is seen when it is over lies in a variable that others know, */
struct seen {
    double before, table[8];
};
ALONE static double seen_by(const double *table)
{
    return ((const struct seen *)((const char *)table - offsetof(struct seen, table)))->before;
}
ALONE static double logs_seen(int n, const double *v)
{
    struct seen seen = {0, {0}};
    double s = 0;
    fill(seen.table, 8);
    for (int i = 0; i < n; i++) { /* loop: no */
        double u = v[i] * v[i] + v[i + 1];
        if (u > 0.25) {
            seen.before = s;
            s += log(u) * v[i];
        }
    }
    return s - seen_by(seen.table);
}
/* or in one without a name. */
ALONE static double logs_nameless(int n, const double *v)
{
    struct seen *seen = &(struct seen){0, {0}};
    double s = 0, table[8];
    fill(seen->table, 8);
    fill(table, 8);
    for (int i = 0; i < n; i++) { /* loop: no */
        double u = v[i] * v[i] + v[i + 1];
        if (u > 0.25) {
            seen->before = s;
            table[(int)(u * 8) & 7] += 1;
            s += log(u) * v[i];
        }
    }
    return s - seen_by(seen->table) + table[2];
}

/* More sums than there are registers for vectors. */
ALONE static void sixteen(int n, const double *v, double *to)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    double k = 0, l = 0, m = 0, o = 0, p = 0, q = 0, r = 0, s = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        const double *w = v + i * WIDE;
        double u = w[0] * 0.5;
        a += w[0] * u, b += w[1] * u, c += w[2] * u, d += w[3] * u, e += w[4] * u, f += w[5] * u;
        g += w[6] * u, h += w[7] * u, k += w[8] * u, l += w[9] * u, m += w[10] * u, o += w[11] * u;
        p += w[12] * u, q += w[13] * u, r += w[14] * u, s += w[15] * u;
    }
    to[0] = a + b + c + d, to[1] = e + f + g + h, to[2] = k + l + m + o, to[3] = p + q + r + s;
}
ALONE static void sixteen_before(int n, const double *v, double *to)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    double k = 0, l = 0, m = 0, o = 0, p = 0, q = 0, r = 0, s = 0, one = 0, two = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        const double *w = v + i * WIDE;
        double u = w[0] * 0.5;
        one = a, two = s;
        a += w[0] * u, b += w[1] * u, c += w[2] * u, d += w[3] * u, e += w[4] * u, f += w[5] * u;
        g += w[6] * u, h += w[7] * u, k += w[8] * u, l += w[9] * u, m += w[10] * u, o += w[11] * u;
        p += w[12] * u, q += w[13] * u, r += w[14] * u, s += w[15] * u;
    }
    to[0] = a + b + c + d, to[1] = e + f + g + h, to[2] = k + l + m + o, to[3] = p + q + r + s;
    to[4] = one, to[5] = two;
}

/* Whole numbers, in a function that calls nothing. */
static inline double uniform(unsigned long *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}
ALONE static int inside(int n)
{
    int in = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        unsigned long seed = 77u * (unsigned)i + 1;
        double a = uniform(&seed), b = uniform(&seed);
        if (a * a + b * b <= 1)
            in++;
    }
    return in;
}
ALONE static int inside_before(int n)
{
    int in = 0, before = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned long seed = 77u * (unsigned)i + 1;
        double a = uniform(&seed), b = uniform(&seed);
        before = in;
        if (a * a + b * b <= 1)
            in++;
    }
    return in * 2 - before;
}

/* The sum goes on through a call that is made in each iteration, and one that the last sum is handed to. */
ALONE static double scaled(double v, double by)
{
    return v * by + 1;
}
ALONE static double called(int n, const double *v)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += scaled(v[i], 3);
    return s;
}
ALONE static double called_with(int n, const double *v)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s += scaled(v[i], s);
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    (void)argv;
    for (int i = 0; i < n * WIDE; i++)
        x[i] = (i * 37 % 101) * 0.01, y[i] = x[i] - 0.5;
    z[0] = logs(n - 1, x);
    z[1] = logs_before(n - 1, x);
    z[2] = logs_handed(n - 1, y);
    sixteen(n, x, z + 3);
    sixteen_before(n, y, z + 7);
    z[13] = inside(n) + inside_before(n);
    z[14] = called(n, x) + called_with(n / 8, y);
    z[15] = logs_beside(n - 1, x) + logs_seen(n - 1, y) + logs_nameless(n - 1, x);
    for (int i = 0; i < 16; i++)
        keep(z[i]);
    return finish();
}
