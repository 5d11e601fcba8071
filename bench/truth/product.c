/* Cache: a dense matrix product, rows in parallel. */
#include "truth.h"
enum { N = SIZE(80, 440) };
static double a[N][N], b[N][N], c[N][N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    KERNEL_BEGIN();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++) {
        BEGIN("product.row");
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
        END("product.row");
    }
    KERNEL_END(c[3][4]);
}
