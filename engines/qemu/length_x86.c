/* How long an instruction of x86-64 is, by its prefixes, its map and the operands that its opcode has. */
#include "decode.h"

#include <string.h>

enum map { PLAIN, ESCAPED, MAP_38, MAP_3A }; /* as VEX numbers them */
enum { END = 256 };

struct cursor {
    const uint8_t *bytes;
    size_t size, at;
};

/* The byte at the cursor, END behind the last one. */
static unsigned here(const struct cursor *c)
{
    return c->at < c->size ? c->bytes[c->at] : END;
}

static unsigned next(struct cursor *c)
{
    unsigned b = here(c);
    c->at++;
    return b;
}

static bool is_prefix(unsigned b)
{
    return b < END && b && strchr("\x66\x67\xf2\xf3\xf0\x2e\x36\x3e\x26\x64\x65", (int)b);
}

static bool within(unsigned b, unsigned first, unsigned last)
{
    return b >= first && b <= last;
}

static bool has_modrm(enum map map, unsigned op)
{
    if (map == PLAIN)
        return (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b ||
               within(op, 0x80, 0x8f) || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 ||
               within(op, 0xd0, 0xd3) || within(op, 0xd8, 0xdf) || op == 0xf6 || op == 0xf7 || op >= 0xfe;
    if (map == ESCAPED)
        return !(within(op, 0x04, 0x0b) || op == 0x0e || within(op, 0x30, 0x37) || op == 0x77 ||
                 within(op, 0x80, 0x8f) || within(op, 0xa0, 0xa2) || within(op, 0xa8, 0xaa) ||
                 within(op, 0xc8, 0xcf));
    return true;
}

/* Bytes behind opcode and address of an instruction of the first map. `word`: of an operand that is no byte.
 */
static size_t immediate_plain(unsigned op, unsigned modrm, size_t word, bool wide, bool short_address)
{
    if (op < 0x40)
        return (op & 7) == 4 ? 1 : (op & 7) == 5 ? word : 0;
    if (within(op, 0xb8, 0xbf))
        return wide ? 8 : word;
    if (within(op, 0xa0, 0xa3))
        return short_address ? 4 : 8;
    if (op == 0xf6 || op == 0xf7)
        return modrm >> 3 & 6 ? 0 : op == 0xf6 ? 1 : word;
    if (op == 0xe8 || op == 0xe9)
        return 4;
    if (op == 0x68 || op == 0x69 || op == 0x81 || op == 0xa9 || op == 0xc7)
        return word;
    if (op == 0xc2 || op == 0xca || op == 0xc8)
        return op == 0xc8 ? 3 : 2;
    return op == 0x6a || op == 0x6b || within(op, 0x70, 0x7f) || within(op, 0x80, 0x83) || op == 0xa8 ||
           within(op, 0xb0, 0xb7) || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xcd ||
           within(op, 0xe0, 0xe7) || op == 0xeb;
}

static size_t immediate_beyond(enum map map, unsigned op)
{
    if (map == ESCAPED && within(op, 0x80, 0x8f))
        return 4;
    return map == MAP_3A ||
           (map == ESCAPED && (op == 0x0f || within(op, 0x70, 0x73) || op == 0xa4 || op == 0xac ||
                               op == 0xba || op == 0xc2 || within(op, 0xc4, 0xc6)));
}

/* Takes ModRM, SIB and displacement; END if they are not all there. */
static unsigned address(struct cursor *c)
{
    unsigned modrm = next(c);
    if (modrm >= 0xc0)
        return modrm;
    unsigned base = modrm & 7;
    if (base == 4) {
        unsigned sib = next(c);
        if (sib == END)
            return END;
        base = sib & 7;
    }
    c->at += modrm >> 6 == 1 ? 1 : modrm >> 6 == 2 || base == 5 ? 4 : 0;
    return modrm;
}

size_t cc_length_x86(const uint8_t *bytes, size_t size)
{
    struct cursor c = {bytes, size, 0};
    bool narrow = false, short_address = false, wide = false, vex = false;
    for (unsigned b = here(&c); is_prefix(b) || b >> 4 == 4; c.at++, b = here(&c)) {
        narrow |= b == 0x66;
        short_address |= b == 0x67;
        wide = b >> 4 == 4 && b & 8; /* REX counts as the last one only */
    }
    enum map map = PLAIN;
    unsigned op = next(&c);
    if (op == 0xc4 || op == 0xc5) {
        unsigned first = next(&c);
        vex = true;
        map = op == 0xc5 ? ESCAPED : first & 3;
        c.at += op == 0xc4;
        op = next(&c);
    } else if (op == 0x0f) {
        op = next(&c);
        map = op == 0x38 ? MAP_38 : op == 0x3a ? MAP_3A : ESCAPED;
        op = map == ESCAPED ? op : next(&c);
    }
    if (op >= END)
        return c.at > size ? c.at : size + 1;
    unsigned modrm = 0;
    if (vex ? map != ESCAPED || op != 0x77 : has_modrm(map, op))
        modrm = address(&c);
    if (modrm == END)
        return c.at > size ? c.at : size + 1;
    return c.at + (map == PLAIN ? immediate_plain(op, modrm, wide || !narrow ? 4 : 2, wide, short_address)
                                : immediate_beyond(map, op));
}
