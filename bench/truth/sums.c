/* How many subsets of some numbers have a sum: a tree of choices, tasks in a group for its upper levels. */
#include "truth.h"
enum { N = SIZE(17, 26), UPPER = 5 };
static int number[N];
static long found[1 << (UPPER + 1)];
static long below(int k, int left)
{
    if (left == 0)
        return 1;
    if (k == N || left < 0)
        return 0;
    return below(k + 1, left) + below(k + 1, left - number[k]);
}
static void above(int k, int left, int at)
{
    if (k == UPPER) {
        found[at] = below(k, left);
        return;
    }
    BEGIN("sums.group");
#pragma omp taskgroup
    {
        for (int with = 0; with < 2; with++) {
#pragma omp task firstprivate(with)
            {
                CALL_BEGIN("sums.choice");
                above(k + 1, left - with * number[k], 2 * at + with);
                CALL_END("sums.choice");
            }
        }
    }
    END("sums.group");
}
int main(void)
{
    CC_RECORD_OFF();
    int all = 0;
    for (int i = 0; i < N; i++)
        all += number[i] = 11 + i * 29 % 53;
    KERNEL_BEGIN();
    BEGIN("sums.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("sums.root");
        above(0, all / 3, 1);
        END("sums.root");
    }
    END("sums.all");
    long sum = 0;
    for (int i = 0; i < 1 << (UPPER + 1); i++)
        sum += found[i];
    KERNEL_END((double)sum);
}
