/* Readings of gates in turn: each block of them changes a record of its gate, three of which share two
 * lines, and looks up what all read. */
#include "truth.h"
enum { BLOCKS = SIZE(160, 4000), BLOCK = SIZE(48, 512), GATES = 20, TABLE = 512 };
static struct {
    int least, most, sum, late, count;
} gate[GATES];
static short due[TABLE];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < TABLE; i++)
        due[i] = (short)(i * 37 % 211);
    KERNEL_BEGIN();
    BEGIN("gates.all");
#pragma omp parallel for schedule(static, 1)
    for (int b = 0; b < BLOCKS; b++) {
        BEGIN("gates.block");
        unsigned x = (unsigned)b * 2654435761u;
        int g = b % GATES;
        for (int i = 0; i < BLOCK; i++) {
            x = x * 1664525 + 1013904223;
            int at = (int)(x >> 24), v = at - due[x >> 16 & (TABLE - 1)];
            if (v > gate[g].most)
                gate[g].most = v;
            if (v < gate[g].least)
                gate[g].least = v;
            if (v > 100)
                gate[g].late++;
            gate[g].sum += v;
        }
        gate[g].count++;
        END("gates.block");
    }
    END("gates.all");
    KERNEL_END(gate[3].sum + gate[7].late);
}
