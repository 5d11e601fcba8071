/* An uneven tree, recursive tasks that are final from a depth on; what is small is no task of its own. */
#include "truth.h"
enum { LEAVES = SIZE(700, 40000), SMALL = SIZE(12, 100), FINAL = SIZE(4, 7) };
static long grow(int leaves, unsigned seed, int depth)
{
    if (leaves < 2) {
        for (int k = 0; k < 40; k++)
            seed = seed * 1664525 + (seed >> 9);
        return seed & 255;
    }
    int left = (leaves * 2 + 3) / 5;
    long a, b;
    if (leaves < SMALL)
        return grow(left, seed + 1, depth) + grow(leaves - left, seed + 2, depth);
#pragma omp task shared(a) final(depth >= FINAL)
    {
        CALL_BEGIN("canopy.part");
        a = grow(left, seed * 3 + 1, depth + 1);
        CALL_END("canopy.part");
    }
#pragma omp task shared(b) final(depth >= FINAL)
    {
        CALL_BEGIN("canopy.part");
        b = grow(leaves - left, seed * 3 + 2, depth + 1);
        CALL_END("canopy.part");
    }
    CALL_BEGIN("canopy.wait");
#pragma omp taskwait
    CALL_END("canopy.wait");
    return a + b;
}
int main(void)
{
    CC_RECORD_OFF();
    long sum = 0;
    KERNEL_BEGIN();
    BEGIN("canopy.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("canopy.root");
        sum = grow(LEAVES, 5, 0);
        END("canopy.root");
    }
    END("canopy.all");
    KERNEL_END((double)sum);
}
