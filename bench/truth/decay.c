/* A field that fades: loops over it, one thread that looks at the ends, a barrier, again and again in one
 * region; the shares of some teams are just about as large as a cache. */
#include "truth.h"
enum { N = SIZE(16000, 800000), EACH = 250, ROUNDS = SIZE(8, 60) };
static float now[N], next[N];
static float level;
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        now[i] = (float)(i % 50);
    level = 0.5f;
    KERNEL_BEGIN();
    BEGIN("decay.all");
#pragma omp parallel
    for (int r = 0; r < ROUNDS; r++) {
        BEGIN("decay.fade");
#pragma omp for schedule(static)
        for (int b = 0; b < N / EACH; b++) {
            BEGIN("decay.block");
            for (int i = b * EACH; i < (b + 1) * EACH; i++)
                next[i] = now[i] * 0.97f + level;
            END("decay.block");
        }
        END("decay.fade");
#pragma omp single
        {
            BEGIN("decay.look");
            level = 0.001f * (next[0] + next[N - 1]);
            END("decay.look");
        }
        BEGIN("decay.back");
#pragma omp for schedule(static)
        for (int b = 0; b < N / EACH; b++) {
            BEGIN("decay.copy");
            for (int i = b * EACH; i < (b + 1) * EACH; i++)
                now[i] = next[i];
            END("decay.copy");
        }
        END("decay.back");
    }
    END("decay.all");
    KERNEL_END(now[N / 2]);
}
