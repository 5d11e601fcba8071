/* Atomics of aarch64 that are told apart before they execute: where each will be, as its address is in a
 * register that its block has not changed, and whether anybody looks at what an addition returns. Compilers
 * put atomics into functions of their own, so one instruction serves locks, counters and flags: what it met
 * last says nothing of what it will meet. */
#include "after.h"
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

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

static unsigned field(uint32_t w, unsigned from)
{
    return w >> from & 31;
}

/* ld(a)xr, add or sub, st(l)xr, cbnz back: the register that is loaded, and the one that is stored. */
static bool adds_linked(const uint32_t *w, unsigned *ret_loaded, unsigned *ret_stored)
{
    unsigned base = field(w[0], 5), loaded = field(w[0], 0), sum = field(w[1], 0), failed = field(w[2], 16);
    bool number = (w[1] & 0x3f800000) == 0x11000000, other = (w[1] & 0x3f200000) == 0x0b000000;
    unsigned by = other ? field(w[1], 16) : STACK;
    *ret_loaded = loaded;
    *ret_stored = sum;
    return (w[0] & 0x3fff7c00) == 0x085f7c00 && (number || other) && field(w[1], 5) == loaded &&
           (w[2] & 0x3fe07c00) == 0x08007c00 && (w[0] ^ w[2]) >> 30 == 0 && field(w[2], 5) == base &&
           field(w[2], 0) == sum && w[3] == (0x35ffffa0 | failed) && base != loaded && base != sum &&
           base != failed && by != loaded && by != failed && (by == STACK || by != sum) && failed != STACK &&
           sum != STACK && loaded != STACK && failed != sum;
}

/* Has the block not changed the register before this? */
static bool is_kept(const uint32_t *words, size_t at, unsigned reg)
{
    bool kept = true;
    for (size_t k = 0; k < at; k++)
        kept &= !(use_of(words[k], reg) & USE_WRITES);
    return kept;
}

/* Are the results dead, or can their readers be known when it executes? */
static void note_results(struct insn *i, uint64_t pc, unsigned first, unsigned second)
{
    enum after_kind a = after_code(pc, first, read_word).kind, b = after_code(pc, second, read_word).kind;
    i->adds |= a == AFTER_DEAD && b == AFTER_DEAD;
    if (a != AFTER_USED && b != AFTER_USED) {
        i->result = (uint8_t)(first + 1);
        i->also = (uint8_t)(second + 1);
    }
}

void place_insn(struct block *b, size_t at, const uint32_t *words, size_t n)
{
    struct insn *i = &b->insn[at];
    uint32_t w = words[at], base = w >> 5 & 31, result = w & 31;
    unsigned loaded, sum;
    if (is_kept(words, at, base))
        i->base = (uint8_t)(base + 1);
    bool known = is_kept(words, at, BACK) && is_kept(words, at, STACK);
    if ((w & 0x3f20fc00) == 0x38200000 && result != STACK) { /* ldadd */
        note_results(i, i->pc + sizeof w, result, result);
        i->returns = n > at + 1 && words[at + 1] == RETURN;
    } else if (i->access == CC_SIM_LL && n == b->n && n == at + 4 && adds_linked(words + at, &loaded, &sum)) {
        note_results(i, i->pc + 4 * sizeof w, loaded, sum);
        i->pair = i[2].pair = i->adds || i->result;
    }
    if (!known)
        i->result = 0;
}

void place_pairs(struct block *b)
{
    for (size_t at = 0; at + 4 <= b->n; at++) {
        if (!b->insn[at].pair || b->insn[at].access != CC_SIM_LL)
            continue;
        struct block *r = calloc(1, sizeof *r + 4 * sizeof r->insn[0]);
        if (!r)
            abort();
        *r = (struct block){.pc = b->insn[at].pc,
                            .last = b->last,
                            .n = 4,
                            .cycles = at ? b->insn[at - 1].after : b->cycles,
                            .program = b->program,
                            .plain = b->plain};
        memcpy(r->insn, &b->insn[at], 4 * sizeof r->insn[0]);
        b->insn[at + 2].retry = r->insn[2].retry = r;
    }
}

static struct after after_call(const struct thread *t, uint64_t pc, unsigned reg)
{
    struct caller *c = &callers[pc / 4 % CALLERS];
    if (!t->holder) /* the table is another's */
        return after_code(pc, reg, read_word);
    if (c->pc != pc || c->reg != reg)
        *c = (struct caller){pc, (uint8_t)reg, after_code(pc, reg, read_word)};
    return c->after;
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

/* Will nobody look at the register, from there on and where that returns to? */
static bool is_dead(const struct thread *t, unsigned reg, uint64_t pc, bool called)
{
    static const uint64_t address = ((uint64_t)1 << 48) - 1; /* without what it may be signed with */
    uint64_t back, sp;
    if (!heap_register(t, BACK, &back) || !heap_register(t, STACK, &sp))
        return false;
    uint64_t here = sp;
    for (unsigned i = 0; i < DEPTH; i++) {
        struct after a = after_call(t, called ? back & address : pc, reg);
        if (a.kind != AFTER_RETURNS)
            return a.kind == AFTER_DEAD;
        if (a.back == AFTER_X30 ? called : !read_stack(here, sp + (uint64_t)a.back, &back))
            return false;
        sp += (uint64_t)a.up;
        called = true;
    }
    return false;
}

bool place_adds(const struct thread *t, const struct insn *i)
{
    if (i->pair && i->access == CC_SIM_SC)
        return t->adds; /* its load has said */
    uint64_t then = i->pc + (i->pair ? 4 : 1) * sizeof(uint32_t);
    return i->adds || (i->result && is_dead(t, i->result - 1u, then, i->returns) &&
                       (i->also == i->result || is_dead(t, i->also - 1u, then, i->returns)));
}

bool place_foretell(struct thread *t, struct insn *i)
{
    uint64_t addr;
    t->adds = place_adds(t, i);
    if (!i->base || !heap_register(t, i->base - 1u, &addr))
        return false;
    struct deed x = {.kind = i->access, .addr = addr, .size = 1, .adds = t->adds};
    uint64_t spare = world.owes ? lines_would_spare(t, &x) : 0;
    bool alone = spare >= SPARE_ANY || (spare && t->owed <= spare);
    bool meets = !world.shared->ahead || (!alone && cc_sim_reach(world.sim, t->core->number, x.kind,
                                                                 addr + world.tag, 1) != CC_SIM_PRIVATE);
    i->foretold = meets ? FORETELL : 0;
    i->talks = world.owes && spare < SPARE_ANY ? FORETELL : 0;
    i->spare = (uint16_t)(spare < SPARE_ANY ? spare : SPARE_ANY);
    return true;
}
