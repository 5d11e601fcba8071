/* Sums of everything before each element: blocks add up, one thread goes over the blocks' sums, blocks
 * finish; two regions. */
#include "truth.h"
enum { N = SIZE(32768, 4 << 20), BLOCKS = 64, EACH = N / BLOCKS };
static int v[N];
static long sum[BLOCKS], out[N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        v[i] = i * 7 % 31 - 15;
    TOUCH(out);
    KERNEL_BEGIN();
    BEGIN("prefix.up");
#pragma omp parallel for schedule(dynamic, 2)
    for (int b = 0; b < BLOCKS; b++) {
        BEGIN("prefix.add");
        long s = 0;
        for (int i = b * EACH; i < (b + 1) * EACH; i++)
            s += v[i];
        sum[b] = s;
        END("prefix.add");
    }
    END("prefix.up");
    long before = 0;
    for (int b = 0; b < BLOCKS; b++) {
        long mine = sum[b];
        sum[b] = before;
        before += mine;
    }
    BEGIN("prefix.down");
#pragma omp parallel for schedule(dynamic, 2)
    for (int b = 0; b < BLOCKS; b++) {
        BEGIN("prefix.put");
        long s = sum[b];
        for (int i = b * EACH; i < (b + 1) * EACH; i++)
            out[i] = s += v[i];
        END("prefix.put");
    }
    END("prefix.down");
    KERNEL_END((double)out[N - 5]);
}
