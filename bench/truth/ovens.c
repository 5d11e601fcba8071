/* One task after the other makes dough, several bake it, some of it for longer, and what is baked is packed
 * in order: tasks with what they need, through so many trays. */
#include "truth.h"
enum { LOAVES = SIZE(28, 240), TRAYS = 5, W = SIZE(220, 20000) };
static float dough[TRAYS][W];
static char tray[TRAYS];
static float flour, packed;
static void bake(int n)
{
    float *v = dough[n % TRAYS];
    for (int t = 0; t < 2 + n % 4; t++)
        for (int i = 1; i < W; i++)
            v[i] = 0.5f * v[i] + 0.5f * v[i - 1];
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("ovens.all");
#pragma omp parallel
#pragma omp master
    {
        BEGIN("ovens.make");
        for (int n = 0; n < LOAVES; n++) {
#pragma omp task firstprivate(n) depend(inout : flour) depend(out : tray[n % TRAYS])
            {
                CALL_BEGIN("ovens.knead");
                for (int i = 0; i < W; i++)
                    dough[n % TRAYS][i] = flour = flour * 0.9f + (float)(i & 7);
                CALL_END("ovens.knead");
            }
#pragma omp task firstprivate(n) depend(inout : tray[n % TRAYS])
            {
                CALL_BEGIN("ovens.bake");
                bake(n);
                CALL_END("ovens.bake");
            }
#pragma omp task firstprivate(n) depend(in : tray[n % TRAYS]) depend(inout : packed)
            {
                CALL_BEGIN("ovens.pack");
                for (int i = 0; i < W; i += 4)
                    packed = packed * 0.99f + dough[n % TRAYS][i];
                CALL_END("ovens.pack");
            }
        }
        END("ovens.make");
    }
    END("ovens.all");
    KERNEL_END(packed);
}
