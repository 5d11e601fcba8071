/* An image pipeline: blur, gradient, threshold, count. Every stage has free rows.      image [WIDTH [HEIGHT]]
 */
#include <stdio.h>
#include <stdlib.h>

#define AT(p, x, y) p[(y)*w + (x)]

static void blur(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x, y, dx, dy, sum;
    for (y = 2; y < h - 2; y++) {
        for (x = 2; x < w - 2; x++) {
            sum = 0;
            for (dy = -2; dy <= 2; dy++)
                for (dx = -2; dx <= 2; dx++)
                    sum += AT(in, x + dx, y + dy);
            AT(out, x, y) = (unsigned char)(sum / 25);
        }
    }
}

static void gradient(const unsigned char *in, short *out, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int gx = AT(in, x + 1, y) - AT(in, x - 1, y), gy = AT(in, x, y + 1) - AT(in, x, y - 1);
            AT(out, x, y) = (short)(abs(gx) + abs(gy));
        }
}

static int threshold(const short *in, unsigned char *out, int w, int h, int level)
{
    int count = 0, i;
    for (i = 0; i < w * h; i++) {
        out[i] = in[i] > level;
        count += out[i];
    }
    return count;
}

int main(int argc, char **argv)
{
    int w = argc > 1 ? atoi(argv[1]) : 400, h = argc > 2 ? atoi(argv[2]) : 300;
    size_t n = (size_t)w * (size_t)h;
    unsigned char *in = malloc(n), *soft = calloc(n, 1), *edges = malloc(n);
    short *steep = calloc(n, sizeof *steep);
    if (!in || !soft || !edges || !steep)
        return 1;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            AT(in, x, y) = (unsigned char)((x / 16 + y / 16) % 2 ? 200 : x * y % 64);
    blur(in, soft, w, h);
    gradient(soft, steep, w, h);
    printf("%d edge pixels\n", threshold(steep, edges, w, h, 30));
    free(in);
    free(soft);
    free(edges);
    free(steep);
    return 0;
}
