/* Bandwidth: three arrays that fit no cache, walked twice. */
#include "truth.h"
enum { N = 98304, BLOCK = 1024 };
static double a[N], b[N], c[N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++) {
        b[i] = i;
        c[i] = 2 * i;
    }
    KERNEL_BEGIN();
    for (int pass = 0; pass < 2; pass++) {
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
