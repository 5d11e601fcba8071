/* Two loops as one: a convolution of small integers, its pixels' blocks dealt out dynamically. */
#include "truth.h"
enum { N = SIZE(132, 1500), K = 5, BLOCK = SIZE(16, 50), BLOCKS = (N - K + 1) / BLOCK };
static short in[N][N],
    weight[K][K] = {{1, 2, 3, 2, 1}, {2, 4, 6, 4, 2}, {3, 6, 9, 6, 3}, {2, 4, 6, 4, 2}, {1, 2, 3, 2, 1}};
static int out[N][N];
static void block(int bi, int bj)
{
    for (int i = bi * BLOCK; i < (bi + 1) * BLOCK; i++)
        for (int j = bj * BLOCK; j < (bj + 1) * BLOCK; j++) {
            int s = 0;
            for (int k = 0; k < K; k++)
                for (int l = 0; l < K; l++)
                    s += in[i + k][j + l] * weight[k][l];
            out[i][j] = s >> 6;
        }
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            in[i][j] = (short)((i * 31 ^ j * 17) & 255);
    TOUCH(out);
    KERNEL_BEGIN();
    BEGIN("conv.all");
#pragma omp parallel for collapse(2) schedule(dynamic, 2)
    for (int bi = 0; bi < BLOCKS; bi++)
        for (int bj = 0; bj < BLOCKS; bj++) {
            BEGIN("conv.block");
            block(bi, bj);
            END("conv.block");
        }
    END("conv.all");
    KERNEL_END(out[9][9]);
}
