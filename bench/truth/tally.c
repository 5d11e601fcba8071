/* False sharing: neighbouring iterations, dealt out one by one, write neighbouring words again and again. */
#include "truth.h"
enum { N = SIZE(64, 4096), ROUNDS = SIZE(600, 20000) };
static unsigned tally[N];
static void count(int i)
{
    unsigned x = (unsigned)i * 40503u + 1;
    for (int r = 0; r < ROUNDS; r++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        if (x % 8 == 0)
            ((volatile unsigned *)tally)[i] += x & 7;
    }
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("tally.all");
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < N; i++) {
        BEGIN("tally.one");
        count(i);
        END("tally.one");
    }
    END("tally.all");
    KERNEL_END(tally[7]);
}
