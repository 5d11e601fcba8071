/* A taskloop: rows of different lengths, as tasks of so many rows. */
#include "truth.h"
enum { ROWS = SIZE(240, 6000), COLUMNS = SIZE(160, 2400), GRAIN = 6 };
static float m[ROWS][COLUMNS], x[COLUMNS], y[ROWS];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            m[i][j] = (float)((i ^ j) & 15);
    for (int j = 0; j < COLUMNS; j++)
        x[j] = (float)(j % 5);
    KERNEL_BEGIN();
    BEGIN("rows.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("rows.one");
#pragma omp taskloop grainsize(GRAIN)
        for (int i = 0; i < ROWS; i++) {
            BEGIN("rows.row");
            float s = 0;
            for (int j = 0; j < COLUMNS - i % COLUMNS / 2; j++)
                s += m[i][j] * x[j];
            y[i] = s;
            END("rows.row");
        }
        END("rows.one");
    }
    END("rows.all");
    KERNEL_END(y[17]);
}
