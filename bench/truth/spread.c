/* Breadth first: the nodes of a level are in a list, and new ones find their place in the next list by an
 * atomic capture. */
#include "truth.h"
enum { N = SIZE(3072, 1 << 18), DEGREE = 6, BLOCK = SIZE(16, 256) };
static unsigned edge[N][DEGREE];
static unsigned char seen[N];
static unsigned list[2][N], length[2];
static void visit(unsigned node, unsigned *next, unsigned *places)
{
    for (int k = 0; k < DEGREE; k++) {
        unsigned to = edge[node][k];
        unsigned char was;
        if (seen[to])
            continue;
#pragma omp atomic capture
        {
            was = seen[to];
            seen[to] = 1;
        }
        if (was)
            continue;
        unsigned at;
#pragma omp atomic capture
        at = (*places)++;
        next[at] = to;
    }
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 77;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < DEGREE; k++) {
            seed = seed * 1664525 + 1013904223;
            edge[i][k] = (seed >> 8) % N;
        }
    seen[0] = 1;
    length[0] = 1;
    KERNEL_BEGIN();
    int level = 0;
    for (; length[level & 1]; level++) {
        int now = level & 1;
        int blocks = (int)(length[now] + BLOCK - 1) / BLOCK;
        length[!now] = 0;
        BEGIN("spread.level");
#pragma omp parallel for schedule(dynamic)
        for (int b = 0; b < blocks; b++) {
            BEGIN("spread.block");
            unsigned end = (unsigned)(b + 1) * BLOCK;
            for (unsigned i = (unsigned)b * BLOCK; i < end && i < length[now]; i++)
                visit(list[now][i], list[!now], &length[!now]);
            END("spread.block");
        }
        END("spread.level");
    }
    KERNEL_END(level);
}
