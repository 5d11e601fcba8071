/* Stacks that a thread switches between, in closed form. */
#include "../tests/collect.h"

enum { SWITCH = 4, YIELD = 5, BODY = 6, OWN = 0x7fff0000, FIRST = 0x100000, SIZE = 0x10000 };

/* main on its own stack */
static struct cc_thread *begin(struct cc_collect **c)
{
    *c = plain();
    struct cc_thread *t = cc_thread_new(*c, 1, 0);
    cc_thread_stack(t, OWN - 0x100000, 0x100000);
    cc_call(t, 0, MAIN, 1, OWN - 64);
    return t;
}

/* A switch by a function of the program: called at (from, sp), it returns at another place. */
static void by_function(struct cc_thread *t, uint64_t now, uint64_t from, uint64_t sp, uint64_t to,
                        uint64_t to_sp)
{
    cc_call(t, now, SWITCH, from, sp);
    cc_return(t, now, to, to_sp);
}

static void test_ping_pong(void)
{
    struct cc_collect *c;
    struct cc_thread *t = begin(&c);
    uint64_t now = 10, sp = OWN - 200, its = FIRST - 300;
    cc_call(t, now, SWITCH, 500, sp);
    cc_return(t, now, 0x6000, FIRST - 32); /* the first time: to its first instruction */
    cc_arrive(t, now, (struct cc_place){BODY, true}, 0x6000, FIRST - 32);
    OK(t->function == BODY && t->base == t->depth - 1, "a function starts on a new stack");
    for (int i = 0; i < 100; i++) {
        cc_call(t, now += 5, F, 700, FIRST - 200);
        by_function(t, now += 5, 800, its, 500, sp);
        OK(t->function == MAIN && t->depth == 2, "back on the thread's own stack");
        cc_call(t, now += 7, G, 510, sp);
        cc_return(t, now += 7, 510, sp);
        by_function(t, now, 500, sp, 800, its);
        OK(t->function == F && t->depth == 5, "and again in the middle of the other");
        cc_return(t, now += 1, 700, FIRST - 200);
    }
    OK(t->function == BODY, "the chain is whole");
    by_function(t, now += 3, 900, FIRST - 200, 500, sp);
    cc_return(t, now += 2, 1, OWN - 64);
    cc_thread_end(t, now);
    struct result *r = snapshot_of(c);
    OK(r->functions[BODY].calls == 1 && r->functions[F].calls == 100 && r->functions[SWITCH].calls == 202,
       "an activation is one call");
    OK_U64(r->functions[BODY].inclusive, 100 * 11 + 3, "its time stops while it is parked");
    OK_U64(r->functions[F].inclusive, 100 * 6, "that of what it called, too");
    OK_U64(r->functions[MAIN].inclusive, now, "who resumed it contains it");
    uint64_t sum = 0;
    for (size_t i = 0; i < r->ncontexts; i++)
        sum += r->contexts[i].exclusive;
    OK_U64(sum, now, "exclusive times add up");
    free(r);
}

/* A library switches: its code is outside, and all stacks wait at one address. */
static void yield_outside(struct cc_thread *t, uint64_t now, uint64_t sp, struct cc_place to, uint64_t to_sp)
{
    cc_call(t, now, CC_OUTSIDE, 0x900, sp);
    cc_arrive(t, now, to, 0x900, to_sp);
}

static void test_library(void)
{
    struct cc_collect *c;
    struct cc_thread *t = begin(&c);
    enum { MANY = 1000 };
    struct cc_place yield = {YIELD, false};
    uint64_t now = 10, sp = OWN - 400;
    for (uint64_t i = 0; i < MANY; i++) { /* each is begun, runs to its yield and waits */
        uint64_t top = FIRST + i * SIZE;
        cc_call(t, now, YIELD, 0x800, OWN - 300);
        cc_call(t, now, CC_OUTSIDE, 0x900, sp);
        cc_call(t, now, BODY, 0x50, top - 32); /* by the library's first function of the stack */
        for (uint64_t k = 0; k < i % 7; k++)
            cc_call(t, now += 1, F, 0x700, top - 100 - k * 32);
        cc_call(t, now += 1, YIELD, 0x810, top - 600);
        yield_outside(t, now, top - 700, yield, sp);
        cc_return(t, now, 0x800, OWN - 300);
    }
    OK(t->depth == 2 && t->function == MAIN, "a thousand wait");
    bool right = true;
    for (uint64_t n = 0; n < MANY; n++) { /* each goes on to its end, in some order */
        uint64_t i = n * 617 % MANY, top = FIRST + i * SIZE;
        cc_call(t, now, YIELD, 0x800, OWN - 300);
        yield_outside(t, now, sp, yield, top - 700);
        cc_return(t, now, 0x810, top - 600);
        right &= t->depth == 4 + i % 7 && t->function == (i % 7 ? F : BODY);
        for (uint64_t k = i % 7; k-- > 0;)
            cc_return(t, now, 0x700, top - 100 - k * 32);
        cc_return(t, now += 1, 0x50, top - 32);
        cc_arrive(t, now, yield, 0x900, sp);
        cc_return(t, now, 0x800, OWN - 300);
        right &= t->depth == 2 && t->function == MAIN;
    }
    OK(right, "each is found by its stack pointer, as deep as it was");
    cc_thread_end(t, now);
    struct result *r = snapshot_of(c);
    OK(r->functions[BODY].calls == MANY && r->functions[YIELD].calls == 3 * MANY, "each is one call");
    free(r);
}

static void test_longjmp(void)
{
    struct cc_collect *c;
    struct cc_thread *t = begin(&c);
    cc_call(t, 10, F, 100, OWN - 200);
    cc_call(t, 20, CC_OUTSIDE, 0x900, OWN - 400);
    cc_call(t, 30, BODY, 0x50, FIRST - 32);
    cc_call(t, 40, G, 0x60, FIRST - 132);
    cc_call(t, 50, CC_OUTSIDE, 0x910, FIRST - 232);
    cc_arrive(t, 60, (struct cc_place){F, false}, 0x888, OWN - 400); /* to where F called setjmp */
    OK(t->depth == 3 && t->function == F, "longjmp to another stack");
    cc_call(t, 70, CC_OUTSIDE, 0x900, OWN - 400);
    cc_arrive(t, 70, (struct cc_place){G, false}, 0x898, FIRST - 232);
    OK(t->depth == 5 && t->function == G, "and back");
    cc_call(t, 80, H, 0x70, FIRST - 232);
    cc_arrive(t, 90, (struct cc_place){MAIN, false}, 0x999, OWN - 200); /* F's caller: F is left for good */
    OK(t->depth == 2 && t->function == MAIN, "to below what waits");
    cc_call(t, 95, H, 0x99, OWN - 20000);
    OK(t->depth == 3 && t->base == 0, "a large frame of the thread's own stack is no other stack");
    cc_return(t, 96, 0x99, OWN - 20000);
    cc_thread_end(t, 100);
    struct result *r = snapshot_of(c);
    OK(r->functions[G].inclusive == 20 + 20 && r->functions[F].inclusive == 80 &&
           r->functions[BODY].inclusive == 50,
       "costs of what was left");
    free(r);
}

/* Generators that nobody asks again: calls are right, and memory has a bound. */
static void test_abandoned(void)
{
    struct cc_collect *c;
    struct cc_thread *t = begin(&c);
    enum { LOTS = 600000, PLACES = 400000 };
    uint64_t sp = OWN - 200;
    for (uint64_t i = 0; i < LOTS; i++) {
        uint64_t top = FIRST + i % PLACES * 4096;
        cc_call(t, i, SWITCH, 500, sp);
        cc_arrive(t, i, (struct cc_place){BODY, true}, 0x6000, top);
        by_function(t, i, 800, top - 64, 500, sp);
    }
    OK(t->depth == 2 && t->parking, "none is on the stack");
    cc_call(t, LOTS, SWITCH, 500, sp);
    uint64_t newest = FIRST + (LOTS - 1) % PLACES * 4096 - 64;
    cc_return(t, LOTS, 800, newest);
    OK(t->function == BODY && t->depth == 4, "the newest is known");
    cc_thread_end(t, LOTS);
    struct result *r = snapshot_of(c);
    OK_U64(r->functions[BODY].calls, LOTS, "one call each");
    free(r);
}

/* Without a stack pointer: by the addresses alone. */
static void test_blind(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_call(t, 10, SWITCH, 500, 0);
    cc_return(t, 10, 0x6000, 0);
    cc_arrive(t, 10, (struct cc_place){BODY, true}, 0x6000, 0);
    for (uint64_t i = 0; i < 50; i++) {
        cc_call(t, 20 + i * 10, F, 700, 0);
        by_function(t, 22 + i * 10, 800, 0, 500, 0);
        OK(t->function == MAIN && t->depth == 2, "blind: back");
        by_function(t, 27 + i * 10, 500, 0, 800, 0);
        OK(t->function == F, "blind: again in the other");
        cc_return(t, 28 + i * 10, 700, 0);
    }
    cc_thread_end(t, 1000);
    struct result *r = snapshot_of(c);
    OK(r->functions[BODY].calls == 1 && r->functions[F].calls == 50 && r->functions[F].inclusive == 150,
       "blind: calls and costs");
    free(r);
}

/* Without a stack pointer, each stack switched by a library that is called right where it waits; the library
 * jumps to the first function of the other. by_jump: the other's yield ends with a jump to the library. */
static void test_blind_library(bool by_jump)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    uint64_t now = 10;
    bool right = true;
    for (uint64_t i = 0; i < 20; i++) {
        cc_call(t, now += 1, F, 500, 0);
        cc_call(t, now += 1, CC_OUTSIDE, 0x900, 0);
        if (i == 0)
            cc_arrive(t, now += 1, (struct cc_place){BODY, true}, 0x6000, 0);
        else if (by_jump)
            cc_arrive(t, now += 1, (struct cc_place){BODY, false}, 0x810, 0);
        else
            cc_arrive(t, now += 1, (struct cc_place){YIELD, false}, 0x820, 0);
        right &= t->function == (i && !by_jump ? YIELD : BODY) && t->depth == (i && !by_jump ? 5 : 4);
        if (i && !by_jump)
            cc_return(t, now += 1, 0x810, 0);
        right &= t->function == BODY;
        cc_call(t, now += 1, YIELD, 0x810, 0);
        if (!by_jump)
            cc_call(t, now += 1, CC_OUTSIDE, 0x820, 0);
        cc_arrive(t, now += 1, (struct cc_place){F, false}, 0x900, 0);
        right &= t->function == F && t->depth == 3;
        cc_return(t, now += 1, 500, 0);
        right &= t->function == MAIN && t->depth == 2;
    }
    OK(right, "blind: a library that is called in two places switches");
    /* the same address, but reached by a tail call: the function is left */
    cc_call(t, now += 1, F, 500, 0);
    cc_call(t, now += 1, CC_OUTSIDE, 0x900, 0);
    cc_arrive(t, now += 1, (struct cc_place){G, true}, 0x7000, 0);
    cc_arrive(t, now += 1, (struct cc_place){F, false}, 0x900, 0);
    OK(t->function == F && t->depth == 3, "blind: left by a jump to the library");
    cc_thread_end(t, now);
    struct result *r = snapshot_of(c);
    OK(r->functions[BODY].calls == 1 && r->functions[YIELD].calls == 20 && r->functions[F].calls == 21,
       "blind: each activation is one call");
    free(r);
}

int main(void)
{
    test_ping_pong();
    test_library();
    test_longjmp();
    test_abandoned();
    test_blind();
    test_blind_library(false);
    test_blind_library(true);
    return TAP_DONE();
}
