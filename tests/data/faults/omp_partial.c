/* Sums of threads beside each other; repaired: on lines of their own. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef FIXED
enum { APART = 32 };
#else
enum { APART = 1 };
#endif
static long part[64 * APART] __attribute__((aligned(256)));
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
#pragma omp parallel num_threads(n)
    {
        int me = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < 16384; i++) {
            unsigned x = (unsigned)i * 2654435761u;
            for (int k = 0; k < 6; k++)
                x = x * 1664525u + 1013904223u;
            *(volatile long *)&part[me * APART] += x >> 20; /* FAULT */
        }
    }
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += part[i * APART];
    printf("%ld\n", sum);
}
