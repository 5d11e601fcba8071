/* Particles in cells of a ring: forces from the cell and its neighbours, then they are moved; a region for
 * each of the two, cells of different sizes. */
#include "truth.h"
enum { CELLS = SIZE(96, 1200), MOST = 12, STEPS = SIZE(6, 200) };
static double x[CELLS][MOST], force[CELLS][MOST];
static int count[CELLS];
int main(void)
{
    CC_RECORD_OFF();
    for (int c = 0; c < CELLS; c++) {
        count[c] = 3 + c * 7 % 9;
        for (int i = 0; i < count[c]; i++)
            x[c][i] = c + (i + 1) / 16.0;
    }
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        BEGIN("ring.forces");
#pragma omp parallel for schedule(dynamic, 2)
        for (int c = 0; c < CELLS; c++) {
            BEGIN("ring.cell");
            for (int i = 0; i < count[c]; i++) {
                double f = 0;
                for (int n = -1; n <= 1; n++) {
                    int other = (c + n + CELLS) % CELLS;
                    for (int j = 0; j < count[other]; j++) {
                        double d = x[c][i] - x[other][j] + 0.001;
                        f += d / (d * d + 0.1);
                    }
                }
                force[c][i] = f;
            }
            END("ring.cell");
        }
        END("ring.forces");
        BEGIN("ring.moves");
#pragma omp parallel for schedule(static)
        for (int c = 0; c < CELLS; c++) {
            BEGIN("ring.move");
            for (int i = 0; i < count[c]; i++)
                x[c][i] += 0.0001 * force[c][i];
            END("ring.move");
        }
        END("ring.moves");
    }
    KERNEL_END(x[5][1]);
}
