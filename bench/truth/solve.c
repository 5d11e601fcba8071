/* Triangular systems with many right sides, a side at a time for whoever is free. */
#include "truth.h"
enum { N = SIZE(56, 400), SIDES = SIZE(48, 400) };
static double l[N][N], b[SIDES][N];
static void side(int s)
{
    int first = s % (N / 2); /* zeros at the top take no time */
    for (int i = first; i < N; i++) {
        double v = b[s][i];
        for (int k = first; k < i; k++)
            v -= l[i][k] * b[s][k];
        b[s][i] = v / l[i][i];
    }
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int k = 0; k <= i; k++)
            l[i][k] = i == k ? 3 + i % 5 : 0.01 * ((i + k) % 7);
    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < N; i++)
            b[s][i] = (s + i) % 13;
    KERNEL_BEGIN();
    BEGIN("solve.all");
#pragma omp parallel for schedule(dynamic)
    for (int s = 0; s < SIDES; s++) {
        BEGIN("solve.side");
        side(s);
        END("solve.side");
    }
    END("solve.all");
    KERNEL_END(b[3][N - 1]);
}
