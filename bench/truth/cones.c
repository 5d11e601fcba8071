/* Two bodies side by side, each shell's volume summed by a region of its own inside. */
#include "truth.h"
enum { SHELLS = SIZE(6, 60), N = SIZE(1500, 60000) };
static double volume[2];
static int outer, inner;
int main(void)
{
    CC_RECORD_OFF();
    truth_nested(&outer, &inner);
    KERNEL_BEGIN();
    BEGIN("cones.bodies");
#pragma omp parallel for num_threads(outer) proc_bind(spread) schedule(static, 1)
    for (int b = 0; b < 2; b++) {
        BEGIN("cones.body");
        for (int s = 0; s < SHELLS; s++) {
            double sum = 0;
            BEGIN("cones.shell");
#pragma omp parallel for num_threads(inner) schedule(static) reduction(+ : sum)
            for (int k = 0; k < 30; k++) {
                BEGIN("cones.part");
                for (int i = 0; i < N / 30; i++)
                    sum += 1.0 / (1.0 + (double)((i + k * s) % 50 + b));
                END("cones.part");
            }
            END("cones.shell");
            volume[b] += sum;
        }
        END("cones.body");
    }
    END("cones.bodies");
    KERNEL_END(volume[0] + volume[1]);
}
