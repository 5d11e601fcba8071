/* Two rows of sections without waiting between them, and a loop behind them in one region. */
#include "truth.h"
enum { N = SIZE(3000, 1 << 19), K = SIZE(5, 8) };
static float a[N], b[N], c[N], d[N];
static unsigned hits[4];
static float scale(float *x, float by)
{
    float s = 0;
    for (int r = 0; r < K; r++)
        for (int i = 0; i < N; i++) {
            x[i] = x[i] * by + 0.5f;
            s += x[i];
        }
    return s;
}
static unsigned crossings(const float *x)
{
    unsigned n = 0;
    for (int r = 0; r < K; r++)
        for (int i = 1; i < N - 1; i++)
            n += (x[i] > 40) != (x[i - 1] > 40);
    return n;
}
static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 83;
        b[i] = i % 71;
        c[i] = i % 61;
    }
}
static void row(int j)
{
    for (int i = j * (N / 64); i < (j + 1) * (N / 64); i++)
        d[i] += a[i] * b[i] + sqrtf(c[i]);
}
int main(void)
{
    CC_RECORD_OFF();
    fill();
    float s[4] = {0};
    KERNEL_BEGIN();
    BEGIN("mixer.all");
#pragma omp parallel
    {
        BEGIN("mixer.first");
#pragma omp sections nowait
        {
#pragma omp section
            {
                BEGIN("mixer.a");
                s[0] = scale(a, 0.5f);
                END("mixer.a");
            }
#pragma omp section
            {
                BEGIN("mixer.b");
                s[1] = scale(b, 0.25f);
                END("mixer.b");
            }
        }
        END("mixer.first");
        BEGIN("mixer.second");
#pragma omp sections nowait
        {
#pragma omp section
            {
                BEGIN("mixer.c");
                hits[0] = crossings(c);
                END("mixer.c");
            }
#pragma omp section
            {
                BEGIN("mixer.c2");
                hits[1] = crossings(c + 1);
                END("mixer.c2");
            }
        }
        END("mixer.second");
        BEGIN("mixer.wait");
#pragma omp barrier
        END("mixer.wait");
        BEGIN("mixer.join");
#pragma omp for schedule(dynamic, 4)
        for (int j = 0; j < 64; j++) {
            BEGIN("mixer.row");
            row(j);
            END("mixer.row");
        }
        END("mixer.join");
    }
    END("mixer.all");
    KERNEL_END(s[0] + s[1] + s[2] + hits[0] + hits[1] + d[77]);
}
