#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int n = 400, nz, *row, *col;
double *a, *x, *r, *p, *q;
static double dot(const double *u, const double *v)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += u[i] * v[i];
    return s;
}
static void product(const double *v, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += a[k] * v[col[k]];
        y[i] = s;
    }
}
static void add(double by, const double *v, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += by * v[i];
}
int main(void)
{
    row = malloc((n + 1) * sizeof *row), col = malloc(3 * n * sizeof *col), a = malloc(3 * n * sizeof *a);
    x = calloc(n, sizeof *x), r = malloc(n * sizeof *r), p = malloc(n * sizeof *p), q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++) {
        row[i] = nz;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < n)
                col[nz] = j, a[nz++] = j == i ? 3 : -1;
        r[i] = p[i] = 1 + i % 5;
    }
    row[n] = nz;
    double rho = dot(r, r), before;
    for (int step = 0; step < 10; step++) {
        product(p, q);
        double by = rho / dot(p, q);
        add(by, p, x);
        add(-by, q, r);
        before = rho, rho = dot(r, r);
        if (sqrt(rho) < 1e-9)
            break;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    printf("%.6f\n", dot(x, x));
    return 0;
}
/* kinds: functions put into a loop that the compiler made a tangle of: theirs are not */
