/* Customers of skewed work at two tills: a long section under one lock, a short one under another. */
#include "truth.h"
enum { CUSTOMERS = SIZE(320, 30000), GOODS = 48 };
static int stock[GOODS], paid, seen;
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("tills.all");
#pragma omp parallel for schedule(guided)
    for (int c = 0; c < CUSTOMERS; c++) {
        BEGIN("tills.one");
        unsigned x = (unsigned)c * 2654435761u | 1;
        int rounds = c % 29 == 0 ? 1400 : 90;
        for (int i = 0; i < rounds; i++)
            x = (x ^ x >> 14) * 2246822519u;
        if (x & 3) {
            BEGIN("tills.take");
#pragma omp critical(stock)
            for (int g = 0; g < GOODS; g++)
                stock[g] += (int)(x >> (g & 15) & 1);
            END("tills.take");
        }
        BEGIN("tills.pay");
#pragma omp critical(cash)
        {
            paid += (int)(x & 7);
            seen++;
        }
        END("tills.pay");
        END("tills.one");
    }
    END("tills.all");
    KERNEL_END(paid + seen + stock[3]);
}
