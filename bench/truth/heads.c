/* Ordered first: records are read one after the other, then worked on side by side. */
#include "truth.h"
enum { N = SIZE(120, 3000), WORK = SIZE(300, 6000) };
static unsigned char in[N * 16];
static unsigned out[N];
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 1;
    for (int i = 0; i < N * 16; i++)
        in[i] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
    int at = 0;
    KERNEL_BEGIN();
    BEGIN("heads.all");
#pragma omp parallel for schedule(dynamic, 1) ordered
    for (int i = 0; i < N; i++) {
        BEGIN("heads.record");
        int from, length;
        BEGIN("heads.read");
#pragma omp ordered
        {
            from = at;
            length = 1 + in[at] % 15;
            at += length;
        }
        END("heads.read");
        unsigned x = 1;
        for (int k = 0; k < WORK; k++)
            x = x * 31 + in[from + k % length];
        out[i] = x;
        END("heads.record");
    }
    END("heads.all");
    KERNEL_END(out[7] + (double)at);
}
