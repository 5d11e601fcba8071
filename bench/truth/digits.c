/* Numbers are sorted by their digits: own counts of each part, sums by one thread, then everybody moves. */
#include "truth.h"
enum { N = SIZE(3072, 400000), PARTS = 16, KINDS = 16 };
static unsigned a[N], b[N];
static int counts[PARTS][KINDS], starts[PARTS][KINDS];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++)
        a[i] = i * 2654435761u >> 20;
    KERNEL_BEGIN();
    unsigned *from = a, *to = b;
    BEGIN("digits.all");
#pragma omp parallel firstprivate(from, to)
    for (int shift = 0; shift < 12; shift += 4) {
#pragma omp for schedule(static)
        for (int p = 0; p < PARTS; p++) {
            BEGIN("digits.count");
            memset(counts[p], 0, sizeof counts[p]);
            for (int i = p * (N / PARTS); i < (p + 1) * (N / PARTS); i++)
                counts[p][from[i] >> shift & 15]++;
            END("digits.count");
        }
#pragma omp single
        {
            BEGIN("digits.sum");
            for (int k = 0, sum = 0; k < KINDS; k++)
                for (int p = 0; p < PARTS; p++) {
                    starts[p][k] = sum;
                    sum += counts[p][k];
                }
            END("digits.sum");
        }
#pragma omp for schedule(static)
        for (int p = 0; p < PARTS; p++) {
            BEGIN("digits.move");
            for (int i = p * (N / PARTS); i < (p + 1) * (N / PARTS); i++)
                to[starts[p][from[i] >> shift & 15]++] = from[i];
            END("digits.move");
        }
        unsigned *other = from;
        from = to;
        to = other;
    }
    END("digits.all");
    KERNEL_END(b[N / 3]);
}
