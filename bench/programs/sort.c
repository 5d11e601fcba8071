/* Integer sort: quicksort of random numbers, then a checksum.   sort [COUNT] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t state = 1;

static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void fill(uint32_t *v, long n)
{
    for (long i = 0; i < n; i++)
        v[i] = next_random();
}

static void quicksort(uint32_t *v, long low, long high)
{
    while (low < high) {
        uint32_t pivot = v[(low + high) / 2];
        long i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                uint32_t swap = v[i];
                v[i++] = v[j];
                v[j--] = swap;
            }
        }
        if (j - low < high - i) { /* the smaller side first: the stack stays shallow */
            quicksort(v, low, j);
            low = i;
        } else {
            quicksort(v, i, high);
            high = j;
        }
    }
}

static uint64_t checksum(const uint32_t *v, long n)
{
    uint64_t sum = 0;
    for (long i = 0; i < n; i++)
        sum = sum * 31 + v[i];
    return sum;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 12000000;
    uint32_t *v = malloc((size_t)n * sizeof *v);
    if (!v)
        return 1;
    fill(v, n);
    quicksort(v, 0, n - 1);
    printf("%llu\n", (unsigned long long)checksum(v, n));
    free(v);
    return 0;
}
