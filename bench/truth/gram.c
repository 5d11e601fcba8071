/* Cache, triangular: the lower half of A times its transpose, rows dealt out in turn. */
#include "truth.h"
enum { N = SIZE(72, 352), K = SIZE(64, 352) };
static float a[N][K], g[N][N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int k = 0; k < K; k++)
            a[i][k] = (float)((i * 5 + k * 3) % 17);
    TOUCH(g);
    KERNEL_BEGIN();
    BEGIN("gram.all");
#pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < N; i++) {
        BEGIN("gram.row");
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int k = 0; k < K; k++)
                s += a[i][k] * a[j][k];
            g[i][j] = s;
        }
        END("gram.row");
    }
    END("gram.all");
    KERNEL_END(g[N - 1][3]);
}
