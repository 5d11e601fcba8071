/* Rows of very different length.      mandelbrot [SIZE] */
#include <stdio.h>
#include <stdlib.h>

static int *map;

static int escape(double cr, double ci)
{
    double zr = 0, zi = 0;
    int n = 0;
    while (n < 400 && zr * zr + zi * zi < 4) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
    }
    return n;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 128;
    long sum = 0;
    map = malloc(sizeof *map * (size_t)n * (size_t)n);
    if (!map)
        return 1;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            map[y * n + x] = escape(-2.0 + 2.6 * x / n, -1.3 + 1.3 * y / n);
    for (int i = 0; i < n * n; i++)
        sum += map[i];
    printf("%ld\n", sum);
    free(map);
    return 0;
}
