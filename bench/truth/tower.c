/* Tasks that make tasks with depend: each block has a little pipeline of its own, blocks are chained by their
 * sum. */
#include "truth.h"
enum { FLOORS = SIZE(12, 60), PARTS = 4, W = SIZE(400, 20000) };
static float in[FLOORS][PARTS][W], out[FLOORS][PARTS];
static float total[FLOORS];
static float smooth(float *x)
{
    float s = 0;
    for (int r = 0; r < 3; r++)
        for (int i = 1; i < W; i++) {
            x[i] = 0.5f * (x[i] + x[i - 1]);
            s += x[i];
        }
    return s;
}
static void floor_(int f)
{
    for (int p = 0; p < PARTS; p++) {
#pragma omp task depend(out : out[f][p]) firstprivate(p, f)
        {
            CALL_BEGIN("tower.part");
            out[f][p] = smooth(in[f][p]);
            CALL_END("tower.part");
        }
    }
#pragma omp task depend(in : out[f][0], out[f][1], out[f][2], out[f][3]) firstprivate(f)
    {
        CALL_BEGIN("tower.sum");
        float s = 0;
        for (int r = 0; r < 60; r++)
            for (int p = 0; p < PARTS; p++)
                s += out[f][p] / (float)(r + 1);
        total[f] = s;
        CALL_END("tower.sum");
    }
    CALL_BEGIN("tower.wait");
#pragma omp taskwait
    CALL_END("tower.wait");
}
int main(void)
{
    CC_RECORD_OFF();
    for (int f = 0; f < FLOORS; f++)
        for (int p = 0; p < PARTS; p++)
            for (int i = 0; i < W; i++)
                in[f][p][i] = (float)(((f * PARTS + p) * W + i) % 97);
    KERNEL_BEGIN();
    BEGIN("tower.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("tower.make");
        for (int f = 0; f < FLOORS; f++) {
#pragma omp task firstprivate(f)
            {
                CALL_BEGIN("tower.floor");
                floor_(f);
                CALL_END("tower.floor");
            }
        }
        END("tower.make");
    }
    END("tower.all");
    KERNEL_END(total[3] + total[FLOORS - 1]);
}
