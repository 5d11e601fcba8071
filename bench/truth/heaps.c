/* Each part of the numbers keeps its eight greatest, then puts them into the common list under a lock. */
#include "truth.h"
enum { PARTS = SIZE(40, 800), EACH = SIZE(120, 4000), KEEP = 8 };
static int a[PARTS][EACH], best[KEEP];
static void put(int *list, int x)
{
    int k = KEEP - 1;
    if (x <= list[k])
        return;
    for (; k > 0 && list[k - 1] < x; k--)
        list[k] = list[k - 1];
    list[k] = x;
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 7;
    for (int p = 0; p < PARTS; p++)
        for (int i = 0; i < EACH; i++) {
            x = x * 1664525 + 1013904223;
            a[p][i] = (int)(x >> 4);
        }
    KERNEL_BEGIN();
    BEGIN("heaps.all");
#pragma omp parallel for schedule(dynamic, 2)
    for (int p = 0; p < PARTS; p++) {
        BEGIN("heaps.part");
        int own[KEEP] = {0};
        for (int i = 0; i < EACH; i++)
            put(own, a[p][i]);
        BEGIN("heaps.join");
#pragma omp critical
        for (int k = 0; k < KEEP; k++)
            put(best, own[k]);
        END("heaps.join");
        END("heaps.part");
    }
    END("heaps.all");
    KERNEL_END(best[7]);
}
