/* Caves with none to three ways on, each of which a task explores down to some depth; who sent them waits. */
#include "truth.h"
enum { DEEP = SIZE(5, 9), ROCK = SIZE(300, 4000) };
static int dig(unsigned x)
{
    int n = 0;
    for (int i = 0; i < ROCK; i++) {
        x = x * 1664525 + 1013904223;
        n += x >> 28 == 5;
    }
    return n;
}
static int caves(unsigned x, int depth)
{
    int n = dig(x), found[3] = {0}, ways = depth == 0 ? 3 : (int)(x >> 20 & 3);
    if (depth > DEEP + 3)
        return n;
    for (int i = 0; i < ways; i++) {
        unsigned next = x * 747796405u + 2891336453u * (unsigned)(i + 1);
        if (depth < DEEP) {
            int *f = &found[i];
#pragma omp task firstprivate(next)
            {
                CALL_BEGIN("caves.way");
                *f = caves(next, depth + 1);
                CALL_END("caves.way");
            }
        } else {
            found[i] = caves(next, depth + 1);
        }
    }
    CALL_BEGIN("caves.wait");
#pragma omp taskwait
    CALL_END("caves.wait");
    return n + found[0] + found[1] + found[2];
}
int main(void)
{
    CC_RECORD_OFF();
    int n = 0;
    KERNEL_BEGIN();
    BEGIN("caves.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("caves.one");
        n = caves(12345, 0);
        END("caves.one");
    }
    END("caves.all");
    KERNEL_END(n);
}
