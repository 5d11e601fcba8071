/* Running totals: each needs the one before. Filling and checking are free.      prefix [MILLIONS] */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    size_t n = (size_t)(argc > 1 ? atoi(argv[1]) : 1) * 1000000, i;
    unsigned *v = malloc(n * sizeof *v), odd = 0;
    if (!v)
        return 1;
    for (i = 0; i < n; i++)
        v[i] = (unsigned)(i * 2654435761u) >> 20;
    for (i = 1; i < n; i++)
        v[i] += v[i - 1];
    for (i = 0; i < n; i++)
        odd += v[i] & 1;
    printf("last %u, odd %u\n", v[n - 1], odd);
    free(v);
    return 0;
}
