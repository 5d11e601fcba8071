/* Butterflies: a Walsh-Hadamard transform, a loop for each of its stages; strides double until every block
 * is of two threads' data. */
#include "truth.h"
enum { LOG = SIZE(13, 20), N = 1 << LOG, BLOCK = SIZE(128, 8192) };
static int v[N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        v[i] = i * 7 % 13;
    KERNEL_BEGIN();
    for (int l = 0; l < LOG; l++) {
        BEGIN("wave.stage");
#pragma omp parallel for schedule(static)
        for (int b = 0; b < N / 2 / BLOCK; b++) {
            BEGIN("wave.block");
            int stride = 1 << l;
            for (int k = b * BLOCK; k < (b + 1) * BLOCK; k++) {
                int i = (k >> l << (l + 1)) | (k & (stride - 1));
                int x = v[i], y = v[i + stride];
                v[i] = x + y;
                v[i + stride] = x - y;
            }
            END("wave.block");
        }
        END("wave.stage");
    }
    KERNEL_END(v[3]);
}
