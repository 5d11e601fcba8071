/* Two loops of one region, rows and then columns of bytes, dealt out one by one: neighbours' lines meet at
 * the seams. */
#include "truth.h"
enum { N = SIZE(192, 2048), R = 2, STEPS = SIZE(1, 3) };
static unsigned char in[N][N], half[N][N], out[N][N];
static void row(int i)
{
    for (int j = R; j < N - R; j++)
        half[i][j] = (unsigned char)((in[i][j - 2] + 4 * in[i][j - 1] + 6 * in[i][j] + 4 * in[i][j + 1] +
                                      in[i][j + 2]) >>
                                     4);
}
static void column(int i)
{
    for (int j = 0; j < N; j++)
        out[i][j] = (unsigned char)((half[i - 2][j] + 4 * half[i - 1][j] + 6 * half[i][j] +
                                     4 * half[i + 1][j] + half[i + 2][j]) >>
                                    4);
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            in[i][j] = (unsigned char)(i * 3 ^ j * 5);
    TOUCH(half);
    TOUCH(out);
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        BEGIN("blur.step");
#pragma omp parallel
        {
#pragma omp for schedule(static, 1)
            for (int i = 0; i < N; i++) {
                BEGIN("blur.row");
                row(i);
                END("blur.row");
            }
#pragma omp for schedule(static, 1)
            for (int i = R; i < N - R; i++) {
                BEGIN("blur.column");
                column(i);
                END("blur.column");
            }
        }
        END("blur.step");
    }
    KERNEL_END(out[9][9]);
}
