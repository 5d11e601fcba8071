/* A pipeline: blocks go through three stages, each a task that waits for the stage before and for its own
 * last block. */
#include "truth.h"
enum { BLOCKS = SIZE(40, 400), EACH = SIZE(1200, 60000) };
static unsigned char a[BLOCKS][EACH];
static unsigned state[3], place[BLOCKS];
static void stage(int s, int b)
{
    unsigned x = state[s] + 1;
    for (int i = 0; i < EACH; i++) {
        x = x * 33 + a[b][i];
        a[b][i] = (unsigned char)(x >> (s * 4));
    }
    state[s] = x;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < EACH; i++)
            a[b][i] = (unsigned char)(b + i * 3);
    KERNEL_BEGIN();
    BEGIN("stages.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("stages.make");
        for (int b = 0; b < BLOCKS; b++) {
#pragma omp task depend(inout : state[0]) depend(out : place[b]) firstprivate(b)
            {
                CALL_BEGIN("stages.first");
                stage(0, b);
                CALL_END("stages.first");
            }
#pragma omp task depend(inout : state[1], place[b]) firstprivate(b)
            {
                CALL_BEGIN("stages.second");
                stage(1, b);
                CALL_END("stages.second");
            }
#pragma omp task depend(inout : state[2], place[b]) firstprivate(b)
            {
                CALL_BEGIN("stages.third");
                stage(2, b);
                CALL_END("stages.third");
            }
        }
        END("stages.make");
    }
    END("stages.all");
    KERNEL_END(a[3][4]);
}
