/* Compute: random points in a circle, nothing in memory. */
#include "truth.h"
static long hits[64];
static long draw(long seed)
{
    unsigned long x = (unsigned long)seed * 2654435761u + 12345;
    long in = 0;
    for (int k = 0; k < SIZE(3000, 600000); k++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        double a = (double)(x >> 40) / (1 << 24), b = (double)(x >> 8 & 0xffffff) / (1 << 24);
        in += a * a + b * b < 1;
    }
    return in;
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 64; i++) {
        BEGIN("random.draw");
        hits[i] = draw(i);
        END("random.draw");
    }
    long sum = 0;
    for (int i = 0; i < 64; i++)
        sum += hits[i];
    KERNEL_END((double)sum);
}
