/* A thread that waits by looking: which loops are laps, and how long they are done for it. */
#include "../../tests/tap.h"
#include "deeds.h"

#include <stdlib.h>

struct world world;

static struct cc_sim_program program;
static struct core core;
static char registers[512];
static uint64_t word;
static struct block head = {.cycles = 3, .plain = true}, tail = {.cycles = 2, .plain = true},
                    floats = {.plain = false};
static struct insn look, other;
static struct deed owed[16];
static unsigned nowed;

void deed_owe(struct thread *t, struct deed *x)
{
    t->ndeeds++;
    owed[nowed++ % 16] = *x;
}

uint64_t deeds_lag(const struct thread *t)
{
    return t->ndeeds;
}

uint64_t now_of(const struct thread *t)
{
    (void)t;
    return 1000;
}

static uint64_t repeated;

void cc_sim_repeat(struct cc_sim *s, unsigned core_number, const struct cc_sim_core_stats *before,
                   uint64_t times)
{
    (void)s, (void)core_number, (void)before;
    repeated = times;
}

static uint64_t told; /* the most events that can be repeated */

uint64_t event_repeat(struct core *c, uint64_t n, uint64_t cycles)
{
    (void)c, (void)cycles;
    return n < told ? n : told;
}

static struct deed block(struct block *b)
{
    return (struct deed){.what = b, .kind = DEED_BLOCK};
}

static struct deed load(struct insn *i)
{
    return (struct deed){.what = i, .kind = CC_SIM_LOAD, .addr = (uintptr_t)&word, .size = 8};
}

static void begin(struct thread *t)
{
    free(t->lap);
    *t = (struct thread){.core = &core, .laps = true, .registers = {.state = registers}};
    memset(registers, 0, sizeof registers);
    word = nowed = 0;
}

static void note(struct thread *t, struct deed x)
{
    lap_note(t, &x);
}

/* Once around: a block that looks, and one that jumps back. */
static void lap(struct thread *t)
{
    note(t, block(&head));
    note(t, load(&look));
    note(t, block(&tail));
}

static void test_laps(struct thread *t)
{
    begin(t);
    lap(t);
    OK(!lap_waits(t, &look), "what was seen once is no lap yet");
    note(t, block(&head));
    OK(lap_waits(t, &look) && !lap_waits(t, &other), "back where it was: it waits where it looks");
    note(t, load(&look));
    OK(!lap_waits(t, &look), "not between two looks");
    note(t, block(&tail));
    registers[8]++;
    note(t, block(&head));
    OK(!lap_waits(t, &look), "a register that counts makes it none");
    begin(t);
    lap(t);
    note(t, load(&other));
    note(t, block(&head));
    OK(!lap_waits(t, &look), "nor do two looks");
    begin(t);
    lap(t);
    note(t, (struct deed){.what = &other, .kind = CC_SIM_STORE, .addr = (uintptr_t)&word, .size = 8});
    note(t, block(&head));
    OK(!lap_waits(t, &look), "who stores does not wait");
    begin(t);
    lap(t);
    note(t, block(&floats));
    note(t, block(&head));
    OK(!lap_waits(t, &look), "nor who computes with what is not compared");
    begin(t);
    t->registers.state = NULL;
    lap(t);
    note(t, block(&head));
    OK(!lap_waits(t, &look), "without registers nothing is known");
}

static void test_again(struct thread *t)
{
    begin(t);
    lap(t);
    note(t, block(&head));
    OK(lap_again(t) && nowed == 3 && owed[0].what == &look && owed[1].what == &tail && owed[2].what == &head,
       "a lap that is done for it begins where it looks, and ends before that");
    OK(owed[0].looks && owed[0].judged && owed[0].alone && !owed[1].looks, "and is judged already");
    OK_U64(world.shared->own_cycles[0], 5, "its blocks are executed");
    OK(!lap_again(t), "not while it owes something");
    OK_U64(lap_until(t), 1000 + 4095 * 5, "nothing else comes before it has to look itself");
    t->ndeeds = 0;
    word = 1;
    OK(!lap_again(t), "what has changed it has to see itself");
    OK_U64(lap_until(t), 0, "and nobody knows what it does then");
    word = 0;
    unsigned n = 1;
    while (lap_again(t)) {
        t->ndeeds = 0;
        n++;
    }
    OK_U64(n, 4096, "nor is it left alone for ever");
    OK_U64(lap_until(t), 0, "it runs itself then");
    note(t, load(&look));
    OK(lap_again(t), "but once it has looked itself");
    t->ndeeds = 0;
    t->laps = false;
    OK(!lap_again(t), "a thread that does not stand at its look is left alone");
    lap_end(t);
    OK(!lap_waits(t, &look), "who does something else has ended its laps");
}

static void test_repeat(struct thread *t)
{
    static struct cc_sim_core_stats before, now;
    core.stats = &now;
    begin(t);
    lap(t);
    note(t, block(&head));
    world.shared->own_cycles[0] = 0;
    now.cycles = 5;
    lap_repeat(t, &before, 1000 + 23);
    OK(repeated == 4 && world.shared->own_cycles[0] == 20, "laps that end before something else comes");
    lap_repeat(t, &before, UINT64_MAX);
    OK_U64(repeated, 4096 - 4, "no more than it may be left alone for");
    OK_U64(lap_until(t), 0, "and then it runs itself");
    note(t, load(&look));
    repeated = 0;
    now.cycles = 6;
    lap_repeat(t, &before, UINT64_MAX);
    OK_U64(repeated, 0, "one that took longer than its blocks is no measure for others");
    now.cycles = 5;
    told = 7;
    world.shared->events = CC_SIM_EVENTS_DATA;
    lap_repeat(t, &before, UINT64_MAX);
    OK_U64(repeated, 7, "with a trace only those that can be told at once");
    world.shared->events = CC_SIM_EVENTS_NONE;
}

int main(void)
{
    struct thread t = {0};
    world.program = &program;
    world.shared = calloc(1, sizeof *world.shared);
    if (!world.shared)
        return 99;
    test_laps(&t);
    test_again(&t);
    test_repeat(&t);
    free(t.lap);
    free(world.shared);
    return TAP_DONE();
}
