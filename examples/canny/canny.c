/* An edge detector after Canny: Gaussian smoothing, derivatives, magnitude, non-maximum suppression,
 * hysteresis.
 *
 *     canny [WIDTHxHEIGHT [OUT.pgm]]      draws its own test picture; 800x600 if nothing is said
 *
 * Corecast's first example: who hands what to whom is known in closed form (see README.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAPS = 11, EDGE = 255, MAYBE = 128, NONE = 0 };
static const float SIGMA = 2.0f;

static void *must(void *p)
{
    if (!p) {
        perror("canny");
        exit(1);
    }
    return p;
}

/* Discs and bars on a gradient. */
static void make_picture(unsigned char *picture, int width, int height)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int dx = x - width / 3, dy = y - height / 2, value = x * 96 / width;
            if (dx * dx + dy * dy < height * height / 9)
                value += 120;
            if ((x / 60) % 3 == 2 && y > height / 6 && y < height - height / 6)
                value += 60;
            picture[y * width + x] = (unsigned char)value;
        }
    }
}

static void make_gaussian_kernel(float *kernel)
{
    float sum = 0;
    for (int i = 0; i < TAPS; i++) {
        float x = (float)(i - TAPS / 2);
        float value = expf(-x * x / (2 * SIGMA * SIGMA));
        kernel[i] = value;
        sum += value;
    }
    for (int i = 0; i < TAPS; i++)
        kernel[i] /= sum;
}

/* Rows first, then columns. */
static void gaussian_smooth(const unsigned char *picture, const float *kernel, float *rows, short *smooth,
                            int width, int height)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float dot = 0, sum = 0;
            for (int k = -TAPS / 2; k <= TAPS / 2; k++) {
                if (x + k < 0 || x + k >= width)
                    continue;
                float weight = kernel[k + TAPS / 2];
                dot += (float)picture[y * width + x + k] * weight;
                sum += weight;
            }
            rows[y * width + x] = dot / sum;
        }
    }
    for (int x = 0; x < width; x++) {
        for (int y = 0; y < height; y++) {
            float dot = 0, sum = 0;
            for (int k = -TAPS / 2; k <= TAPS / 2; k++) {
                if (y + k < 0 || y + k >= height)
                    continue;
                float weight = kernel[k + TAPS / 2];
                dot += rows[(y + k) * width + x] * weight;
                sum += weight;
            }
            smooth[y * width + x] = (short)(dot * 90 / sum + 0.5f);
        }
    }
}

/* Two reads a pixel and direction, at the borders too. */
static void derivative_x_y(const short *smooth, short *dx, short *dy, int width, int height)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int left = x > 0 ? x - 1 : x, right = x < width - 1 ? x + 1 : x;
            dx[y * width + x] = (short)(smooth[y * width + right] - smooth[y * width + left]);
        }
    }
    for (int x = 0; x < width; x++) {
        for (int y = 0; y < height; y++) {
            int above = y > 0 ? y - 1 : y, below = y < height - 1 ? y + 1 : y;
            dy[y * width + x] = (short)(smooth[below * width + x] - smooth[above * width + x]);
        }
    }
}

static void magnitude_x_y(const short *dx, const short *dy, short *magnitude, int width, int height)
{
    for (int i = 0; i < width * height; i++) {
        float x = dx[i], y = dy[i];
        magnitude[i] = (short)(sqrtf(x * x + y * y) + 0.5f);
    }
}

/* A pixel stays when it is the largest across its edge. */
static void non_max_supp(const short *magnitude, const short *dx, const short *dy, unsigned char *result,
                         int width, int height)
{
    for (int y = 1; y < height - 1; y++) {
        for (int x = 1; x < width - 1; x++) {
            int i = y * width + x, gx = dx[i], gy = dy[i], m = magnitude[i];
            int along = abs(gx) > 2 * abs(gy)   ? 1
                        : abs(gy) > 2 * abs(gx) ? width
                        : (gx > 0) == (gy > 0)  ? width + 1
                                                : width - 1;
            result[i] = m > 0 && m > magnitude[i - along] && m >= magnitude[i + along] ? MAYBE : NONE;
        }
    }
}

static void follow_edges(unsigned char *edges, const short *magnitude, int at, int low, int width)
{
    const int around[] = {1, width + 1, width, width - 1, -1, -width - 1, -width, -width + 1};
    for (int k = 0; k < 8; k++) {
        int next = at + around[k];
        if (edges[next] == MAYBE && magnitude[next] > low) {
            edges[next] = EDGE;
            follow_edges(edges, magnitude, next, low, width);
        }
    }
}

static void apply_hysteresis(unsigned char *edges, const short *magnitude, int width, int height)
{
    int histogram[32768] = {0}, count = 0;
    for (int i = 0; i < width * height; i++) {
        if (edges[i] == MAYBE) {
            histogram[magnitude[i]]++;
            count++;
        }
    }
    int high = 32767, above = 0;
    while (high > 1 && (above += histogram[high]) < count / 4)
        high--;
    int low = high / 2;
    for (int i = 0; i < width * height; i++) {
        if (edges[i] == MAYBE && magnitude[i] >= high) {
            edges[i] = EDGE;
            follow_edges(edges, magnitude, i, low, width);
        }
    }
    for (int i = 0; i < width * height; i++)
        if (edges[i] != EDGE)
            edges[i] = NONE;
}

static unsigned long write_picture(const char *path, const unsigned char *edges, int width, int height)
{
    unsigned long set = 0;
    FILE *f = path ? must(fopen(path, "wb")) : NULL;
    if (f) {
        fprintf(f, "P5\n%d %d\n255\n", width, height);
        fwrite(edges, 1, (size_t)width * (size_t)height, f);
        fclose(f);
    }
    for (int i = 0; i < width * height; i++)
        set += edges[i] == EDGE;
    return set;
}

int main(int argc, char **argv)
{
    int width = 800, height = 600;
    if (argc > 1 && (sscanf(argv[1], "%dx%d", &width, &height) != 2 || width < 3 || height < 3 ||
                     width > 16384 || height > 16384)) {
        fprintf(stderr, "usage: canny [WIDTHxHEIGHT [OUT.pgm]]\n");
        return 2;
    }
    size_t n = (size_t)width * (size_t)height;
    unsigned char *picture = must(malloc(n)), *edges = must(calloc(n, 1));
    float *rows = must(malloc(n * sizeof *rows)), kernel[TAPS];
    short *smooth = must(malloc(n * sizeof *smooth)), *magnitude = must(malloc(n * sizeof *magnitude));
    short *dx = must(malloc(n * sizeof *dx)), *dy = must(malloc(n * sizeof *dy));
    make_picture(picture, width, height);
    make_gaussian_kernel(kernel);
    gaussian_smooth(picture, kernel, rows, smooth, width, height);
    derivative_x_y(smooth, dx, dy, width, height);
    magnitude_x_y(dx, dy, magnitude, width, height);
    non_max_supp(magnitude, dx, dy, edges, width, height);
    apply_hysteresis(edges, magnitude, width, height);
    printf("%lu edge pixels of %zu\n", write_picture(argc > 2 ? argv[2] : NULL, edges, width, height), n);
    free(picture);
    free(edges);
    free(rows);
    free(smooth);
    free(magnitude);
    free(dx);
    free(dy);
    return 0;
}
