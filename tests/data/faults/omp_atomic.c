/* Every iteration adds to one number; repaired: a reduction. */
#include <stdio.h>
#include <stdlib.h>
static long total;
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    long sum = 0;
#ifdef FIXED
#pragma omp parallel for num_threads(n) reduction(+ : sum)
#else
#pragma omp parallel for num_threads(n)
#endif
    for (int i = 0; i < 12288; i++) {
        unsigned x = (unsigned)i * 2654435761u;
        for (int k = 0; k < 16; k++)
            x = x * 1664525u + 1013904223u;
#ifdef FIXED
        sum += x >> 20;
#else
#pragma omp atomic
        total += x >> 20; /* FAULT */
#endif
    }
    printf("%ld\n", total + sum);
}
