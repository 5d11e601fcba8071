/* What compilers put into vectors they need not load and store in one order: the halves of a vector of
 * numbers, made from one of whole numbers, and rows that are jammed together. */
#include "loops.h"
#include <math.h>

#define ALONE __attribute__((noinline))

static double a[N + 64], b[N + 64], c[N + 64], grid[R + 2][R], flow[R + 2][R], flux[R + 2][R];
static float f[N + 64];
static int seeds[N + 64];
static long counts[N + 64];
static double cube[13][13][13][5];

struct swarm {
    double *x, *y;
    int *seed;
};

ALONE static void moved(const struct swarm *of)
{
    int *seed = of->seed;
    double *x = of->x, *y = of->y;
    for (int i = 0; i < 256; i++) { /* loop: parallel */
        seed[i] = 1103515245 * seed[i] + 12345;
        x[i] += 1 + 5 * (seed[i] & 1023) / 1024.0;
        seed[i] = 1103515245 * seed[i] + 12345;
        y[i] += -2 + 2 * (seed[i] & 1023) / 1024.0;
    }
}
ALONE static void weighed(void)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        a[i] = a[i] * 0.5 + seeds[i];
}
ALONE static void widened(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        counts[i] += (long)seeds[i] * 3;
}
ALONE static void narrowed(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        f[i] = f[i] * 2 + (float)b[i];
}
ALONE static void jammed(int n, double to[R + 2][R], double from[R + 2][R], double other[R + 2][R])
{
    for (int i = 0; i < n - 1; i++)     /* loop: parallel */
        for (int j = 0; j < n - 1; j++) /* loop: parallel */
            to[i][j] = to[i][j] - 0.7 * (from[i][j + 1] - from[i][j] + other[i + 1][j] - other[i][j]);
}
/* sums that do not all fit into registers, in one of which what is put aside is put back */
static void norm(int n, double rms[5])
{
    double d;
    for (int m = 0; m < 5; m++)
        rms[m] = 0;
    for (int i = 0; i < n; i++)               /* loop: reduction */
        for (int j = 0; j < n; j++)           /* loop: reduction */
            for (int k = 0; k < n; k++)       /* loop: reduction */
                for (int m = 0; m < 5; m++) { /* loop: parallel */
                    d = cube[i][j][k][m] - 0.5;
                    rms[m] = rms[m] + d * d;
                }
    for (int m = 0; m < 5; m++)
        rms[m] = sqrt(rms[m] / n);
}
/* the last sum is looked at in each iteration */
ALONE static void norms_shown(int n, double rms[5])
{
    for (int i = 0; i < n; i++)         /* loop: no */
        for (int j = 0; j < n; j++) {   /* loop: no */
            for (int k = 0; k < n; k++) /* loop: reduction */
                for (int m = 0; m < 5; m++)
                    rms[m] = rms[m] + cube[i][j][k][m] * cube[i][j][k][m];
            cube[i][j][0][0] = rms[4];
        }
}
/* a function that is called leaves the sum where it was */
ALONE static void fill(int *t, int m, int v)
{
    for (int j = 0; j < m; j++)
        t[j] = v + j;
}
ALONE static int filled(int n)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        fill(t, 8, seeds[i]);
        for (int j = 0; j < 8; j++)
            s += t[j] * t[7 - j];
    }
    return s;
}
/* one that is called changes it */
ALONE static int turn(int s, int v)
{
    return v > 900 ? s / 2 : s;
}
ALONE static int turned_at_times(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s = turn(s, seeds[i]);
        s += seeds[i] & 7;
    }
    return s;
}
/* each pair of iterations reads what the other writes */
ALONE static void in_pairs(int n, double *to, const double *from, const int *by)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i] = to[i] + from[i ^ 1] * by[i];
}
ALONE static void in_fours(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        b[i] = b[i] + b[i ^ 3] * seeds[i];
}
ALONE static void crossed(int n, double *to, const double *from, const int *by)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i ^ 1] = from[i] + by[i];
}
ALONE static void ahead(int n, double *to, const double *from, const int *by)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i] = to[i] + from[i + 1] * by[i];
}
ALONE static void far_ahead(int n, double *to, const double *from, const int *by)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i] += from[i + 2] * by[i];
}
ALONE static void behind(int n, double *to, const double *from, const int *by)
{
    for (int i = 4; i < n; i++) /* loop: no */
        to[i] = to[i] + from[i - 4] * by[i];
}
ALONE static void turned(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        c[i] = c[i] + c[n - 1 - i] * seeds[i];
}
ALONE static void next_row(int n, double to[R + 2][R], double from[R + 2][R])
{
    for (int i = 0; i < n - 1; i++)     /* loop: no */
        for (int j = 0; j < n - 1; j++) /* loop: parallel */
            to[i][j] = to[i][j] - 0.7 * (from[i + 1][j] + seeds[j]);
}
ALONE static void next_column(int n, double to[R + 2][R], double from[R + 2][R])
{
    for (int i = 0; i < n - 1; i++)     /* loop: parallel */
        for (int j = 0; j < n - 1; j++) /* loop: no */
            to[i][j] = to[i][j] - 0.7 * (from[i][j + 1] + seeds[j]);
}
/* the last of a pair stands for both */
ALONE static void shared(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i / 2] = a[i / 2] * 0.5 + seeds[i];
}
ALONE static void chosen(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int k = i & 1 ? i - 1 : i;
        a[k] = a[k] * 0.5 + seeds[i];
    }
}

ALONE static void others(void)
{
    double rms[5], more[5] = {0};
    norm(12, rms);
    norms_shown(12, more);
    for (int m = 0; m < 5; m++)
        keep(rms[m] + more[m]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400;
    struct swarm swarm = {a, b, seeds};
    for (int i = 0; i < n + 64; i++)
        seeds[i] = i * 37 % 101, a[i] = i, b[i] = i % 7, c[i] = i % 5, f[i] = i, counts[i] = i;
    for (int i = 0; i < 13 * 13 * 13 * 5; i++)
        ((double *)cube)[i] = i % 17;
    for (int i = 0; i < R * R; i++)
        grid[i / R][i % R] = i % 11, flow[i / R][i % R] = i % 13;
    moved(&swarm), weighed(), widened(n), narrowed(n), jammed(side(n), grid, flow, flux);
    in_pairs(n, a, a, seeds), in_fours(n), crossed(n, b, b, seeds), ahead(n, a, a, seeds);
    far_ahead(n, c, c, seeds), behind(n, a, a, seeds), turned(n), next_row(side(n), grid, grid);
    next_column(side(n), flow, flow), shared(n), chosen(n);
    others();
    keep(filled(n)), keep(turned_at_times(n));
    digest(a, sizeof a), digest(b, sizeof b), digest(c, sizeof c), digest(f, sizeof f);
    digest(grid, sizeof grid), digest(flow, sizeof flow), digest(seeds, sizeof seeds);
    digest(counts, sizeof counts);
    return finish();
}
