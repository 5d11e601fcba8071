/* Least sums from row to row.      pathfinder [COLUMNS ROWS] */
#include <stdio.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static int rows = 40, cols = 2000;
static int *data, **wall, *result;
static void init(int argc, char **argv)
{
    if (argc > 2) {
        cols = atoi(argv[1]);
        rows = atoi(argv[2]);
    }
    data = malloc(sizeof(int) * rows * cols);
    wall = malloc(sizeof(int *) * rows);
    for (int n = 0; n < rows; n++)
        wall[n] = data + cols * n;
    result = malloc(sizeof(int) * cols);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            wall[i][j] = (i % 89 * 7919 + j % 97 * 1047 + i % 31 * (j % 37)) % 10;
    for (int j = 0; j < cols; j++)
        result[j] = wall[0][j];
}
int main(int argc, char **argv)
{
    int *src, *dst, *temp, min;
    init(argc, argv);
    dst = result;
    src = malloc(sizeof(int) * cols);
    for (int t = 0; t < rows - 1; t++) {
        temp = src;
        src = dst;
        dst = temp;
        for (int n = 0; n < cols; n++) {
            min = src[n];
            if (n > 0)
                min = MIN(min, src[n - 1]);
            if (n < cols - 1)
                min = MIN(min, src[n + 1]);
            dst[n] = wall[t + 1][n] + min;
        }
    }
    long sum = 0;
    for (int i = 0; i < cols; i++)
        sum += dst[i];
    printf("%ld\n", sum);
    return 0;
}
