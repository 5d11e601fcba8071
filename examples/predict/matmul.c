/* Matrix multiply, parallel over rows of the result. With 256 rows all stays in a core's own caches; with
 * -DN=384 and more, both threads draw the same second matrix through the cache they share. */
#include "common.h"

#ifndef N
#define N 256
#endif
static double a[N][N], b[N][N], c[N][N];

static BODY void row(int i)
{
    for (int k = 0; k < N; k++) {
        double f = a[i][k];
        for (int j = 0; j < N; j++)
            c[i][j] += f * b[k][j];
    }
}

int main(void)
{
    uint32_t r = 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = next_random(&r) % 100;
            b[i][j] = next_random(&r) % 100;
        }
    for (int round = 0; round < 30; round++) {
        CC_TASK_BEGIN("matmul");
        OMP(parallel for schedule(SCHEDULE))
        for (int i = 0; i < N; i++) {
            CC_TASK_BEGIN("matmul.row");
            row(i);
            CC_TASK_END("matmul.row");
        }
        CC_TASK_END("matmul");
    }
    printf("matmul %016llx\n", (unsigned long long)hash_bytes(c, sizeof c));
    return 0;
}
