/* Chunks of single short iterations: fetching them is most of the time. */
#include "truth.h"
enum { N = SIZE(1500, 400000), WORK = 12 };
static unsigned a[N];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        a[i] = i * 2654435761u;
    KERNEL_BEGIN();
    BEGIN("crumbs.all");
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
        BEGIN("crumbs.one");
        unsigned x = a[i];
        for (unsigned k = 0; k < WORK + (a[i] >> 28); k++)
            x = x * 1664525 + (x >> 9);
        a[i] = x;
        END("crumbs.one");
    }
    END("crumbs.all");
    KERNEL_END(a[77]);
}
