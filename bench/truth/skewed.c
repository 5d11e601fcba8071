/* Guided with work that shrinks as 1/i: the first chunk has most of it. */
#include "truth.h"
enum { N = SIZE(500, 4000), WORK = SIZE(9000, 2000000) };
static float out[N];
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    for (int r = 0; r < 3; r++) {
        BEGIN("skewed.all");
#pragma omp parallel for schedule(guided, 4)
        for (int i = 0; i < N; i++) {
            BEGIN("skewed.one");
            float s = 1;
            for (int k = 0; k < WORK / (i + 8); k++)
                s = s * 0.999f + (float)(k & 7);
            out[i] += s;
            END("skewed.one");
        }
        END("skewed.all");
    }
    KERNEL_END(out[5] + out[N - 1]);
}
