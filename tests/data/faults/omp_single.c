/* One thread prepares each step while the others wait; repaired: all prepare a part. */
#include <stdio.h>
#include <stdlib.h>
enum { N = 2048 };
static unsigned table[N];
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    long sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    for (int r = 0; r < 6; r++) { /* FAULT: the line that gcc gives the end of the single */
#ifdef FIXED
#pragma omp for
        for (int i = 0; i < N; i++)
            table[i] = table[i] * 1664525u + (unsigned)(i + r) * 2654435761u % 977u;
#else
#pragma omp single
        for (int i = 0; i < N; i++)
            table[i] = table[i] * 1664525u + (unsigned)(i + r) * 2654435761u % 977u;
#endif
#pragma omp for
        for (int i = 0; i < N; i++)
            sum += table[i] >> 20;
    }
    printf("%ld\n", sum);
}
