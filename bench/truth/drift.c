/* Bandwidth: particles, six arrays that no cache holds, moved on and turned back at the walls. */
#include "truth.h"
enum { N = SIZE(32768, 2 << 20), BLOCK = SIZE(1024, 16384), STEPS = SIZE(2, 6) };
static float x[N], y[N], z[N], u[N], v[N], w[N];
static void move(float *p, float *s)
{
    *p += *s * 0.01f;
    if (*p < 0 || *p > 1)
        *s = -*s;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 101) / 101;
        y[i] = (float)(i % 103) / 103;
        z[i] = (float)(i % 107) / 107;
        u[i] = (float)(i % 7) - 3;
        v[i] = (float)(i % 5) - 2;
        w[i] = (float)(i % 3) - 1;
    }
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        BEGIN("drift.step");
#pragma omp parallel for schedule(guided)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("drift.block");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                move(&x[i], &u[i]);
                move(&y[i], &v[i]);
                move(&z[i], &w[i]);
            }
            END("drift.block");
        }
        END("drift.step");
    }
    KERNEL_END(x[5] + y[6] + z[7]);
}
