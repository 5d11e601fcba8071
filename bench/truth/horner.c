/* Values of a polynomial at many places, by Horner's rule: no memory to speak of but the results. */
#include "truth.h"
enum { N = SIZE(1200, 200000), DEGREE = SIZE(24, 400) };
static double y[N];
int main(void)
{
    CC_RECORD_OFF();
    TOUCH(y);
    KERNEL_BEGIN();
    BEGIN("horner.all");
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < N; i++) {
        BEGIN("horner.place");
        double x = i * (1.0 / N), v = 1;
        for (int k = DEGREE; k > 0; k--)
            v = v * x + 1.0 / k;
        y[i] = v;
        END("horner.place");
    }
    END("horner.all");
    KERNEL_END(y[N / 2]);
}
