/* A sort by exchanges of neighbours, odd and even pairs in turn, inside one region: a barrier for each pass.
 */
#include "truth.h"
enum { N = SIZE(512, 4096), PASSES = SIZE(12, 400), BLOCK = 32 };
static int key[N + BLOCK];
static void pass(int from)
{
    for (int i = from; i < from + BLOCK && i + 1 < N; i += 2)
        if (key[i] > key[i + 1]) {
            int k = key[i];
            key[i] = key[i + 1];
            key[i + 1] = k;
        }
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        key[i] = i * 7919 % 1009;
    KERNEL_BEGIN();
    BEGIN("bricks.all");
#pragma omp parallel
    for (int s = 0; s < PASSES; s++) {
        BEGIN("bricks.pass");
#pragma omp for schedule(static)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("bricks.block");
            pass(b * BLOCK + s % 2);
            END("bricks.block");
        }
        END("bricks.pass");
    }
    END("bricks.all");
    KERNEL_END(key[N / 2]);
}
