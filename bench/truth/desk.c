/* Named locks of different lengths, of which one is wanted most, one without a name, and an atomic sum. */
#include "truth.h"
enum { CLIENTS = SIZE(400, 60000), ROWS = 24 };
static long stock[ROWS], queue_[ROWS], paid, last;
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("desk.all");
#pragma omp parallel for schedule(static, 5)
    for (int c = 0; c < CLIENTS; c++) {
        BEGIN("desk.client");
        unsigned x = (unsigned)c * 3266489917u + 11;
        for (unsigned i = 0; i < 150 + (x >> 25); i++)
            x = (x ^ x >> 13) * 1274126177u;
        if (x % 3) {
            BEGIN("desk.stock");
#pragma omp critical(stock)
            for (int i = 0; i < ROWS; i += 3)
                stock[i] += stock[(i + 1) % ROWS] + (x >> i & 1);
            END("desk.stock");
        }
        if (x % 5 == 1) {
            BEGIN("desk.queue");
#pragma omp critical(queue)
            for (int i = 0; i < ROWS; i++)
                queue_[i] = queue_[i] * 3 + (long)(x & 15);
            END("desk.queue");
        }
        BEGIN("desk.pay");
#pragma omp atomic
        paid += x & 255;
        END("desk.pay");
        if (x % 7 == 0) {
            BEGIN("desk.note");
#pragma omp critical
            last = (long)(x & 65535) > last ? (long)(x & 65535) : last;
            END("desk.note");
        }
        END("desk.client");
    }
    END("desk.all");
    KERNEL_END(paid + last);
}
