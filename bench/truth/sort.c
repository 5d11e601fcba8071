/* Recursion: a merge sort whose halves are tasks down to a depth. */
#include "truth.h"
enum { N = SIZE(16384, 1 << 20), DEPTH = SIZE(4, 6) };
static int v[N], w[N];
static void merge(int from, int middle, int to)
{
    for (int i = from, j = middle, k = from; k < to; k++)
        w[k] = j >= to || (i < middle && v[i] <= v[j]) ? v[i++] : v[j++];
    memcpy(v + from, w + from, (size_t)(to - from) * sizeof *v);
}
static void plain(int from, int to)
{
    if (to - from < 2)
        return;
    int middle = from + (to - from) / 2;
    plain(from, middle);
    plain(middle, to);
    merge(from, middle, to);
}
static void sort(int from, int to, int depth)
{
    if (depth == DEPTH) {
        plain(from, to);
    } else {
        int middle = from + (to - from) / 2;
#pragma omp task
        {
            CALL_BEGIN("sort.part");
            sort(from, middle, depth + 1);
            CALL_END("sort.part");
        }
#pragma omp task
        {
            CALL_BEGIN("sort.part");
            sort(middle, to, depth + 1);
            CALL_END("sort.part");
        }
        CALL_BEGIN("sort.wait");
#pragma omp taskwait
        CALL_END("sort.wait");
        merge(from, middle, to);
    }
}
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        v[i] = (int)(i * 2654435761u >> 8);
    TOUCH(w);
    KERNEL_BEGIN();
    BEGIN("sort.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("sort.root");
        sort(0, N, 0);
        END("sort.root");
    }
    END("sort.all");
    KERNEL_END(v[N / 3]);
}
