/* Two sums under one lock by sections of different lengths, then a loop behind a barrier. */
#include "truth.h"
enum { N = SIZE(900, 60000) };
static double a[N], total;
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        a[i] = i % 23;
    KERNEL_BEGIN();
    BEGIN("crossing.all");
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 30) nowait
        for (int i = 0; i < N; i++) {
            BEGIN("crossing.first");
            double s = a[i];
            for (int k = 0; k < 20 + i % 60; k++)
                s = s * 0.9 + 1;
            if (i % 15 == 0) {
                BEGIN("crossing.add");
#pragma omp critical
                total += s;
                END("crossing.add");
            }
            END("crossing.first");
        }
        BEGIN("crossing.meet");
#pragma omp barrier
        END("crossing.meet");
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) {
            BEGIN("crossing.second");
            a[i] = a[i] * 0.5 + total / N;
            END("crossing.second");
        }
    }
    END("crossing.all");
    KERNEL_END(a[17]);
}
