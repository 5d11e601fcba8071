/* Points go to the nearest of a few centres; sums of its own for each thread, put together in a critical
 * section. */
#include "truth.h"
enum { N = SIZE(3072, 1 << 18), BLOCK = SIZE(32, 1024), K = 12, STEPS = SIZE(3, 8) };
static float px[N], py[N], cx[K], cy[K];
static float sx[K], sy[K];
static int members[K];
static int nearest(int i)
{
    int best = 0;
    float least = 1e30f;
    for (int k = 0; k < K; k++) {
        float dx = px[i] - cx[k], dy = py[i] - cy[k], d = dx * dx + dy * dy;
        if (d < least) {
            least = d;
            best = k;
        }
    }
    return best;
}
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++) {
        px[i] = (float)(i * 2654435761u >> 16);
        py[i] = (float)(i * 2246822519u >> 16);
    }
    for (int k = 0; k < K; k++) {
        cx[k] = px[k * 7];
        cy[k] = py[k * 7];
    }
    KERNEL_BEGIN();
    for (int s = 0; s < STEPS; s++) {
        memset(sx, 0, sizeof sx);
        memset(sy, 0, sizeof sy);
        memset(members, 0, sizeof members);
        BEGIN("groups.step");
#pragma omp parallel
        {
            float ox[K] = {0}, oy[K] = {0};
            int mine[K] = {0};
#pragma omp for schedule(static) nowait
            for (int b = 0; b < N / BLOCK; b++) {
                BEGIN("groups.block");
                for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                    int k = nearest(i);
                    ox[k] += px[i];
                    oy[k] += py[i];
                    mine[k]++;
                }
                END("groups.block");
            }
            BEGIN("groups.add");
#pragma omp critical
            for (int k = 0; k < K; k++) {
                sx[k] += ox[k];
                sy[k] += oy[k];
                members[k] += mine[k];
            }
            END("groups.add");
        }
        END("groups.step");
        for (int k = 0; k < K; k++)
            if (members[k]) {
                cx[k] = sx[k] / (float)members[k];
                cy[k] = sy[k] / (float)members[k];
            }
    }
    KERNEL_END(cx[3]);
}
