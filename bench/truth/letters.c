/* A histogram with a copy for each block of input, added up by columns afterwards. */
#include "truth.h"
enum { N = SIZE(49152, 8 << 20), PARTS = 32, BINS = SIZE(256, 4096), COLUMNS = SIZE(16, 64) };
static unsigned char text[N];
static unsigned count[PARTS][BINS], all[BINS];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        text[i] = (unsigned char)((i * 2654435761u >> 20) % 96 + 32);
    TOUCH(count);
    KERNEL_BEGIN();
    BEGIN("letters.count");
#pragma omp parallel for schedule(static, 1)
    for (int p = 0; p < PARTS; p++) {
        BEGIN("letters.part");
        for (int i = p * (N / PARTS); i < (p + 1) * (N / PARTS); i++)
            count[p][text[i] % BINS]++;
        END("letters.part");
    }
    END("letters.count");
    BEGIN("letters.merge");
#pragma omp parallel for schedule(static)
    for (int c = 0; c < BINS / COLUMNS; c++) {
        BEGIN("letters.columns");
        for (int p = 0; p < PARTS; p++)
            for (int b = c * COLUMNS; b < (c + 1) * COLUMNS; b++)
                all[b] += count[p][b];
        END("letters.columns");
    }
    END("letters.merge");
    KERNEL_END(all[65]);
}
