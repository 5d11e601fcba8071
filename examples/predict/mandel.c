/* Mandelbrot set, parallel over rows, which differ much in length. */
#include "common.h"

enum { WIDTH = 480, HEIGHT = 320, LIMIT = 1000 };
static uint16_t depth[HEIGHT][WIDTH];

static BODY void row(int y)
{
    double ci = -1.1 + 1.7 * y / HEIGHT;
    for (int x = 0; x < WIDTH; x++) {
        double cr = -2.0 + 2.6 * x / WIDTH, zr = 0, zi = 0;
        int n = 0;
        while (n < LIMIT && zr * zr + zi * zi < 4) {
            double t = zr * zr - zi * zi + cr;
            zi = 2 * zr * zi + ci;
            zr = t;
            n++;
        }
        depth[y][x] = (uint16_t)n;
    }
}

int main(void)
{
    CC_TASK_BEGIN("mandel");
    OMP(parallel for schedule(SCHEDULE))
    for (int y = 0; y < HEIGHT; y++) {
        CC_TASK_BEGIN("mandel.row");
        row(y);
        CC_TASK_END("mandel.row");
    }
    CC_TASK_END("mandel");
    printf("mandel %016llx\n", (unsigned long long)hash_bytes(depth, sizeof depth));
    return 0;
}
