/* Decomposition into triangles: columns and rows in order, what lies along them is free.      lud [N] */
#include <stdio.h>
#include <stdlib.h>
static void lud(float *a, int size)
{
    int i, j, k;
    float sum;
    for (i = 0; i < size; i++) {
        for (j = i; j < size; j++) {
            sum = a[i * size + j];
            for (k = 0; k < i; k++)
                sum -= a[i * size + k] * a[k * size + j];
            a[i * size + j] = sum;
        }
        for (j = i + 1; j < size; j++) {
            sum = a[j * size + i];
            for (k = 0; k < i; k++)
                sum -= a[j * size + k] * a[k * size + i];
            a[j * size + i] = sum / a[i * size + i];
        }
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 96;
    float *a = malloc(sizeof(float) * n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = (i == j ? n : 0) + (float)((i * 7 + j * 13) % 11) / 11;
    lud(a, n);
    double t = 0;
    for (int i = 0; i < n; i++)
        t += a[i * n + i];
    printf("trace %.6f\n", t);
    free(a);
    return 0;
}
