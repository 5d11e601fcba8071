/* Two series of short regions, side by side: strings of masses on springs, each step a region inside. */
#include "truth.h"
enum { MASSES = SIZE(240, 4000), STEPS = SIZE(24, 600) };
static double place[2][MASSES + 2], speed[2][MASSES + 2];
static int outer, inner;
int main(void)
{
    CC_RECORD_OFF();
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < MASSES + 2; i++)
            place[k][i] = i + 0.01 * (i * 7 % 5);
    truth_nested(&outer, &inner);
    KERNEL_BEGIN();
    BEGIN("knots.both");
#pragma omp parallel num_threads(outer) proc_bind(spread)
    {
#pragma omp for schedule(static)
        for (int k = 0; k < 2; k++) {
            BEGIN("knots.one");
            for (int s = 0; s < STEPS; s++) {
                BEGIN("knots.push");
#pragma omp parallel for num_threads(inner) schedule(static)
                for (int i = 1; i <= MASSES; i++) {
                    BEGIN("knots.mass");
                    double l = place[k][i] - place[k][i - 1] - 1, r = place[k][i + 1] - place[k][i] - 1;
                    speed[k][i] += 0.01 * (r - l + 0.1 * (r * r * r - l * l * l));
                    END("knots.mass");
                }
                END("knots.push");
                for (int i = 1; i <= MASSES; i++)
                    place[k][i] += 0.01 * speed[k][i];
            }
            END("knots.one");
        }
    }
    END("knots.both");
    KERNEL_END(place[0][9] + place[1][11]);
}
