/* A pipeline of three stages with depend, of which the second has two stations; then two loops as one. */
#include "truth.h"
enum { ITEMS = SIZE(16, 300), W = SIZE(256, 8000), H = SIZE(24, 200) };
static float part[4][W], done[ITEMS];
static float grid[H][H];
static unsigned feed, pack_, slot_[4], station[2];
static void stage(float *p, int k, int rounds)
{
    for (int r = 0; r < rounds; r++)
        for (int i = 1; i < W; i++)
            p[i] = p[i] * 0.5f + p[i - 1] * 0.25f + (float)k;
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("assembly.all");
#pragma omp parallel
    {
#pragma omp single
        {
            BEGIN("assembly.make");
            for (int f = 0; f < ITEMS; f++) {
#pragma omp task depend(inout : feed, slot_[f % 4]) firstprivate(f)
                {
                    CALL_BEGIN("assembly.feed");
                    stage(part[f % 4], f, 1);
                    CALL_END("assembly.feed");
                }
#pragma omp task depend(inout : station[f % 2], slot_[f % 4]) firstprivate(f)
                {
                    CALL_BEGIN("assembly.bend");
                    stage(part[f % 4], 3, 3);
                    CALL_END("assembly.bend");
                }
#pragma omp task depend(inout : pack_, slot_[f % 4]) firstprivate(f)
                {
                    CALL_BEGIN("assembly.pack");
                    stage(part[f % 4], 1, 1);
                    done[f] = part[f % 4][W - 1];
                    CALL_END("assembly.pack");
                }
            }
            END("assembly.make");
        }
#pragma omp for collapse(2) schedule(static)
        for (int i = 0; i < H; i++)
            for (int j = 0; j < H; j++) {
                BEGIN("assembly.cell");
                float s = 0;
                for (int f = 0; f < ITEMS; f++)
                    s += done[f] * (float)(i - j);
                grid[i][j] = s;
                END("assembly.cell");
            }
    }
    END("assembly.all");
    KERNEL_END(grid[3][4]);
}
