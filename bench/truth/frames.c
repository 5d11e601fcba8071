/* Pictures are read one after the other, worked on side by side and written in order: tasks with what they
 * need. */
#include "truth.h"
enum { FRAMES = SIZE(24, 200), SLOTS = 6, W = SIZE(640, 40000) };
static unsigned char slot[SLOTS][W], out[SLOTS][W];
static unsigned source, sink, place[SLOTS];
static void fetch(int f)
{
    for (int i = 0; i < W; i++) {
        source = source * 1664525 + 1013904223;
        slot[f % SLOTS][i] = (unsigned char)(source >> 24);
    }
}
static void work(int f)
{
    const unsigned char *p = slot[f % SLOTS];
    for (int i = 2; i < W - 2; i++)
        out[f % SLOTS][i] =
            (unsigned char)((p[i - 2] + 4 * p[i - 1] + 6 * p[i] + 4 * p[i + 1] + p[i + 2]) / 16 * p[i] / 255);
}
static void deliver(int f)
{
    for (int i = 0; i < W; i += 2)
        sink = sink * 31 + out[f % SLOTS][i];
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("frames.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("frames.make");
        for (int f = 0; f < FRAMES; f++) {
#pragma omp task depend(inout : source) depend(inout : place[f % SLOTS]) firstprivate(f)
            {
                CALL_BEGIN("frames.fetch");
                fetch(f);
                CALL_END("frames.fetch");
            }
#pragma omp task depend(inout : place[f % SLOTS]) firstprivate(f)
            {
                CALL_BEGIN("frames.work");
                work(f);
                CALL_END("frames.work");
            }
#pragma omp task depend(inout : sink) depend(inout : place[f % SLOTS]) firstprivate(f)
            {
                CALL_BEGIN("frames.deliver");
                deliver(f);
                CALL_END("frames.deliver");
            }
        }
        END("frames.make");
    }
    END("frames.all");
    KERNEL_END(sink);
}
