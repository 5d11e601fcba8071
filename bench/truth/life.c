/* Shared cache, branches: cells of a byte that live by their neighbours' number, a region of static rows for
 * each generation. */
#include "truth.h"
enum { N = SIZE(114, 1200), STEPS = SIZE(6, 8) };
static unsigned char world[2][N][N];
static void row(unsigned char (*from)[N], unsigned char *to, int i)
{
    for (int j = 1; j < N - 1; j++) {
        int n = from[i - 1][j - 1] + from[i - 1][j] + from[i - 1][j + 1] + from[i][j - 1] + from[i][j + 1] +
                from[i + 1][j - 1] + from[i + 1][j] + from[i + 1][j + 1];
        to[j] = n == 3 || (n == 2 && from[i][j]);
    }
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            world[0][i][j] = (i * i + j * 13) % 5 < 2;
    TOUCH(world[1]);
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        BEGIN("life.step");
#pragma omp parallel for schedule(static)
        for (int i = 1; i < N - 1; i++) {
            BEGIN("life.row");
            row(world[s & 1], world[~s & 1][i], i);
            END("life.row");
        }
        END("life.step");
    }
    int alive = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            alive += world[STEPS & 1][i][j];
    KERNEL_END(alive);
}
