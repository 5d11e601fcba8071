/* Tasks that depend on each other: a blocked Cholesky factorisation. */
#include "truth.h"
enum { N = SIZE(96, 1024), B = SIZE(16, 64), T = N / B };
static double a[T][T][B][B];
static void factor(double d[B][B])
{
    for (int k = 0; k < B; k++) {
        d[k][k] = sqrt(d[k][k]);
        for (int i = k + 1; i < B; i++)
            d[i][k] /= d[k][k];
        for (int j = k + 1; j < B; j++)
            for (int i = j; i < B; i++)
                d[i][j] -= d[i][k] * d[j][k];
    }
}
static void solve(double d[B][B], double x[B][B])
{
    for (int k = 0; k < B; k++)
        for (int i = 0; i < B; i++) {
            x[i][k] /= d[k][k];
            for (int j = k + 1; j < B; j++)
                x[i][j] -= x[i][k] * d[j][k];
        }
}
static void update(double x[B][B], double y[B][B], double c[B][B])
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            double s = 0;
            for (int k = 0; k < B; k++)
                s += x[i][k] * y[j][k];
            c[i][j] -= s;
        }
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i / B][j / B][i % B][j % B] = i == j ? N + 1 : 1.0 / (1 + i + j);
    KERNEL_BEGIN();
    BEGIN("tiles.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("tiles.spawn");
        for (int k = 0; k < T; k++) {
#pragma omp task depend(inout : a[k][k])
            {
                CALL_BEGIN("tiles.factor");
                factor(a[k][k]);
                CALL_END("tiles.factor");
            }
            for (int i = k + 1; i < T; i++) {
#pragma omp task depend(in : a[k][k]) depend(inout : a[i][k])
                {
                    CALL_BEGIN("tiles.solve");
                    solve(a[k][k], a[i][k]);
                    CALL_END("tiles.solve");
                }
            }
            for (int i = k + 1; i < T; i++)
                for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : a[i][k], a[j][k]) depend(inout : a[i][j])
                    {
                        CALL_BEGIN("tiles.update");
                        update(a[i][k], a[j][k], a[i][j]);
                        CALL_END("tiles.update");
                    }
                }
        }
        END("tiles.spawn");
    }
    END("tiles.all");
    KERNEL_END(a[T - 1][T - 1][B - 1][B - 1]);
}
