/* Floating point: gravity between all pairs, divisions and square roots; then all move, in one region. */
#include "truth.h"
enum { N = SIZE(112, 1600), STEPS = SIZE(2, 4) };
static double p[N][3], v[N][3];
static void pull(int i)
{
    double f[3] = {0, 0, 0};
    for (int j = 0; j < N; j++) {
        double d[3], r = 0.01;
        for (int k = 0; k < 3; k++) {
            d[k] = p[j][k] - p[i][k];
            r += d[k] * d[k];
        }
        double w = 1 / (r * sqrt(r));
        for (int k = 0; k < 3; k++)
            f[k] += w * d[k];
    }
    for (int k = 0; k < 3; k++)
        v[i][k] += 0.001 * f[k];
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = (i * (k + 3)) % 17;
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        BEGIN("bodies.step");
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++) {
                BEGIN("bodies.pull");
                pull(i);
                END("bodies.pull");
            }
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++) {
                BEGIN("bodies.move");
                for (int k = 0; k < 3; k++)
                    p[i][k] += 0.001 * v[i][k];
                END("bodies.move");
            }
        }
        END("bodies.step");
    }
    KERNEL_END(p[5][1]);
}
