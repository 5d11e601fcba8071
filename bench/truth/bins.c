/* Reduction of an array, and two loops of one region without a wait between them. */
#include "truth.h"
enum { N = SIZE(24576, 16 << 20), BLOCK = SIZE(256, 32768), BINS = 48 };
static unsigned short v[N];
static float w[N];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        v[i] = (unsigned short)(i * 40503u >> 4);
    int bin[BINS] = {0};
    TOUCH(w);
    KERNEL_BEGIN();
    BEGIN("bins.all");
#pragma omp parallel reduction(+ : bin[:BINS])
    {
#pragma omp for schedule(static) nowait
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("bins.scale");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                w[i] = (float)v[i] * 0.5f + 1;
            END("bins.scale");
        }
#pragma omp for schedule(guided)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("bins.count");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                bin[v[i] % BINS]++;
            END("bins.count");
        }
    }
    END("bins.all");
    KERNEL_END(bin[3] + w[5]);
}
