/* Code made by hand, for tests: a loop at 0x1000, pieces of code 0x100 apart, what follows at 0x9000. */
#ifndef CC_ANALYSIS_LOOPS_FLOW_TEST_FLOW_CODE_H
#define CC_ANALYSIS_LOOPS_FLOW_TEST_FLOW_CODE_H

#include "body.h"

enum {
    TICK = 0x1000,
    AFTER = 0x9000,
    REG0 = CC_GUEST_ARM64_X0,
    SP = CC_GUEST_ARM64_SP,
    Q0 = CC_GUEST_ARM64_Q0
};

struct assembler {
    CC_VEC(struct cc_rec_loop_code) code;
    size_t block; /* where the present piece begins */
    uint32_t value;
    uint64_t insn;
};

__attribute__((unused)) static struct cc_rec_loop_code *emit(struct assembler *a, struct cc_rec_loop_code r)
{
    CC_VEC_PUSH(&a->code, r);
    return &a->code.v[a->code.n - 1];
}

__attribute__((unused)) static void insn(struct assembler *a)
{
    emit(a, (struct cc_rec_loop_code){.kind = CC_CODE_INSN, .a = 4, .value = a->insn});
    a->insn += 4;
}

__attribute__((unused)) static void block(struct assembler *a, uint64_t address)
{
    a->block = a->code.n;
    a->value = 0;
    a->insn = address;
    emit(a, (struct cc_rec_loop_code){.kind = CC_CODE_BLOCK, .value = address});
    insn(a);
}

static uint32_t made(struct assembler *a, struct cc_rec_loop_code r)
{
    r.to = ++a->value;
    emit(a, r);
    return r.to;
}

__attribute__((unused)) static uint32_t get(struct assembler *a, uint64_t at, uint32_t bits)
{
    return made(a, (struct cc_rec_loop_code){.kind = CC_CODE_GET, .bits = bits, .value = at});
}

__attribute__((unused)) static uint32_t reg(struct assembler *a, unsigned r)
{
    return get(a, REG0 + 8 * r, 64);
}

__attribute__((unused)) static uint32_t konst(struct assembler *a, uint64_t v)
{
    return made(a, (struct cc_rec_loop_code){.kind = CC_CODE_CONST, .bits = 64, .value = v});
}

__attribute__((unused)) static uint32_t op(struct assembler *a, enum cc_code_op o, uint32_t x, uint32_t y)
{
    bool bit = o >= CC_CODE_EQ && o <= CC_CODE_LEU;
    return made(a,
                (struct cc_rec_loop_code){.kind = CC_CODE_OP, .op = o, .a = x, .b = y, .bits = bit ? 1 : 64});
}

__attribute__((unused)) static uint32_t part(struct assembler *a, uint32_t x, uint32_t from, uint32_t bits)
{
    return made(a, (struct cc_rec_loop_code){.kind = CC_CODE_PART, .a = x, .value = from, .bits = bits});
}

__attribute__((unused)) static uint32_t load(struct assembler *a, uint32_t address)
{
    return made(a, (struct cc_rec_loop_code){.kind = CC_CODE_LOAD, .a = address, .bits = 64});
}

__attribute__((unused)) static uint32_t choose(struct assembler *a, uint32_t c, uint32_t x, uint32_t y)
{
    return made(a, (struct cc_rec_loop_code){.kind = CC_CODE_SELECT, .a = c, .b = x, .c = y, .bits = 64});
}

__attribute__((unused)) static void put_at(struct assembler *a, uint64_t at, uint32_t v, uint32_t bits)
{
    emit(a, (struct cc_rec_loop_code){.kind = CC_CODE_PUT, .a = v, .bits = bits, .value = at});
}

__attribute__((unused)) static void put(struct assembler *a, unsigned r, uint32_t v)
{
    put_at(a, REG0 + 8 * r, v, 64);
}

__attribute__((unused)) static void store(struct assembler *a, uint32_t address, uint32_t v)
{
    emit(a, (struct cc_rec_loop_code){.kind = CC_CODE_STORE, .a = address, .b = v, .bits = 64});
}

__attribute__((unused)) static void leave_if(struct assembler *a, uint32_t c, uint64_t to)
{
    emit(a, (struct cc_rec_loop_code){.kind = CC_CODE_EXIT, .a = c, .value = to});
}

static void finish(struct assembler *a, enum cc_code_jump how, uint64_t to)
{
    emit(a, (struct cc_rec_loop_code){.kind = CC_CODE_NEXT, .op = how, .value = to});
    a->code.v[a->block].a = (uint32_t)(a->code.n - a->block);
    a->code.v[a->block].b = (uint32_t)(a->insn - a->code.v[a->block].value);
}

__attribute__((unused)) static void go(struct assembler *a, uint64_t to)
{
    finish(a, CC_CODE_PLAIN, to);
}

/* r += k */
__attribute__((unused)) static void count(struct assembler *a, unsigned r, uint64_t k)
{
    put(a, r, op(a, CC_CODE_ADD, reg(a, r), konst(a, k)));
}

/* The test at the bottom: on while register r is not register n. */
__attribute__((unused)) static void loop_until(struct assembler *a, unsigned r, unsigned n)
{
    insn(a);
    leave_if(a, op(a, CC_CODE_EQ, reg(a, r), reg(a, n)), AFTER);
    go(a, TICK);
}

/* What follows looks at registers given, and ends. */
__attribute__((unused)) static void after(struct assembler *a, const unsigned *live, unsigned n)
{
    block(a, AFTER);
    for (unsigned i = 0; i < n; i++)
        store(a, konst(a, 0x50000 + 8 * i), reg(a, live[i]));
    for (unsigned i = 0; i < 31; i++)
        put(a, i, konst(a, 0));
    finish(a, CC_CODE_RETURN, 0);
}

#endif
