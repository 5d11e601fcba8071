/* A triangular factor in blocks: tasks for the blocks below the diagonal, then for the rows that they change.
 */
#include "truth.h"
enum { N = SIZE(5, 10), B = SIZE(16, 64) };
static double a[N][N][B][B];
static void below(double (*d)[B], double (*t)[B])
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < j; k++)
                t[i][j] -= t[i][k] * d[j][k] * 0.01;
}
static void change(double (*l)[B], double (*m)[B], double (*t)[B])
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            double s = 0;
            for (int k = 0; k < B; k++)
                s += l[i][k] * m[j][k];
            t[i][j] -= 0.001 * s;
        }
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < B * B; k++)
                a[i][j][k / B][k % B] = 1 + (i + j * 3 + k) % 7;
    KERNEL_BEGIN();
    BEGIN("blocks.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("blocks.make");
        for (int k = 0; k + 1 < N; k++) {
            for (int i = k + 1; i < N; i++) {
#pragma omp task firstprivate(i, k)
                {
                    CALL_BEGIN("blocks.below");
                    below(a[k][k], a[i][k]);
                    CALL_END("blocks.below");
                }
            }
            CALL_BEGIN("blocks.meet");
#pragma omp taskwait
            CALL_END("blocks.meet");
            for (int i = k + 1; i < N; i++) {
#pragma omp task firstprivate(i, k)
                {
                    CALL_BEGIN("blocks.row");
                    for (int j = k + 1; j <= i; j++)
                        change(a[i][k], a[j][k], a[i][j]);
                    CALL_END("blocks.row");
                }
            }
            CALL_BEGIN("blocks.meet");
#pragma omp taskwait
            CALL_END("blocks.meet");
        }
        END("blocks.make");
    }
    END("blocks.all");
    KERNEL_END(a[N - 1][N - 1][1][1]);
}
