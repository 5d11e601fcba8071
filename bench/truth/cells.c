/* Particles are put into the cells of a grid: counted by atomics, one thread makes room, all are put in their
 * place by atomics, then each cell is looked through. */
#include "truth.h"
enum { N = SIZE(2048, 1 << 18), BLOCK = SIZE(64, 1024), CELLS = SIZE(128, 8192), STEPS = SIZE(2, 6) };
static float at[N], sorted[N], force[N];
static int cell[N], count[CELLS], from[CELLS + 1], next[CELLS];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        at[i] = (float)(i * 2654435761u >> 8) / (float)(1 << 24);
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        memset(count, 0, sizeof count);
        BEGIN("cells.all");
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (int b = 0; b < N / BLOCK; b++) {
                BEGIN("cells.count");
                for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                    cell[i] = (int)(at[i] * CELLS);
#pragma omp atomic
                    count[cell[i]]++;
                }
                END("cells.count");
            }
#pragma omp single
            {
                BEGIN("cells.room");
                for (int c = 0; c < CELLS; c++) {
                    next[c] = from[c];
                    from[c + 1] = from[c] + count[c];
                }
                END("cells.room");
            }
#pragma omp for schedule(static)
            for (int b = 0; b < N / BLOCK; b++) {
                BEGIN("cells.put");
                for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                    int to;
#pragma omp atomic capture
                    to = next[cell[i]]++;
                    sorted[to] = at[i];
                }
                END("cells.put");
            }
#pragma omp for schedule(dynamic, 4)
            for (int c = 0; c < CELLS; c++) {
                BEGIN("cells.look");
                for (int i = from[c]; i < from[c + 1]; i++) {
                    float f = 0;
                    for (int k = from[c]; k < from[c + 1]; k++)
                        f += sorted[k] - sorted[i];
                    force[i] = f;
                }
                END("cells.look");
            }
        }
        END("cells.all");
        for (int i = 0; i < N; i += 16)
            at[i] = at[i] > 0.5f ? at[i] - 0.25f : at[i] + 0.25f;
    }
    KERNEL_END(force[N / 2]);
}
