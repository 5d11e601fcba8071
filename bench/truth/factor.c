/* A matrix of tiles is factorised (Cholesky): tasks for each tile and step, told apart by what they need. */
#include "truth.h"
enum { T = SIZE(5, 10), E = SIZE(14, 64) };
static double m[T][T][E][E];
static char at[T][T];
static void root(double a[E][E])
{
    for (int k = 0; k < E; k++) {
        a[k][k] = sqrt(a[k][k]);
        for (int i = k + 1; i < E; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j <= i; j++)
                a[i][j] -= a[i][k] * a[j][k];
        }
    }
}
static void solve(double a[E][E], double l[E][E])
{
    for (int i = 0; i < E; i++)
        for (int j = 0; j < E; j++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= a[i][k] * l[j][k];
            a[i][j] = s / l[j][j];
        }
}
static void update(double c[E][E], double a[E][E], double b[E][E])
{
    for (int i = 0; i < E; i++)
        for (int j = 0; j < E; j++) {
            double s = c[i][j];
            for (int k = 0; k < E; k++)
                s -= a[i][k] * b[j][k];
            c[i][j] = s;
        }
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < T; i++)
        for (int j = 0; j <= i; j++)
            for (int y = 0; y < E; y++)
                for (int x = 0; x < E; x++)
                    m[i][j][y][x] = i == j && x == y ? 100.0 * T : 1.0 / (1 + i + j + x + y);
    KERNEL_BEGIN();
    BEGIN("factor.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("factor.make");
        for (int k = 0; k < T; k++) {
#pragma omp task depend(inout : at[k][k]) firstprivate(k)
            {
                CALL_BEGIN("factor.root");
                root(m[k][k]);
                CALL_END("factor.root");
            }
            for (int i = k + 1; i < T; i++) {
#pragma omp task depend(in : at[k][k]) depend(inout : at[i][k]) firstprivate(i, k)
                {
                    CALL_BEGIN("factor.solve");
                    solve(m[i][k], m[k][k]);
                    CALL_END("factor.solve");
                }
            }
            for (int i = k + 1; i < T; i++)
                for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : at[i][k], at[j][k]) depend(inout : at[i][j]) firstprivate(i, j, k)
                    {
                        CALL_BEGIN("factor.update");
                        update(m[i][j], m[i][k], m[j][k]);
                        CALL_END("factor.update");
                    }
                }
        }
        END("factor.make");
    }
    END("factor.all");
    KERNEL_END(m[T - 1][0][1][1]);
}
