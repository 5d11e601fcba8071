/* Two locks: orders are priced by all, booked under one lock and told under another. */
#include "truth.h"
enum { ORDERS = SIZE(480, 1 << 16), BOOK = 64 };
static int book[BOOK], told[BOOK];
static int price(int o)
{
    unsigned x = (unsigned)o * 2246822519u + 7;
    int rounds = 60 + (int)(x >> 26) * 3;
    for (int i = 0; i < rounds; i++)
        x = (x ^ x >> 15) * 2654435761u;
    return (int)(x >> 20);
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("market.all");
#pragma omp parallel for schedule(dynamic, 2)
    for (int o = 0; o < ORDERS; o++) {
        BEGIN("market.order");
        int p = price(o), at = p % BOOK, best = 0;
        BEGIN("market.book");
#pragma omp critical(book)
        {
            book[at] += p;
            for (int i = 0; i < 16; i++)
                best = book[(at + i) % BOOK] > book[best] ? (at + i) % BOOK : best;
        }
        END("market.book");
        if (p & 1) {
            BEGIN("market.tell");
#pragma omp critical(tell)
            told[best]++;
            END("market.tell");
        }
        END("market.order");
    }
    END("market.all");
    KERNEL_END(book[3] + told[5]);
}
