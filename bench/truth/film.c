/* A pipeline with depend: read, decode (slow), two filters side by side, write; five places. */
#include "truth.h"
enum { FRAMES = SIZE(14, 150), W = SIZE(480, 20000), P = 5 };
static short raw[P][W], pic[P][W], left[P][W], right[P][W];
static unsigned in_, out_, place[P], l_[P], r_[P];
static void decode(int f)
{
    for (int i = 0; i < W; i++) {
        int v = raw[f % P][i];
        for (int k = 0; k < 5; k++)
            v = (v * 31 + k) % 4093;
        pic[f % P][i] = (short)v;
    }
}
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("film.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("film.make");
        for (int f = 0; f < FRAMES; f++) {
#pragma omp task depend(inout : in_) depend(out : place[f % P]) firstprivate(f)
            {
                CALL_BEGIN("film.read");
                for (int i = 0; i < W; i++) {
                    in_ = in_ * 1664525 + 1013904223;
                    raw[f % P][i] = (short)(in_ >> 18);
                }
                CALL_END("film.read");
            }
#pragma omp task depend(inout : place[f % P]) firstprivate(f)
            {
                CALL_BEGIN("film.decode");
                decode(f);
                CALL_END("film.decode");
            }
#pragma omp task depend(in : place[f % P]) depend(out : l_[f % P]) firstprivate(f)
            {
                CALL_BEGIN("film.left");
                for (int i = 2; i < W; i++)
                    left[f % P][i] = (short)((pic[f % P][i] + pic[f % P][i - 1] * 2 + pic[f % P][i - 2]) / 4);
                CALL_END("film.left");
            }
#pragma omp task depend(in : place[f % P]) depend(out : r_[f % P]) firstprivate(f)
            {
                CALL_BEGIN("film.right");
                for (int i = 0; i < W - 1; i++)
                    right[f % P][i] = (short)(pic[f % P][i] - pic[f % P][i + 1]);
                CALL_END("film.right");
            }
#pragma omp task depend(inout                                               \
                        : out_) depend(in                                   \
                                       : l_[f % P], r_[f % P]) depend(inout \
                                                                      : place[f % P]) firstprivate(f)
            {
                CALL_BEGIN("film.write");
                for (int i = 0; i < W; i++)
                    out_ = out_ * 33 + (unsigned)(left[f % P][i] ^ right[f % P][i]);
                CALL_END("film.write");
            }
        }
        END("film.make");
    }
    END("film.all");
    KERNEL_END(out_);
}
