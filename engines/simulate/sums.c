/* Atomics that only add, and whose result nobody looks at: in whichever order threads come, the sum is the
 * same. */
#include "race.h"

#include <string.h>

enum flags { FLAGS_KEPT, FLAGS_WRITTEN, FLAGS_USED };

/* Past prefixes; false: there is nothing. */
static bool skip(const uint8_t **code, size_t *size, bool *locked)
{
    *locked = false;
    for (; *size && (**code == 0xf0 || **code == 0x66 || **code == 0x64); ++*code, --*size)
        *locked |= **code == 0xf0;
    if (*size && **code >> 4 == 4) /* REX */
        ++*code, --*size;
    return *size >= 1;
}

/* What an instruction does to the flags; whatever is not known may use them. A function that is called, or
 * returned to, finds none. */
static enum flags flags_of(const uint8_t *code, size_t size)
{
    bool locked;
    if (!skip(&code, &size, &locked))
        return FLAGS_USED;
    uint8_t op = code[0], next = size > 1 ? code[1] : 0, which = next >> 3 & 7;
    if (op == 0x0f)
        return next == 0xb6 || next == 0xb7 || next == 0xbe || next == 0xbf || next == 0x1f ? FLAGS_KEPT
                                                                                            : FLAGS_USED;
    if (op < 0x40)
        return (op & 7) < 6 && op >> 3 != 2 && op >> 3 != 3 ? FLAGS_WRITTEN : FLAGS_USED;
    if (op == 0x80 || op == 0x81 || op == 0x83)
        return which != 2 && which != 3 ? FLAGS_WRITTEN : FLAGS_USED;
    if (op == 0x84 || op == 0x85 || op == 0xa8 || op == 0xa9 || op == 0xe8 || op == 0xc3)
        return FLAGS_WRITTEN;
    bool moves = op >> 4 == 5 || (op >= 0x88 && op <= 0x8b) || op == 0x8d || op == 0x90 || op >> 4 == 0xb ||
                 op == 0xc6 || op == 0xc7 || op == 0x63;
    return moves ? FLAGS_KEPT : FLAGS_USED;
}

static bool adds_x86(const uint8_t *code, size_t size)
{
    bool locked;
    if (!skip(&code, &size, &locked) || size < 2 || !locked)
        return false;
    uint8_t op = code[0], which = code[1] >> 3 & 7;
    return op <= 0x01 || op == 0x28 || op == 0x29 ||
           ((op == 0x80 || op == 0x81 || op == 0x83) && (which == 0 || which == 5)) ||
           (op >= 0xfe && which <= 1);
}

static bool adds_word(enum cc_isa_id isa, const uint8_t *code, size_t size)
{
    uint32_t w;
    if (size != sizeof w)
        return false;
    memcpy(&w, code, sizeof w);
    return isa == CC_ISA_AARCH64 ? (w & 0x3fa0fc1f) == 0x3820001f /* stadd */
           : isa == CC_ISA_RISCV ? (w & 0xf8000fff) == 0x0000002f /* amoadd to x0 */
                                 : false;
}

bool sums_alone(enum cc_isa_id isa, const struct code *v, size_t n)
{
    if (isa != CC_ISA_X86)
        return n && adds_word(isa, v->bytes, v->size);
    if (!n || !adds_x86(v->bytes, v->size))
        return false;
    for (size_t i = 1; i < n; i++) {
        enum flags f = flags_of(v[i].bytes, v[i].size);
        if (f != FLAGS_KEPT)
            return f == FLAGS_WRITTEN;
    }
    return false;
}
