/* Layers of a picture: cells that each need the one above and the one to the left, as tasks; then a count of
 * what came out, by threads that take rows and meet at one lock. */
#include "truth.h"
enum { CELLS = SIZE(6, 12), EDGE = SIZE(16, 256), W = CELLS * EDGE, KINDS = 8 };
static int height[W + 1][W + 1], seen[KINDS];
static char done_[CELLS + 1][CELLS + 1];
static void cell(int r, int c)
{
    int rounds = 1 + (r * 5 + c * 3) % 4;
    for (int n = 0; n < rounds; n++)
        for (int y = 1 + r * EDGE; y <= (r + 1) * EDGE; y++)
            for (int x = 1 + c * EDGE; x <= (c + 1) * EDGE; x++)
                height[y][x] = (height[y - 1][x] + height[y][x - 1] + 3 * height[y][x] + x * y % 7) / 5;
}
static void count(int row)
{
    int own[KINDS] = {0};
    for (int x = 1; x <= W; x++)
        own[height[row][x] & (KINDS - 1)]++;
    BEGIN("strata.add");
#pragma omp critical
    for (int k = 0; k < KINDS; k++)
        seen[k] += own[k];
    END("strata.add");
}
int main(void)
{
    CC_RECORD_OFF();
    for (int y = 0; y <= W; y++)
        for (int x = 0; x <= W; x++)
            height[y][x] = (x * x + 3 * y) % 101;
    KERNEL_BEGIN();
    BEGIN("strata.all");
#pragma omp parallel
    {
#pragma omp single
        {
            BEGIN("strata.make");
            for (int r = 0; r < CELLS; r++)
                for (int c = 0; c < CELLS; c++) {
#pragma omp task depend(in                                             \
                        : done_[r][c + 1], done_[r + 1][c]) depend(out \
                                                                   : done_[r + 1][c + 1]) firstprivate(r, c)
                    {
                        CALL_BEGIN("strata.cell");
                        cell(r, c);
                        CALL_END("strata.cell");
                    }
                }
            END("strata.make");
        }
#pragma omp for schedule(dynamic, 4)
        for (int row = 1; row <= W; row++) {
            BEGIN("strata.row");
            count(row);
            END("strata.row");
        }
    }
    END("strata.all");
    int sum = 0;
    for (int k = 0; k < KINDS; k++)
        sum += k * seen[k];
    KERNEL_END(sum);
}
