/* A critical section: counts of keys, each thread's own, added up one thread at a time. */
#include "truth.h"
enum { KEYS = SIZE(32768, 64 << 20), BLOCK = SIZE(512, 65536), BINS = 128 };
static unsigned char key[KEYS];
static int total[BINS];
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 3;
    for (int i = 0; i < KEYS; i++) {
        seed = seed * 1664525 + 1013904223;
        key[i] = (unsigned char)(seed >> 25);
    }
    KERNEL_BEGIN();
    BEGIN("count.all");
#pragma omp parallel
    {
        int own[BINS] = {0};
#pragma omp for schedule(static)
        for (int b = 0; b < KEYS / BLOCK; b++) {
            BEGIN("count.block");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                own[key[i]]++;
            END("count.block");
        }
        BEGIN("count.add");
#pragma omp critical
        for (int i = 0; i < BINS; i++)
            total[i] += own[i];
        END("count.add");
    }
    END("count.all");
    KERNEL_END(total[5]);
}
