/* Counters of the threads, side by side in one line: how often each digit of a number system comes up. */
#include "truth.h"
enum { N = SIZE(128, 1 << 15), EACH = SIZE(96, 400), PAD = 1 };
static unsigned counter[N / 8][PAD];
int main(void)
{
    CC_RECORD_OFF();
    TOUCH(counter);
    KERNEL_BEGIN();
    BEGIN("close.all");
#pragma omp parallel for schedule(static, 1)
    for (int b = 0; b < N; b++) {
        BEGIN("close.part");
        unsigned x = (unsigned)b * 2654435761u;
        for (int i = 0; i < EACH; i++) {
            x = x * 1664525 + 1013904223;
            if (x >> 30 != 3)
                counter[b % (N / 8)][0] += x >> 24 & 3;
        }
        END("close.part");
    }
    END("close.all");
    KERNEL_END(counter[3][0]);
}
