/* Two sections, each a region of its own over its data, a few times. */
#include "truth.h"
enum { N = SIZE(1500, 200000), TIMES = SIZE(4, 40) };
static float a[N], b[N];
static int outer, inner;
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < N; i++)
        a[i] = b[i] = (float)(i % 31);
    truth_nested(&outer, &inner);
    KERNEL_BEGIN();
    for (int t = 0; t < TIMES; t++) {
        BEGIN("twins.both");
#pragma omp parallel sections num_threads(outer) proc_bind(spread)
        {
#pragma omp section
            {
                BEGIN("twins.first");
#pragma omp parallel for num_threads(inner) schedule(static)
                for (int i = 0; i < N; i++) {
                    BEGIN("twins.a");
                    float s = a[i];
                    for (int k = 0; k < 12; k++)
                        s = s * s * 0.01f + 0.3f;
                    a[i] = s;
                    END("twins.a");
                }
                END("twins.first");
            }
#pragma omp section
            {
                BEGIN("twins.second");
#pragma omp parallel for num_threads(inner) schedule(dynamic, 50)
                for (int i = 0; i < N; i++) {
                    BEGIN("twins.b");
                    float s = b[i];
                    for (int k = 0; k < 8 + i % 9; k++)
                        s = s * 0.7f + 0.1f;
                    b[i] = s;
                    END("twins.b");
                }
                END("twins.second");
            }
        }
        END("twins.both");
    }
    KERNEL_END(a[5] + b[6]);
}
