/* Shared cache: an iterated stencil of two small grids, a static loop for each step; rows at the seams were
 * written by a neighbour. */
#include "truth.h"
enum { N = SIZE(130, 1000), STEPS = SIZE(8, 100) };
static double grid[2][N][N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            grid[0][i][j] = grid[1][i][j] = (i * 7 + j * 3) % 11;
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        double(*from)[N] = grid[s & 1], (*to)[N] = grid[~s & 1];
        BEGIN("heat.step");
#pragma omp parallel for schedule(static)
        for (int i = 1; i < N - 1; i++) {
            BEGIN("heat.row");
            for (int j = 1; j < N - 1; j++)
                to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
            END("heat.row");
        }
        END("heat.step");
    }
    KERNEL_END(grid[STEPS & 1][3][4]);
}
