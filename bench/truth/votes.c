/* Reductions of arrays, and counters of blocks that share lines. */
#include "truth.h"
enum { N = SIZE(8192, 1 << 20), BLOCK = SIZE(128, 4096), K = 24 };
static unsigned short v[N];
static unsigned seen[N / BLOCK];
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 9;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        v[i] = (unsigned short)(x >> 16);
    }
    long votes[K] = {0}, best = 0;
    KERNEL_BEGIN();
    BEGIN("votes.all");
#pragma omp parallel for schedule(static, 1) reduction(+ : votes[:K]) reduction(max : best)
    for (int b = 0; b < N / BLOCK; b++) {
        BEGIN("votes.block");
        for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            votes[v[i] % K] += v[i] & 7;
            if (v[i] > 40000)
                seen[b]++;
            best = v[i] > best ? v[i] : best;
        }
        END("votes.block");
    }
    END("votes.all");
    KERNEL_END(votes[3] + best + seen[5]);
}
