/* Atomics: a histogram that all threads add to, each key by an atomic update; a few bins are hot. */
#include "truth.h"
enum { KEYS = SIZE(12288, 4 << 20), BLOCK = SIZE(256, 16384), BINS = 64 };
static unsigned char key[KEYS];
static int bin[BINS];
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 11;
    for (int i = 0; i < KEYS; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned r = seed >> 20;
        key[i] = (unsigned char)(r % (1 + r % BINS));
    }
    KERNEL_BEGIN();
    BEGIN("histo.all");
#pragma omp parallel for schedule(static)
    for (int b = 0; b < KEYS / BLOCK; b++) {
        BEGIN("histo.block");
        for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            unsigned k = key[i], h = k;
            for (int r = 0; r < 12; r++)
                h = h * 2654435761u + k;
            if (h % 16 == 0) {
                BEGIN("histo.add");
#pragma omp atomic
                bin[k]++;
                END("histo.add");
            }
        }
        END("histo.block");
    }
    END("histo.all");
    KERNEL_END(bin[3]);
}
