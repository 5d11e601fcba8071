#include "after.h"

#include <stddef.h>

enum { LR = 30, SP = 31 };

static unsigned field(uint32_t w, unsigned from)
{
    return w >> from & 31;
}

static unsigned reads(uint32_t w, unsigned reg, unsigned from)
{
    return field(w, from) == reg ? USE_READS : USE_NONE;
}

static unsigned writes(uint32_t w, unsigned reg, unsigned from)
{
    return field(w, from) == reg ? USE_WRITES : USE_NONE;
}

/* In most places 31 is a register of zeros. */
static unsigned without_sp(unsigned use, unsigned reg)
{
    return reg == SP ? USE_NONE : use;
}

static unsigned use_immediate(uint32_t w, unsigned reg)
{
    bool flags = w >> 29 & 1;
    unsigned both = reads(w, reg, 5) | writes(w, reg, 0), op = w >> 29 & 3;
    switch (w >> 23 & 7) {
    case 0: /* adr, adrp */
    case 1:
        return without_sp(writes(w, reg, 0), reg);
    case 2: /* add, sub */
        return reg == SP && flags ? reads(w, reg, 5) : both;
    case 4: /* logical */
        return reg == SP ? (op == 3 ? USE_NONE : writes(w, reg, 0)) : both;
    case 5: /* movn, movz; movk keeps the rest */
        return without_sp(op == 1   ? USE_UNKNOWN
                          : op == 3 ? reads(w, reg, 0) | writes(w, reg, 0)
                                    : writes(w, reg, 0),
                          reg);
    case 6: /* bit fields; bfm keeps the rest */
        return without_sp(both | (op == 1 ? reads(w, reg, 0) : 0), reg);
    case 7:
        return without_sp(both | reads(w, reg, 16), reg);
    default:
        return USE_UNKNOWN;
    }
}

static unsigned use_register(uint32_t w, unsigned reg)
{
    unsigned two = reads(w, reg, 5) | reads(w, reg, 16) | writes(w, reg, 0);
    bool flags = w >> 29 & 1;
    if ((w & 0x1f000000) == 0x0a000000 || (w & 0x1f200000) == 0x0b000000) /* logical; add, sub: shifted */
        return without_sp(two, reg);
    if ((w & 0x1fe00000) == 0x0b200000) /* add, sub: extended */
        return reg == SP ? (reads(w, reg, 5) | (flags ? USE_NONE : writes(w, reg, 0))) : two;
    if ((w & 0x3fe00000) == 0x1a800000 || (w & 0x7fe00000) == 0x1ac00000) /* select; two sources */
        return without_sp(two, reg);
    if ((w & 0x7fff0000) == 0x5ac00000) /* one source */
        return without_sp(reads(w, reg, 5) | writes(w, reg, 0), reg);
    if ((w & 0x1f000000) == 0x1b000000) /* three */
        return without_sp(two | reads(w, reg, 10), reg);
    if ((w & 0x3fe00810) == 0x3a400000) /* conditional comparison, with a register */
        return without_sp(reads(w, reg, 5) | reads(w, reg, 16), reg);
    if ((w & 0x3fe00810) == 0x3a400800) /* with a number */
        return without_sp(reads(w, reg, 5), reg);
    return USE_UNKNOWN;
}

/* The registers of an instruction that is not taken apart are in these places, or follow them by one. The
 * stack pointer can only be an address. */
static unsigned use_anywhere(uint32_t w, unsigned reg)
{
    static const uint8_t places[] = {0, 5, 10, 16};
    if (reg == SP)
        return field(w, 5) == SP ? USE_UNKNOWN : USE_NONE;
    for (size_t i = 0; i < sizeof places; i++)
        if (field(w, places[i]) == reg || field(w, places[i]) + 1 == reg)
            return USE_UNKNOWN;
    return USE_NONE;
}

/* Loads and stores of one register with an offset: of whole ones, scaled; of 9 bits; of a register. */
static bool is_single(uint32_t w)
{
    return (w & 0x3b000000) == 0x39000000 || (w & 0x3b200000) == 0x38000000 || (w & 0x3b200c00) == 0x38200800;
}

/* Of two; not those that store tags. */
static bool is_pair(uint32_t w)
{
    return (w & 0x3a000000) == 0x28000000 && (w & 0xc4400000) != 0x40000000;
}

static bool writes_base(uint32_t w)
{
    return is_pair(w) ? w >> 23 & 1 : (w & 0x3b200400) == 0x38000400;
}

static unsigned use_memory(uint32_t w, unsigned reg)
{
    bool vector = w >> 26 & 1, loads = is_pair(w) ? w >> 22 & 1 : (w >> 22 & 3) != 0;
    if ((w & 0x3b000000) == 0x18000000) /* of a constant; the last is a hint */
        return vector || w >> 30 == 3 ? USE_NONE : without_sp(writes(w, reg, 0), reg);
    if ((w & 0x3ffffc00) == 0x08dffc00 || (w & 0x3fff7c00) == 0x085f7c00) /* ldar; ldxr, ldaxr */
        return reads(w, reg, 5) | without_sp(writes(w, reg, 0), reg);
    if ((w & 0x3fe07c00) == 0x08007c00) /* stxr, stlxr */
        return reads(w, reg, 5) | without_sp(reads(w, reg, 0) | writes(w, reg, 16), reg);
    if (!is_single(w) && !is_pair(w))
        return use_anywhere(w, reg);
    if (is_single(w) && !vector && w >> 30 == 3 && (w >> 22 & 3) >= 2)
        loads = false; /* a hint: its number is no register, but may be taken for one */
    unsigned use = reads(w, reg, 5);
    if (writes_base(w))
        use |= writes(w, reg, 5);
    if (reg == SP)
        return use;
    if ((w & 0x3b200c00) == 0x38200800)
        use |= reads(w, reg, 16);
    if (!vector)
        use |= loads ? writes(w, reg, 0) : reads(w, reg, 0);
    if (!vector && is_pair(w))
        use |= loads ? writes(w, reg, 10) : reads(w, reg, 10);
    return use;
}

unsigned use_of(uint32_t w, unsigned reg)
{
    if ((w & 0xfffff01f) == 0xd503301f) /* barriers */
        return USE_NONE;
    if ((w & 0xfffff01f) == 0xd503201f) /* hints; some sign addresses */
        return reg < 16 || reg == SP ? USE_NONE : USE_UNKNOWN;
    if ((w & 0xfc000000) == 0x14000000 || (w & 0xff000010) == 0x54000000) /* b, b.cond */
        return USE_NONE;
    if ((w & 0x7c000000) == 0x34000000) /* cbz, tbz */
        return without_sp(reads(w, reg, 0), reg);
    switch (w >> 25 & 15) {
    case 8:
    case 9:
        return use_immediate(w, reg);
    case 5:
    case 13:
        return use_register(w, reg);
    case 4:
    case 6:
    case 12:
    case 14:
        return use_memory(w, reg);
    case 7:
    case 15:
        return use_anywhere(w, reg);
    default:
        return USE_UNKNOWN;
    }
}

/* ---- what comes then ---- */

enum { PLACES = 96 };

struct place {
    uint64_t pc;
    int32_t sp, back; /* the stack pointer, and where the return address came from, or AFTER_X30 */
    bool called;      /* in a function that has been called on the way: it must not return */
};

struct walk {
    struct place place[PLACES];
    unsigned n, done;
    bool returns;
    struct place end;
};

/* False: it was there in another state, or there are too many places. */
static bool go(struct walk *v, struct place p)
{
    for (unsigned i = 0; i < v->n; i++)
        if (v->place[i].pc == p.pc)
            return v->place[i].sp == p.sp && v->place[i].back == p.back && v->place[i].called == p.called;
    if (v->n == PLACES)
        return false;
    v->place[v->n++] = p;
    return true;
}

static int64_t signed_field(uint32_t w, unsigned from, unsigned bits)
{
    return (int32_t)(w << (32 - from - bits)) >> (32 - bits);
}

/* The stack pointer after it; where it loads the return address from. False: not known. */
static bool step_stack(uint32_t w, struct place *p)
{
    int32_t at = p->sp;
    if (use_of(w, SP) & USE_WRITES) {
        bool add = (w & 0xff800000) == 0x91000000, sub = (w & 0xff800000) == 0xd1000000;
        int32_t by = (int32_t)(w >> 10 & 0xfff) << (w >> 22 & 1 ? 12 : 0);
        if ((add || sub) && field(w, 5) == SP)
            p->sp += add ? by : -by;
        else if (is_pair(w) && writes_base(w) && field(w, 5) == SP)
            p->sp += (int32_t)signed_field(w, 15, 7) * (w >> 26 & 1 ? 4 << (w >> 30) : w >> 31 ? 8 : 4);
        else if (is_single(w) && writes_base(w) && field(w, 5) == SP)
            p->sp += (int32_t)signed_field(w, 12, 9);
        else
            return false;
    }
    if (!(use_of(w, LR) & USE_WRITES))
        return true;
    bool after = is_pair(w) ? (w >> 23 & 3) == 1 : (w >> 10 & 3) == 1 && writes_base(w);
    if ((w & 0xfe400000) == 0xa8400000 && field(w, 5) == SP) { /* ldp of x registers */
        int32_t offset = after ? 0 : (int32_t)signed_field(w, 15, 7) * 8;
        p->back = at + offset + (field(w, 10) == LR ? 8 : 0);
        return true;
    }
    if ((w & 0xffe00400) == 0xf8400400 && field(w, 5) == SP) { /* ldr, before or after */
        p->back = at + (after ? 0 : (int32_t)signed_field(w, 12, 9));
        return true;
    }
    if ((w & 0xffc00000) == 0xf9400000 && field(w, 5) == SP) { /* ldr with an offset */
        p->back = at + (int32_t)(w >> 10 & 0xfff) * 8;
        return true;
    }
    if ((w & 0xfffff01f) == 0xd503201f)
        return true; /* the address is signed, or no longer */
    return false;
}

/* False: the register is used, or nobody knows. */
static bool walk_on(struct walk *v, struct place p, uint32_t w, unsigned reg)
{
    if (w == 0xd65f03c0) { /* ret */
        if (p.called || (v->returns && (v->end.sp != p.sp || v->end.back != p.back)))
            return false;
        v->returns = true;
        v->end = p;
        return true;
    }
    if ((w & 0xfc000000) == 0x94000000) { /* bl: the function may take it as an argument */
        p.pc += (uint64_t)signed_field(w, 0, 26) * 4;
        p.called = true;
        return go(v, p);
    }
    unsigned use = use_of(w, reg);
    if (use & USE_READS || !step_stack(w, &p))
        return false;
    if (use & USE_WRITES)
        return true;
    uint64_t here = p.pc;
    bool jumps = (w & 0xfc000000) == 0x14000000,
         may = (w & 0xff000010) == 0x54000000 || (w & 0x7e000000) == 0x34000000,
         tests = (w & 0x7e000000) == 0x36000000;
    p.pc = here + 4;
    if (!jumps && !go(v, p))
        return false;
    int64_t by = jumps ? signed_field(w, 0, 26) : may ? signed_field(w, 5, 19) : signed_field(w, 5, 14);
    p.pc = here + (uint64_t)by * 4;
    return (!jumps && !may && !tests) || go(v, p);
}

struct after after_code(uint64_t pc, unsigned reg, after_read *read)
{
    struct walk v = {.n = 1, .place[0] = {.pc = pc, .back = AFTER_X30}};
    uint32_t w;
    while (v.done < v.n) {
        struct place p = v.place[v.done++];
        if (!read(p.pc, &w) || !walk_on(&v, p, w, reg))
            return (struct after){.kind = AFTER_USED};
    }
    return (struct after){v.returns ? AFTER_RETURNS : AFTER_DEAD, v.end.back, v.end.sp};
}
