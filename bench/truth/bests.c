/* The greatest of many values: each thread keeps so many best ones in order, and they are put into what all
 * share under a lock behind the loop. */
#include "truth.h"
enum { N = SIZE(6400, 1 << 20), BLOCK = SIZE(50, 4096), K = 16, ROUNDS = SIZE(4, 6) };
static unsigned best[K];
static void offer(unsigned *list, unsigned v)
{
    if (v <= list[K - 1])
        return;
    int k = K - 1;
    for (; k > 0 && list[k - 1] < v; k--)
        list[k] = list[k - 1];
    list[k] = v;
}
static unsigned value(unsigned i)
{
    i ^= i >> 16;
    i *= 0x7feb352du;
    i ^= i >> 15;
    i *= 0x846ca68bu;
    return i ^ i >> 16;
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    for (unsigned r = 0; r < ROUNDS; r++) {
        memset(best, 0, sizeof best);
        BEGIN("bests.all");
#pragma omp parallel
        {
            unsigned mine[K] = {0};
#pragma omp for schedule(static) nowait
            for (unsigned b = 0; b < N / BLOCK; b++) {
                BEGIN("bests.block");
                for (unsigned i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                    offer(mine, value(i * 8 + r));
                END("bests.block");
            }
            BEGIN("bests.join");
#pragma omp critical
            for (int k = 0; k < K; k++)
                offer(best, mine[k]);
            END("bests.join");
        }
        END("bests.all");
    }
    KERNEL_END(best[3] >> 4);
}
