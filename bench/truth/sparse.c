/* Gathers: a sparse matrix times a vector, rows of different lengths, dynamic. */
#include "truth.h"
enum { ROWS = SIZE(2048, 65536), MOST = 24, BLOCK = SIZE(32, 256), PASSES = SIZE(3, 60) };
static int start[ROWS + 1], column[ROWS * MOST];
static double value[ROWS * MOST], x[ROWS], y[ROWS];
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 7;
    for (int r = 0, n = 0; r < ROWS; r++) {
        seed = seed * 1664525 + 1013904223;
        for (int k = seed >> 24; k >= 0; k -= 11, n++) {
            seed = seed * 1664525 + 1013904223;
            column[n] = (int)(seed >> 8) % ROWS;
            value[n] = k;
        }
        start[r + 1] = n;
        x[r] = r;
    }
    KERNEL_BEGIN();
    for (int pass = 0; pass < PASSES; pass++) {
        BEGIN("sparse.pass");
#pragma omp parallel for schedule(dynamic)
        for (int b = 0; b < ROWS / BLOCK; b++) {
            BEGIN("sparse.block");
            for (int r = b * BLOCK; r < (b + 1) * BLOCK; r++) {
                double s = 0;
                for (int k = start[r]; k < start[r + 1]; k++)
                    s += value[k] * x[column[k]];
                y[r] = s;
            }
            END("sparse.block");
        }
        END("sparse.pass");
    }
    KERNEL_END(y[9]);
}
