/* Memory bound: two arrays larger than the caches, sums along columns in strips and a copy that turns. */
#include "truth.h"
enum { R = SIZE(192, 2000), C = SIZE(256, 4096), STRIP = 16 };
static int a[R][C], b[C][R], sum[C];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            a[i][j] = i * 31 + j;
    TOUCH(b);
    KERNEL_BEGIN();
    BEGIN("columns.all");
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int s = 0; s < C / STRIP; s++) {
            BEGIN("columns.strip");
            for (int i = 0; i < R; i++)
                for (int j = s * STRIP; j < (s + 1) * STRIP; j++)
                    sum[j] += a[i][j];
            END("columns.strip");
        }
#pragma omp for schedule(static)
        for (int s = 0; s < C / STRIP; s++) {
            BEGIN("columns.turn");
            for (int j = s * STRIP; j < (s + 1) * STRIP; j++)
                for (int i = 0; i < R; i++)
                    b[j][i] = a[i][j] - sum[j];
            END("columns.turn");
        }
    }
    END("columns.all");
    KERNEL_END(b[5][7]);
}
