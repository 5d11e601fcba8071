/* Atomics of aarch64 that are told apart before they execute: where each will be, as its address is in a
 * register that its block has not changed, and whether anybody looks at what an addition returns. Compilers
 * put atomics into functions of their own, so one instruction serves locks, counters and flags: what it met
 * last says nothing of what it will meet. */
#include "after.h"
#include "deeds.h"

enum { CALLERS = 4096, DEPTH = 4, BACK = 30, STACK = 31, RETURN = 0xd65f03c0 };

/* What comes after a call that returns here, as far as it has been looked at. */
static struct caller {
    uint64_t pc;
    uint8_t reg;
    struct after after;
} callers[CALLERS];

void places_forget(void)
{
    for (unsigned i = 0; i < CALLERS; i++)
        callers[i].pc = 0;
}

static bool read_word(uint64_t addr, uint32_t *ret)
{
    return guest_read(addr, ret, sizeof *ret);
}

void place_insn(struct block *b, size_t at, const uint32_t *words)
{
    struct insn *i = &b->insn[at];
    uint32_t w = words[at], base = w >> 5 & 31, result = w & 31;
    bool kept = true;
    for (size_t k = 0; k < at; k++)
        kept &= !(use_of(words[k], base) & USE_WRITES);
    if (kept)
        i->base = (uint8_t)(base + 1);
    bool adds = (w & 0x3f20fc00) == 0x38200000 && result != STACK; /* ldadd */
    if (!adds)
        return;
    i->adds |= after_code(i->pc + sizeof w, result, read_word).kind == AFTER_DEAD;
    if (at == 0 && b->n > 1 && words[1] == RETURN)
        i->result = (uint8_t)(result + 1);
}

static const struct after *after_call(uint64_t pc, unsigned reg)
{
    struct caller *c = &callers[pc / 4 % CALLERS];
    if (c->pc != pc || c->reg != reg)
        *c = (struct caller){pc, (uint8_t)reg, after_code(pc, reg, read_word)};
    return &c->after;
}

/* Of the thread's stack: on the page it uses, there is memory. */
static bool read_stack(uint64_t sp, uint64_t at, uint64_t *ret)
{
    enum { PAGE = 4096 };
    if (sp / PAGE != at / PAGE || at % sizeof *ret)
        return guest_read(at, ret, sizeof *ret);
    *ret = guest_peek(at, sizeof *ret);
    return true;
}

/* Will nobody who is returned to look at the register? */
static bool is_dead(const struct thread *t, unsigned reg)
{
    static const uint64_t address = ((uint64_t)1 << 48) - 1; /* without what it may be signed with */
    uint64_t back, sp, here;
    if (!heap_register(t, BACK, &back) || !heap_register(t, STACK, &sp))
        return false;
    here = sp;
    for (unsigned i = 0; i < DEPTH; i++) {
        const struct after *a = after_call(back & address, reg);
        if (a->kind != AFTER_RETURNS)
            return a->kind == AFTER_DEAD;
        if (!read_stack(here, sp + (uint64_t)a->back, &back))
            return false;
        sp += (uint64_t)a->up;
    }
    return false;
}

bool place_foretell(struct thread *t, struct insn *i)
{
    uint64_t addr;
    t->adds = false;
    if (!i->base || !heap_register(t, i->base - 1u, &addr))
        return false;
    if (i->result)
        t->adds = is_dead(t, i->result - 1u);
    struct deed x = {.kind = i->access, .addr = addr, .size = 1, .adds = i->adds || t->adds};
    uint64_t spare = world.owes ? lines_would_spare(t, &x) : 0;
    bool alone = spare >= SPARE_ANY || (spare && t->owed <= spare);
    bool meets = !world.shared->ahead || (!alone && cc_sim_reach(world.sim, t->core->number, x.kind,
                                                                 addr + world.tag, 1) != CC_SIM_PRIVATE);
    i->foretold = meets ? FORETELL : 0;
    i->talks = world.owes && spare < SPARE_ANY ? FORETELL : 0;
    i->spare = (uint16_t)(spare < SPARE_ANY ? spare : SPARE_ANY);
    i->looks = false;
    return true;
}
