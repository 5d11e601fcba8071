/* Moulds of uneven size, noted in order, in dynamic chunks of two. */
#include "truth.h"
enum { MOULDS = SIZE(180, 6000) };
static int noted[MOULDS];
int main(void)
{
    CC_RECORD_OFF();
    int count = 0;
    KERNEL_BEGIN();
    BEGIN("casts.all");
#pragma omp parallel for schedule(dynamic, 2) ordered
    for (int m = 0; m < MOULDS; m++) {
        BEGIN("casts.mould");
        unsigned x = (unsigned)m * 40503u + 1;
        for (unsigned k = 0; k < 150 + (unsigned)m * 37 % 300; k++)
            x = (x ^ x >> 13) * 2246822519u;
        BEGIN("casts.note");
#pragma omp ordered
        {
            noted[count] = (int)(x >> 8);
            count += x & 1;
        }
        END("casts.note");
        END("casts.mould");
    }
    END("casts.all");
    KERNEL_END(noted[3] + count);
}
