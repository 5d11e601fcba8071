/* Tasks that depend on two neighbours of the step before: blocks of a row, two rows in turn. */
#include "truth.h"
enum { BLOCKS = 8, STEPS = SIZE(7, 60), W = SIZE(200, 6000) };
static float row[2][BLOCKS * W + 2];
static int mark_[2][BLOCKS + 2];
static void advance(int s, int b)
{
    const float *p = row[s % 2];
    float *q = row[1 - s % 2];
    for (int i = 1 + b * W; i <= (b + 1) * W; i++)
        q[i] = 0.25f * p[i - 1] + 0.5f * p[i] + 0.25f * p[i + 1];
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < BLOCKS * W; i++)
        row[0][i] = (float)(i % 97);
    KERNEL_BEGIN();
    BEGIN("trellis.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("trellis.make");
        for (int s = 0; s < STEPS; s++)
            for (int b = 0; b < BLOCKS; b++) {
#pragma omp task depend(in                                                           \
                        : mark_[s % 2][b], mark_[s % 2][b + 1], mark_[s % 2][b + 2]) \
    depend(out                                                                       \
           : mark_[1 - s % 2][b + 1]) firstprivate(s, b)
                {
                    CALL_BEGIN("trellis.block");
                    advance(s, b);
                    CALL_END("trellis.block");
                }
            }
        END("trellis.make");
    }
    END("trellis.all");
    KERNEL_END(row[0][70]);
}
