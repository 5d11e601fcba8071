/* Tasks: the queens problem, one task for each pair of first moves. */
#include "truth.h"
enum { N = SIZE(10, 13) };
static long found[N * N];
static long place(unsigned cols, unsigned left, unsigned right)
{
    if (cols == (1u << N) - 1)
        return 1;
    long sum = 0;
    for (unsigned free = ~(cols | left | right) & ((1u << N) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        sum += place(cols | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return sum;
}
static long start(int t)
{
    unsigned a = 1u << t / N, b = 1u << t % N;
    unsigned left = a << 1, right = a >> 1;
    if (b & (a | left | right))
        return 0;
    return place(a | b, (left | b) << 1, (right | b) >> 1);
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("queens.all");
#pragma omp parallel
    {
#pragma omp single
        {
            BEGIN("queens.spawn");
            for (int t = 0; t < N * N; t++) {
#pragma omp task firstprivate(t)
                {
                    CALL_BEGIN("queens.task");
                    found[t] = start(t);
                    CALL_END("queens.task");
                }
            }
            END("queens.spawn");
        }
    }
    END("queens.all");
    long sum = 0;
    for (int t = 0; t < N * N; t++)
        sum += found[t];
    KERNEL_END((double)sum);
}
