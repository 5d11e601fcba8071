/* One thread sorts letters for a while, then gives a few to others, does some itself and waits; again and
 * again. */
#include "truth.h"
enum { DAYS = SIZE(10, 60), GIVEN = 3, LETTERS = SIZE(600, 9000), W = SIZE(64, 256) };
static unsigned short box[GIVEN + 1][LETTERS];
static unsigned sum[GIVEN + 1];
static void sort_out(int day)
{
    for (int i = 0; i < LETTERS; i++)
        for (int b = 0; b <= GIVEN; b++)
            box[b][i] = (unsigned short)((i * 31 + day * 7 + b) % W);
}
static void answer(int b)
{
    unsigned count[W] = {0};
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < LETTERS; i++)
            count[box[b][i]] += (unsigned)(i + r);
    for (int k = 0; k < W; k++)
        sum[b] = sum[b] * 31 + count[k];
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("desks.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("desks.one");
        for (int day = 0; day < DAYS; day++) {
            sort_out(day);
            for (int b = 1; b <= GIVEN; b++) {
#pragma omp task firstprivate(b)
                {
                    CALL_BEGIN("desks.answer");
                    answer(b);
                    CALL_END("desks.answer");
                }
            }
            answer(0);
            CALL_BEGIN("desks.wait");
#pragma omp taskwait
            CALL_END("desks.wait");
        }
        END("desks.one");
    }
    END("desks.all");
    KERNEL_END(sum[0] + sum[1] + sum[GIVEN]);
}
