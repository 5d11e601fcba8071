/* Sums of a series for many points, all of it in registers; as many terms as the point needs. */
#include "truth.h"
enum { N = SIZE(160, 20000) };
static double out[N];
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("poles.all");
#pragma omp parallel for schedule(static, 4)
    for (int i = 0; i < N; i++) {
        BEGIN("poles.point");
        double x = 0.1 + 0.8 * (i * 37 % N) / N, term = 1, s = 0;
        for (int k = 1; term > 1e-9; k++) {
            s += term / k;
            term *= x;
        }
        out[i] = s;
        END("poles.point");
    }
    END("poles.all");
    KERNEL_END(out[9]);
}
