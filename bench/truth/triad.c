/* Bandwidth: three arrays that fit no cache, walked twice. */
#include "truth.h"
enum { N = SIZE(98304, 4 << 20), BLOCK = SIZE(1024, 8192), PASSES = SIZE(2, 12) };
static double a[N], b[N], c[N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++) {
        b[i] = i;
        c[i] = 2 * i;
    }
    TOUCH(a);
    KERNEL_BEGIN();
    for (int pass = 0; pass < PASSES; pass++) {
        BEGIN("triad.pass");
#pragma omp parallel for schedule(static)
        for (int k = 0; k < N / BLOCK; k++) {
            BEGIN("triad.block");
            for (int i = k * BLOCK; i < (k + 1) * BLOCK; i++)
                a[i] = b[i] + 3.0 * c[i];
            END("triad.block");
        }
        END("triad.pass");
    }
    KERNEL_END(a[77]);
}
