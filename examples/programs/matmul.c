/* Dense algebra: c = a b, then what it adds up to.      matmul [N] */
#include <stdio.h>
#include <stdlib.h>

static double *matrix(int n, int salt)
{
    double *m = malloc(sizeof *m * (size_t)n * (size_t)n);
    if (!m)
        exit(1);
    for (int i = 0; i < n * n; i++)
        m[i] = (i * 7 + salt) % 11 - 5;
    return m;
}

static void multiply(int n, const double *a, const double *b, double *c)
{
    int i, j, k;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            double sum = 0;
            for (k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 160;
    double *a = matrix(n, 1), *b = matrix(n, 4), *c = matrix(n, 0), trace = 0;
    multiply(n, a, b, c);
    for (int i = 0; i < n; i++)
        trace += c[i * n + i];
    printf("trace %.3f, corner %.3f\n", trace, c[n * n - 1]);
    free(a);
    free(b);
    free(c);
    return 0;
}
