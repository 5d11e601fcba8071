/* Edge detection in three kernels a frame: smooth, gradient, threshold with a look at the neighbours. One
 * parallel region a frame with three loops over the rows in it; each ends with a barrier, since the next
 * reads what it wrote. */
#include "common.h"

enum { WIDTH = 1024, HEIGHT = 512, FRAMES = 12 };
static unsigned char image[HEIGHT][WIDTH], edges[HEIGHT][WIDTH];
static int smooth[HEIGHT][WIDTH], gradient[HEIGHT][WIDTH];

static BODY void smooth_row(int y)
{
    static const int weight[5] = {1, 4, 6, 4, 1};
    for (int x = 2; x < WIDTH - 2; x++) {
        int sum = 0;
        for (int v = -2; v <= 2; v++)
            for (int u = -2; u <= 2; u++)
                sum += weight[v + 2] * weight[u + 2] * image[y + v][x + u];
        smooth[y][x] = sum >> 8;
    }
}

static BODY void gradient_row(int y)
{
    for (int x = 3; x < WIDTH - 3; x++) {
        int gx = smooth[y - 1][x + 1] + 2 * smooth[y][x + 1] + smooth[y + 1][x + 1] - smooth[y - 1][x - 1] -
                 2 * smooth[y][x - 1] - smooth[y + 1][x - 1];
        int gy = smooth[y + 1][x - 1] + 2 * smooth[y + 1][x] + smooth[y + 1][x + 1] - smooth[y - 1][x - 1] -
                 2 * smooth[y - 1][x] - smooth[y - 1][x + 1];
        gradient[y][x] = abs(gx) + abs(gy);
    }
}

static BODY void threshold_row(int y, int level)
{
    for (int x = 4; x < WIDTH - 4; x++) {
        int g = gradient[y][x], strong = 0;
        for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++)
                strong += gradient[y + v][x + u] > level;
        edges[y][x] = (unsigned char)(g > level && strong > 2 ? 255 : 0);
    }
}

int main(void)
{
    uint32_t r = 1;
    uint64_t hash = 0;
    for (int f = 0; f < FRAMES; f++) {
        for (int y = 0; y < HEIGHT; y++) /* the serial part: the next picture */
            for (int x = 0; x < WIDTH; x++)
                image[y][x] =
                    (unsigned char)(((x + f * 5) / 40 + y / 30) % 2 * 120 + (int)(next_random(&r) % 32));
        CC_TASK_BEGIN("edge.frame");
        OMP(parallel)
        {
            OMP(for schedule(SCHEDULE))
            for (int y = 2; y < HEIGHT - 2; y++) {
                CC_TASK_BEGIN("edge.smooth");
                smooth_row(y);
                CC_TASK_END("edge.smooth");
            }
            OMP(for schedule(SCHEDULE))
            for (int y = 3; y < HEIGHT - 3; y++) {
                CC_TASK_BEGIN("edge.gradient");
                gradient_row(y);
                CC_TASK_END("edge.gradient");
            }
            OMP(for schedule(SCHEDULE))
            for (int y = 4; y < HEIGHT - 4; y++) {
                CC_TASK_BEGIN("edge.threshold");
                threshold_row(y, 60);
                CC_TASK_END("edge.threshold");
            }
        }
        CC_TASK_END("edge.frame");
        hash = hash * 31 + hash_bytes(edges, sizeof edges);
    }
    printf("edge %016llx\n", (unsigned long long)hash);
    return 0;
}
