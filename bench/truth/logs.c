/* Lines of different lengths are read side by side, whoever is free takes the next, and noted in their order.
 */
#include "truth.h"
enum { LINES = SIZE(96, 4000), LONGEST = SIZE(900, 60000) };
static unsigned char text[LONGEST];
static unsigned seen[LINES], chain;
static unsigned read_line(int line)
{
    unsigned hash = 2166136261u;
    int length = LONGEST / 3 + line * 7919 % (LONGEST - LONGEST / 3);
    for (int i = 0; i < length; i++)
        hash = (hash ^ text[(i + line) % LONGEST]) * 16777619u;
    return hash;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < LONGEST; i++)
        text[i] = (unsigned char)(i * i >> 3);
    KERNEL_BEGIN();
    BEGIN("logs.all");
#pragma omp parallel for schedule(dynamic, 1) ordered
    for (int line = 0; line < LINES; line++) {
        BEGIN("logs.line");
        unsigned hash = read_line(line);
        BEGIN("logs.note");
#pragma omp ordered
        for (int k = 0; k < 120; k++) {
            chain = chain * 69069 + hash;
            seen[line] ^= chain;
        }
        END("logs.note");
        END("logs.line");
    }
    END("logs.all");
    KERNEL_END(chain);
}
