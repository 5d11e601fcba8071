/* What a simulated instruction is, once per translated block: the tables are in src/isa/costs.def, the text
 * is QEMU's disassembly. */
#include "race.h"
#include "../../src/isa/match.h"

#include <string.h>

enum { CC_SIM_ASK = CC_SIM_CLASSES };

enum list { COST, ACCESS, COMPARES, CALLS, ATOMIC };

enum atomic { ATOMIC_NO, ATOMIC_ALWAYS, ATOMIC_COMPARES };

static const struct names {
    enum list list;
    uint8_t is; /* enum cc_sim_class, enum cc_sim_kind or true */
    const char *names;
} names[] = {
#define CC_COST(cost, names) {COST, CC_SIM_##cost, names},
#define CC_ACCESS(access, names) {ACCESS, CC_SIM_##access, names},
#define CC_COMPARES(names) {COMPARES, true, names},
#define CC_CALLS(names) {CALLS, true, names},
#define CC_COST_BITS(...)
#define CC_ATOMIC_BITS(...)
#include "../../src/isa/costs.def"
#undef CC_COST
#undef CC_ACCESS
#undef CC_COMPARES
#undef CC_CALLS
#undef CC_COST_BITS
#undef CC_ATOMIC_BITS
};

static const struct bits {
    enum list list;
    uint32_t mask, value;
    uint8_t is;
} bits[] = {
#define CC_COST(...)
#define CC_ACCESS(...)
#define CC_COMPARES(...)
#define CC_CALLS(...)
#define CC_COST_BITS(mask, value, cost) {COST, mask, value, CC_SIM_##cost},
#define CC_ATOMIC_BITS(mask, value, is) {ATOMIC, mask, value, ATOMIC_##is},
#include "../../src/isa/costs.def"
};

static uint8_t by_name(enum list list, const char *name, uint8_t otherwise)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].list == list && cc_names_fit(names[i].names, name))
            return names[i].is;
    return otherwise;
}

static uint8_t by_bits(enum list list, enum cc_isa_id isa, const void *code, size_t size, uint8_t otherwise)
{
    uint32_t w;
    if (isa != CC_ISA_AARCH64 || size != sizeof w)
        return otherwise;
    memcpy(&w, code, sizeof w);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (bits[i].list == list && (w & bits[i].mask) == bits[i].value)
            return bits[i].is;
    return otherwise;
}

bool classify_quick(const void *code, size_t size, enum cc_isa_id isa, struct insn_kind *ret)
{
    if (isa == CC_ISA_X86)
        return classify_x86(code, size, ret);
    uint8_t cost = by_bits(COST, isa, code, size, CC_SIM_ASK);
    *ret = (struct insn_kind){.cost = cost, .access = CC_SIM_LOAD, .memory = cost == CC_SIM_LDST};
    return cost != CC_SIM_ASK;
}

struct insn_kind classify(const char *text, const void *code, size_t size, enum cc_isa_id isa)
{
    char word[24];
    const char *s = text ? text : "";
    if (isa == CC_ISA_RISCV) /* its disassembler shows the bytes first */
        s += strspn(s, "0123456789abcdef");
    s += strspn(s, " \t");
    bool locked = strncmp(s, "lock ", 5) == 0;
    s += locked ? 5 : 0;
    s += strspn(s, " \t");
    size_t n = strcspn(s, " \t");
    n = n < sizeof word ? n : sizeof word - 1;
    memcpy(word, s, n);
    word[n] = 0;
    uint8_t atomic = by_bits(ATOMIC, isa, code, size, ATOMIC_NO);
    if (atomic)
        return (struct insn_kind){.cost = CC_SIM_LDST,
                                  .access = CC_SIM_ATOMIC,
                                  .compares = atomic == ATOMIC_COMPARES,
                                  .memory = true};
    if (strcmp(word, "dc") == 0 && strstr(s, "zva"))
        return (struct insn_kind){
            .cost = CC_SIM_LDST, .access = CC_SIM_STORE, .zeroes = true, .memory = true};
    uint8_t cost = by_name(COST, word, CC_SIM_INT);
    bool x86 = isa == CC_ISA_X86, memory = x86 ? strpbrk(s, "([:") != NULL : cost == CC_SIM_LDST;
    uint8_t access = by_name(ACCESS, word, locked ? CC_SIM_ATOMIC : CC_SIM_LOAD);
    return (struct insn_kind){.cost = cost,
                              .access = x86 && !memory ? CC_SIM_LOAD : access, /* xchg of registers */
                              .compares = by_name(COMPARES, word, false),
                              .calls = by_name(CALLS, word, false),
                              .memory = memory};
}
