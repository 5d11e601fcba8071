/* One region, many phases: each thread its rows, of growing length, a barrier after each phase. */
#include "truth.h"
enum { ROWS = SIZE(48, 512), W = SIZE(40, 900), PHASES = SIZE(30, 400) };
static float level[ROWS][W + ROWS];
int main(void)
{
    CC_RECORD_OFF();
    for (int r = 0; r < ROWS; r++)
        for (int x = 0; x < W + ROWS; x++)
            level[r][x] = (float)((r * 3 + x) % 11);
    KERNEL_BEGIN();
    BEGIN("tides.all");
#pragma omp parallel
    for (int p = 0; p < PHASES; p++) {
        BEGIN("tides.phase");
#pragma omp for schedule(static)
        for (int r = 0; r < ROWS; r++) {
            BEGIN("tides.row");
            for (int x = 1; x < W + (p % 3 ? r : ROWS - r); x++)
                level[r][x] = 0.5f * (level[r][x] + level[r][x - 1]) + (float)p;
            END("tides.row");
        }
        END("tides.phase");
    }
    END("tides.all");
    KERNEL_END(level[3][4]);
}
