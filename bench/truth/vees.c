/* Multigrid: V-cycles of smoothing, restriction and correction on grids that shrink to a few points, each
 * step a parallel loop, and the residual's norm behind each cycle. */
#include "truth.h"
enum { N = SIZE(64, 512), DEEP = 4, CYCLES = SIZE(3, 6) };
static float u[DEEP][N + 1][N + 1], f[DEEP][N + 1][N + 1], r[DEEP][N + 1][N + 1];
static void smooth(int l, int n)
{
    for (int colour = 0; colour < 2; colour++) {
        BEGIN("vees.smooth");
#pragma omp parallel for schedule(static)
        for (int j = 1; j < n; j++) {
            BEGIN("vees.line");
            for (int i = 1 + (j + colour) % 2; i < n; i += 2)
                u[l][j][i] =
                    0.25f * (u[l][j - 1][i] + u[l][j + 1][i] + u[l][j][i - 1] + u[l][j][i + 1] - f[l][j][i]);
            END("vees.line");
        }
        END("vees.smooth");
    }
}
static void residual(int l, int n)
{
    BEGIN("vees.residual");
#pragma omp parallel for schedule(static)
    for (int j = 1; j < n; j++) {
        BEGIN("vees.rest");
        for (int i = 1; i < n; i++)
            r[l][j][i] = f[l][j][i] -
                         (u[l][j - 1][i] + u[l][j + 1][i] + u[l][j][i - 1] + u[l][j][i + 1] - 4 * u[l][j][i]);
        END("vees.rest");
    }
    END("vees.residual");
}
static void restricts(int l, int n)
{
    BEGIN("vees.restrict");
#pragma omp parallel for schedule(static)
    for (int j = 1; j < n / 2; j++) {
        BEGIN("vees.down");
        for (int i = 1; i < n / 2; i++) {
            f[l + 1][j][i] = r[l][2 * j][2 * i] + 0.5f * (r[l][2 * j - 1][2 * i] + r[l][2 * j + 1][2 * i]);
            u[l + 1][j][i] = 0;
        }
        END("vees.down");
    }
    END("vees.restrict");
}
static void correct(int l, int n)
{
    BEGIN("vees.correct");
#pragma omp parallel for schedule(static)
    for (int j = 1; j < n; j++) {
        BEGIN("vees.up");
        for (int i = 1; i < n; i++)
            u[l][j][i] += 0.25f * (u[l + 1][j / 2][i / 2] + u[l + 1][(j + 1) / 2][i / 2] +
                                   u[l + 1][j / 2][(i + 1) / 2] + u[l + 1][(j + 1) / 2][(i + 1) / 2]);
        END("vees.up");
    }
    END("vees.correct");
}
static void cycle(int l, int n)
{
    smooth(l, n);
    if (l + 1 == DEEP)
        return;
    residual(l, n);
    restricts(l, n);
    cycle(l + 1, n / 2);
    correct(l, n);
    smooth(l, n);
}
int main(void)
{
    CC_RECORD_OFF();
    double norm = 0;
    for (int j = 1; j < N; j++)
        for (int i = 1; i < N; i++)
            f[0][j][i] = (float)((i * j) % 5);
    KERNEL_BEGIN();
    for (int c = 0; c < CYCLES; c++) {
        cycle(0, N);
        residual(0, N);
        norm = 0;
        BEGIN("vees.norm");
#pragma omp parallel for schedule(static) reduction(+ : norm)
        for (int j = 1; j < N; j++) {
            BEGIN("vees.square");
            for (int i = 1; i < N; i++)
                norm += r[0][j][i] * r[0][j][i];
            END("vees.square");
        }
        END("vees.norm");
    }
    KERNEL_END(norm);
}
