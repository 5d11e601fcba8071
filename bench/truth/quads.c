/* Recursive tasks: a picture is divided into quarters until they are small or even; four tasks a level. */
#include "truth.h"
enum { W = SIZE(64, 1024), SMALL = SIZE(8, 64) };
static unsigned char image[W][W];
static int even(int x, int y, int n)
{
    int lo = 255, hi = 0;
    for (int j = y; j < y + n; j++)
        for (int i = x; i < x + n; i++) {
            lo = image[j][i] < lo ? image[j][i] : lo;
            hi = image[j][i] > hi ? image[j][i] : hi;
        }
    return hi - lo < 40;
}
static int quads(int x, int y, int n)
{
    int all = 1;
    if (!even(x, y, n) && n > SMALL) {
        int part[4], h = n / 2;
        for (int q = 0; q < 4; q++) {
#pragma omp task shared(part) firstprivate(q)
            {
                CALL_BEGIN("quads.part");
                part[q] = quads(x + q % 2 * h, y + q / 2 * h, h);
                CALL_END("quads.part");
            }
        }
        CALL_BEGIN("quads.wait");
#pragma omp taskwait
        CALL_END("quads.wait");
        all += part[0] + part[1] + part[2] + part[3];
    }
    return all;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int j = 0; j < W; j++)
        for (int i = 0; i < W; i++)
            image[j][i] = (unsigned char)((i * i + 3 * j * j) / 37 + (i ^ j));
    int n = 0;
    KERNEL_BEGIN();
    BEGIN("quads.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("quads.one");
        n = quads(0, 0, W);
        END("quads.one");
    }
    END("quads.all");
    KERNEL_END(n);
}
