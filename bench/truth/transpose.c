/* Strides: a transposition, which misses on every element it reads. */
#include "truth.h"
enum { N = SIZE(300, 4000) };
static float a[N][N], b[N][N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (float)(i + j);
    TOUCH(b);
    KERNEL_BEGIN();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++) {
        BEGIN("transpose.row");
        for (int j = 0; j < N; j++)
            b[i][j] = a[j][i];
        END("transpose.row");
    }
    KERNEL_END(b[3][4]);
}
