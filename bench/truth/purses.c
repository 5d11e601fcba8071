/* Sums, a count and the greatest of them in variables of the function that opens the region, changed by
 * all threads under a lock; rows of uneven length. */
#include "truth.h"
enum { ROWS = SIZE(300, 30000), W = SIZE(48, 512), ROUNDS = SIZE(3, 4) };
static float row[ROWS][W];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < W; j++)
            row[i][j] = (float)((i * 13 + j * 7) % 31);
    struct {
        float sum, most, least;
        int rows, of[20];
    } all = {0};
    KERNEL_BEGIN();
    for (int r = 0; r < ROUNDS; r++) {
        BEGIN("purses.all");
#pragma omp parallel for schedule(dynamic, 2)
        for (int i = 0; i < ROWS; i++) {
            BEGIN("purses.row");
            float s = 0;
            for (int j = 0; j < 8 + i % (W - 8); j++)
                s += row[i][j] * row[i][j];
            BEGIN("purses.add");
#pragma omp critical
            {
                all.sum += s;
                all.most = s > all.most ? s : all.most;
                all.least = s < all.least ? s : all.least;
                all.rows++;
                all.of[i % 20]++;
            }
            END("purses.add");
            END("purses.row");
        }
        END("purses.all");
    }
    KERNEL_END(all.sum + all.most + (float)all.of[3]);
}
