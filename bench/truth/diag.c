/* Imbalanced: chains of different lengths under a dynamic schedule of two, then a triangular sweep over what
 * they left, guided. */
#include "truth.h"
enum { N = SIZE(160, 6000) };
static unsigned left[N];
static double sum[N];
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("diag.chains");
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
        BEGIN("diag.chain");
        unsigned x = (unsigned)i * 2654435761u + 7, n = 0;
        for (int k = 0; k < 20 + i * 3 % 251; k++) {
            x = x * 1103515245 + 12345;
            n += x >> 27;
        }
        left[i] = n;
        END("diag.chain");
    }
    END("diag.chains");
    BEGIN("diag.sweeps");
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++) {
        BEGIN("diag.sweep");
        double s = 0;
        for (int j = i; j < N; j++)
            s += (double)left[j] * (j - i);
        sum[i] = s;
        END("diag.sweep");
    }
    END("diag.sweeps");
    KERNEL_END(sum[3]);
}
