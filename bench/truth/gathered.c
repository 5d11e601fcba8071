/* The product of a matrix's other side with a vector: rows are read, columns are added to by atomics. */
#include "truth.h"
enum { ROWS = SIZE(2400, 40000), COLUMNS = SIZE(700, 30000), PER = 6 };
static float value[ROWS][PER], v[ROWS], sum[COLUMNS];
static int column[ROWS][PER];
int main(void)
{
    CC_RECORD_OFF();
    for (int r = 0; r < ROWS; r++) {
        v[r] = (float)(r % 9);
        for (int k = 0; k < PER; k++) {
            column[r][k] = (r * 31 + k * 101) % COLUMNS;
            value[r][k] = (float)(k + 1);
        }
    }
    KERNEL_BEGIN();
    BEGIN("gathered.all");
#pragma omp parallel for schedule(static)
    for (int r = 0; r < ROWS; r++) {
        BEGIN("gathered.row");
        for (int k = 0; k < PER; k++) {
            BEGIN("gathered.add");
#pragma omp atomic
            sum[column[r][k]] += value[r][k] * v[r];
            END("gathered.add");
        }
        END("gathered.row");
    }
    END("gathered.all");
    KERNEL_END(sum[50]);
}
