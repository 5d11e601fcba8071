/* Dense and sparse kernels as suites of numerical benchmarks have them: products, solvers, stencils, dynamic
 * programming, on arrays that are globals, parameters of variable size, and blocks of the heap. Labels as in
 * dependent.c and independent.c. */
#include "loops.h"

#include <math.h>

#define ALONE __attribute__((noinline))

enum { M = 20 };
static double g1[M][M], g2[M][M], g3[M][M], cube1[M][M][M], cube2[M][M][M];
static double v1[M], v2[M], v3[M], v4[M];
static float img[M][M], img2[M][M];
static int table[M][M], seq1[M];

ALONE static void fill(void)
{
    for (int i = 0; i < M; i++) { /* loop: parallel */
        v1[i] = 1.0 / (i + 1);
        v2[i] = i * 0.25;
        v3[i] = v4[i] = 0;
        seq1[i] = (i * 7) % 4;
        for (int j = 0; j < M; j++) { /* loop: parallel */
            g1[i][j] = (i * j % 7) * 0.5 + (i == j) * M;
            g2[i][j] = (i + j) % 5;
            g3[i][j] = 0.125 * i;
        }
    }
}

/* A parameter of variable size. */
ALONE static void matvec_transposed(int m, int n, double a[m][n], const double *x, double *y, double *tmp)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        y[i] = 0;
    for (int i = 0; i < m; i++) { /* loop: reduction */
        tmp[i] = 0.0;
        for (int j = 0; j < n; j++) /* loop: reduction */
            tmp[i] = tmp[i] + a[i][j] * x[j];
        for (int j = 0; j < n; j++) /* loop: parallel */
            y[j] = y[j] + a[i][j] * tmp[i];
    }
}

/* Two products in one nest. */
ALONE static void two_products(int m, int n, double a[m][n], double *s, double *q, const double *p,
                               const double *r)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        s[i] = 0;
    for (int i = 0; i < m; i++) { /* loop: reduction */
        double t = 0;
        for (int j = 0; j < n; j++) { /* loop: reduction */
            s[j] += r[i] * a[i][j];
            t += a[i][j] * p[j];
        }
        q[i] = t;
    }
}

ALONE static void product(int n, double alpha, double beta, double *restrict c, const double *restrict a,
                          const double *restrict b)
{
    for (int i = 0; i < n; i++) {   /* loop: parallel */
        for (int j = 0; j < n; j++) /* loop: parallel */
            c[i * n + j] *= beta;
        for (int k = 0; k < n; k++)     /* loop: reduction */
            for (int j = 0; j < n; j++) /* loop: parallel */
                c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
    }
}

ALONE static void rank_update(int n, double alpha, double beta)
{
    for (int i = 0; i < n; i++) {    /* loop: parallel */
        for (int j = 0; j <= i; j++) /* loop: parallel */
            g3[i][j] *= beta;
        for (int k = 0; k < n; k++)      /* loop: reduction */
            for (int j = 0; j <= i; j++) /* loop: parallel */
                g3[i][j] += g1[j][k] * alpha * g2[i][k] + g2[j][k] * alpha * g1[i][k];
    }
}

ALONE static void triangular_product(int n)
{
    for (int i = 0; i < n; i++)             /* loop: no */
        for (int j = 0; j < n; j++) {       /* loop: parallel */
            for (int k = i + 1; k < n; k++) /* loop: reduction */
                g2[i][j] += g1[k][i] * g2[k][j];
            g2[i][j] = 0.9 * g2[i][j];
        }
}

ALONE static void cholesky(int n)
{
    for (int i = 0; i < n; i++) {       /* loop: no */
        for (int j = 0; j < i; j++) {   /* loop: no */
            for (int k = 0; k < j; k++) /* loop: reduction */
                g1[i][j] -= g1[i][k] * g1[j][k];
            g1[i][j] /= g1[j][j];
        }
        for (int k = 0; k < i; k++) /* loop: reduction */
            g1[i][i] -= g1[i][k] * g1[i][k];
        g1[i][i] = sqrt(fabs(g1[i][i]) + 1);
    }
}

ALONE static void orthogonalise(int n, int m, double a[n][m], double r[m][m], double q[n][m])
{
    for (int k = 0; k < m; k++) { /* loop: no */
        double nrm = 0;
        for (int i = 0; i < n; i++) /* loop: reduction */
            nrm += a[i][k] * a[i][k];
        r[k][k] = sqrt(nrm) + 0.5;
        for (int i = 0; i < n; i++) /* loop: parallel */
            q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < m; j++) { /* loop: parallel */
            r[k][j] = 0;
            for (int i = 0; i < n; i++) /* loop: reduction */
                r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < n; i++) /* loop: parallel */
                a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
}

ALONE static void toeplitz(int n, const double *r, double *y, double *z)
{
    double alpha = -r[0], beta = 1;
    y[0] = -r[0];
    for (int k = 1; k < n; k++) { /* loop: no */
        double sum = 0;
        beta = (1 - alpha * alpha) * beta + 0.01;
        for (int i = 0; i < k; i++) /* loop: reduction */
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++) /* loop: parallel */
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++) /* loop: parallel */
            y[i] = z[i];
        y[k] = alpha;
    }
}

ALONE static void forward_substitution(int n, double *x, const double *b)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        x[i] = b[i];
        for (int j = 0; j < i; j++) /* loop: reduction */
            x[i] -= g1[i][j] * x[j];
        x[i] = x[i] / g1[i][i];
    }
}

ALONE static void correlate(int n, int m, double *data, double *mean, double *dev, double *corr)
{
    for (int j = 0; j < m; j++) { /* loop: parallel */
        mean[j] = 0.0;
        for (int i = 0; i < n; i++) /* loop: reduction */
            mean[j] += data[i * m + j];
        mean[j] /= n;
    }
    for (int j = 0; j < m; j++) { /* loop: parallel */
        dev[j] = 0.0;
        for (int i = 0; i < n; i++) /* loop: reduction */
            dev[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
        dev[j] = sqrt(dev[j] / n);
        dev[j] = dev[j] <= 0.1 ? 1.0 : dev[j];
    }
    for (int i = 0; i < n; i++)       /* loop: parallel */
        for (int j = 0; j < m; j++) { /* loop: parallel */
            data[i * m + j] -= mean[j];
            data[i * m + j] /= sqrt((double)n) * dev[j];
        }
    for (int i = 0; i < m - 1; i++) { /* loop: parallel */
        corr[i * m + i] = 1.0;
        for (int j = i + 1; j < m; j++) { /* loop: parallel */
            corr[i * m + j] = 0.0;
            for (int k = 0; k < n; k++) /* loop: reduction */
                corr[i * m + j] += data[k * m + i] * data[k * m + j];
            corr[j * m + i] = corr[i * m + j];
        }
    }
}

ALONE static void waves(int steps, int n, double ex[n][n], double ey[n][n], double hz[n][n])
{
    for (int t = 0; t < steps; t++) { /* loop: no */
        for (int j = 0; j < n; j++)   /* loop: parallel */
            ey[0][j] = t;
        for (int i = 1; i < n; i++)     /* loop: parallel */
            for (int j = 0; j < n; j++) /* loop: parallel */
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)     /* loop: parallel */
            for (int j = 1; j < n; j++) /* loop: parallel */
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)     /* loop: parallel */
            for (int j = 0; j < n - 1; j++) /* loop: parallel */
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

ALONE static void heat(int steps, int n)
{
    for (int t = 0; t < steps; t++) {           /* loop: no */
        for (int i = 1; i < n - 1; i++)         /* loop: parallel */
            for (int j = 1; j < n - 1; j++)     /* loop: parallel */
                for (int k = 1; k < n - 1; k++) /* loop: parallel */
                    cube2[i][j][k] =
                        0.125 * (cube1[i + 1][j][k] - 2.0 * cube1[i][j][k] + cube1[i - 1][j][k]) +
                        0.125 * (cube1[i][j + 1][k] + cube1[i][j - 1][k]) +
                        0.125 * (cube1[i][j][k + 1] + cube1[i][j][k - 1]) + cube1[i][j][k];
        for (int i = 1; i < n - 1; i++)         /* loop: parallel */
            for (int j = 1; j < n - 1; j++)     /* loop: parallel */
                for (int k = 1; k < n - 1; k++) /* loop: parallel */
                    cube1[i][j][k] = cube2[i][j][k];
    }
}

ALONE static void alternating_directions(int n, double u[n][n], double v[n][n], double p[n][n],
                                         double q[n][n])
{
    double a = -0.2, b = 1.4, c = -0.2;
    for (int i = 1; i < n - 1; i++) { /* loop: parallel */
        v[0][i] = 1.0;
        p[i][0] = 0.0;
        q[i][0] = v[0][i];
        for (int j = 1; j < n - 1; j++) { /* loop: no */
            p[i][j] = -c / (a * p[i][j - 1] + b);
            q[i][j] = (-0.1 * u[j][i - 1] + 1.2 * u[j][i] - 0.1 * u[j][i + 1] - a * q[i][j - 1]) /
                      (a * p[i][j - 1] + b);
        }
        v[n - 1][i] = 1.0;
        for (int j = n - 2; j >= 1; j--) /* loop: no */
            v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
}

ALONE static void recursive_filter(int w, int h, float in[w][h], float out[w][h])
{
    for (int i = 0; i < w; i++) { /* loop: private */
        float y1 = 0, y2 = 0, x1 = 0;
        for (int j = 0; j < h; j++) { /* loop: no */
            out[i][j] = 0.2f * in[i][j] + 0.1f * x1 + 0.5f * y1 + 0.1f * y2;
            x1 = in[i][j];
            y2 = y1;
            y1 = out[i][j];
        }
    }
}

ALONE static void pairing(int n)
{
    for (int i = n - 1; i >= 0; i--)      /* loop: no */
        for (int j = i + 1; j < n; j++) { /* loop: no */
            if (j - 1 >= 0)
                table[i][j] = table[i][j] >= table[i][j - 1] ? table[i][j] : table[i][j - 1];
            if (i + 1 < n)
                table[i][j] = table[i][j] >= table[i + 1][j] ? table[i][j] : table[i + 1][j];
            if (j - 1 >= 0 && i + 1 < n && i < j - 1) {
                int m = table[i + 1][j - 1] + (seq1[i] + seq1[j] == 3);
                table[i][j] = table[i][j] >= m ? table[i][j] : m;
            }
        }
}

ALONE static void tensor(int r, int q, int p, double *sum)
{
    for (int i = 0; i < r; i++)           /* loop: private */
        for (int j = 0; j < q; j++) {     /* loop: private */
            for (int k = 0; k < p; k++) { /* loop: parallel */
                sum[k] = 0.0;
                for (int s = 0; s < p; s++) /* loop: reduction */
                    sum[k] += cube1[i][j][s] * g2[s][k];
            }
            for (int k = 0; k < p; k++) /* loop: parallel */
                cube1[i][j][k] = sum[k];
        }
}

ALONE static void seidel(int steps, int n, double a[n][n])
{
    for (int t = 0; t < steps; t++)         /* loop: no */
        for (int i = 1; i < n - 1; i++)     /* loop: no */
            for (int j = 1; j < n - 1; j++) /* loop: no */
                a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) / 5.0;
}

ALONE static void lu(int n, double *a)
{
    for (int k = 0; k < n; k++) {       /* loop: no */
        for (int i = k + 1; i < n; i++) /* loop: parallel */
            a[i * n + k] /= a[k * n + k];
        for (int i = k + 1; i < n; i++)     /* loop: parallel */
            for (int j = k + 1; j < n; j++) /* loop: parallel */
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

/* A smoother on a plane in two colours. */
ALONE static void red_black(int n, double *a, int colour)
{
    for (int i = 1; i < n - 1; i++)                           /* loop: parallel */
        for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2) /* loop: parallel */
            a[i * n + j] =
                0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
}

int main(void)
{
    double *h1 = malloc(M * M * sizeof *h1), *h2 = malloc(M * M * sizeof *h2),
           *h3 = malloc(M * M * sizeof *h3);
    double *w = malloc(M * sizeof *w);
    fill();
    for (int i = 0; i < M * M; i++) { /* loop: parallel */
        h1[i] = i % 11;
        h2[i] = i % 13 * 0.5;
        h3[i] = i % 3;
    }
    for (int i = 0; i < M; i++)       /* loop: parallel */
        for (int j = 0; j < M; j++) { /* loop: parallel */
            img[i][j] = (float)(i ^ j);
            for (int k = 0; k < M; k++) /* loop: parallel */
                cube1[i][j][k] = i + j - k;
        }
    matvec_transposed(M, M, g1, v1, v3, v4);
    two_products(M, M, g2, v3, v4, v1, v2);
    product(M, 1.5, 0.5, h1, h2, h3);
    rank_update(M, 0.5, 0.25);
    triangular_product(M);
    cholesky(M);
    orthogonalise(M, M, (double(*)[M])h2, g3, g2);
    toeplitz(M, v1, v3, v4);
    forward_substitution(M, v3, v2);
    correlate(M, M, h1, v3, v4, h3);
    waves(3, M, (double(*)[M])h1, (double(*)[M])h2, (double(*)[M])h3);
    heat(3, M);
    alternating_directions(M, g1, g2, (double(*)[M])h2, (double(*)[M])h3);
    recursive_filter(M, M, img, img2);
    pairing(M);
    tensor(M, M, M, w);
    seidel(3, M, (double(*)[M])h1);
    for (int i = 0; i < M; i++) /* loop: parallel */
        h2[i * M + i] += 100;
    lu(M, h2);
    red_black(M, h1, 0);
    red_black(M, h1, 1);
    digest(h1, M * M * sizeof *h1), digest(h2, M * M * sizeof *h2), digest(h3, M * M * sizeof *h3);
    digest(g1, sizeof g1), digest(g2, sizeof g2), digest(g3, sizeof g3), digest(cube1, sizeof cube1),
        digest(cube2, sizeof cube2);
    digest(img2, sizeof img2), digest(table, sizeof table), digest(v1, sizeof v1), digest(v3, sizeof v3),
        digest(v4, sizeof v4);
    return finish();
}
