/* The cheapest order of a chain of products, diagonal by diagonal: regions whose loops get shorter while
 * their iterations get longer. */
#include "truth.h"
enum { N = SIZE(72, 700) };
static unsigned side[N + 1], cost[N][N];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i <= N; i++)
        side[i] = 5 + (unsigned)i * 31 % 47;
    KERNEL_BEGIN();
    for (int span = 1; span < N; span++) {
        BEGIN("chain.span");
#pragma omp parallel for schedule(dynamic, 2)
        for (int i = 0; i < N - span; i++) {
            BEGIN("chain.cell");
            unsigned least = ~0u;
            for (int k = i; k < i + span; k++) {
                unsigned c = cost[i][k] + cost[k + 1][i + span] + side[i] * side[k + 1] * side[i + span + 1];
                least = c < least ? c : least;
            }
            cost[i][i + span] = least;
            END("chain.cell");
        }
        END("chain.span");
    }
    KERNEL_END(cost[0][N - 1]);
}
