/* Loops that need their order, where the value of an iteration before is handed on without a load and other
 * loads of the loop stand near: globals, other fields, other ways. Labels as in dependent.c. */
#include <stdio.h>
#include <stdlib.h>
#define ALONE __attribute__((noinline))
double k = 1.5;
/* a load is gone (forwarded), another of a global stands there */
static inline void fw(double *a, double *b, double *c, double *d, int n)
{
    for (int j = 0; j < n; j++) { /* loop: sequential */
        double o = a[j], t = b[j];
        c[j + 1] = t * k;
        d[j] = o + t;
    }
}
ALONE void forwarded(double *p, double *y, double *d, int n)
{
    fw(p, y, p, d, n);
}
static inline void fc(double *a, double *b, double *c, double *d, int n)
{
    for (int j = 0; j < n; j++) { /* loop: sequential */
        double o = a[j], t = b[j];
        d[j] = o + t * k;
        c[j + 1] = j;
    }
}
ALONE void counted(double *p, double *y, double *d, int n)
{
    fc(p, y, p, d, n);
}
/* scratch of which only a part is set anew */
static inline double part(int n)
{
    double t[16] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        for (int m = 0; m < 8; m++)
            t[(m + i) & 15] = i + m;
        for (int m = 0; m < 16; m++)
            s += t[m] * m;
    }
    return s;
}
/* fields set in two lines, one of which the next iteration overwrites */
typedef struct {
    double re, im;
} cplx;
ALONE void fields(cplx *z, const double *x, int n)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        z[i].re = x[i];
        z[i + 1].re = x[i] * 2;
        z[i].im = x[i] + 1;
    }
}
ALONE void fields2(cplx *z, const double *x, int n)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        z[2 * i].re = x[i];
        z[2 * i].im = x[i] + 1;
        z[2 * i + 2].im = x[i] * 3;
    }
}
/* once more, but at another element */
ALONE void other(double *c, const double *x, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        k = i;
        c[k] = x[i];
        k++;
        if (x[i] < -5)
            c[k] = 0;
    }
}
/* neighbours in registers of what the loop writes */
ALONE double three(double *a, double *b, int n)
{
    double s = 0;
    for (int i = 1; i < n - 1; i++) { /* loop: sequential */
        s += a[i - 1] * a[i] + a[i + 1];
        b[i] = s;
    }
    return s;
}
ALONE void smooth(double *a, int n)
{
    for (int i = 1; i < n - 1; i++) /* loop: sequential */
        a[i - 1] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}
static inline void sm(double *b, const double *a, int n)
{
    for (int i = 2; i < n - 2; i++) /* loop: sequential */
        b[i + 1] = a[i - 2] + a[i] - a[i - 1] * 0.5;
}
ALONE void smoothed(double *p, int n)
{
    sm(p, p, n);
}
/* rows that are one */
ALONE void rows(double **u, int n)
{
    for (int i = 0; i < n - 1; i++) /* loop: sequential */
        u[i][0] = u[i + 1][n - 2];
}
/* ways that exclude each other, and need the one before */
ALONE void ways(int *a, const int *w, int n)
{
    for (int i = 1; i < n; i++) { /* loop: sequential */
        int m = a[i - 1];
        if (i < n - 1)
            m = m < w[i] ? m : w[i];
        a[i] = m + w[i];
    }
}
ALONE void ways2(int *a, int *b, const int *w, int n)
{
    for (int i = 1; i < n; i++) { /* loop: sequential */
        int m = a[i];
        if (i < n - 1)
            m = m < w[i + 1] ? m : w[i + 1];
        if (i > 1)
            m = m < b[i - 1] ? m : b[i - 1];
        b[i] = m;
    }
}
/* last pass of a loop inside alone */
ALONE double passes(int n)
{
    static double t[8], s;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        double l = 0;
        for (int m = 0; m < 4; m++)
            l = t[m];
        for (int m = 0; m < 4; m++)
            t[m] = i + m;
        s = l + i;
    }
    return s;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60;
    double *p = calloc(200, 8), *y = calloc(200, 8), *d = calloc(200, 8), s = 0;
    for (int i = 0; i < 200; i++)
        p[i] = i, y[i] = i * 0.5;
    forwarded(p, y, d, n);
    s += d[5];
    counted(p, y, d, n);
    s += d[6];
    s += part(n);
    cplx *z = calloc(400, sizeof *z);
    fields(z, y, n);
    s += z[3].re + z[4].im;
    fields2(z, y, n);
    s += z[8].im;
    other(d, y, n);
    s += d[3];
    s += three(y, d, n);
    smooth(y, n);
    smoothed(y, n);
    s += y[20];
    double *u[64];
    for (int i = 0; i < 64; i++)
        u[i] = calloc(64, 8);
    for (int i = 0; i < 64; i += 2)
        u[i] = p;
    rows(u, n);
    s += p[0];
    int a[200], b[200], w[200];
    for (int i = 0; i < 200; i++)
        a[i] = i * 7 % 31, w[i] = i * 5 % 17, b[i] = i;
    ways(a, w, n);
    ways2(a, b, w, n);
    s += passes(n);
    printf("%g %d %d\n", s, a[9], b[9]);
}
