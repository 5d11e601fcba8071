/* Ordered under a dynamic schedule: work of random length, then a short turn. */
#include "truth.h"
enum { N = SIZE(160, 4000), WORK = SIZE(260, 4000) };
static unsigned seed[N];
static unsigned long long out[N];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        seed[i] = i * 2654435761u;
    unsigned long long state = 1;
    KERNEL_BEGIN();
    BEGIN("turns.all");
#pragma omp parallel for schedule(dynamic) ordered
    for (int i = 0; i < N; i++) {
        BEGIN("turns.one");
        unsigned x = seed[i];
        for (unsigned k = 0; k < WORK + (seed[i] >> 23); k++)
            x = x * 1664525 + (x >> 9);
        BEGIN("turns.turn");
#pragma omp ordered
        {
            state = state * 6364136223846793005ULL + x;
            out[i] = state;
        }
        END("turns.turn");
        END("turns.one");
    }
    END("turns.all");
    KERNEL_END((double)(out[N - 1] >> 20));
}
