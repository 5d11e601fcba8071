/* Pairs in the wrong order are counted: one half by a task, the other by its maker, which then waits. */
#include "truth.h"
enum { N = SIZE(3072, 400000), LEAST = SIZE(192, 4000) };
static int list[N], copy[N];
static long ferns(int *a, int *room, int n)
{
    if (n < 2)
        return 0;
    long left = 0, right;
    int half = n / 2;
    if (n > LEAST) {
#pragma omp task shared(left) firstprivate(a, room, half)
        {
            CALL_BEGIN("ferns.half");
            left = ferns(a, room, half);
            CALL_END("ferns.half");
        }
    } else {
        left = ferns(a, room, half);
    }
    right = ferns(a + half, room + half, n - half);
    if (n > LEAST) {
        CALL_BEGIN("ferns.wait");
#pragma omp taskwait
        CALL_END("ferns.wait");
    }
    long pairs = left + right;
    int i = 0, j = half, k = 0;
    while (i < half || j < n) {
        int take = j == n || (i < half && a[i] <= a[j]);
        pairs += take ? 0 : half - i;
        room[k++] = take ? a[i++] : a[j++];
    }
    memcpy(a, room, (size_t)n * sizeof *a);
    return pairs;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        list[i] = (int)(i * 7919u % 10007u);
    long pairs = 0;
    KERNEL_BEGIN();
    BEGIN("ferns.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("ferns.root");
        pairs = ferns(list, copy, N);
        END("ferns.root");
    }
    END("ferns.all");
    KERNEL_END((double)pairs);
}
