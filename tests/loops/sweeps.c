/* Sweeps over grids, buffers that are swapped, rings, prefix sums, histograms. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { COUNT = 300, M = 24, T = 6 };
static double u[M][M], v[M][M], w[M * M], x[COUNT + 8], y[COUNT + 8];
static int h[16], hh[4][16], k[COUNT], ring[16], g[COUNT + 8], t3[M][M][M];
ALONE static void wavefront(int n)
{
    for (int i = 1; i < n; i++)     /* loop: no */
        for (int j = 1; j < n; j++) /* loop: no */
            u[i][j] = u[i - 1][j] * 0.5 + u[i][j - 1] * 0.25;
}
ALONE static void diagonals(int n)
{
    for (int d = 2; d < 2 * n - 1; d++)                               /* loop: no */
        for (int i = d < n ? 1 : d - n + 1; i < (d < n ? d : n); i++) /* loop: parallel */
            u[i][d - i] = u[i - 1][d - i] * 0.5 + u[i][d - i - 1] * 0.25;
}
ALONE static void redblack(int n)
{
    for (int c = 0; c < 2; c++)                              /* loop: no */
        for (int i = 1; i < n - 1; i++)                      /* loop: parallel */
            for (int j = 1 + (i + c) % 2; j < n - 1; j += 2) /* loop: parallel */
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
ALONE static void redblack_bad(int n)
{
    for (int i = 1; i < n - 1; i++)                    /* loop: no */
        for (int j = 1 + i / 2 % 2; j < n - 1; j += 2) /* loop: parallel */
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
ALONE static void triangle(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        double s = x[i];
        for (int j = 0; j < i; j++) /* loop: reduction */
            s -= u[i][j] * x[j];
        x[i] = s / (2 + i);
    }
}
ALONE static void triangle_set(int n)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = i; j < n; j++) /* loop: parallel */
            u[i][j] = v[j][i] + 1;
}
ALONE static void symmetric(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) /* loop: parallel */
            u[j][i] = u[i][j];
}
ALONE static void symmetric_bad(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        for (int j = 0; j < n; j++)
            u[j][i] = u[i][j] + 1;
}
ALONE static void transpose(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double t = u[i][j];
            u[i][j] = u[j][i];
            u[j][i] = t;
        }
}
ALONE static void time_swap(int steps, int n)
{
    double *a = x, *b = y;
    for (int t = 0; t < steps; t++) {   /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        double *q = a;
        a = b;
        b = q;
    }
}
ALONE static void time_parity(int steps, int n)
{
    static double p[2][COUNT];
    for (int t = 0; t < steps; t++)     /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            p[(t + 1) & 1][i] = p[t & 1][i - 1] + p[t & 1][i + 1] + i;
    digest(p, sizeof p);
}
ALONE static void time_one(int steps, int n)
{
    for (int t = 0; t < steps; t++)     /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: no */
            x[i] = (x[i - 1] + x[i + 1]) / 2;
}
ALONE static void rings(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ring[i % 16] = ring[(i + 13) % 16] + i;
}
ALONE static void ring_write(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ring[i & 15] = i * 3;
}
ALONE static void ring_scratch(int n)
{
    for (int i = 0; i < n; i++) {
        ring[i & 15] = i;
        g[i] = ring[i & 15] * 2;
    }
}
ALONE static void scan(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        g[i] += g[i - 1];
}
ALONE static void scan_excl(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        int t = g[i];
        g[i] = s;
        s += t;
    }
}
ALONE static void scan_step(int n, int s)
{
    for (int i = n - 1; i >= s; i--) /* loop: no */
        g[i] += g[i - s];
}
ALONE static void scan_up(int n)
{
    for (int s = 1; s < n; s *= 2)                 /* loop: no */
        for (int i = 2 * s - 1; i < n; i += 2 * s) /* loop: parallel */
            g[i] += g[i - s];
}
ALONE static void hist(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        h[k[i] & 15]++;
}
ALONE static void hist_read(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        g[i] = h[k[i] & 15]++;
}
ALONE static void hist_priv(int n)
{
    for (int t = 0; t < 4; t++)
        for (int i = t * n / 4; i < (t + 1) * n / 4; i++) /* loop: reduction */
            hh[t][k[i] & 15]++;
}
ALONE static void hist_clamp(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (h[k[i] & 15] < 12)
            h[k[i] & 15]++;
}
ALONE static void scatter(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        g[k[i]] = i;
}
ALONE static void gather(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        g[i] = h[k[i] & 15] + 1;
}
ALONE static void chase(int n)
{
    int p = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        g[i] = p;
        p = k[p];
    }
}
ALONE static void sweep3(int n)
{
    for (int i = 1; i < n; i++)         /* loop: no */
        for (int j = 0; j < n; j++)     /* loop: parallel */
            for (int l = 0; l < n; l++) /* loop: parallel */
                t3[i][j][l] = t3[i - 1][j][l] + i * j - l;
}
ALONE static void skewed(int n)
{
    for (int i = 1; i < n; i++)         /* loop: no */
        for (int j = 0; j < n - 1; j++) /* loop: parallel */
            u[i][j] = u[i - 1][j + 1] + 1;
}
ALONE static void flat(int n)
{
    for (int i = 0; i < n; i++)     /* loop: no */
        for (int j = 0; j < n; j++) /* loop: no */
            if (i * n + j)
                w[i * n + j] = w[i * n + j - 1] * 0.5 + 1;
}
ALONE static void flat_overlap(int n)
{
    for (int i = 0; i < n - 1; i++)  /* loop: no */
        for (int j = 0; j <= n; j++) /* loop: parallel */
            w[i * n + j] = w[i * n + j] * 0.5 + i;
}
ALONE static void gauss(int n)
{
    for (int p = 0; p < n; p++)           /* loop: no */
        for (int i = p + 1; i < n; i++) { /* loop: parallel */
            double f = v[i][p] / v[p][p];
            for (int j = p; j < n; j++) /* loop: parallel */
                v[i][j] -= f * v[p][j];
        }
}
ALONE static void gauss_jordan_bad(int n, int p)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        double f = v[i][p] / (v[p][p] + 3);
        for (int j = p; j < n; j++)
            v[i][j] -= f * v[p][j];
    }
}
ALONE static void dist(int n, int m)
{
    for (int i = m; i < n; i++) /* loop: no */
        g[i] = g[i - m] + 1;
}
ALONE static void dist_safe(int n, int m)
{
    for (int i = 0; i < m; i++)
        g[i + m] = g[i] + 1;
}
ALONE static void lcs(int n)
{
    for (int i = 1; i < n; i++)     /* loop: no */
        for (int j = 1; j < n; j++) /* loop: no */
            t3[0][i][j] = k[i] % 5 == k[j] % 7                ? t3[0][i - 1][j - 1] + 1
                          : t3[0][i - 1][j] > t3[0][i][j - 1] ? t3[0][i - 1][j]
                                                              : t3[0][i][j - 1];
}
ALONE static void knap(int n)
{
    for (int i = 0; i < 10; i++)             /* loop: no */
        for (int c = n - 1; c >= 3 + i; c--) /* loop: no */
            if (g[c - 3 - i] + i > g[c])
                g[c] = g[c - 3 - i] + i;
}
ALONE static void sieve(int n)
{
    for (int i = 2; i * i < n; i++) /* loop: no */
        if (!g[i])
            for (int j = i * i; j < n; j += i)
                g[j] = 1;
}
ALONE static void firstcol(int n)
{
    for (int i = 0; i < n; i++)     /* loop: no */
        for (int j = 0; j < n; j++) /* loop: parallel */
            u[i][j] += u[(i + 1) % n][j];
}
int main(int argc, char **argv)
{
    int n = COUNT * argc, m = M * argc;
    for (int i = 0; i < COUNT; i++)
        x[i] = i % 7, y[i] = i % 5, k[i] = i * 7 % COUNT, g[i] = i * 5 % 11;
    k[COUNT - 1] = 3;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            u[i][j] = i + j % 3, v[i][j] = (i * 7 + j * 3) % 5 + (i == j) * 40, w[i * M + j] = i - j;
    wavefront(m), diagonals(m), redblack(m), redblack_bad(m), triangle(m), triangle_set(m);
    symmetric(m), symmetric_bad(m), transpose(m), digest(u, sizeof u), time_swap(T * argc, n);
    time_parity(T * argc, n), time_one(T * argc, n), rings(n), ring_write(n - 5), digest(ring, sizeof ring);
    ring_scratch(n), digest(g, sizeof g), scan(n), scan_excl(n), scan_step(n, 8 * argc), scan_up(256 * argc);
    digest(g, sizeof g), hist(n), hist_read(n), hist_priv(n), hist_clamp(n), digest(h, sizeof h);
    digest(hh, sizeof hh), digest(g, sizeof g), scatter(n), digest(g, sizeof g), gather(n);
    digest(g, sizeof g), chase(n), digest(g, sizeof g), sweep3(m), skewed(m), flat(m), flat_overlap(m);
    gauss(m), gauss_jordan_bad(m, 3), dist(n, 7 * argc), digest(g, sizeof g), dist_safe(n, n / 2);
    digest(g, sizeof g), lcs(m), knap(n), digest(g, sizeof g), memset(g, 0, sizeof g), sieve(n);
    digest(g, sizeof g), firstcol(m), digest(u, sizeof u), digest(v, sizeof v), digest(w, sizeof w);
    digest(x, sizeof x), digest(y, sizeof y), digest(t3, sizeof t3);
    return finish();
}
