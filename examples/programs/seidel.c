/* The same in one grid: every point needs its left and its upper neighbour of this step. Nothing is free.
 *      seidel [N [STEPS]] */
#include <stdio.h>
#include <stdlib.h>

#define MOST 1300
static double g[MOST][MOST];

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, steps = argc > 2 ? atoi(argv[2]) : 20, i, j, t;
    if (n < 3 || n > MOST)
        return 2;
    for (j = 0; j < n; j++)
        g[0][j] = 100;
    for (t = 0; t < steps; t++)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                g[i][j] = 0.25 * (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]);
    printf("%.9f\n", g[n / 2][n / 2]);
    return 0;
}
