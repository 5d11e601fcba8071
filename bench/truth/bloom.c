/* Words are looked for in a text by hashes that roll, blocks of the text dynamic, bits that are set in
 * common. */
#include "truth.h"
enum { TEXT = SIZE(6000, 800000), WORD = 7, BLOCK = SIZE(250, 8000), BITS = 2048 };
static unsigned char text[TEXT + WORD];
static unsigned char seen[BITS];
static int hits[TEXT / BLOCK];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < TEXT + WORD; i++)
        text[i] = (unsigned char)('a' + (i * i / 7) % 9);
    for (int i = 0; i < BITS; i += 5)
        seen[i * 7 % BITS] = 1;
    KERNEL_BEGIN();
    BEGIN("bloom.all");
#pragma omp parallel for schedule(dynamic)
    for (int b = 0; b < TEXT / BLOCK; b++) {
        BEGIN("bloom.block");
        int n = 0;
        for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            unsigned h = 0;
            for (int k = 0; k < WORD; k++)
                h = h * 131 + text[i + k];
            if (seen[h % BITS] && seen[h / BITS % BITS])
                n += text[i] == text[i + WORD - 1] ? 2 : 1;
        }
        hits[b] = n;
        END("bloom.block");
    }
    END("bloom.all");
    KERNEL_END(hits[3]);
}
