/* Steps of six uneven sections in one region, each another kind of work on data of its own. */
#include "truth.h"
enum { STEPS = SIZE(6, 60), N = SIZE(800, 40000) };
static int key[N];
static float wave[N], wide[N];
static unsigned short count[4096];
static double result[6];
static void sift(void)
{
    for (int i = 1; i < N / 8; i++)
        for (int j = i; j && key[j - 1] > key[j]; j--) {
            int t = key[j];
            key[j] = key[j - 1];
            key[j - 1] = t;
        }
    for (int i = 0; i < N / 8; i++)
        key[i] = (key[i] * 7 + 3) % 1000;
}
static double power(int s)
{
    double p = 1;
    for (int i = 0; i < 3 * N; i++)
        p = p * 1.0000001 + s;
    return p;
}
static void step(int k, int s)
{
    if (k == 0)
        sift();
    if (k == 1)
        for (int i = 1; i + 1 < N; i++)
            wave[i] = (wave[i - 1] + wave[i + 1]) * 0.49f + 1;
    if (k == 2)
        for (int i = 0; i < 2 * N; i++)
            count[(unsigned)(i + s) * 2654435761u >> 20]++;
    if (k == 3)
        result[3] += power(s);
    if (k == 4)
        for (int i = 0; i < N; i++)
            wide[i] += wide[i * 17 % N] + 1;
    if (k == 5)
        for (int i = 0; i < N / 2; i++)
            result[5] += i % (s + 3);
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        key[i] = i * 577 % 1000;
    KERNEL_BEGIN();
    BEGIN("quarters.all");
#pragma omp parallel
    for (int s = 0; s < STEPS; s++) {
        BEGIN("quarters.step");
#pragma omp sections
        {
#pragma omp section
            {
                BEGIN("quarters.a");
                step(0, s);
                END("quarters.a");
            }
#pragma omp section
            {
                BEGIN("quarters.b");
                step(1, s);
                END("quarters.b");
            }
#pragma omp section
            {
                BEGIN("quarters.c");
                step(2, s);
                END("quarters.c");
            }
#pragma omp section
            {
                BEGIN("quarters.d");
                step(3, s);
                END("quarters.d");
            }
#pragma omp section
            {
                BEGIN("quarters.e");
                step(4, s);
                END("quarters.e");
            }
#pragma omp section
            {
                BEGIN("quarters.f");
                step(5, s);
                END("quarters.f");
            }
        }
        END("quarters.step");
    }
    END("quarters.all");
    KERNEL_END(result[3] + key[2] + wave[9] + count[7] + wide[3] + result[5]);
}
