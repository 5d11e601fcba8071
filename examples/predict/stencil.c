/* Five-point stencil over arrays much larger than the caches: bound by the bandwidth of the memory. */
#include "common.h"

enum { WIDTH = 2048, HEIGHT = 2048, ROWS = 16, SWEEPS = 16 };

static BODY void rows(const double *from, double *to, int y0)
{
    for (int y = y0; y < y0 + ROWS; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            const double *p = from + (size_t)y * WIDTH + x;
            to[(size_t)y * WIDTH + x] = 0.5 * p[0] + 0.125 * (p[-1] + p[1] + p[-WIDTH] + p[WIDTH]);
        }
}

int main(void)
{
    double *a = memory(sizeof(double) * WIDTH * HEIGHT), *b = memory(sizeof(double) * WIDTH * HEIGHT);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i += 977)
        a[i] = b[i] = 1000;
    for (int s = 0; s < SWEEPS; s++) {
        CC_TASK_BEGIN("stencil.sweep");
        OMP(parallel for schedule(SCHEDULE))
        for (int y = ROWS; y < HEIGHT - ROWS; y += ROWS) {
            CC_TASK_BEGIN("stencil.rows");
            rows(a, b, y);
            CC_TASK_END("stencil.rows");
        }
        CC_TASK_END("stencil.sweep");
        double *t = a;
        a = b;
        b = t;
    }
    printf("stencil %016llx\n", (unsigned long long)hash_bytes(a + (size_t)WIDTH * 1000, 1 << 16));
    return 0;
}
