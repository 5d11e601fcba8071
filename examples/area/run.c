/* Runs the kernels of edge.c on a picture of overlapping discs, so that a recording says who takes the time
 * and what data goes where. Build with -fno-inline: a function that is inlined away is none of a recording.
 */

enum { WIDTH = 320, HEIGHT = 240, PIXELS = WIDTH * HEIGHT };

typedef unsigned char pixel;

void smooth(const pixel *in, short *out, const short *weights);
void derivative(const short *in, short *dx, short *dy);
void magnitude(const short *dx, const short *dy, short *out);
void suppress(const short *mag, const short *dx, const short *dy, pixel *out);
void hysteresis(pixel *map, int low, int high);
void report(const pixel *map);

static pixel picture[PIXELS], edges[PIXELS];
static short soft[PIXELS], dx[PIXELS], dy[PIXELS], mag[PIXELS];

static void paint(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int disc = 0; disc < 6; disc++) {
                int a = x - 40 - 47 * disc, b = y - 60 - 31 * (disc & 3);
                if (a * a + b * b < 900)
                    picture[y * WIDTH + x] = (pixel)(60 + 30 * disc);
            }
}

int main(void)
{
    static const short weights[] = {1, 4, 6, 4, 1};
    paint();
    smooth(picture, soft, weights);
    derivative(soft, dx, dy);
    magnitude(dx, dy, mag);
    suppress(mag, dx, dy, edges);
    hysteresis(edges, 10, 40);
    report(edges);
    return 0;
}
