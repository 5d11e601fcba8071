/* A tree is made and summed up, left and right by tasks down to a depth, final below. */
#include "truth.h"
enum { DEEP = SIZE(9, 16), CUT = SIZE(4, 8) };
static long tree(int depth, int seed)
{
    if (depth == 0) {
        long s = seed;
        for (int k = 0; k < 60; k++)
            s = (s * 1103515245 + 12345) & 0x7fffffff;
        return s & 1023;
    }
    long l, r;
    if (depth <= DEEP - CUT)
        return tree(depth - 1, seed * 2) + tree(depth - 1, seed * 2 + 1);
#pragma omp task shared(l)
    {
        CALL_BEGIN("boughs.part");
        l = tree(depth - 1, seed * 2);
        CALL_END("boughs.part");
    }
#pragma omp task shared(r)
    {
        CALL_BEGIN("boughs.part");
        r = tree(depth - 1, seed * 2 + 1);
        CALL_END("boughs.part");
    }
    CALL_BEGIN("boughs.wait");
#pragma omp taskwait
    CALL_END("boughs.wait");
    return l + r;
}
int main(void)
{
    CC_RECORD_OFF();
    long sum = 0;
    KERNEL_BEGIN();
    BEGIN("boughs.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("boughs.root");
        sum = tree(DEEP, 1);
        END("boughs.root");
    }
    END("boughs.all");
    KERNEL_END((double)sum);
}
