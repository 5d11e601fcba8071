/* Scattered stores: a permutation; every line of the result is written by many threads. */
#include "truth.h"
enum { N = SIZE(32768, 4 << 20), BLOCK = SIZE(256, 8192), PASSES = SIZE(2, 3) };
static unsigned to[N];
static int x[N], y[N];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++) {
        to[i] = i * 2654435761u % N;
        x[i] = (int)i;
    }
    TOUCH(y);
    KERNEL_BEGIN();
    for (int pass = 0; pass < PASSES; pass++) {
        BEGIN("scatter.pass");
#pragma omp parallel for schedule(static)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("scatter.block");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                y[to[i]] = x[i] + pass;
            END("scatter.block");
        }
        END("scatter.pass");
    }
    KERNEL_END(y[77]);
}
