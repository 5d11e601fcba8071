/* The nearest of many points for each of a few: distances by all, and a lock where one is nearer. */
#include "truth.h"
enum { POINTS = SIZE(6000, 2000000), ASKED = SIZE(8, 12) };
static float x[POINTS], y[POINTS], z[POINTS];
static float best[ASKED];
static int which[ASKED];
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 7;
    for (int i = 0; i < POINTS; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8 & 1023);
        y[i] = (float)(seed >> 14 & 1023);
        z[i] = (float)(seed >> 20 & 1023);
    }
    KERNEL_BEGIN();
    for (int q = 0; q < ASKED; q++) {
        float ax = (float)(q * 97 % 1024), ay = (float)(q * 331 % 1024), az = (float)(q * 593 % 1024),
              least = 1e9f;
        BEGIN("nearest.one");
#pragma omp parallel for schedule(static) reduction(min : least)
        for (int b = 0; b < POINTS / 100; b++) {
            BEGIN("nearest.block");
            for (int i = b * 100; i < (b + 1) * 100; i++) {
                float dx = x[i] - ax, dy = y[i] - ay, dz = z[i] - az, d = dx * dx + dy * dy + dz * dz;
                least = d < least ? d : least;
            }
            END("nearest.block");
        }
        END("nearest.one");
        best[q] = least;
        which[q]++;
    }
    KERNEL_END(best[3]);
}
