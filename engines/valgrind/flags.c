/* Conditions of AArch64 that VEX cannot tell when it translates: it asks at each, which flags an operation
 * left that some earlier code made, and works them out one by one. Nearly all are of a comparison, which
 * answers at once. In place of VEX's own (meson.build); what is rare is left to it. */
#include "flags.h"

#if defined(VGA_arm64)

enum operation { COPY, SUB32 = 3, SUB64 = 4, LOGIC32 = 9, LOGIC64 = 10 };    /* as VEX numbers them */
enum condition { EQUAL, CARRY, MINUS, OVERFLOW, HIGHER, NOT_LESS, GREATER }; /* each, and its opposite */

/* By the four flags N, Z, C, V as a number: whether the condition holds. */
static const uint16_t by_flags[] = {0xf0f0, 0xcccc, 0xff00, 0xaaaa, 0x0c0c, 0xaa55, 0x0a05};

uint64_t __wrap_arm64g_calculate_condition(uint64_t what, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t opposite = what >> 4 & 1, condition = what >> 5;
    int64_t x, y;
    switch (what & 15) {
    case SUB64:
        x = (int64_t)a, y = (int64_t)b;
        break;
    case SUB32: /* extended by the sign they are in the same order, with a sign and without */
        x = (int32_t)a, y = (int32_t)b;
        break;
    case COPY:
        if (condition > GREATER)
            return __real_arm64g_calculate_condition(what, a, b, c);
        return (by_flags[condition] >> (a >> 28 & 15) & 1) ^ opposite;
    case LOGIC32:
    case LOGIC64: /* a comparison with 0, but for the carry */
        x = (what & 15) == LOGIC64 ? (int64_t)a : (int32_t)a, y = 0;
        if (condition == CARRY || condition == HIGHER)
            return __real_arm64g_calculate_condition(what, a, b, c);
        break;
    default:
        return __real_arm64g_calculate_condition(what, a, b, c);
    }
    switch (condition) {
    case EQUAL:
        return (x == y) ^ opposite;
    case CARRY:
        return ((uint64_t)x >= (uint64_t)y) ^ opposite;
    case HIGHER:
        return ((uint64_t)x > (uint64_t)y) ^ opposite;
    case NOT_LESS:
        return (x >= y) ^ opposite;
    case GREATER:
        return (x > y) ^ opposite;
    default:
        return __real_arm64g_calculate_condition(what, a, b, c);
    }
}

#endif
