/* Two grids that know nothing of each other are smoothed side by side, each by a region of its own inside the
 * outer one; few inner regions, long ones. */
#include "truth.h"
enum { N = SIZE(96, 800), STEPS = SIZE(3, 40) };
static float grid[2][N][N], next[2][N][N];
static int outer, inner;
int main(void)
{
    CC_RECORD_OFF();
    for (int g = 0; g < 2; g++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                grid[g][y][x] = (float)((x * y + g) % 17);
    truth_nested(&outer, &inner);
    KERNEL_BEGIN();
    BEGIN("nests.grids");
#pragma omp parallel for num_threads(outer) proc_bind(spread) schedule(static, 1)
    for (int g = 0; g < 2; g++) {
        BEGIN("nests.grid");
        for (int s = 0; s < STEPS; s++) {
            BEGIN("nests.step");
#pragma omp parallel for num_threads(inner) schedule(static)
            for (int y = 1; y < N - 1; y++) {
                BEGIN("nests.row");
                for (int x = 1; x < N - 1; x++)
                    next[g][y][x] = 0.2f * (grid[g][y][x] + grid[g][y - 1][x] + grid[g][y + 1][x] +
                                            grid[g][y][x - 1] + grid[g][y][x + 1]);
                END("nests.row");
            }
            END("nests.step");
            memcpy(grid[g], next[g], sizeof grid[g]);
        }
        END("nests.grid");
    }
    END("nests.grids");
    KERNEL_END(grid[0][5][5] + grid[1][7][7]);
}
