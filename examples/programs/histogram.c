/* Many values into few bins: each thread needs bins of its own.      histogram [MILLIONS] */
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 256 };

int main(int argc, char **argv)
{
    int n = (argc > 1 ? atoi(argv[1]) : 1) * 1000000, most = 0;
    unsigned bins[BINS] = {0};
    for (int i = 0; i < n; i++) {
        unsigned v = (unsigned)i * 2654435761u;
        v ^= v >> 13;
        v *= 0x5bd1e995u;
        bins[(v >> 16) % BINS]++;
    }
    for (int b = 1; b < BINS; b++)
        if (bins[b] > bins[most])
            most = b;
    printf("%d values, most in bin %d: %u\n", n, most, bins[most]);
    return 0;
}
