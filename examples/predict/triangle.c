/* A triangular loop: iteration i does i steps. Blocks of iterations are far from balanced, single ones dealt
 * in turn are. */
#include "common.h"

enum { N = 1500 };
static uint32_t result[N];

static BODY void step(int i)
{
    uint32_t x = (uint32_t)i + 1;
    for (int j = 0; j <= i * 80; j++)
        x = x * 1664525u + 1013904223u + (x >> 7);
    result[i] = x;
}

int main(void)
{
    CC_TASK_BEGIN("triangle");
    OMP(parallel for schedule(SCHEDULE))
    for (int i = 0; i < N; i++) {
        CC_TASK_BEGIN("triangle.step");
        step(i);
        CC_TASK_END("triangle.step");
    }
    CC_TASK_END("triangle");
    printf("triangle %016llx\n", (unsigned long long)hash_bytes(result, sizeof result));
    return 0;
}
