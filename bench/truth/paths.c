/* Fine regions: all-pairs shortest paths, a small parallel loop for each of the nodes. */
#include "truth.h"
enum { N = SIZE(72, 480) };
static int d[N][N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : (i * 37 + j * 91) % 100 + 1;
    KERNEL_BEGIN();
    for (int k = 0; k < N; k++) {
        BEGIN("paths.node");
#pragma omp parallel for schedule(static)
        for (int i = 0; i < N; i++) {
            BEGIN("paths.row");
            for (int j = 0; j < N; j++) {
                int via = d[i][k] + d[k][j];
                d[i][j] = via < d[i][j] ? via : d[i][j];
            }
            END("paths.row");
        }
        END("paths.node");
    }
    KERNEL_END(d[5][9]);
}
