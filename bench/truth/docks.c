/* Five sections of unlike length in each step, two of which change the same sums under a lock. */
#include "truth.h"
enum { STEPS = SIZE(6, 60), W = SIZE(900, 40000) };
static float a[W], b[W], c[W], d[W];
static float total;
static float smooth(float *v, int times)
{
    float sum = 0;
    for (int t = 0; t < times; t++)
        for (int i = 1; i < W; i++)
            sum += v[i] = 0.5f * v[i] + 0.25f * v[i - 1] + 1;
    return sum;
}
static void add(float x)
{
    BEGIN("docks.add");
#pragma omp critical
    total += x;
    END("docks.add");
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        BEGIN("docks.step");
#pragma omp parallel sections
        {
#pragma omp section
            {
                BEGIN("docks.a");
                add(smooth(a, 3));
                END("docks.a");
            }
#pragma omp section
            {
                BEGIN("docks.b");
                smooth(b, 1);
                END("docks.b");
            }
#pragma omp section
            {
                BEGIN("docks.c");
                add(smooth(c, 2));
                END("docks.c");
            }
#pragma omp section
            {
                BEGIN("docks.d");
                smooth(d, 1 + s % 2);
                END("docks.d");
            }
#pragma omp section
            {
                BEGIN("docks.e");
                float x = 1;
                for (int i = 0; i < W; i++)
                    x = x * 0.99f + (float)(i & 3);
                add(x);
                END("docks.e");
            }
        }
        END("docks.step");
    }
    KERNEL_END(a[9] + b[9] + c[9] + d[9] + total);
}
