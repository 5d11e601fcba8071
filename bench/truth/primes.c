/* Compute, divisions: numbers without a divisor, counted in blocks whose length in time nobody knows before.
 */
#include "truth.h"
enum { N = SIZE(3000, 200000), BLOCK = SIZE(50, 500) };
static int count(int from, int to)
{
    int sum = 0;
    for (int n = from; n < to; n++) {
        int d = 2;
        while (d * d <= n && n % d != 0)
            d++;
        sum += d * d > n;
    }
    return sum;
}
int main(void)
{
    CC_RECORD_OFF();
    int all = 0;
    KERNEL_BEGIN();
    BEGIN("primes.all");
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : all)
    for (int b = 0; b < N / BLOCK; b++) {
        BEGIN("primes.block");
        all += count(2 + b * BLOCK, 2 + (b + 1) * BLOCK);
        END("primes.block");
    }
    END("primes.all");
    KERNEL_END(all);
}
