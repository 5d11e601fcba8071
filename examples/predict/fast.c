/* FAST corners: a pixel is a corner if 9 or more in a row of the 16 pixels on a circle are all brighter or
 * all darker than it by a threshold. Corners get a score (the largest threshold at which they still are one),
 * so rows with many corners take longer. Parallel over rows (outer), or with -DINNER over blocks of a row. */
#include "common.h"

#ifdef INNER
#define OMP_INNER OMP(parallel for schedule(SCHEDULE))
#define OMP_OUTER
#else
#define OMP_INNER
#define OMP_OUTER OMP(parallel for schedule(SCHEDULE))
#endif

enum { WIDTH = 1280, HEIGHT = 720, BLOCK = 16, THRESHOLD = 20 };
static unsigned char image[HEIGHT][WIDTH], score[HEIGHT][WIDTH];

static const int circle[16][2] = {{0, -3}, {1, -3}, {2, -2}, {3, -1}, {3, 0},  {3, 1},   {2, 2},   {1, 3},
                                  {0, 3},  {-1, 3}, {-2, 2}, {-3, 1}, {-3, 0}, {-3, -1}, {-2, -2}, {-1, -3}};

static int is_corner(int y, int x, int threshold)
{
    int centre = image[y][x], bright = 0, dark = 0;
    for (int i = 0; i < 16 + 8; i++) {
        int p = image[y + circle[i % 16][1]][x + circle[i % 16][0]];
        bright = p > centre + threshold ? bright + 1 : 0;
        dark = p < centre - threshold ? dark + 1 : 0;
        if (bright == 9 || dark == 9)
            return 1;
    }
    return 0;
}

static BODY void corners(int y, int from, int to)
{
    for (int x = from; x < to; x++) {
        int t = THRESHOLD;
        while (t < 255 && is_corner(y, x, t))
            t++;
        score[y][x] = (unsigned char)(t - THRESHOLD);
    }
}

static BODY void row(int y)
{
    OMP_INNER
    for (int b = 0; b < (WIDTH - 6) / BLOCK; b++) {
        CC_TASK_BEGIN("fast.for_x");
        corners(y, 3 + b * BLOCK, 3 + (b + 1) * BLOCK);
        CC_TASK_END("fast.for_x");
    }
}

/* Noise, denser squares towards the lower end: static blocks of rows are not balanced. */
static void draw(void)
{
    uint32_t r = 1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = (unsigned char)(100 + next_random(&r) % 16);
    for (int i = 0; i < 8000; i++) {
        int y = HEIGHT - 1 - (int)(next_random(&r) % HEIGHT * (next_random(&r) % HEIGHT) / HEIGHT);
        int x = (int)(next_random(&r) % WIDTH), size = 3 + (int)(next_random(&r) % 6);
        for (int v = y; v < y + size && v < HEIGHT; v++)
            for (int u = x; u < x + size && u < WIDTH; u++)
                image[v][u] = (unsigned char)(i * 37);
    }
}

int main(void)
{
    draw();
    CC_TASK_BEGIN("fast");
    OMP_OUTER
    for (int y = 3; y < HEIGHT - 3; y++) {
        CC_TASK_BEGIN("fast.for_y");
        row(y);
        CC_TASK_END("fast.for_y");
    }
    CC_TASK_END("fast");
    printf("fast %016llx\n", (unsigned long long)hash_bytes(score, sizeof score));
    return 0;
}
