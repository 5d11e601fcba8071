/* A table that all insert into: hashing side by side, an atomic capture for a place, stores all over. */
#include "truth.h"
enum { KEYS = SIZE(4096, 1 << 20), BLOCK = SIZE(32, 1024), BINS = SIZE(256, 65536), DEEP = 64 };
static unsigned key[KEYS];
static unsigned count[BINS], table[BINS][DEEP];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < KEYS; i++)
        key[i] = i * 2654435761u;
    KERNEL_BEGIN();
    BEGIN("hash.all");
#pragma omp parallel for schedule(guided, 4)
    for (int b = 0; b < KEYS / BLOCK; b++) {
        BEGIN("hash.block");
        for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            unsigned h = key[i];
            for (int r = 0; r < 20; r++)
                h = (h ^ h >> 15) * 2246822519u;
            unsigned at, bin = h % BINS;
            BEGIN("hash.place");
#pragma omp atomic capture
            at = count[bin]++;
            END("hash.place");
            table[bin][at % DEEP] = key[i];
        }
        END("hash.block");
    }
    END("hash.all");
    KERNEL_END(count[3]);
}
