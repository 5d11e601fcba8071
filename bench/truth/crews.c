/* Crews of uneven size: a taskloop over them, again with what the first time gave. */
#include "truth.h"
enum { CREWS = SIZE(96, 3000), TIMES = 3 };
static float load[CREWS];
static void haul(int c)
{
    float w = load[c];
    for (int i = 0; i < 60 + c * 11 % 190; i++)
        w = w * 0.98f + (float)(i & 3);
    load[c] = w;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int c = 0; c < CREWS; c++)
        load[c] = (float)(c % 5);
    KERNEL_BEGIN();
    BEGIN("crews.all");
#pragma omp parallel
    {
#pragma omp single
        {
            BEGIN("crews.make");
            for (int t = 0; t < TIMES; t++) {
                BEGIN("crews.time");
#pragma omp taskloop grainsize(3)
                for (int c = 0; c < CREWS; c++) {
                    BEGIN("crews.one");
                    haul(c);
                    END("crews.one");
                }
                END("crews.time");
            }
            END("crews.make");
        }
    }
    END("crews.all");
    KERNEL_END(load[7]);
}
