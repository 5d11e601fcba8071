/* Lists built by each thread and joined: each counts the groups of its own records, in as many slots as it
 * has seen groups, and adds slot by slot to what all share under a lock. */
#include "truth.h"
enum { N = SIZE(7200, 1 << 20), BLOCK = SIZE(60, 4096), GROUPS = SIZE(700, 9000) };
static unsigned short of[N];
static int total[GROUPS];
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 23;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        of[i] = (unsigned short)((x >> 10) % 16 + (unsigned)i * (GROUPS - 16) / N);
    }
    KERNEL_BEGIN();
    BEGIN("traits.all");
#pragma omp parallel
    {
        short slot[GROUPS];
        int group[GROUPS], number[GROUPS], n = 0;
        memset(slot, -1, sizeof slot);
#pragma omp for schedule(static)
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("traits.block");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                int s = slot[of[i]];
                if (s < 0) {
                    s = slot[of[i]] = (short)n;
                    group[n] = of[i];
                    number[n++] = 0;
                }
                number[s]++;
            }
            END("traits.block");
        }
        BEGIN("traits.join");
#pragma omp critical
        for (int s = 0; s < n; s++)
            total[group[s]] += number[s];
        END("traits.join");
    }
    END("traits.all");
    KERNEL_END(total[33]);
}
