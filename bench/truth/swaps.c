/* Fine regions: a sort of short runs by changing neighbours, even and odd pairs in turn, a region for each.
 */
#include "truth.h"
enum { N = SIZE(2048, 65536), BLOCK = SIZE(64, 1024), ROUNDS = SIZE(40, 400) };
static int v[N];
static void pairs(int from, int to)
{
    for (int i = from; i < to && i + 1 < N; i += 2) {
        int a = v[i], b = v[i + 1];
        if (a > b) {
            v[i] = b;
            v[i + 1] = a;
        }
    }
}
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        v[i] = (int)(i * 2654435761u >> 12);
    KERNEL_BEGIN();
    for (int r = 0; r < ROUNDS; r++) {
        BEGIN("swaps.round");
#pragma omp parallel for schedule(static)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("swaps.block");
            pairs(b * BLOCK + (r & 1), (b + 1) * BLOCK + (r & 1));
            END("swaps.block");
        }
        END("swaps.round");
    }
    KERNEL_END(v[N / 2]);
}
