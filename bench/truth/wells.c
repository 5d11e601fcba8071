/* Depths of uneven cost, guided; the deepest is kept in a critical section, the sum is a reduction. */
#include "truth.h"
enum { WELLS = SIZE(260, 20000) };
static float depth[WELLS], deepest;
int main(void)
{
    CC_RECORD_OFF();
    float sum = 0;
    for (int w = 0; w < WELLS; w++)
        depth[w] = (float)(w * 37 % 101);
    KERNEL_BEGIN();
    BEGIN("wells.all");
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (int w = 0; w < WELLS; w++) {
        BEGIN("wells.one");
        float d = depth[w];
        for (int i = 0; i < 40 + w % 160; i++)
            d = d * 0.97f + (float)(i & 7);
        sum += d;
        if (w % 24 == 0) {
            BEGIN("wells.deepest");
#pragma omp critical
            deepest = d > deepest ? d : deepest;
            END("wells.deepest");
        }
        END("wells.one");
    }
    END("wells.all");
    KERNEL_END(sum + deepest);
}
