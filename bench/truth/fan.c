/* One task makes a block, four look at it side by side, one puts together what they found: by depend. */
#include "truth.h"
enum { BLOCKS = SIZE(12, 200), W = SIZE(600, 20000), FANS = 4 };
static float block[2][W];
static double found[2][FANS], total;
static void make(int b)
{
    unsigned x = (unsigned)b * 2654435761u;
    for (int i = 0; i < W; i++) {
        x = x * 1664525 + 1013904223;
        block[b % 2][i] = (float)(x >> 16);
    }
}
static void look(int b, int f)
{
    double sum = 0;
    for (int i = 0; i < W; i++)
        sum += block[b % 2][i] / (1 + f + i % 7);
    found[b % 2][f] = sum;
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("fan.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("fan.give");
        for (int b = 0; b < BLOCKS; b++) {
#pragma omp task depend(out : block[b % 2]) firstprivate(b)
            {
                CALL_BEGIN("fan.make");
                make(b);
                CALL_END("fan.make");
            }
            for (int f = 0; f < FANS; f++) {
#pragma omp task depend(in : block[b % 2]) depend(out : found[b % 2][f]) firstprivate(b, f)
                {
                    CALL_BEGIN("fan.look");
                    look(b, f);
                    CALL_END("fan.look");
                }
            }
#pragma omp task depend(in                                                                    \
                        : found[b % 2][0], found[b % 2][1], found[b % 2][2], found[b % 2][3]) \
    depend(inout                                                                              \
           : total) firstprivate(b)
            {
                CALL_BEGIN("fan.join");
                for (int f = 0; f < FANS; f++)
                    total += found[b % 2][f];
                CALL_END("fan.join");
            }
        }
        END("fan.give");
    }
    END("fan.all");
    KERNEL_END(total);
}
