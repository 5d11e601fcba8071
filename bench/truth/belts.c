/* Rows of cells that each need the end of the row before: turns with static chunks of one, long work in
 * front. */
#include "truth.h"
enum { ROWS = SIZE(64, 2000), W = SIZE(160, 9000) };
static float a[ROWS][W];
static float carry;
int main(void)
{
    CC_RECORD_OFF();
    for (int r = 0; r < ROWS; r++)
        for (int x = 0; x < W; x++)
            a[r][x] = (float)((r + x * 3) % 19);
    KERNEL_BEGIN();
    BEGIN("belts.all");
#pragma omp parallel for schedule(static, 1) ordered
    for (int r = 0; r < ROWS; r++) {
        BEGIN("belts.row");
        float s = 0;
        for (int x = 0; x < W; x++) {
            s = s * 0.9f + a[r][x];
            a[r][x] = s;
        }
        BEGIN("belts.turn");
#pragma omp ordered
        carry = carry * 0.5f + s;
        END("belts.turn");
        END("belts.row");
    }
    END("belts.all");
    KERNEL_END(carry);
}
