/* Reduction: products of vectors that stay in the caches, summed over the threads. */
#include "truth.h"
enum { N = SIZE(9216, 262144), BLOCK = SIZE(128, 1024), PASSES = SIZE(10, 400) };
static double x[N], y[N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++) {
        x[i] = i % 13;
        y[i] = i % 7;
    }
    double all = 0;
    KERNEL_BEGIN();
    for (int pass = 0; pass < PASSES; pass++) {
        double sum = 0;
        BEGIN("dot.pass");
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("dot.block");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                sum += x[i] * y[i];
            END("dot.block");
        }
        END("dot.pass");
        all += sum;
    }
    KERNEL_END(all);
}
