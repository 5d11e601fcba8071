/* What most instructions of x86-64 cost, by their bytes: disassembling is most of what starting a program
 * costs. The same as src/isa/costs.def says of their names; what is not here is asked by name. */
#include "race.h"

/* An opcode is one letter: . ask by name; i integer without memory; m integer, with an operand that may be in
 * memory; n the same, which is never accessed (lea, nop); u multiplies; F, D floating point; b branches; p
 * pushes or pops; x exchanges; 3, e, f: groups that the operand's byte tells apart. */
static const char one[257] = "mmmmii..mmmmii..mmmmii..mmmmii.."  /* 00 */
                             "mmmmii..mmmmii..mmmmii..mmmmii.."  /* 20 */
                             "................pppppppppppppppp"  /* 40 */
                             "...m....pupu....bbbbbbbbbbbbbbbb"  /* 60 */
                             "mm.mmmxxmmmm.n..iiiiiiiiii......"  /* 80 */
                             "........ii......iiiiiiiiiiiiiiii"  /* a0 */
                             "mmbb..mm.i......mmmm............"  /* c0 */
                             "........bb.b..........33......ef"; /* e0 */
static const char two[257] = "................mmmm..mmn.....nn"  /* 00 */
                             "........mm......................"  /* 20 */
                             "mmmmmmmmmmmmmmmm.D..mmmmFF..FFDF"  /* 40 */
                             "mmmmmmmmmmmmmmmmmmmmmmm.......mm"  /* 60 */
                             "bbbbbbbbbbbbbbbbmmmmmmmmmmmmmmmm"  /* 80 */
                             "...mmm.....mmm.u...m..mm..mmmmmm"  /* a0 */
                             "........iiiiiiii.mmmmmmmmmmmmmmm"  /* c0 */
                             "mmmmmm.mmmmmmmmm.mmmmmm.mmmmmmm."; /* e0 */

static struct insn_kind kind_of(char letter, uint8_t operand)
{
    static const char groups[][9] = {"mmmmuuDD", "mm......", "mmb.b.p."};
    bool memory = operand >> 6 != 3;
    const char *group = letter == '3'   ? groups[0]
                        : letter == 'e' ? groups[1]
                        : letter == 'f' ? groups[2]
                                        : NULL;
    bool divides = group && group[operand >> 3 & 7] == 'D'; /* integers */
    letter = group ? group[operand >> 3 & 7] : letter;
    if (letter == 'x')
        letter = memory ? '.' : 'i';
    struct insn_kind k = {.access = CC_SIM_LOAD, .memory = memory};
    switch (letter) {
    case 'u':
        k.cost = CC_SIM_MUL;
        break;
    case 'F':
        k.cost = CC_SIM_FLOAT;
        break;
    case 'D':
        k.cost = divides ? CC_SIM_DIV : CC_SIM_FDIV;
        break;
    case 'b':
        k.cost = CC_SIM_BRANCH;
        k.memory = group && memory;
        break;
    case 'p':
        k.cost = CC_SIM_LDST;
        k.memory = true;
        break;
    case 'm':
        k.cost = CC_SIM_INT;
        break;
    case 'i':
    case 'n':
        k.cost = CC_SIM_INT;
        k.memory = false;
        break;
    default:
        k.cost = CC_SIM_CLASSES;
    }
    return k;
}

bool classify_x86(const uint8_t *code, size_t size, struct insn_kind *ret)
{
    size_t i = 0;
    bool repeats = false;
    for (; i < size && (code[i] == 0x66 || code[i] == 0x64 || code[i] == 0x65 || code[i] == 0x2e ||
                        code[i] == 0xf2 || code[i] == 0xf3);
         i++)
        repeats |= code[i] >= 0xf2;
    i += i < size && code[i] >> 4 == 4; /* REX */
    bool wide = i + 1 < size && code[i] == 0x0f;
    if (i + wide >= size || (repeats && !wide))
        return false;
    uint8_t opcode = code[i + wide], operand = i + wide + 1 < size ? code[i + wide + 1] : 0xc0;
    if (!wide && (opcode & 0xfe) == 0xc6 && operand >> 3 & 7) /* only one of its group is a move */
        return false;
    *ret = kind_of((wide ? two : one)[opcode], operand);
    return ret->cost != CC_SIM_CLASSES;
}
