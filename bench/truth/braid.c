/* Strands of a braid: each step of a strand needs its own last and that of the strand to its left. */
#include "truth.h"
enum { STRANDS = 6, STEPS = SIZE(16, 200), W = SIZE(700, 20000) };
static float v[STRANDS][W];
static unsigned done[STRANDS];
static void twist(int s)
{
    const float *left = v[(s + STRANDS - 1) % STRANDS];
    for (int i = 1; i < W; i++)
        v[s][i] = 0.5f * v[s][i] + 0.25f * left[i] + 0.25f * v[s][i - 1];
    done[s]++;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int s = 0; s < STRANDS; s++)
        for (int i = 0; i < W; i++)
            v[s][i] = (float)((s * 5 + i) % 9);
    KERNEL_BEGIN();
    BEGIN("braid.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("braid.make");
        for (int t = 0; t < STEPS; t++)
            for (int s = 0; s < STRANDS; s++) {
#pragma omp task depend(in : done[(s + STRANDS - 1) % STRANDS]) depend(inout : done[s]) firstprivate(s)
                {
                    CALL_BEGIN("braid.twist");
                    twist(s);
                    CALL_END("braid.twist");
                }
            }
        END("braid.make");
    }
    END("braid.all");
    KERNEL_END(v[2][W - 1]);
}
