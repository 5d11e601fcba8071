/* Shrinking regions: elimination without pivots; every row needs the one that was just finished. */
#include "truth.h"
enum { N = SIZE(80, 800) };
static double a[N][N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? N : 1.0 / (1 + i + 2 * j);
    KERNEL_BEGIN();
    for (int k = 0; k < N - 1; k++) {
        BEGIN("lu.step");
#pragma omp parallel for schedule(static)
        for (int i = k + 1; i < N; i++) {
            BEGIN("lu.row");
            double f = a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= f * a[k][j];
            END("lu.row");
        }
        END("lu.step");
    }
    KERNEL_END(a[N - 1][N - 1]);
}
