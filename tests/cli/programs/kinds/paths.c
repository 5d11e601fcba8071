#include <stdio.h>
#include <stdlib.h>
int **d, n;
int main(int argc, char **argv)
{
    int i, j, k;
    long sum = 0;
    n = argc > 1 ? atoi(argv[1]) : 40;
    d = malloc(n * sizeof *d);
    for (i = 0; i < n; i++) {
        d[i] = malloc(n * sizeof **d);
        for (j = 0; j < n; j++)
            d[i][j] = i == j ? 0 : (i * 17 + j * 31) % 7 == 0 ? (i + j) % 23 + 1 : 1000000;
    }
    for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            sum += d[i][j];
    printf("%ld\n", sum);
    return 0;
}
/* kinds: rows behind pointers, with a bound that is a variable of the file: the compiler loads it anew in the
 * loop inside */
