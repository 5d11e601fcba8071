/* A table row by row: what fits into each weight with one thing more. */
#include "truth.h"
enum { THINGS = SIZE(20, 400), ROOM = SIZE(4096, 1 << 17), BLOCK = SIZE(64, 2048) };
static int weight[THINGS], value[THINGS], best[2][ROOM];
int main(void)
{
    CC_RECORD_OFF();
    for (int k = 0; k < THINGS; k++) {
        weight[k] = 17 + k * 37 % 211;
        value[k] = 5 + k * 53 % 97;
    }
    KERNEL_BEGIN();
    for (int k = 0; k < THINGS; k++) {
        const int *from = best[k & 1];
        int *to = best[!(k & 1)];
        BEGIN("knap.thing");
#pragma omp parallel for schedule(static)
        for (int b = 0; b < ROOM / BLOCK; b++) {
            BEGIN("knap.block");
            for (int w = b * BLOCK; w < (b + 1) * BLOCK; w++) {
                int with = w >= weight[k] ? from[w - weight[k]] + value[k] : 0;
                to[w] = with > from[w] ? with : from[w];
            }
            END("knap.block");
        }
        END("knap.thing");
    }
    KERNEL_END(best[THINGS & 1][ROOM - 1]);
}
