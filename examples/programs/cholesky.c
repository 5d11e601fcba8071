/* Triangular algebra: a = l l', column after column; the rows below the diagonal are free.      cholesky [N]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1300 };
static double a[MOST][MOST];

static void factor(int n)
{
    for (int j = 0; j < n; j++) {
        double d = a[j][j];
        for (int k = 0; k < j; k++)
            d -= a[j][k] * a[j][k];
        d = sqrt(d);
        a[j][j] = d;
        for (int i = j + 1; i < n; i++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= a[i][k] * a[j][k];
            a[i][j] = s / d;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 220;
    double norm = 0;
    if (n < 1 || n > MOST)
        return 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i == j ? n + 1 : 1.0 / (1 + i + j);
    factor(n);
    for (int i = 0; i < n; i++)
        norm += a[i][i];
    printf("%.9f\n", norm);
    return 0;
}
