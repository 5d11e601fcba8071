/* Quicksort: parts of uneven size are tasks until they are deep enough. */
#include "truth.h"
enum { N = SIZE(12288, 1 << 20), DEEP = SIZE(5, 9) };
static int v[N];
static int cut(int from, int to)
{
    int pivot = v[(from + to - 1) / 2], i = from - 1, j = to;
    for (;;) {
        do
            i++;
        while (v[i] < pivot);
        do
            j--;
        while (v[j] > pivot);
        if (i >= j)
            return j + 1;
        int t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
}
static void plain(int from, int to)
{
    while (to - from > 1) {
        int middle = cut(from, to);
        plain(from, middle);
        from = middle;
    }
}
static void quick(int from, int to, int depth)
{
    if (depth == DEEP) {
        plain(from, to);
    } else if (to - from > 1) {
        int middle = cut(from, to);
#pragma omp task
        {
            CALL_BEGIN("quick.part");
            quick(from, middle, depth + 1);
            CALL_END("quick.part");
        }
#pragma omp task
        {
            CALL_BEGIN("quick.part");
            quick(middle, to, depth + 1);
            CALL_END("quick.part");
        }
    }
}
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        v[i] = (int)(i * 2654435761u >> 6);
    KERNEL_BEGIN();
    BEGIN("quick.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("quick.root");
        quick(0, N, 0);
        END("quick.root");
    }
    END("quick.all");
    KERNEL_END(v[N / 3]);
}
