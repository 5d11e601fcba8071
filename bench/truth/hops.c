/* A graph by levels: each thread keeps what it finds in a queue of its own, and appends it to the next level
 * under a lock. Two may find one at once: both keep it, and nothing else changes. */
#include "truth.h"
enum { NODES = SIZE(1800, 120000), DEGREE = 5 };
static int edge[NODES][DEGREE], far[NODES], level[2][NODES], size[2];
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 3;
    for (int v = 0; v < NODES; v++) {
        for (int k = 0; k < DEGREE; k++) {
            x = x * 1664525 + 1013904223;
            edge[v][k] = (int)((x >> 9) % NODES);
        }
        far[v] = -1;
    }
    far[0] = 0;
    size[0] = 1;
    int d = 0;
    KERNEL_BEGIN();
    for (int now = 0; size[now]; now = !now) {
        size[!now] = 0;
        d++;
        BEGIN("hops.level");
#pragma omp parallel
        {
            int mine[NODES], n = 0;
#pragma omp for schedule(dynamic, 16) nowait
            for (int i = 0; i < size[now]; i++) {
                BEGIN("hops.node");
                const int *e = edge[level[now][i]];
                for (int k = 0; k < DEGREE; k++)
                    if (far[e[k]] < 0) {
                        far[e[k]] = d;
                        mine[n++] = e[k];
                    }
                END("hops.node");
            }
            BEGIN("hops.join");
#pragma omp critical
            {
                memcpy(&level[!now][size[!now]], mine, (size_t)n * sizeof *mine);
                size[!now] += n;
            }
            END("hops.join");
        }
        END("hops.level");
    }
    KERNEL_END(d + far[9]);
}
