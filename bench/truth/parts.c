/* Sections: four kernels of different kinds and lengths side by side; more processors than that have nothing.
 */
#include "truth.h"
enum { N = SIZE(4096, 1 << 20), ROUNDS = SIZE(6, 12) };
static unsigned a[N], table[256];
static double b[N];
static unsigned short c[65536];
static double result[4];
static double check(void)
{
    unsigned sum = ~0u;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < N; i++)
            sum = sum >> 8 ^ table[(sum ^ a[i]) & 255];
    return sum;
}
static double mean(void)
{
    double m = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < N; i++)
            m += (b[i] - m) / (i + 1);
    return m;
}
static double frequent(void)
{
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < N; i++)
            c[a[i] >> 16]++;
    return c[5];
}
static double greatest(void)
{
    double most = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < N; i++)
            most = b[i] * r > most ? b[i] * r : most;
    return most;
}
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < N; i++) {
        a[i] = i * 2654435761u;
        b[i] = i % 1000;
        table[i & 255] = i * 40503u;
    }
    KERNEL_BEGIN();
    BEGIN("parts.all");
#pragma omp parallel sections
    {
#pragma omp section
        {
            BEGIN("parts.check");
            result[0] = check();
            END("parts.check");
        }
#pragma omp section
        {
            BEGIN("parts.mean");
            result[1] = mean();
            END("parts.mean");
        }
#pragma omp section
        {
            BEGIN("parts.frequent");
            result[2] = frequent();
            END("parts.frequent");
        }
#pragma omp section
        {
            BEGIN("parts.greatest");
            result[3] = greatest();
            END("parts.greatest");
        }
    }
    END("parts.all");
    KERNEL_END(result[0] + result[1] + result[2] + result[3]);
}
