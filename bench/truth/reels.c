/* Blocks that are packed side by side and joined one after the other: turns with static chunks of one. */
#include "truth.h"
enum { BLOCKS = SIZE(112, 3000), N = SIZE(220, 9000) };
static unsigned char text[BLOCKS][N];
static unsigned at[BLOCKS], length;
int main(void)
{
    CC_RECORD_OFF();
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < N; i++)
            text[b][i] = (unsigned char)((b * 7 + i * i) % 11);
    KERNEL_BEGIN();
    BEGIN("reels.all");
#pragma omp parallel for schedule(static, 1) ordered
    for (int b = 0; b < BLOCKS; b++) {
        BEGIN("reels.block");
        unsigned runs = 1;
        for (int i = 1; i < N; i++)
            runs += text[b][i] != text[b][i - 1];
        BEGIN("reels.join");
#pragma omp ordered
        {
            at[b] = length;
            length += runs;
        }
        END("reels.join");
        END("reels.block");
    }
    END("reels.all");
    KERNEL_END(at[BLOCKS - 1]);
}
