/* Blocks of a grid, each behind the one above and the one to its left: tasks that depend. */
#include "truth.h"
enum { BLOCKS = SIZE(6, 20), W = SIZE(14, 90), N = BLOCKS * W + 1 };
static float v[N][N];
static char done[BLOCKS + 1][BLOCKS + 1];
static void block(int y, int x)
{
    for (int j = y * W + 1; j <= (y + 1) * W; j++)
        for (int i = x * W + 1; i <= (x + 1) * W; i++)
            v[j][i] = 0.4f * v[j - 1][i] + 0.5f * v[j][i - 1] + 0.1f * v[j - 1][i - 1];
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        v[0][i] = v[i][0] = (float)(i % 13);
    KERNEL_BEGIN();
    BEGIN("links.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("links.make");
        for (int y = 0; y < BLOCKS; y++)
            for (int x = 0; x < BLOCKS; x++) {
#pragma omp task firstprivate(x, y) depend(in                                           \
                                           : done[y][x + 1], done[y + 1][x]) depend(out \
                                                                                    : done[y + 1][x + 1])
                {
                    CALL_BEGIN("links.block");
                    block(y, x);
                    CALL_END("links.block");
                }
            }
        END("links.make");
    }
    END("links.all");
    KERNEL_END(v[N - 1][N - 1] + done[0][0]);
}
