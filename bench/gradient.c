/* The gradient chain of examples/units/gradient-host.ini on the host: nanoseconds for each pixel of a 1280 x
 * 720 image (or WIDTH HEIGHT) in the slowest of THREADS threads, their start not counted. Row by row through
 * small buffers, as the counts assume. cc -O2 -fno-tree-vectorize -pthread gradient.c -o gradient &&
 * ./gradient THREADS [WIDTH HEIGHT]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int width = 1280, height = 720, threads = 1;
static unsigned char *rgb, *result;

static void gray(const unsigned char *in, short *out)
{
    for (int x = 0; x < width; x++) {
        *out++ = (short)((in[0] * 28 + in[1] * 151 + in[2] * 77) >> 8);
        in += 3;
    }
}

static void sobel1(const short *in, short *out)
{
    out[0] = out[width - 1] = 0;
    for (int x = 1; x < width - 1; x++)
        out[x] = (short)(in[x - 1] - in[x + 1]);
}

static void sobel2(const short *above, const short *at, const short *below, unsigned char *out)
{
    for (int x = 0; x < width; x++) {
        int v = above[x] + 2 * at[x] + below[x];
        v = v < 0 ? -v : v;
        if (v > 255)
            out[x] = 255;
        else
            out[x] = (unsigned char)v;
    }
}

/* Rows from..to; the row above and the one below are computed again. */
static void gradient(int from, int to)
{
    short *buffer = malloc((size_t)width * 4 * sizeof *buffer),
          *row[3] = {buffer, buffer + width, buffer + 2 * width};
    short *line = buffer + 3 * width;
    for (int y = from - 1; y <= to; y++) {
        int source = y < 0 ? 0 : y >= height ? height - 1 : y;
        short *next = row[0];
        row[0] = row[1];
        row[1] = row[2];
        row[2] = next;
        gray(rgb + (size_t)source * (size_t)width * 3, line);
        sobel1(line, next);
        if (y > from)
            sobel2(row[0], row[1], row[2], result + (size_t)(y - 1) * (size_t)width);
    }
    free(buffer);
}

/* Seconds each thread ran: what other programs on the machine take from it does not count. */
static double took[256];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *part(void *arg)
{
    long i = (long)arg;
    double start = now();
    gradient((int)(height * i / threads), (int)(height * (i + 1) / threads));
    took[i] = now() - start;
    return NULL;
}

int main(int argc, char **argv)
{
    threads = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    if (argc > 3) {
        width = (int)strtol(argv[2], NULL, 10);
        height = (int)strtol(argv[3], NULL, 10);
    }
    if (threads < 1 || threads > 256 || width < 3 || height < 3 || width > 32768 || height > 32768)
        return 2;
    size_t pixels = (size_t)width * (size_t)height;
    rgb = malloc(pixels * 3);
    result = malloc(pixels);
    for (size_t i = 0; i < pixels * 3; i++)
        rgb[i] = (unsigned char)(i * 2654435761u >> 24);
    double best = 1e9;
    for (int t = 0; t < 40; t++) {
        pthread_t handle[256];
        for (long i = 1; i < threads; i++)
            pthread_create(&handle[i], NULL, part, (void *)i);
        part(NULL);
        double slowest = took[0];
        for (long i = 1; i < threads; i++) {
            pthread_join(handle[i], NULL);
            slowest = took[i] > slowest ? took[i] : slowest;
        }
        best = slowest < best ? slowest : best;
    }
    unsigned long sum = 0;
    for (size_t i = 0; i < pixels; i++)
        sum += result[i];
    printf("%.5f %lu\n", best * 1e9 / (double)pixels, sum);
    return 0;
}
