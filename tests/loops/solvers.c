/* Loops of the kind for which suites of solvers have published OpenMP versions: conjugate gradients,
 * multigrid, transforms, counting, random pairs, lines of a grid. Labels as in dependent.c and independent.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define N 96
typedef struct {
    double re, im;
} cplx;
typedef struct {
    float x, y, z, w;
} quad;
typedef struct {
    int first, count;
    int *nb;
} box_t;
typedef struct {
    double *v;
    int rows, cols;
} mat;
static unsigned long long seed = 88172645463325252ULL;
static double rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed % 100000) / 100000.0;
}

/* --- CG --- */
static void spmv(int n, const int *row, const int *col, const double *a, const double *p, double *q)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double s = 0.0;
        for (int k = row[i]; k < row[i + 1]; k++) /* loop: reduction */
            s += a[k] * p[col[k]];
        q[i] = s;
    }
}
static double dot(int n, const double *x, const double *y)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += x[i] * y[i];
    return s;
}
static double cg(int n, const int *row, const int *col, const double *a, double *x, double *b, int its)
{
    double *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    double rho, rho0, alpha, beta;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        x[i] = 0.0;
        r[i] = b[i];
        p[i] = r[i];
    }
    rho = dot(n, r, r);
    for (int it = 0; it < its; it++) { /* loop: sequential */
        spmv(n, row, col, a, p, q);
        alpha = rho / dot(n, p, q);
        for (int i = 0; i < n; i++) { /* loop: parallel */
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho0 = rho;
        rho = dot(n, r, r);
        beta = rho / rho0;
        for (int i = 0; i < n; i++) /* loop: parallel */
            p[i] = r[i] + beta * p[i];
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        double d = b[i] - x[i];
        sum += d * d;
    }
    free(r);
    free(p);
    free(q);
    return sqrt(sum);
}

/* --- MG --- */
static void resid(double ***u, double ***v, double ***r, int n, const double *c)
{
    double u1[N], u2[N];
    for (int i3 = 1; i3 < n - 1; i3++) {     /* loop: private */
        for (int i2 = 1; i2 < n - 1; i2++) { /* loop: private */
            for (int i1 = 0; i1 < n; i1++) { /* loop: parallel */
                u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
                u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] +
                         u[i3 + 1][i2 + 1][i1];
            }
            for (int i1 = 1; i1 < n - 1; i1++) /* loop: parallel */
                r[i3][i2][i1] = v[i3][i2][i1] - c[0] * u[i3][i2][i1] -
                                c[2] * (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) - c[3] * (u2[i1 - 1] + u2[i1 + 1]);
        }
    }
}
static double norm2u3(double ***r, int n, double *rnmu)
{
    double s = 0.0, big = 0.0;
    for (int i3 = 1; i3 < n - 1; i3++)           /* loop: reduction */
        for (int i2 = 1; i2 < n - 1; i2++)       /* loop: reduction */
            for (int i1 = 1; i1 < n - 1; i1++) { /* loop: reduction */
                s += r[i3][i2][i1] * r[i3][i2][i1];
                double t = fabs(r[i3][i2][i1]);
                if (t > big)
                    big = t;
            }
    *rnmu = big;
    return sqrt(s / (n * n * n));
}
static void comm3(double ***u, int n)
{
    for (int i3 = 1; i3 < n - 1; i3++) {     /* loop: parallel */
        for (int i2 = 1; i2 < n - 1; i2++) { /* loop: parallel */
            u[i3][i2][0] = u[i3][i2][n - 2];
            u[i3][i2][n - 1] = u[i3][i2][1];
        }
        for (int i1 = 0; i1 < n; i1++) { /* loop: parallel */
            u[i3][0][i1] = u[i3][n - 2][i1];
            u[i3][n - 1][i1] = u[i3][1][i1];
        }
    }
}

/* --- FT --- */
static void fftz(int dir, int m, int n, cplx *x, cplx *y)
{
    for (int l = 0; l < m; l++) { /* loop: sequential */
        int half = 1 << l;
        for (int k = 0; k < n / 2; k++) { /* loop: parallel */
            int j = k / half, r = k % half;
            double ang = dir * 3.14159265358979 * r / half;
            cplx w = {cos(ang), sin(ang)};
            cplx a = x[j * 2 * half + r], b = x[j * 2 * half + r + half];
            cplx t = {w.re * b.re - w.im * b.im, w.re * b.im + w.im * b.re};
            y[j * 2 * half + r].re = a.re + t.re;
            y[j * 2 * half + r].im = a.im + t.im;
            y[j * 2 * half + r + half].re = a.re - t.re;
            y[j * 2 * half + r + half].im = a.im - t.im;
        }
        cplx *s = x;
        x = y;
        y = s;
    }
}
static void cffts1(int dir, int d1, int d2, cplx *x)
{
    cplx y0[64], y1[64];
    for (int k = 0; k < d2; k++) {   /* loop: private */
        for (int i = 0; i < d1; i++) /* loop: parallel */
            y0[i] = x[k * d1 + i];
        fftz(dir, 4, d1, y0, y1);
        for (int i = 0; i < d1; i++) /* loop: parallel */
            x[k * d1 + i] = y0[i];
    }
}
static void evolve(cplx *u0, cplx *u1, const double *tw, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        u0[i].re *= tw[i];
        u0[i].im *= tw[i];
        u1[i] = u0[i];
    }
}
static void checksum(const cplx *u, int n, cplx *out)
{
    cplx chk = {0, 0};
    for (int j = 1; j <= 32; j++) { /* loop: reduction */
        int q = j % 16, r = (3 * j) % 16;
        chk.re += u[q * 16 + r].re;
        chk.im += u[q * 16 + r].im;
    }
    *out = chk;
    (void)n;
}

/* --- IS --- */
static void rank_keys(const int *key, int n, int *count, int max, int *rank)
{
    for (int i = 0; i < max; i++) /* loop: parallel */
        count[i] = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        count[key[i]]++;
    for (int i = 1; i < max; i++) /* loop: sequential */
        count[i] += count[i - 1];
    for (int i = 0; i < n; i++) /* loop: sequential */
        rank[--count[key[i]]] = i;
}
/* --- EP --- */
static double ep(int nk, double *q, double *sx, double *sy)
{
    double x[64];
    double ax = 0, ay = 0;
    for (int k = 0; k < nk; k++) { /* loop: reduction */
        unsigned s = 314159u + k * 7919u;
        for (int i = 0; i < 64; i++) { /* loop: sequential */
            s = s * 1664525u + 1013904223u;
            x[i] = (s >> 8) / 16777216.0;
        }
        for (int i = 0; i < 32; i++) { /* loop: reduction */
            double a = 2 * x[2 * i] - 1, b = 2 * x[2 * i + 1] - 1, t = a * a + b * b;
            if (t <= 1.0) {
                double t2 = sqrt(-2.0 * log(t + 1e-9) / (t + 1e-9)), t3 = a * t2, t4 = b * t2;
                int l = (int)fmax(fabs(t3), fabs(t4));
                q[l & 15] += 1.0;
                ax += t3;
                ay += t4;
            }
        }
    }
    *sx = ax;
    *sy = ay;
    return ax + ay;
}
/* --- BT/SP/LU-like --- */
static double uu[12][12][12][5], rhs[12][12][12][5], lhs[12][5][5];
static void compute_rhs(int n, double dt)
{
    for (int i = 0; i < n; i++)             /* loop: parallel */
        for (int j = 0; j < n; j++)         /* loop: parallel */
            for (int k = 0; k < n; k++)     /* loop: parallel */
                for (int m = 0; m < 5; m++) /* loop: parallel */
                    rhs[i][j][k][m] = 0.1 * uu[i][j][k][m];
    for (int i = 1; i < n - 1; i++) {         /* loop: parallel */
        for (int j = 1; j < n - 1; j++) {     /* loop: parallel */
            for (int k = 1; k < n - 1; k++) { /* loop: parallel */
                double q = 1.0 / (1.0 + uu[i][j][k][0] * uu[i][j][k][0]);
                rhs[i][j][k][0] += q * (uu[i + 1][j][k][0] - 2 * uu[i][j][k][0] + uu[i - 1][j][k][0]);
                for (int m = 1; m < 5; m++) /* loop: parallel */
                    rhs[i][j][k][m] += q * (uu[i][j + 1][k][m] - uu[i][j - 1][k][m]) * dt;
            }
        }
    }
}
static void x_solve(int n)
{
    double fac[12][5];
    for (int j = 1; j < n - 1; j++) {       /* loop: private */
        for (int k = 1; k < n - 1; k++) {   /* loop: private */
            for (int i = 0; i < n; i++)     /* loop: parallel */
                for (int m = 0; m < 5; m++) /* loop: parallel */
                    fac[i][m] = 1.0 / (2.0 + uu[i][j][k][m] * uu[i][j][k][m]);
            for (int i = 1; i < n; i++)     /* loop: sequential */
                for (int m = 0; m < 5; m++) /* loop: parallel */
                    rhs[i][j][k][m] -= fac[i][m] * rhs[i - 1][j][k][m];
            for (int i = n - 2; i >= 0; i--) /* loop: sequential */
                for (int m = 0; m < 5; m++)  /* loop: parallel */
                    rhs[i][j][k][m] -= fac[i + 1][m] * rhs[i + 1][j][k][m];
        }
    }
}
static void add(int n)
{
    int i, j, k, m;
    for (i = 1; i < n - 1; i++)         /* loop: parallel */
        for (j = 1; j < n - 1; j++)     /* loop: parallel */
            for (k = 1; k < n - 1; k++) /* loop: parallel */
                for (m = 0; m < 5; m++) /* loop: parallel */
                    uu[i][j][k][m] += rhs[i][j][k][m];
}
static void error_norm(int n, double rms[5])
{
    int i, j, k, m;
    double d;
    for (m = 0; m < 5; m++)
        rms[m] = 0.0;                     /* loop: parallel */
    for (i = 0; i < n; i++)               /* loop: reduction */
        for (j = 0; j < n; j++)           /* loop: reduction */
            for (k = 0; k < n; k++)       /* loop: reduction */
                for (m = 0; m < 5; m++) { /* loop: parallel */
                    d = uu[i][j][k][m] - 0.5;
                    rms[m] = rms[m] + d * d;
                }
    for (m = 0; m < 5; m++)
        rms[m] = sqrt(rms[m] / n); /* loop: parallel */
}
static double linear(void)
{
    double s = 0;
    int n = 200, row[201], nz = 0, *col = malloc(n * 8 * sizeof *col);
    double *a = malloc(n * 8 * sizeof *a), *x = malloc(n * sizeof *x), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        row[i] = nz;
        for (int k = 0; k < 5; k++) {
            col[nz] = (i + k * 37) % n;
            a[nz++] = k ? 0.1 * rnd() : 4.0;
        }
        b[i] = rnd();
    }
    row[n] = nz;
    s += cg(n, row, col, a, x, b, 8);
    int g = 18;
    double ***u[3];
    for (int t = 0; t < 3; t++) {
        u[t] = malloc(g * sizeof *u[t]);
        for (int i = 0; i < g; i++) {
            u[t][i] = malloc(g * sizeof *u[t][i]);
            for (int j = 0; j < g; j++) {
                u[t][i][j] = malloc(g * sizeof(double));
                for (int k = 0; k < g; k++)
                    u[t][i][j][k] = rnd();
            }
        }
    }
    double c[4] = {-8.0 / 3, 0, 1.0 / 6, 1.0 / 12}, big;
    for (int t = 0; t < 3; t++) {
        resid(u[0], u[1], u[2], g, c);
        comm3(u[2], g);
        s += norm2u3(u[2], g, &big) + big;
    }
    return s;
}

static double others(void)
{
    double s = 0;
    cplx f[256], f2[256], chk;
    double tw[256];
    for (int i = 0; i < 256; i++) {
        f[i].re = rnd();
        f[i].im = rnd();
        tw[i] = rnd();
    }
    for (int t = 0; t < 3; t++) {
        cffts1(1, 16, 16, f);
        evolve(f, f2, tw, 256);
        checksum(f2, 256, &chk);
        s += chk.re + chk.im;
    }
    int key[500], cnt[64], rank[500];
    for (int i = 0; i < 500; i++)
        key[i] = (int)(rnd() * 64) & 63;
    for (int t = 0; t < 3; t++) {
        rank_keys(key, 500, cnt, 64, rank);
        s += rank[17];
    }
    double q[16] = {0}, sx, sy, rms[5];
    s += ep(40, q, &sx, &sy) + q[0] + q[1];
    for (int i = 0; i < 12 * 12 * 12 * 5; i++)
        (&uu[0][0][0][0])[i] = rnd();
    for (int t = 0; t < 3; t++) {
        compute_rhs(12, 0.01);
        x_solve(12);
        add(12);
        error_norm(12, rms);
        s += rms[0] + rms[4];
    }
    return s;
}

int main(void)
{
    (void)lhs;
    printf("%g\n", linear() + others());
}
