/* Two inlets side by side, each some rounds of a region inside over cells of uneven depth, then a look along
 * its rim. */
#include "truth.h"
enum { CELLS = SIZE(400, 20000), ROUNDS = SIZE(10, 200) };
static float water[2][CELLS];
static float rim[2];
static int outer, inner;
int main(void)
{
    CC_RECORD_OFF();
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < CELLS; c++)
            water[k][c] = (float)(c % 17 + k);
    truth_nested(&outer, &inner);
    KERNEL_BEGIN();
    BEGIN("inlets.both");
#pragma omp parallel for num_threads(outer) schedule(static) proc_bind(spread)
    for (int k = 0; k < 2; k++) {
        BEGIN("inlets.one");
        for (int r = 0; r < ROUNDS; r++) {
            BEGIN("inlets.round");
#pragma omp parallel for num_threads(inner) schedule(dynamic, 20)
            for (int c = 0; c < CELLS; c++) {
                BEGIN("inlets.cell");
                float w = water[k][c];
                for (int i = 0; i < 6 + c % 13; i++)
                    w = w * 0.97f + 0.2f;
                water[k][c] = w;
                END("inlets.cell");
            }
            END("inlets.round");
            for (int c = 0; c < CELLS; c += 8)
                rim[k] += water[k][c];
        }
        END("inlets.one");
    }
    END("inlets.both");
    KERNEL_END(rim[0] + rim[1]);
}
