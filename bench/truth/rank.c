/* A sparse matrix of uneven rows, times a vector, again and again, and the norm in between. */
#include "truth.h"
enum { N = SIZE(1536, 1 << 17), BLOCK = SIZE(16, 512), STEPS = SIZE(4, 20) };
static int begin[N + 1], column[N * 12];
static double value[N * 12], x[N], y[N];
static double row(int i)
{
    double sum = 0;
    for (int k = begin[i]; k < begin[i + 1]; k++)
        sum += value[k] * x[column[k]];
    return sum;
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 9;
    int at = 0;
    for (int i = 0; i < N; i++) {
        begin[i] = at;
        x[i] = 1;
        seed = seed * 1664525 + 1013904223;
        for (int left = 1 + (int)(seed >> 28) % 12; left; left--) {
            seed = seed * 1664525 + 1013904223;
            column[at] = (int)((seed >> 8) % N);
            value[at++] = 1.0 / (1 + (seed >> 29));
        }
    }
    begin[N] = at;
    TOUCH(y);
    KERNEL_BEGIN();
    double norm = 0;
    for (int s = 0; s < STEPS; s++) {
        BEGIN("rank.multiply");
#pragma omp parallel for schedule(guided, 2)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("rank.rows");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                y[i] = row(i);
            END("rank.rows");
        }
        END("rank.multiply");
        norm = 0;
        BEGIN("rank.norm");
#pragma omp parallel for schedule(static) reduction(+ : norm)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("rank.square");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                norm += y[i] * y[i];
            END("rank.square");
        }
        END("rank.norm");
        double scale = 1 / sqrt(norm);
        BEGIN("rank.scale");
#pragma omp parallel for schedule(static)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("rank.times");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++)
                x[i] = y[i] * scale;
            END("rank.times");
        }
        END("rank.scale");
    }
    KERNEL_END(norm);
}
