/* Compute, uneven: rows of a fractal, dynamic. */
#include "truth.h"
enum { N = SIZE(64, 1200) };
static int image[N][N];
static int escape(double cx, double cy)
{
    double x = 0, y = 0;
    int k = 0;
    for (; k < 60 && x * x + y * y < 4; k++) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    }
    return k;
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++) {
        BEGIN("fractal.row");
        for (int j = 0; j < N; j++)
            image[i][j] = escape(3.0 * j / N - 2.2, 2.4 * i / N - 1.2);
        END("fractal.row");
    }
    KERNEL_END(image[20][30]);
}
