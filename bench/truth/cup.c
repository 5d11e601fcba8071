/* A tournament: whoever calls a round first draws lots, for long, then lets both halves play and waits for
 * them. */
#include "truth.h"
enum { TEAMS = SIZE(32, 256), LOTS = SIZE(4000, 200000), GAME = SIZE(9000, 400000) };
static unsigned draw(unsigned x, int n)
{
    for (int i = 0; i < n; i++)
        x = x * 1664525 + (x >> 13) + 1;
    return x;
}
static unsigned cup(int from, int n, unsigned seed)
{
    unsigned a, b, lots = draw(seed, LOTS);
    if (n == 2)
        return draw(lots + (unsigned)from, GAME);
#pragma omp task shared(a)
    {
        CALL_BEGIN("cup.half");
        a = cup(from, n / 2, lots);
        CALL_END("cup.half");
    }
#pragma omp task shared(b)
    {
        CALL_BEGIN("cup.half");
        b = cup(from + n / 2, n / 2, lots + 1);
        CALL_END("cup.half");
    }
    CALL_BEGIN("cup.wait");
#pragma omp taskwait
    CALL_END("cup.wait");
    return draw(a ^ b, GAME / 4);
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned won = 0;
    KERNEL_BEGIN();
    BEGIN("cup.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("cup.one");
        won = cup(0, TEAMS, 1);
        END("cup.one");
    }
    END("cup.all");
    KERNEL_END(won);
}
