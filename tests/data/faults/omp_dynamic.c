/* Small iterations handed out one by one; repaired: in equal parts. */
#include <stdio.h>
#include <stdlib.h>
static int a[16384];
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    for (int r = 0; r < 2; r++) {
#ifdef FIXED
#pragma omp parallel for num_threads(n) schedule(static)
#else
#pragma omp parallel for num_threads(n) schedule(dynamic, 1)
#endif
        for (int i = 0; i < 8192; i++) { /* FAULT */
            unsigned x = (unsigned)i;
            for (int k = 0; k < 12; k++)
                x = x * 1664525u + 1013904223u;
            a[i] += (int)(x >> 24); /* FAULT: here gcc has the call for the next one */
        }
    }
    long sum = 0;
    for (int i = 0; i < 16384; i++)
        sum += a[i];
    printf("%ld\n", sum);
}
