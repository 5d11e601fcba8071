/* Ordered: blocks are packed side by side, and written out one after the other. */
#include "truth.h"
enum { N = SIZE(32768, 16 << 20), BLOCK = SIZE(512, 65536), BLOCKS = N / BLOCK };
static unsigned char in[N], packed[BLOCKS][2 * BLOCK];
static unsigned char out[2 * N];
static int pack(const unsigned char *from, unsigned char *to)
{
    int n = 0;
    for (int i = 0; i < BLOCK;) {
        int run = 1;
        while (i + run < BLOCK && run < 255 && from[i + run] == from[i])
            run++;
        to[n++] = (unsigned char)run;
        to[n++] = from[i];
        i += run;
    }
    return n;
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 1;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i] = (unsigned char)(seed >> 30 ? in[i ? i - 1 : 0] : seed >> 20);
    }
    TOUCH(packed);
    TOUCH(out);
    int at = 0;
    KERNEL_BEGIN();
    BEGIN("pack.all");
#pragma omp parallel for schedule(static, 1) ordered
    for (int b = 0; b < BLOCKS; b++) {
        BEGIN("pack.block");
        int n = pack(in + b * BLOCK, packed[b]);
        BEGIN("pack.write");
#pragma omp ordered
        {
            memcpy(out + at, packed[b], (size_t)n);
            at += n;
        }
        END("pack.write");
        END("pack.block");
    }
    END("pack.all");
    KERNEL_END(at);
}
