/* A thread that looks at one word again and again, and does nothing else, need not do so itself: as long as
 * the word stays what it is, its next lap is its last one. One that has been seen once around with all
 * registers as they were is done on the model alone, at its time, by whoever has the token; the thread runs
 * when the word has changed. So waiting costs no hand-overs, and ends at the time that the other's write has.
 */
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

/* MOST: then the thread itself runs once, so that what the host has for it (a signal) reaches it. STATE: what
 * is compared of QEMU's state of a CPU; the general registers and flags are its start. */
enum { LAP = 6, MOST = 4096, STATE = 512 };

struct lap {
    struct deed deed[LAP]; /* from the block that begins it, with one load among them */
    unsigned n, at;        /* of this many; the next one */
    unsigned loads, load;  /* how many; which */
    bool round;            /* it came back to where it was, in all registers */
    unsigned gone;         /* laps done without the thread */
    uint64_t value;        /* what it saw */
    char state[STATE];
};

static bool same(const struct deed *a, const struct deed *b)
{
    return a->what == b->what && a->kind == b->kind && a->addr == b->addr && a->size == b->size;
}

static void begin(struct thread *t, struct lap *l, const struct deed *x)
{
    memcpy(l->state, t->registers.state, STATE);
    l->deed[0] = *x;
    l->n = l->at = 1;
    l->loads = 0;
    l->round = false;
}

static void note_block(struct thread *t, struct lap *l, const struct deed *x)
{
    if (!l->n || l->n == LAP)
        begin(t, l, x);
    else if (l->deed[0].what != x->what)
        l->deed[l->n++] = *x;
    else if (l->loads == 1 && memcmp(l->state, t->registers.state, STATE) == 0) {
        l->round = true;
        l->at = 1 % l->n;
    } else
        begin(t, l, x);
}

static bool is_look(const struct deed *x)
{
    return x->kind == CC_SIM_LOAD && x->size <= sizeof(uint64_t) && !x->io;
}

/* By the thread itself, of all it does while it looks at one word. */
void lap_note(struct thread *t, const struct deed *x)
{
    struct lap *l = t->lap;
    if (!l && !(l = t->lap = calloc(1, sizeof *l)))
        return;
    if (!t->registers.state || (x->kind == DEED_BLOCK && !((const struct block *)x->what)->plain) ||
        (x->kind != DEED_BLOCK && !is_look(x))) {
        l->n = 0;
        l->round = false;
        return;
    }
    if (is_look(x)) {
        l->value = guest_peek(x->addr, (unsigned)x->size);
        l->gone = 0;
    }
    if (l->round && l->at && same(&l->deed[l->at], x))
        l->at = (l->at + 1) % l->n;
    else if (x->kind == DEED_BLOCK)
        note_block(t, l, x);
    else if (l->round || !l->n || l->n == LAP) {
        l->n = 0;
        l->round = false;
    } else {
        l->load = l->n;
        l->loads++;
        l->deed[l->n++] = *x;
    }
}

void lap_end(struct thread *t)
{
    if (t->lap) {
        t->lap->n = 0;
        t->lap->round = false;
    }
}

bool lap_waits(const struct thread *t, const struct insn *i)
{
    const struct lap *l = t->lap;
    return l && l->round && l->at == l->load && l->deed[l->load].what == i;
}

/* Does the word it looks at have the value that it saw? */
static bool stays(const struct lap *l)
{
    const struct deed *look = &l->deed[l->load];
    return guest_peek(look->addr, (unsigned)look->size) == l->value;
}

static uint64_t length_of(const struct lap *l)
{
    uint64_t cycles = 0;
    for (unsigned i = 0; i < l->n; i++)
        if (l->deed[i].kind == DEED_BLOCK)
            cycles += ((const struct block *)l->deed[i].what)->cycles;
    return cycles;
}

uint64_t lap_until(const struct thread *t)
{
    const struct lap *l = t->lap;
    if (!t->laps || l->gone >= MOST || !stays(l))
        return 0;
    return now_of(t) + (MOST - l->gone) * length_of(l);
}

void lap_repeat(struct thread *t, const struct cc_sim_core_stats *before, uint64_t until)
{
    struct lap *l = t->lap;
    uint64_t length = length_of(l), now = now_of(t);
    if (!length || t->core->stats->cycles - before->cycles != length || until <= now || l->gone >= MOST)
        return; /* or it waited for something */
    uint64_t n = (until - now) / length, most = MOST - l->gone;
    n = n < most ? n : most;
    if (world.shared->events == CC_SIM_EVENTS_DATA)
        n = event_repeat(t->core, n, length);
    cc_sim_repeat(world.sim, t->core->number, before, n);
    world.shared->own_cycles[t->context] += n * length;
    l->gone += (unsigned)n;
}

bool lap_again(struct thread *t)
{
    struct lap *l = t->lap;
    if (!t->laps || t->ndeeds || l->gone >= MOST || !t->core || !stays(l))
        return false;
    for (unsigned i = 0; i < l->n; i++) {
        struct deed x = l->deed[(l->load + i) % l->n];
        x.judged = x.foretold = x.alone = true;
        x.looks = x.kind == CC_SIM_LOAD;
        deed_owe(t, &x);
        if (x.kind == DEED_BLOCK)
            world.shared->own_cycles[t->context] += ((const struct block *)x.what)->cycles;
    }
    l->gone++;
    t->lag = deeds_lag(t);
    return true;
}
