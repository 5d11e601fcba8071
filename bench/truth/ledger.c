/* Locks and atomics: entries go to one of two books, each with a critical section of its own; totals by
 * atomic adds. */
#include "truth.h"
enum { BLOCKS = SIZE(96, 3000), EACH = SIZE(10, 100), WORK = 60 };
static long book[4][8], total, largest;
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("ledger.all");
#pragma omp parallel for schedule(dynamic)
    for (int b = 0; b < BLOCKS; b++) {
        BEGIN("ledger.block");
        unsigned x = (unsigned)b * 2246822519u + 3;
        long sum = 0;
        for (int e = 0; e < EACH; e++) {
            for (int i = 0; i < WORK; i++)
                x = x * 1664525 + 1013904223;
            sum += x >> 20;
            if (e % 2) {
                BEGIN("ledger.left");
#pragma omp critical(left)
                book[0][x >> 29] += sum & 31;
                END("ledger.left");
            } else {
                BEGIN("ledger.right");
#pragma omp critical(right)
                book[2][x >> 29] += sum & 15;
                END("ledger.right");
            }
        }
        BEGIN("ledger.total");
#pragma omp atomic
        total += sum;
        END("ledger.total");
        END("ledger.block");
    }
    END("ledger.all");
    KERNEL_END(total);
}
