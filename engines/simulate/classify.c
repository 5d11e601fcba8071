/* Instruction classes from QEMU's disassembly: the same way for every instruction set, done once per
 * translated block. */
#include "race.h"

#include <string.h>

static bool starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n >= k && strcmp(s + n - k, suffix) == 0;
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static bool is_branch(const char *m)
{
    static const char *const exact[] = {
        "b",    "bl",   "br",   "blr",  "ret",  "cbz",  "cbnz", "tbz",  "tbnz", "bx",    "blx",  "j",
        "jal",  "jalr", "jr",   "call", "beq",  "bne",  "blt",  "bge",  "bltu", "bgeu",  "bgt",  "ble",
        "bgtu", "bleu", "beqz", "bnez", "bltz", "bgez", "blez", "bgtz", "retq", "callq", "tail", "bhi",
        "bls",  "bhs",  "blo",  "bcs",  "bcc",  "bmi",  "bpl",  "bvs",  "bvc",  NULL};
    if (one_of(m, exact) || starts(m, "b.") || starts(m, "c.j") || starts(m, "c.b"))
        return true;
    return m[0] == 'j' && strlen(m) <= 4; /* x86: je, jne, jmp… */
}

static bool is_fence(const char *m)
{
    static const char *const exact[] = {"dmb",   "dsb",     "mfence",    "sfence", "lfence",
                                        "fence", "fence.i", "fence.tso", NULL};
    return one_of(m, exact);
}

static bool is_float(const char *m)
{
    if (m[0] == 'f' && !starts(m, "fence") && !starts(m, "fs") && !starts(m, "fl"))
        return true;
    if (starts(m, "fsub") || starts(m, "fsgnj") || starts(m, "flt") || starts(m, "fle") ||
        starts(m, "scvtf") || starts(m, "ucvtf"))
        return true;
    if (m[0] == 'v' && (strstr(m, ".f32") || strstr(m, ".f64") || strstr(m, ".f16")))
        return true;
    return (ends(m, "ss") || ends(m, "sd") || ends(m, "ps") || ends(m, "pd")) && !starts(m, "mov") &&
           !starts(m, "and") && !starts(m, "xor") && strlen(m) > 4;
}

static uint8_t cost_class(const char *m)
{
    if (is_fence(m))
        return CC_SIM_SYNC;
    if (starts(m, "fdiv") || starts(m, "fsqrt") || starts(m, "vdiv") || starts(m, "vsqrt") ||
        starts(m, "divs") || starts(m, "divp") || starts(m, "sqrts") || starts(m, "sqrtp"))
        return CC_SIM_FDIV;
    if (starts(m, "udiv") || starts(m, "sdiv") || starts(m, "div") || starts(m, "idiv") || starts(m, "rem"))
        return CC_SIM_DIV;
    if (is_float(m))
        return CC_SIM_FLOAT;
    if (starts(m, "mul") || starts(m, "madd") || starts(m, "msub") || starts(m, "mneg") ||
        starts(m, "smul") || starts(m, "umul") || starts(m, "smadd") || starts(m, "umadd") ||
        starts(m, "imul") || starts(m, "mla") || starts(m, "mls") || starts(m, "smla") || starts(m, "umla") ||
        starts(m, "smmul"))
        return CC_SIM_MUL;
    if (is_branch(m))
        return CC_SIM_BRANCH;
    if (starts(m, "ld") || starts(m, "st") || starts(m, "push") || starts(m, "pop"))
        return CC_SIM_LDST;
    return CC_SIM_INT;
}

static uint8_t access_kind(const char *m, bool locked)
{
    if (starts(m, "ldxr") || starts(m, "ldaxr") || starts(m, "ldxp") || starts(m, "ldaxp") ||
        starts(m, "ldrex") || starts(m, "ldaex") || starts(m, "lr."))
        return CC_SIM_LL;
    if (starts(m, "stxr") || starts(m, "stlxr") || starts(m, "stxp") || starts(m, "stlxp") ||
        starts(m, "strex") || starts(m, "stlex") || starts(m, "sc."))
        return CC_SIM_SC;
    if (locked || starts(m, "cas") || starts(m, "swp") || starts(m, "ldadd") || starts(m, "ldclr") ||
        starts(m, "ldeor") || starts(m, "ldset") || starts(m, "ldsmax") || starts(m, "ldsmin") ||
        starts(m, "ldumax") || starts(m, "ldumin") || starts(m, "stadd") || starts(m, "stclr") ||
        starts(m, "stset") || starts(m, "amo") || starts(m, "xchg"))
        return CC_SIM_ATOMIC;
    return CC_SIM_LOAD;
}

/* The disassembler knows no ARMv8.1 atomics: LDADD and its kin, SWP, CAS, CASP. */
static bool is_aarch64_atomic(const void *code, size_t size)
{
    uint32_t w;
    if (size != sizeof w)
        return false;
    memcpy(&w, code, sizeof w);
    bool load_acquire = (w & 0x3fe0fc00) == 0x38a0c000; /* LDAPR sits among them */
    return ((w & 0x3f200c00) == 0x38200000 && !load_acquire) || (w & 0x3fa07c00) == 0x08a07c00 ||
           (w & 0xbfa07c00) == 0x08207c00;
}

/* The instructions that most programs consist of, by their bits: disassembling is most of what starting a
 * program costs. */
bool classify_quick(const void *code, size_t size, enum cc_isa_id isa, struct insn_kind *ret)
{
    static const struct {
        uint32_t mask, value;
        uint8_t cost;
    } groups[] = {
        {0x7c000000, 0x14000000, CC_SIM_BRANCH}, /* b, bl */
        {0xff000010, 0x54000000, CC_SIM_BRANCH}, /* b.cond */
        {0x7c000000, 0x34000000, CC_SIM_BRANCH}, /* cbz, cbnz, tbz, tbnz */
        {0xff9ffc1f, 0xd61f0000, CC_SIM_BRANCH}, /* br, blr, ret */
        {0x1f000000, 0x10000000, CC_SIM_INT},    /* adr, adrp */
        {0x1f800000, 0x11000000, CC_SIM_INT},    /* add, sub: immediate */
        {0x1f000000, 0x12000000, CC_SIM_INT},    /* and, orr, eor, mov: immediate */
        {0x1f000000, 0x13000000, CC_SIM_INT},    /* bitfields, extr */
        {0x1f000000, 0x0a000000, CC_SIM_INT},    /* and, orr, eor: register */
        {0x1f000000, 0x0b000000, CC_SIM_INT},    /* add, sub: register */
        {0x1fe00000, 0x1a800000, CC_SIM_INT},    /* csel and its kin */
        {0x3b000000, 0x39000000, CC_SIM_LDST},   /* ldr, str: base and offset */
        {0x3b200000, 0x38000000, CC_SIM_LDST},   /* unscaled, before, after */
        {0x3b200c00, 0x38200800, CC_SIM_LDST},   /* base and register */
        {0x3a000000, 0x28000000, CC_SIM_LDST},   /* ldp, stp */
    };
    uint32_t w;
    if (isa != CC_ISA_AARCH64 || size != sizeof w)
        return false;
    memcpy(&w, code, sizeof w);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if ((w & groups[i].mask) == groups[i].value) {
            bool pair = (w & 0x3a000000) == 0x28000000;
            if (groups[i].cost == CC_SIM_LDST && !pair && (w & 0xc4c00000) == 0xc0800000)
                return false; /* prefetches sit among them */
            *ret = (struct insn_kind){groups[i].cost, CC_SIM_LOAD, false, false};
            return true;
        }
    return false;
}

struct insn_kind classify(const char *text, const void *code, size_t size, enum cc_isa_id isa)
{
    char word[24];
    const char *s = text ? text : "";
    if (isa == CC_ISA_RISCV) /* its disassembler shows the bytes first */
        s += strspn(s, "0123456789abcdef");
    s += strspn(s, " \t");
    bool locked = starts(s, "lock ");
    s += locked ? 5 : 0;
    s += strspn(s, " \t");
    size_t n = strcspn(s, " \t");
    n = n < sizeof word ? n : sizeof word - 1;
    memcpy(word, s, n);
    word[n] = 0;
    static const char *const calls[] = {"hvc", "smc", "sev", NULL};
    struct insn_kind k = {cost_class(word), access_kind(word, locked), one_of(word, calls), false};
    if (isa == CC_ISA_AARCH64 && is_aarch64_atomic(code, size))
        k = (struct insn_kind){CC_SIM_LDST, CC_SIM_ATOMIC, false, false};
    if (strcmp(word, "dc") == 0 && strstr(s, "zva"))
        k = (struct insn_kind){CC_SIM_LDST, CC_SIM_STORE, false, true};
    return k;
}
