/* Who uses a line: what the table says against the sequences it is to tell apart. */
#include "../../tests/tap.h"
#include "deeds.h"

#include <stdlib.h>

struct world world;

static struct thread thread[4] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}};
enum { LINE = 64 };

uint64_t now_of(const struct thread *t)
{
    return t->ready;
}

static void pass(uint64_t cycles)
{
    for (unsigned i = 0; i < 4; i++)
        thread[i].ready += cycles;
}

static uint64_t spare(unsigned who, uint64_t addr, uint64_t size, bool is_write)
{
    return lines_spare(
        &thread[who],
        &(struct deed){.kind = is_write ? CC_SIM_STORE : CC_SIM_LOAD, .addr = addr, .size = size});
}

static bool adds(unsigned who, uint64_t addr)
{
    return lines_spare(&thread[who],
                       &(struct deed){.kind = CC_SIM_ATOMIC, .addr = addr, .size = 8, .adds = true}) ==
           UINT64_MAX;
}

static bool reads(unsigned who, uint64_t addr)
{
    return spare(who, addr, 8, false) == UINT64_MAX;
}

static bool writes(unsigned who, uint64_t addr)
{
    return spare(who, addr, 8, true) == UINT64_MAX;
}

static void test_sequences(void)
{
    const uint64_t own = 0x10000, table = 0x20000, handed = 0x30000, flag = 0x40000;
    bool ok = true;
    for (int i = 0; i < 100; i++)
        ok &= writes(1, own) && reads(1, own + 8);
    OK(ok, "a thread's own line");
    for (unsigned i = 0; i < 400; i++)
        ok &= reads(i % 4, table);
    OK(ok, "a line all only read");
    OK(writes(0, handed) && !reads(1, handed) && reads(1, handed), "one handed on is met once");
    OK(writes(0, flag) && !reads(1, flag) && !writes(0, flag) && !reads(1, flag) && !reads(1, flag),
       "one that goes to and fro is met every time");
    writes(0, flag);
    ok &= !reads(1, flag);
    for (int i = 0; i < 100; i++)
        ok &= !writes(0, flag);
    OK(ok, "who writes it often in a short time may be ahead of the other");
    pass(1000000);
    OK(writes(0, flag), "until one has had it for long");
    OK(!reads(1, flag) && !writes(0, flag) && !reads(1, flag) && !reads(2, flag), "and another comes");
    pass(1000000);
    OK(!reads(1, flag) && !reads(2, flag), "who only reads it may wait for the other, however long");
}

/* Between phases: handed on once each, long after it was used; and for the next one right away. */
static void test_phases(void)
{
    const uint64_t data = 0x60000, start = 0x70000;
    enum { QUIET = 50000, STAMP = 4096 };
    bool met = true, ok = true;
    writes(0, data);
    for (unsigned phase = 1; phase < 8; phase++) {
        pass(QUIET);
        met &= !writes(phase % 4, data);
        ok &= reads(phase % 4, data + 8) && writes(phase % 4, data);
    }
    OK(met && ok, "data that is handed on from phase to phase is met once each time");
    writes(0, start);
    writes(1, start);
    OK(!writes(2, start) && spare(2, start, 8, true) == 0, "what was used just now is talked by");
    uint64_t last = 0;
    for (unsigned i = 0; i < 32; i++) {
        pass(STAMP);
        uint64_t now = spare(2, start, 8, true);
        ok &= i ? now > last && now <= i * STAMP / 8 : now == 0; /* the first may have been a moment */
        ok &= lines_would_spare(&thread[2], &(struct deed){.kind = CC_SIM_STORE, .addr = start, .size = 8}) ==
              now;
        last = now;
    }
    OK(ok, "who writes it alone may owe a part of the time since, and ever more");
    struct deed look = {.kind = CC_SIM_LOAD, .addr = start, .size = 8};
    OK(lines_would_spare(&thread[3], &look) == 0 && spare(2, start, 8, true) == last,
       "that another would meet it changes nothing");
    OK(!reads(3, start) && spare(3, start, 8, false) == 0, "until another comes");
    pass(STAMP * 4);
    OK(spare(3, start, 8, false) == 0, "who only reads may wait for another");
}

/* Threads that only add to a line need not meet, until one looks. */
static void test_sums(void)
{
    const uint64_t sum = 0x80000, watched = 0x81000, mixed = 0x82000;
    bool ok = true;
    OK(adds(0, sum) && adds(1, sum + 8), "who adds after another has added need not wait");
    for (unsigned i = 0; i < 100; i++)
        ok &= adds(i % 4, sum);
    OK(ok, "nor does anybody else");
    OK(!reads(0, sum) && !adds(1, sum) && adds(2, sum), "who looks meets them; then they may add again");
    OK(!writes(3, sum) && !reads(2, sum), "so does who writes");
    struct deed owed = {.kind = CC_SIM_ATOMIC, .addr = watched, .size = 8, .adds = true};
    adds(0, watched), adds(1, watched);
    lines_owe(&owed, true);
    lines_owe(&owed, false);
    OK(!reads(2, watched) && !adds(0, watched) && adds(1, watched),
       "what was owed and is paid does not count");
    thread[2].deeds = &owed;
    thread[2].ndeeds = 1;
    lines_owe(&owed, true);
    OK(!reads(2, watched) && !adds(0, watched) && adds(1, watched), "nor what who looks owes");
    thread[2].ndeeds = 0;
    OK(!reads(2, watched) && !adds(0, watched) && !adds(1, watched) && !adds(0, watched),
       "who looks while others owe additions ends that for good");
    OK(adds(0, mixed) && !writes(1, mixed) && !adds(2, mixed), "one that adds where another writes meets it");
}

/* A lock that two threads take in turn: whoever had it last may be ahead with it only when that was long ago.
 */
static void test_locks(void)
{
    enum { STAMP = 4096, LONG = 32 };
    const struct deed take = {.kind = CC_SIM_ATOMIC, .addr = 0x80000, .size = 4};
    bool ok = lines_spare(&thread[0], &take) == 0 && lines_spare(&thread[1], &take) == 0;
    for (unsigned i = 0; i <= LONG; i++) {
        pass(STAMP);
        ok &= lines_would_spare(&thread[1], &take) == 0;
    }
    OK(ok, "who takes a lock again meets the other for a while");
    pass(2 * STAMP);
    OK(lines_would_spare(&thread[1], &take) > 0 && lines_would_spare(&thread[0], &take) == 0,
       "until it has had it for long");
}

static void test_bounds(void)
{
    const uint64_t edge = 0x50000 + LINE, far = edge + ((uint64_t)LINE << 20);
    OK(writes(0, edge) && writes(1, edge - LINE) && !spare(1, edge - 4, 8, true),
       "an access of two lines meets whom either has");
    OK(!writes(0, edge) && !writes(1, far), "a line that moves is not forgotten for another in its place");
    OK(!writes(1, edge) && !writes(0, edge), "and is still known");
}

/* Against a list of all uses: never alone where the last other use since the thread's own last one, or its
 * own, wrote. */
static void test_random(void)
{
    enum { LINES = 32, STEPS = 20000 };
    int last_write[LINES], last_use[LINES][4];
    for (int i = 0; i < LINES; i++) {
        last_write[i] = -1;
        for (int k = 0; k < 4; k++)
            last_use[i][k] = -1;
    }
    int writer[LINES] = {0}, wrong = 0, alone = 0;
    srand(5);
    for (int step = 0; step < STEPS; step++) {
        unsigned at = (unsigned)rand() % LINES,
                 who = (unsigned)rand() % 8 < 6 ? at % 4 : (unsigned)rand() % 4;
        bool is_write = at % 3 == 0 && rand() % 4 == 0;
        bool free_to_go = spare(who, 0x900000 + at * LINE, 4, is_write);
        bool news = last_write[at] >= 0 && (unsigned)writer[at] != who && last_use[at][who] < last_write[at];
        wrong += free_to_go && news;
        alone += free_to_go;
        last_use[at][who] = step;
        if (is_write) {
            last_write[at] = step;
            writer[at] = (int)who;
        }
    }
    OK(wrong == 0 && alone > STEPS / 3,
       "what another has written is never taken for one's own (%d of %d, %d alone)", wrong, STEPS, alone);
}

int main(void)
{
    static struct cc_sim_shared shared;
    shared.config.dcache.line = LINE;
    world.shared = &shared;
    test_sequences();
    test_phases();
    test_sums();
    test_locks();
    test_bounds();
    test_random();
    return TAP_DONE();
}
