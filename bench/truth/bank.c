/* A lock that is wanted often: transfers between accounts inside a critical section, work outside. */
#include "truth.h"
enum { BLOCKS = SIZE(128, 4096), MOVES = SIZE(12, 200), WORK = SIZE(160, 160), ACCOUNTS = 32 };
static int account[ACCOUNTS];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < ACCOUNTS; i++)
        account[i] = 1000;
    KERNEL_BEGIN();
    BEGIN("bank.all");
#pragma omp parallel for schedule(dynamic, 4)
    for (int b = 0; b < BLOCKS; b++) {
        BEGIN("bank.block");
        unsigned x = (unsigned)b * 2654435761u + 1;
        for (int m = 0; m < MOVES; m++) {
            for (int i = 0; i < WORK; i++)
                x = x * 1664525 + 1013904223;
            BEGIN("bank.move");
#pragma omp critical
            {
                int from = x >> 8 & 31, to = x >> 16 & 31, sum = (int)(x >> 28);
                if (account[from] > sum) {
                    account[from] -= sum;
                    account[to] += sum;
                }
            }
            END("bank.move");
        }
        END("bank.block");
    }
    END("bank.all");
    KERNEL_END(account[0]);
}
