/* Rays against spheres: square roots where they meet, whole rows guided. */
#include "truth.h"
enum { H = SIZE(40, 300), W = SIZE(24, 300), SPHERES = 9 };
static double sphere[SPHERES][4], picture[H][W];
int main(void)
{
    CC_RECORD_OFF();
    for (int s = 0; s < SPHERES; s++) {
        sphere[s][0] = s * 5 % 9 - 4;
        sphere[s][1] = s * 7 % 5 - 3;
        sphere[s][2] = 6 + s;
        sphere[s][3] = 1 + s % 3;
    }
    KERNEL_BEGIN();
    BEGIN("rays.all");
#pragma omp parallel for schedule(guided, 2)
    for (int y = 0; y < H; y++) {
        BEGIN("rays.row");
        for (int x = 0; x < W; x++) {
            double dx = 4.0 * x / W - 2, dy = 4.0 * y / H - 2, nearest = 1e9;
            for (int s = 0; s < SPHERES; s++) {
                double b = dx * sphere[s][0] + dy * sphere[s][1] + sphere[s][2], a = dx * dx + dy * dy + 1;
                double c = sphere[s][0] * sphere[s][0] + sphere[s][1] * sphere[s][1] +
                           sphere[s][2] * sphere[s][2] - sphere[s][3];
                double d = b * b - a * c;
                if (d > 0) {
                    double t = (b - sqrt(d)) / a;
                    nearest = t < nearest ? t : nearest;
                }
            }
            picture[y][x] = nearest;
        }
        END("rays.row");
    }
    END("rays.all");
    KERNEL_END(picture[20][12]);
}
