/* Wave front: the distance of two texts, blocks of one diagonal after the other; parallelism grows and
 * shrinks. */
#include "truth.h"
enum { N = SIZE(384, 6144), BLOCK = SIZE(24, 192), BLOCKS = N / BLOCK };
static unsigned char a[N], b[N];
static short d[N + 1][N + 1];
static void block(int bi, int bj)
{
    for (int i = bi * BLOCK + 1; i <= (bi + 1) * BLOCK; i++)
        for (int j = bj * BLOCK + 1; j <= (bj + 1) * BLOCK; j++) {
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            d[i][j] = (short)(d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best);
        }
}
int main(void)
{
    CC_RECORD_OFF();
    TOUCH(d);
    for (int i = 0; i < N; i++) {
        a[i] = (unsigned char)(i * i % 7);
        b[i] = (unsigned char)(i * 3 % 5);
        d[i + 1][0] = d[0][i + 1] = (short)(i + 1);
    }
    KERNEL_BEGIN();
    for (int k = 0; k < 2 * BLOCKS - 1; k++) {
        int first = k < BLOCKS ? 0 : k - BLOCKS + 1, last = k < BLOCKS ? k : BLOCKS - 1;
        BEGIN("align.diagonal");
#pragma omp parallel for schedule(static, 1)
        for (int i = first; i <= last; i++) {
            BEGIN("align.block");
            block(i, k - i);
            END("align.block");
        }
        END("align.diagonal");
    }
    KERNEL_END(d[N][N]);
}
