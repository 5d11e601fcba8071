/* What instructions of x86-64 access, as far as that is one place whose size their bytes tell. */
#include "decode.h"

enum { NONE = 1, P66 = 2, PF3 = 4, PF2 = 8, ANY = 15 }; /* what of these stands before the operation */
enum { READ = 1, WRITE = 2 };
/* Bytes: log2, or as prefixes say. SCALAR: 4 or 8 by F3 and F2, or else all of the register */
enum { OPERAND = 8, QUADS, SCALAR };
enum {
    PLAIN = 0,
    ESCAPED = 1,
    THIRD = 2
}; /* maps of operations: of one byte, behind 0f, by VEX as behind 0f 38 */

/* Operations that name their place by a byte for mode, register and memory (mod r/m). */
struct form {
    uint8_t map, from, to;
    uint8_t prefixes;
    uint8_t fields; /* bit per value of the middle field, where that is part of the operation */
    uint8_t rw, size;
    bool vector; /* there with VEX too, in 16 bytes or as a scalar */
};

static const struct form forms[] = {
    {PLAIN, 0x63, 0x63, NONE, 0xff, READ, 2, 0},             /* movsxd */
    {PLAIN, 0x69, 0x69, NONE | P66, 0xff, READ, OPERAND, 0}, /* imul */
    {PLAIN, 0x6b, 0x6b, NONE | P66, 0xff, READ, OPERAND, 0},
    {PLAIN, 0x80, 0x80, NONE, 0x7f, READ | WRITE, 0, 0}, /* add to xor; cmp */
    {PLAIN, 0x80, 0x80, NONE, 0x80, READ, 0, 0},
    {PLAIN, 0x81, 0x81, NONE | P66, 0x7f, READ | WRITE, OPERAND, 0},
    {PLAIN, 0x81, 0x81, NONE | P66, 0x80, READ, OPERAND, 0},
    {PLAIN, 0x83, 0x83, NONE | P66, 0x7f, READ | WRITE, OPERAND, 0},
    {PLAIN, 0x83, 0x83, NONE | P66, 0x80, READ, OPERAND, 0},
    {PLAIN, 0x84, 0x84, NONE, 0xff, READ, 0, 0}, /* test */
    {PLAIN, 0x85, 0x85, NONE | P66, 0xff, READ, OPERAND, 0},
    {PLAIN, 0x88, 0x88, NONE, 0xff, WRITE, 0, 0}, /* mov */
    {PLAIN, 0x89, 0x89, NONE | P66, 0xff, WRITE, OPERAND, 0},
    {PLAIN, 0x8a, 0x8a, NONE, 0xff, READ, 0, 0},
    {PLAIN, 0x8b, 0x8b, NONE | P66, 0xff, READ, OPERAND, 0},
    {PLAIN, 0xc6, 0xc6, NONE, 0x01, WRITE, 0, 0},
    {PLAIN, 0xc7, 0xc7, NONE | P66, 0x01, WRITE, OPERAND, 0},
    {PLAIN, 0xc0, 0xc0, NONE, 0xf3, READ | WRITE, 0, 0}, /* shifts, without those through the carry */
    {PLAIN, 0xc1, 0xc1, NONE | P66, 0xf3, READ | WRITE, OPERAND, 0},
    {PLAIN, 0xd0, 0xd0, NONE, 0xf3, READ | WRITE, 0, 0},
    {PLAIN, 0xd1, 0xd1, NONE | P66, 0xf3, READ | WRITE, OPERAND, 0},
    {PLAIN, 0xd3, 0xd3, NONE | P66, 0xf3, READ | WRITE, OPERAND, 0},
    {PLAIN, 0xd8, 0xd8, NONE, 0xff, READ, 2, 0}, /* x87 */
    {PLAIN, 0xdc, 0xdc, NONE, 0xff, READ, 3, 0},
    {PLAIN, 0xd9, 0xd9, NONE, 0x01, READ, 2, 0},
    {PLAIN, 0xd9, 0xd9, NONE, 0x0c, WRITE, 2, 0},
    {PLAIN, 0xdd, 0xdd, NONE, 0x01, READ, 3, 0},
    {PLAIN, 0xdd, 0xdd, NONE, 0x0c, WRITE, 3, 0},
    {PLAIN, 0xf6, 0xf6, NONE, 0xf1, READ, 0, 0}, /* test, mul, div; not, neg */
    {PLAIN, 0xf6, 0xf6, NONE, 0x0c, READ | WRITE, 0, 0},
    {PLAIN, 0xf7, 0xf7, NONE | P66, 0xf1, READ, OPERAND, 0},
    {PLAIN, 0xf7, 0xf7, NONE | P66, 0x0c, READ | WRITE, OPERAND, 0},
    {PLAIN, 0xfe, 0xfe, NONE, 0x03, READ | WRITE, 0, 0}, /* inc, dec; jmp */
    {PLAIN, 0xff, 0xff, NONE | P66, 0x03, READ | WRITE, OPERAND, 0},
    {PLAIN, 0xff, 0xff, NONE, 0x10, READ, 3, 0},
    {ESCAPED, 0x10, 0x10, ANY, 0xff, READ, SCALAR, 1}, /* moves */
    {ESCAPED, 0x11, 0x11, ANY, 0xff, WRITE, SCALAR, 1},
    {ESCAPED, 0x12, 0x12, NONE | P66 | PF2, 0xff, READ, 3, 1},
    {ESCAPED, 0x13, 0x13, NONE | P66, 0xff, WRITE, 3, 1},
    {ESCAPED, 0x14, 0x15, NONE | P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x16, 0x16, NONE | P66, 0xff, READ, 3, 1},
    {ESCAPED, 0x17, 0x17, NONE | P66, 0xff, WRITE, 3, 1},
    {ESCAPED, 0x28, 0x28, NONE | P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x29, 0x29, NONE | P66, 0xff, WRITE, SCALAR, 1},
    {ESCAPED, 0x2a, 0x2a, PF3 | PF2, 0xff, READ, QUADS, 1}, /* from integers, to integers, comparisons */
    {ESCAPED, 0x2c, 0x2d, PF3 | PF2, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x2e, 0x2f, NONE, 0xff, READ, 2, 1},
    {ESCAPED, 0x2e, 0x2f, P66, 0xff, READ, 3, 1},
    {ESCAPED, 0x40, 0x4f, NONE | P66, 0xff, READ, OPERAND, 0}, /* cmov */
    {ESCAPED, 0x51, 0x51, ANY, 0xff, READ, SCALAR, 1},         /* arithmetic */
    {ESCAPED, 0x54, 0x57, NONE | P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x58, 0x59, ANY, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x5a, 0x5a, PF3 | PF2, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x5c, 0x5f, ANY, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x60, 0x6d, P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x6e, 0x6e, P66, 0xff, READ, QUADS, 1},
    {ESCAPED, 0x6f, 0x6f, P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x6f, 0x6f, PF3, 0xff, READ, 4, 1},
    {ESCAPED, 0x70, 0x70, P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x74, 0x76, P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0x7e, 0x7e, P66, 0xff, WRITE, QUADS, 1},
    {ESCAPED, 0x7e, 0x7e, PF3, 0xff, READ, 3, 1},
    {ESCAPED, 0x7f, 0x7f, P66, 0xff, WRITE, SCALAR, 1},
    {ESCAPED, 0x7f, 0x7f, PF3, 0xff, WRITE, 4, 1},
    {ESCAPED, 0x90, 0x9f, NONE, 0xff, WRITE, 0, 0},            /* setcc */
    {ESCAPED, 0xaf, 0xaf, NONE | P66, 0xff, READ, OPERAND, 0}, /* imul */
    {ESCAPED, 0xb6, 0xb6, NONE | P66, 0xff, READ, 0, 0},       /* movzx, movsx */
    {ESCAPED, 0xb7, 0xb7, NONE, 0xff, READ, 1, 0},
    {ESCAPED, 0xbe, 0xbe, NONE | P66, 0xff, READ, 0, 0},
    {ESCAPED, 0xbf, 0xbf, NONE, 0xff, READ, 1, 0},
    {ESCAPED, 0xba, 0xba, NONE | P66, 0x10, READ, OPERAND, 0}, /* bt */
    {ESCAPED, 0xc2, 0xc2, ANY, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0xc3, 0xc3, NONE, 0xff, WRITE, QUADS, 0}, /* movnti */
    {ESCAPED, 0xc6, 0xc6, NONE | P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0xd4, 0xd5, P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0xd6, 0xd6, P66, 0xff, WRITE, 3, 1},
    {ESCAPED, 0xd8, 0xdf, P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0xe7, 0xe7, P66, 0xff, WRITE, SCALAR, 1},
    {ESCAPED, 0xe8, 0xef, P66, 0xff, READ, SCALAR, 1},
    {ESCAPED, 0xf8, 0xfe, P66, 0xff, READ, SCALAR, 1},
};

struct operation {
    uint8_t map, code, prefixes; /* prefixes: exactly one of those above */
    bool wide, vector, long_vector;
    const uint8_t *rest; /* behind it, up to */
    const uint8_t *end;
};

static struct cc_access access_of(unsigned rw, unsigned class)
{
    return (struct cc_access){.times = class == 4 ? 2 : 1,
                              .class = (uint8_t)(class == 4 ? 3 : class),
                              .write = rw == WRITE,
                              .update = rw == (READ | WRITE)};
}

/* VEX: two or three bytes that stand for prefixes and the map. */
static bool by_vex(const uint8_t *p, const uint8_t *end, struct operation *ret)
{
    static const uint8_t prefixes[] = {NONE, P66, PF3, PF2};
    bool three = *p == 0xc4;
    uint8_t map = three && end - p > 1 ? p[1] & 31 : ESCAPED;
    if (end - p < (three ? 4 : 3) || (map != ESCAPED && map != THIRD))
        return false;
    uint8_t last = p[three ? 2 : 1];
    *ret = (struct operation){.map = map,
                              .code = p[three ? 3 : 2],
                              .prefixes = prefixes[last & 3],
                              .wide = three && last >> 7,
                              .vector = true,
                              .long_vector = last >> 2 & 1,
                              .rest = p + (three ? 4 : 3),
                              .end = end};
    return true;
}

/* False: a prefix that changes what is accessed how, or an operation that is in no map here. */
static bool operation(const uint8_t *p, const uint8_t *end, struct operation *ret)
{
    bool operand = false, wide = false;
    uint8_t repeat = 0;
    for (; p < end; p++)
        if (*p == 0x66)
            operand = true;
        else if (*p == 0xf2 || *p == 0xf3)
            repeat = *p == 0xf2 ? PF2 : PF3;
        else if (*p != 0x64 && *p != 0x65 && *p != 0x2e && *p != 0x3e) /* segments */
            break;
    if (p < end && (*p & 0xf0) == 0x40)
        wide = *p++ >> 3 & 1;
    if (p == end || (repeat && operand))
        return false;
    if (*p == 0xc4 || *p == 0xc5)
        return !repeat && !operand && by_vex(p, end, ret);
    bool escaped = *p == 0x0f;
    p += escaped;
    if (p == end)
        return false;
    *ret = (struct operation){.map = escaped ? ESCAPED : PLAIN,
                              .code = *p,
                              .prefixes = repeat    ? repeat
                                          : operand ? P66
                                                    : NONE,
                              .wide = wide,
                              .rest = p + 1,
                              .end = end};
    return true;
}

/* Onto and from the stack: push, call; pop, leave, ret. */
static struct cc_access by_stack(const struct operation *o)
{
    uint8_t c = o->code;
    bool call = c == 0xff && o->rest < o->end && (*o->rest >> 3 & 7) == 2 && *o->rest >= 0xc0;
    if (o->map != PLAIN || o->prefixes != NONE)
        return (struct cc_access){0};
    if ((c & 0xf8) == 0x50 || c == 0x68 || c == 0x6a || c == 0xe8 || call)
        return access_of(WRITE, 3);
    if ((c & 0xf8) == 0x58 || c == 0xc9 || c == 0xc2 || c == 0xc3)
        return access_of(READ, 3);
    return (struct cc_access){0};
}

static unsigned operand_class(const struct operation *o)
{
    return o->wide ? 3 : o->prefixes == P66 ? 1 : 2;
}

/* add, or, adc, sbb, and, sub, xor, cmp with a register, in all four directions and sizes. */
static struct cc_access by_arithmetic(const struct operation *o)
{
    bool is = o->map == PLAIN && o->code < 0x40 && !(o->code & 4) && o->prefixes <= P66,
         read = o->code & 2 || o->code >= 0x38;
    return is ? access_of(read ? READ : READ | WRITE, o->code & 1 ? operand_class(o) : 0)
              : (struct cc_access){0};
}

static struct cc_access by_form(const struct operation *o, const struct form *f)
{
    unsigned class = f->size;
    if (f->size == OPERAND)
        class = operand_class(o);
    else if (f->size == QUADS)
        class = o->wide ? 3 : 2;
    else if (f->size == SCALAR)
        class = o->prefixes == PF3 ? 2 : o->prefixes == PF2 ? 3 : 4;
    return class == 4 && o->long_vector ? (struct cc_access){0} : access_of(f->rw, class);
}

struct cc_access cc_access_of_x86(const uint8_t *bytes, size_t size)
{
    struct operation o;
    if (!operation(bytes, bytes + size, &o))
        return (struct cc_access){0};
    struct cc_access a = by_stack(&o);
    if (a.times || o.rest == o.end || *o.rest >= 0xc0) /* both its operands are registers */
        return a;
    a = by_arithmetic(&o);
    if (a.times)
        return a;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *f = &forms[i];
        if (f->map == o.map && o.code >= f->from && o.code <= f->to && f->prefixes & o.prefixes &&
            f->fields >> (*o.rest >> 3 & 7) & 1 && (f->vector || !o.vector))
            return by_form(&o, f);
    }
    return (struct cc_access){0};
}

unsigned cc_part_read_x86(const uint8_t *bytes, size_t size)
{
    enum { FIRST_FUSED = 0x99, LAST_FUSED = 0xbf, CVTDQ2PD = 0xe6 };
    struct operation o;
    if (!operation(bytes, bytes + size, &o) || o.rest == o.end || *o.rest >= 0xc0)
        return 0;
    unsigned row = o.code >> 4, column = o.code & 15;
    /* multiply-add of scalars: in three rows, behind those of vectors and between them */
    if (o.map == THIRD && o.prefixes == P66 && o.code >= FIRST_FUSED && o.code <= LAST_FUSED && column >= 9 &&
        column & 1)
        return o.wide ? 8 : 4;
    if (o.map == ESCAPED && o.prefixes == PF3 && o.code == CVTDQ2PD)
        return o.long_vector ? 16 : 8;
    /* shifts by what is in memory, where that is no vector as long as what is shifted */
    bool shift = row >= 0xd && (column == 1 || column == 2 || (column == 3 && row != 0xe));
    return o.map == ESCAPED && o.prefixes == P66 && o.long_vector && shift ? 16 : 0;
}
