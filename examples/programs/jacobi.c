/* A stencil: each step reads one grid and writes the other, so the steps need their order and the rows do
 * not. jacobi [N [STEPS]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 1300
static double grid[2][MOST][MOST];

static double step(int n, double (*to)[MOST], double (*from)[MOST])
{
    double change = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
            change += fabs(to[i][j] - from[i][j]);
        }
    return change;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, steps = argc > 2 ? atoi(argv[2]) : 20;
    double change = 0;
    if (n < 3 || n > MOST)
        return 2;
    for (int j = 0; j < n; j++)
        grid[0][0][j] = grid[1][0][j] = 100;
    for (int t = 0; t < steps; t++)
        change = step(n, grid[(t + 1) % 2], grid[t % 2]);
    printf("%.6f\n", change);
    return 0;
}
