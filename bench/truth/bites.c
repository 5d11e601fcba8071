/* Two taskloops after each other, uneven iterations, by grainsize and by number of tasks. */
#include "truth.h"
enum { N = SIZE(256, 2048), W = SIZE(300, 30000) };
static float a[N], b[N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        a[i] = (float)(i % 13);
    KERNEL_BEGIN();
    BEGIN("bites.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("bites.one");
        BEGIN("bites.first");
#pragma omp taskloop grainsize(16)
        for (int i = 0; i < N; i++) {
            BEGIN("bites.a");
            float s = a[i];
            for (int k = 0; k < W + i; k++)
                s = s * 0.75f + 1.0f;
            a[i] = s;
            END("bites.a");
        }
        END("bites.first");
        BEGIN("bites.second");
#pragma omp taskloop num_tasks(32)
        for (int i = 0; i < N; i++) {
            BEGIN("bites.b");
            float s = a[N - 1 - i];
            for (int k = 0; k < W / 2 + (i & 63) * 4; k++)
                s = s * 0.5f + 3.0f;
            b[i] = s;
            END("bites.b");
        }
        END("bites.second");
        END("bites.one");
    }
    END("bites.all");
    KERNEL_END(a[4] + b[9]);
}
