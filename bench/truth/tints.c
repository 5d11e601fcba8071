/* Labels spread in a graph until none changes: dynamic chunks of nodes, a reduction says whether any did. */
#include "truth.h"
enum { NODES = SIZE(600, 40000), DEGREE = 5 };
static int edge[NODES][DEGREE], label[NODES], fresh[NODES];
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 99;
    for (int v = 0; v < NODES; v++) {
        label[v] = v;
        for (int k = 0; k < DEGREE; k++) {
            x = x * 1664525 + 1013904223;
            edge[v][k] = k == 0 ? (v + 1) % NODES : (int)((unsigned)v + (x >> 16) % 200) % NODES;
        }
    }
    KERNEL_BEGIN();
    int changed = 1, rounds = 0;
    while (changed && rounds++ < 8) {
        changed = 0;
        BEGIN("tints.round");
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : changed)
        for (int v = 0; v < NODES; v++) {
            BEGIN("tints.node");
            int least = label[v];
            for (int k = 0; k < DEGREE; k++)
                if (label[edge[v][k]] < least)
                    least = label[edge[v][k]];
            fresh[v] = least;
            changed += least != label[v];
            END("tints.node");
        }
        END("tints.round");
        memcpy(label, fresh, sizeof label);
    }
    KERNEL_END(label[100] + rounds);
}
