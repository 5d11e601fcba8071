/* Prefix sums in two passes of one region: sums of blocks, one thread adds those up, then all go on from
 * there. */
#include "truth.h"
enum { BLOCKS = SIZE(64, 256), EACH = SIZE(384, 65536) };
static unsigned v[BLOCKS][EACH], sum[BLOCKS + 1];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned i = 0; i < EACH; i++)
            v[b][i] = (b * 31 + i * 7) & 15;
    KERNEL_BEGIN();
    BEGIN("scan.all");
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int b = 0; b < BLOCKS; b++) {
            BEGIN("scan.sum");
            unsigned s = 0;
            for (int i = 0; i < EACH; i++)
                s += v[b][i];
            sum[b + 1] = s;
            END("scan.sum");
        }
#pragma omp single
        {
            BEGIN("scan.add");
            for (int b = 0; b < BLOCKS; b++)
                sum[b + 1] += sum[b];
            END("scan.add");
        }
#pragma omp for schedule(static)
        for (int b = 0; b < BLOCKS; b++) {
            BEGIN("scan.put");
            unsigned s = sum[b];
            for (int i = 0; i < EACH; i++)
                v[b][i] = s += v[b][i];
            END("scan.put");
        }
    }
    END("scan.all");
    KERNEL_END(v[5][6]);
}
