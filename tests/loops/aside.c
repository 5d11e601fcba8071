/* What a compiler puts aside in the frame in front of a loop bears a line of the loop, and is no iteration of
 * it. An array that lies in the frame is another matter. */
#include "loops.h"
#include <math.h>
#include <stdlib.h>

enum { ROWS = 24, WIDE = 3 };
static double ***disp, **m, **c, **v;
static int plus = 2, now = 1, minus = 0;
static double left[ROWS];

static double **rows(void)
{
    double **r = malloc(ROWS * sizeof *r);
    for (int i = 0; i < ROWS; i++)
        r[i] = calloc(WIDE, sizeof **r);
    return r;
}
static double phi(double t, double t0)
{
    return t <= t0 ? 2.0 * 3.14 / t0 / t0 * sin(2.0 * 3.14 * t / t0) : 0.0;
}

KERNEL(steps)
{
    double dt = 0.0024;
    int i, j;
    disp = malloc(3 * sizeof *disp);
    for (int k = 0; k < 3; k++)
        disp[k] = rows();
    m = rows(), c = rows(), v = rows();
    for (int step = 1; step <= n / 8; step++) { /* loop: no */
        double time = step * dt;
        for (i = 0; i < ROWS; i++) /* loop: private */
            for (j = 0; j < WIDE; j++)
                /* in one line, so that what is put aside bears that of the store */
                /* clang-format off */
                disp[plus][i][j] += 2.0 * m[i][j] * disp[now][i][j] - (m[i][j] - dt / 2.0 * c[i][j]) * disp[minus][i][j] - dt * dt * (m[i][j] * phi(time, 0.6) / 2.0);
        /* clang-format on */
        for (i = 0; i < ROWS; i++) /* loop: private */
            for (j = 0; j < WIDE; j++)
                v[i][j] = 0.5 / dt * (disp[plus][i][j] - disp[minus][i][j]);
        i = minus;
        minus = now;
        now = plus;
        plus = i;
    }
    keep(v[1][1] + disp[0][2][1]);
}
KERNEL(frame)
{
    double t[ROWS + 1];
    for (int k = 0; k < n; k++) {      /* loop: no */
        for (int i = 0; i < ROWS; i++) /* loop: no */
            t[i] = i ? t[i - 1] * 0.5 + sin(t[i - 1]) : sin(left[k % ROWS]);
        left[(k + 1) % ROWS] = t[ROWS - 1] + 1;
    }
    keep(left[3]);
}
/* gcc takes the first iteration of the inner loop out, and stores to a fixed place of the frame there. */
KERNEL(first)
{
    int t[8];
    for (int k = 0; k < n; k++) { /* loop: no */
        t[0] = k;
        for (int i = 1; i < 8; i++) /* loop: no */
            t[i] = t[i - 1] * 3 + i;
        left[k % 2 ? k % ROWS : 0] = t[k % 8];
    }
    keep(left[3]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    (void)argv;
    steps(n);
    frame(n);
    first(n);
    return finish();
}
