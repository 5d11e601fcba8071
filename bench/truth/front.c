/* A graph level by level: the nodes of a level in dynamic chunks, the next level filled by atomics. */
#include "truth.h"
enum { NODES = SIZE(1500, 100000), DEGREE = 4 };
static int edge[NODES][DEGREE], depth[NODES], level[2][NODES];
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 7;
    for (int v = 0; v < NODES; v++) {
        depth[v] = -1;
        for (int k = 0; k < DEGREE; k++) {
            x = x * 1664525 + 1013904223;
            edge[v][k] = (int)((x >> 8) % NODES);
        }
    }
    depth[0] = 0;
    int n = 1, now = 0, d = 0;
    KERNEL_BEGIN();
    while (n) {
        int found = 0;
        d++;
        BEGIN("front.level");
#pragma omp parallel for schedule(dynamic, 8)
        for (int i = 0; i < n; i++) {
            BEGIN("front.node");
            int v = level[now][i];
            for (int k = 0; k < DEGREE; k++) {
                int w = edge[v][k], before;
#pragma omp atomic read
                before = depth[w];
                if (before >= 0)
                    continue;
#pragma omp atomic capture
                {
                    before = depth[w];
                    depth[w] &= d;
                }
                if (before == -1) {
                    int at;
#pragma omp atomic capture
                    at = found++;
                    level[!now][at] = w;
                }
            }
            END("front.node");
        }
        END("front.level");
        now = !now;
        n = found;
    }
    KERNEL_END(d + depth[9]);
}
