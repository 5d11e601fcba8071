/* Runs of sorted numbers are merged two by two, a region for each length: the last have work for few. */
#include "truth.h"
enum { N = SIZE(2048, 1 << 18) };
static int a[N], b[N];
static void merge(const int *from, int *to, int n)
{
    int i = 0, j = n / 2;
    for (int k = 0; k < n; k++)
        to[k] = j == n || (i < n / 2 && from[i] <= from[j]) ? from[i++] : from[j++];
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        a[i] = (int)((unsigned)i * 2654435761u >> 8);
    KERNEL_BEGIN();
    int *from = a, *to = b;
    for (int n = 2; n <= N; n *= 2) {
        BEGIN("merges.level");
#pragma omp parallel for schedule(static)
        for (int i = 0; i < N / n; i++) {
            BEGIN("merges.pair");
            merge(from + i * n, to + i * n, n);
            END("merges.pair");
        }
        END("merges.level");
        int *other = from;
        from = to;
        to = other;
    }
    KERNEL_END(from[N / 2]);
}
