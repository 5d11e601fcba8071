/* Imbalance: rows of a triangle, each longer than the one before. SCHEDULE is given by the compiler. */
#include "truth.h"
#define PRAGMA(x) _Pragma(#x)
#define PARALLEL_FOR(schedule) PRAGMA(omp parallel for schedule)
enum { N = SIZE(240, 1600), STEPS = SIZE(4, 60) };
static double m[N][N], v[N], r[N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++) {
        v[i] = i;
        for (int j = 0; j <= i; j++)
            m[i][j] = i ^ j;
    }
    KERNEL_BEGIN();
    for (int k = 0; k < STEPS; k++) {
        BEGIN("triangle.step");
        PARALLEL_FOR(SCHEDULE)
        for (int i = 0; i < N; i++) {
            BEGIN("triangle.row");
            double s = 0;
            for (int j = 0; j <= i; j++)
                s += m[i][j] * v[j];
            r[i] = s;
            END("triangle.row");
        }
        END("triangle.step");
    }
    KERNEL_END(r[N - 1]);
}
