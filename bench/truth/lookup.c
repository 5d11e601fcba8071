/* Many searches by halving in one sorted table that all threads read; which way they go is not to be
 * foreseen. */
#include "truth.h"
enum { N = SIZE(4096, 1 << 20), ASKED = SIZE(96, 4096), EACH = 16 };
static unsigned table[N], found[ASKED];
static unsigned search(unsigned x)
{
    unsigned low = 0, high = N;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (table[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
int main(void)
{
    CC_RECORD_OFF();
    TOUCH(found);
    for (unsigned i = 0; i < N; i++)
        table[i] = i * 11 + i % 7;
    KERNEL_BEGIN();
    BEGIN("lookup.all");
#pragma omp parallel for schedule(guided)
    for (int a = 0; a < ASKED; a++) {
        BEGIN("lookup.some");
        unsigned sum = 0;
        for (unsigned k = 0; k < EACH; k++)
            sum += search(((unsigned)a * EACH + k) * 2654435761u % (N * 11));
        found[a] = sum;
        END("lookup.some");
    }
    END("lookup.all");
    KERNEL_END(found[ASKED / 3]);
}
