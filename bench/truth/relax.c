/* Phases of one region: red and black points of a grid in place, with a loop's barrier after each colour. */
#include "truth.h"
enum { N = SIZE(98, 1500), STEPS = SIZE(12, 60) };
static float g[N][N];
static void half(int i, int colour)
{
    for (int j = 1 + ((i + colour) & 1); j < N - 1; j += 2)
        g[i][j] = 0.25f * (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]);
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            g[i][j] = (float)((i * 31 + j * 17) % 23);
    KERNEL_BEGIN();
    BEGIN("relax.all");
#pragma omp parallel
    for (int s = 0; s < STEPS; s++) {
        BEGIN("relax.step");
#pragma omp for schedule(static)
        for (int i = 1; i < N - 1; i++) {
            BEGIN("relax.red");
            half(i, 0);
            END("relax.red");
        }
#pragma omp for schedule(static)
        for (int i = 1; i < N - 1; i++) {
            BEGIN("relax.black");
            half(i, 1);
            END("relax.black");
        }
        END("relax.step");
    }
    END("relax.all");
    KERNEL_END(g[5][6]);
}
