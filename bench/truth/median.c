/* The middle of nine neighbours for each point of a picture, in tiles: branches and bytes. */
#include "truth.h"
enum { W = SIZE(96, 1536), H = SIZE(64, 1024), TILE = SIZE(16, 64), ACROSS = W / TILE };
static unsigned char in[H + 2][W + 2], out[H][W];
static int middle(int y, int x)
{
    unsigned char v[9];
    for (int k = 0; k < 9; k++) {
        unsigned char c = in[y + k / 3][x + k % 3];
        int at = k;
        for (; at > 0 && v[at - 1] > c; at--)
            v[at] = v[at - 1];
        v[at] = c;
    }
    return v[4];
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 9;
    for (int i = 0; i < (H + 2) * (W + 2); i++) {
        seed = seed * 1664525 + 1013904223;
        in[i / (W + 2)][i % (W + 2)] = (unsigned char)(seed >> 24);
    }
    TOUCH(out);
    KERNEL_BEGIN();
    BEGIN("median.all");
#pragma omp parallel for schedule(static, 1)
    for (int t = 0; t < H / TILE * ACROSS; t++) {
        BEGIN("median.tile");
        for (int y = t / ACROSS * TILE; y < t / ACROSS * TILE + TILE; y++)
            for (int x = t % ACROSS * TILE; x < t % ACROSS * TILE + TILE; x++)
                out[y][x] = (unsigned char)middle(y, x);
        END("median.tile");
    }
    END("median.all");
    KERNEL_END(out[H / 2][W / 2]);
}
