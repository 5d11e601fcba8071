/* Levels of a graph: a search from one node, a loop for each level; each node looks at neighbours all over
 * the memory. */
#include "truth.h"
enum { N = SIZE(4096, 1 << 18), DEGREE = 8, BLOCK = SIZE(64, 1024), LEVELS = 6 };
static unsigned edge[N][DEGREE];
static unsigned char level[2][N];
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 5;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < DEGREE; k++) {
            seed = seed * 1664525 + 1013904223;
            edge[i][k] = (seed >> 8) % N;
        }
    memset(level, 255, sizeof level);
    level[0][0] = 0;
    KERNEL_BEGIN();
    for (int l = 0; l < LEVELS; l++) {
        const unsigned char *from = level[l & 1];
        unsigned char *to = level[~l & 1];
        BEGIN("levels.level");
#pragma omp parallel for schedule(guided, 2)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("levels.block");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                unsigned char best = from[i];
                for (int k = 0; k < DEGREE && best == 255; k++)
                    best = from[edge[i][k]] != 255 ? (unsigned char)(l + 1) : best;
                to[i] = best;
            }
            END("levels.block");
        }
        END("levels.level");
    }
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += level[LEVELS & 1][i];
    KERNEL_END(sum);
}
