/* Elimination with pivots in one region: each thread looks for the largest of its rows and offers it under a
 * lock, one thread swaps, all go on with the rows below. */
#include "truth.h"
enum { N = SIZE(56, 700) };
static double a[N][N];
static double most;
static int row;
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (double)((i * 37 + j * 101 + i * j * 7) % 211) + 1.0 / (1 + i + j);
    KERNEL_BEGIN();
    BEGIN("pivots.all");
#pragma omp parallel
    for (int k = 0; k < N - 1; k++) {
        double best = -1;
        int at = k;
#pragma omp for schedule(static) nowait
        for (int i = k; i < N; i++) {
            BEGIN("pivots.look");
            if (fabs(a[i][k]) > best) {
                best = fabs(a[i][k]);
                at = i;
            }
            END("pivots.look");
        }
        BEGIN("pivots.offer");
#pragma omp critical
        if (best > most) {
            most = best;
            row = at;
        }
        END("pivots.offer");
        BEGIN("pivots.meet");
#pragma omp barrier
        END("pivots.meet");
#pragma omp single
        {
            BEGIN("pivots.swap");
            for (int j = k; j < N && row != k; j++) {
                double t = a[k][j];
                a[k][j] = a[row][j];
                a[row][j] = t;
            }
            most = -1;
            END("pivots.swap");
        }
#pragma omp for schedule(static)
        for (int i = k + 1; i < N; i++) {
            BEGIN("pivots.row");
            double f = a[i][k] / a[k][k];
            for (int j = k; j < N; j++)
                a[i][j] -= f * a[k][j];
            END("pivots.row");
        }
    }
    END("pivots.all");
    KERNEL_END(a[N - 1][N - 1]);
}
