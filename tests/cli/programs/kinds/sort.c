#include <stdio.h>
#include <stdlib.h>
static void sort(unsigned *v, long low, long high)
{
    unsigned pivot = v[low + (high - low) / 2];
    long i = low, j = high;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            unsigned t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    if (low < j)
        sort(v, low, j);
    if (i < high)
        sort(v, i, high);
}
int main(void)
{
    long n = 20000, wrong = 0;
    unsigned *v = malloc(sizeof *v * n), x = 1;
    for (long i = 0; i < n; i++)
        v[i] = x = x * 1664525u + 1013904223u;
    sort(v, 0, n - 1);
    for (long i = 1; i < n; i++)
        wrong += v[i - 1] > v[i];
    printf("%ld wrong, median %u\n", wrong, v[n / 2]);
    free(v);
    return 0;
}
/* kinds: halves that nothing follows: nobody waits for them but the region */
