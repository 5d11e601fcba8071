/* Two fields that need each other, one region for all steps: loops that do not wait where they need not, and
 * a barrier where they do. */
#include "truth.h"
enum { N = SIZE(3000, 400000), STEPS = SIZE(12, 40) };
static double e[N + 1], h[N + 1], lost[64];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i <= N; i++)
        e[i] = i % 64 ? 0 : 1;
    KERNEL_BEGIN();
    BEGIN("steps.all");
#pragma omp parallel
    for (int s = 0; s < STEPS; s++) {
        BEGIN("steps.h");
#pragma omp for schedule(static)
        for (int b = 0; b < N / 50; b++) {
            BEGIN("steps.hs");
            for (int i = b * 50; i < (b + 1) * 50; i++)
                h[i] += 0.5 * (e[i + 1] - e[i]);
            END("steps.hs");
        }
        END("steps.h");
        BEGIN("steps.e");
#pragma omp for schedule(static) nowait
        for (int b = 0; b < N / 50; b++) {
            BEGIN("steps.es");
            for (int i = b * 50 + 1; i <= (b + 1) * 50; i++)
                e[i] += 0.5 * (h[i] - h[i - 1]);
            END("steps.es");
        }
        END("steps.e");
        BEGIN("steps.meet");
#pragma omp barrier
        END("steps.meet");
    }
    END("steps.all");
    KERNEL_END(e[N / 2] + lost[3]);
}
