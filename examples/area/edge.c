/* An edge detector's kernels, written so that a circuit can be made of most of them: no allocation, no
 * recursion but in follow(), which is there to be flagged. */
#include <stdio.h>

enum { WIDTH = 320, HEIGHT = 240, RADIUS = 2 };

typedef unsigned char pixel;

void smooth(const pixel *in, short *out, const short *weights)
{
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            int sum = 0, norm = 0;
            for (int k = -RADIUS; k <= RADIUS; k++) {
                int at = x + k;
                if (at < 0 || at >= WIDTH)
                    continue;
                sum += in[y * WIDTH + at] * weights[k + RADIUS];
                norm += weights[k + RADIUS];
            }
            out[y * WIDTH + x] = (short)(sum / norm);
        }
    }
}

void derivative(const short *in, short *dx, short *dy)
{
    for (int y = 1; y < HEIGHT - 1; y++) {
        for (int x = 1; x < WIDTH - 1; x++) {
            int at = y * WIDTH + x;
            dx[at] = (short)(in[at + 1] - in[at - 1]);
            dy[at] = (short)(in[at + WIDTH] - in[at - WIDTH]);
        }
    }
}

static int root(int v)
{
    int r = 0;
    for (int bit = 1 << 14; bit > 0; bit >>= 2) {
        if (v >= r + bit) {
            v -= r + bit;
            r = (r >> 1) + bit;
        } else {
            r >>= 1;
        }
    }
    return r;
}

void magnitude(const short *dx, const short *dy, short *out)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        out[i] = (short)root(dx[i] * dx[i] + dy[i] * dy[i]);
}

void suppress(const short *mag, const short *dx, const short *dy, pixel *out)
{
    for (int y = 1; y < HEIGHT - 1; y++) {
        for (int x = 1; x < WIDTH - 1; x++) {
            int at = y * WIDTH + x, gx = dx[at], gy = dy[at], m = mag[at], a, b;
            int ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
            if (ax > 2 * ay) {
                a = mag[at - 1];
                b = mag[at + 1];
            } else if (ay > 2 * ax) {
                a = mag[at - WIDTH];
                b = mag[at + WIDTH];
            } else if ((gx ^ gy) >= 0) {
                a = mag[at - WIDTH - 1];
                b = mag[at + WIDTH + 1];
            } else {
                a = mag[at - WIDTH + 1];
                b = mag[at + WIDTH - 1];
            }
            out[at] = m > a && m >= b ? (pixel)(m > 255 ? 255 : m) : 0;
        }
    }
}

static void follow(pixel *map, int at, int low)
{
    static const int step[8] = {-1, 1, -WIDTH, WIDTH, -WIDTH - 1, -WIDTH + 1, WIDTH - 1, WIDTH + 1};
    for (int i = 0; i < 8; i++) {
        int next = at + step[i];
        if (next >= 0 && next < WIDTH * HEIGHT && map[next] >= low && map[next] < 255) {
            map[next] = 255;
            follow(map, next, low);
        }
    }
}

void hysteresis(pixel *map, int low, int high)
{
    int histogram[32768];
    for (int i = 0; i < 32768; i++)
        histogram[i] = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        histogram[map[i]]++;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        if (map[i] >= high && map[i] < 255) {
            map[i] = 255;
            follow(map, i, low);
        }
    }
}

void report(const pixel *map)
{
    int edges = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        edges += map[i] == 255;
    printf("%d pixels are edges\n", edges);
}
