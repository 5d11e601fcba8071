/* Counters of the threads, a line of its own for each: how often each digit of a number system comes up. */
#include "truth.h"
enum { N = SIZE(128, 1 << 15), EACH = SIZE(96, 400), PAD = 16 };
static unsigned counter[N / 8][PAD];
int main(void)
{
    CC_RECORD_OFF();
    TOUCH(counter);
    KERNEL_BEGIN();
    BEGIN("apart.all");
#pragma omp parallel for schedule(static, 1)
    for (int b = 0; b < N; b++) {
        BEGIN("apart.part");
        unsigned x = (unsigned)b * 2654435761u;
        for (int i = 0; i < EACH; i++) {
            x = x * 1664525 + 1013904223;
            if (x >> 30 != 3)
                counter[b % (N / 8)][0] += x >> 24 & 3;
        }
        END("apart.part");
    }
    END("apart.all");
    KERNEL_END(counter[3][0]);
}
