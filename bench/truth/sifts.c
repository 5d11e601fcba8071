/* Records that pass a test go into a buffer of each thread, which is emptied into what all share when it is
 * full; what is left in it is added behind the loop. */
#include "truth.h"
enum { N = SIZE(9600, 1 << 21), BLOCK = SIZE(40, 2048), ROOM = SIZE(64, 1024) };
struct record {
    unsigned key, weight;
};
static struct record in[N], out[N];
static int kept;
static void empty(const struct record *mine, int n)
{
    BEGIN("sifts.empty");
#pragma omp critical
    {
        memcpy(out + kept, mine, (size_t)n * sizeof *mine);
        kept += n;
    }
    END("sifts.empty");
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 17;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        in[i] = (struct record){x >> 8, x >> 27};
    }
    KERNEL_BEGIN();
    BEGIN("sifts.all");
#pragma omp parallel
    {
        struct record mine[ROOM];
        int n = 0;
#pragma omp for schedule(dynamic, 4) nowait
        for (int b = 0; b < N / BLOCK; b++) {
            BEGIN("sifts.block");
            for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
                unsigned k = in[i].key;
                k ^= k >> 7;
                k *= 2654435761u;
                if ((k >> 29) % 5 == 1) {
                    mine[n++] = in[i];
                    if (n == ROOM) {
                        empty(mine, n);
                        n = 0;
                    }
                }
            }
            END("sifts.block");
        }
        empty(mine, n);
    }
    END("sifts.all");
    KERNEL_END(kept);
}
