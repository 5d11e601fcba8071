/* Words looked for in a text; whoever finds one puts it into the list that all share. */
#include "truth.h"
enum { N = SIZE(16384, 4 << 20), BLOCK = SIZE(256, 16384), WORD = 6, MOST = SIZE(2048, 1 << 19) };
static char text[N + WORD];
static int found[MOST], finds;
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 5;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (char)('a' + (seed >> 28) % 3);
    }
    KERNEL_BEGIN();
    BEGIN("finds.all");
#pragma omp parallel for schedule(guided)
    for (int b = 0; b < N / BLOCK; b++) {
        BEGIN("finds.block");
        for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            int k = 0;
            while (k < WORD && text[i + k] == "abacab"[k])
                k++;
            if (k == WORD) {
                BEGIN("finds.keep");
#pragma omp critical
                {
                    found[finds % MOST] = i;
                    finds++;
                }
                END("finds.keep");
            }
        }
        END("finds.block");
    }
    END("finds.all");
    KERNEL_END(finds);
}
