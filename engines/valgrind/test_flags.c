/* Our conditions against VEX's own: every operation and condition, on values at all edges and on random ones.
 */
#include "flags.h"
#include "../../tests/tap.h"

enum { OPERATIONS = 11, CONDITIONS = 16 };

static uint64_t random_value(uint64_t *state)
{
    static const uint64_t edges[] = {0,          1,          UINT64_MAX,          INT64_MAX,
                                     1ull << 63, 0x7fffffff, 0x80000000,          0xffffffff,
                                     1ull << 32, 0x80000001, 0xffffffff00000000u, 0xffffffff80000000u};
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 29;
    return x >> 60 < 12 ? edges[(x >> 32) % (sizeof edges / sizeof *edges)] : x;
}

/* What a program's flags can be: as copied ones the upper four of 32 bits, carried in 0 or 1. */
static int differing(uint64_t operation, uint64_t condition, int rounds)
{
    uint64_t state = operation * 16 + condition, what = condition << 4 | operation;
    int wrong = 0;
    for (int i = 0; i < rounds; i++) {
        uint64_t a = random_value(&state), b = random_value(&state), c = random_value(&state) & 1;
        if (!operation) {
            a &= 0xf0000000u;
            b = c = 0;
        }
        wrong += __wrap_arm64g_calculate_condition(what, a, b, c) !=
                 __real_arm64g_calculate_condition(what, a, b, c);
    }
    return wrong;
}

int main(void)
{
    for (uint64_t operation = 0; operation < OPERATIONS; operation++) {
        int wrong = 0;
        for (uint64_t condition = 0; condition < CONDITIONS; condition++)
            wrong += differing(operation, condition, tap_rounds(2000));
        OK_U64((uint64_t)wrong, 0, "operation %d: all conditions as VEX has them", (int)operation);
    }
    return TAP_DONE();
}
