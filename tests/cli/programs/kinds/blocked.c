#include <stdio.h>
#include <stdlib.h>
#define B 64
static double next(double *s)
{
    *s = *s * 16807 - 2147483647.0 * (long)(*s * 16807 / 2147483647.0);
    return *s / 2147483647.0;
}
int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 150, n = blocks * B, b, i;
    long *y = malloc(n * sizeof *y), *part = malloc((blocks + 1) * sizeof *part), sum = 0;
    double s;
    for (b = 0; b < blocks; b++) {
        s = 271.0 * b + 1;
        for (i = b * B; i < (b + 1) * B; i++)
            y[i] = (long)(1000 * next(&s));
    }
    part[0] = 0;
    for (b = 1; b <= blocks; b++)
        part[b] = part[b - 1] + y[b * B - 1];
    for (b = 0; b < blocks; b++)
        for (i = b * B; i < (b + 1) * B; i++)
            y[i] += part[b];
    for (i = 0; i < n; i++)
        sum ^= y[i] * (i + 1);
    printf("%ld\n", sum);
    return 0;
}
/* kinds: blocks of an array whose elements are updated; numbers from a generator that each block sets before
 * it hands it on */
