/* A plate's temperatures: steps inside one region, from one grid into the other, until a greatest change is
 * known to a single thread. */
#include "truth.h"
enum { N = SIZE(66, 1026), STEPS = SIZE(16, 60) };
static double g[2][N][N], most[STEPS], change;
static double line(int from, int i)
{
    double d = 0;
    for (int j = 1; j < N - 1; j++) {
        double v = 0.25 * (g[from][i - 1][j] + g[from][i + 1][j] + g[from][i][j - 1] + g[from][i][j + 1]);
        d = fmax(d, fabs(v - g[from][i][j]));
        g[!from][i][j] = v;
    }
    return d;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            g[0][i][j] = g[1][i][j] = (i * 7 + j * 3) % 11;
    KERNEL_BEGIN();
    BEGIN("plate.all");
#pragma omp parallel
    for (int s = 0; s < STEPS; s++) {
        BEGIN("plate.step");
#pragma omp for schedule(static) reduction(max : change)
        for (int i = 1; i < N - 1; i++) {
            BEGIN("plate.line");
            change = fmax(change, line(s & 1, i));
            END("plate.line");
        }
#pragma omp single
        {
            BEGIN("plate.note");
            most[s] = change;
            change = 0;
            END("plate.note");
        }
        END("plate.step");
    }
    END("plate.all");
    KERNEL_END(most[STEPS - 1]);
}
