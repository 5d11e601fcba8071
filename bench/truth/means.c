/* False sharing, regular: running means that lie side by side in memory, each of a thread's own stream. */
#include "truth.h"
enum { N = SIZE(32, 1024), ROUNDS = SIZE(500, 20000) };
static struct mean {
    volatile double value;
} mean[N];
static void follow(int i)
{
    for (int r = 0; r < ROUNDS; r++) {
        double x = (double)((r * 37 + i * 11) & 63);
        mean[i].value += (x - mean[i].value) * 0.125;
    }
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("means.all");
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
        BEGIN("means.one");
        follow(i);
        END("means.one");
    }
    END("means.all");
    KERNEL_END(mean[7].value);
}
