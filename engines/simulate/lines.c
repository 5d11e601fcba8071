/* Which threads use which lines of memory, by what the program did, whatever the caches hold. What only one
 * thread uses, or all only read, means the same whenever others' deeds come: only its time has to be found. A
 * line that moved twice between threads, soon after it was used, is one they talk by (a lock, a flag, a
 * queue's index) until nobody has taken it from another for so long that all who may have run on must have
 * passed. Meanwhile who has it may run on for a part of the time that it has had it alone. What threads only
 * add to comes to the same in any order, so that they need not meet there; should one look at it while others
 * owe what they have added, it is never again taken for that. */
#include "deeds.h"

#include <stdlib.h>

enum { LINES = 1 << 20, MOVES = 2, MANY = UINT16_MAX };
/* Stamps of 4096 cycles. LONG: longer than anybody runs on; CLOSE: than most do. PART: of the time a thread
 * has had a line alone, what it may run on. */
enum { STAMP_SHIFT = 12, LONG = 32, CLOSE = 8, PART = 16 };

struct line {
    uint32_t tag;   /* 0: nobody's */
    uint16_t owner; /* number of the thread, MANY: they only read it */
    uint16_t moved; /* stamp of when it last went from one to another, */
    uint16_t used;  /* and of its last use */
    uint8_t moves;
    bool written;
    uint8_t sums;    /* enum sums */
    uint16_t adding; /* additions that threads owe */
};

/* Something else was done last; one has added to it; all only add; somebody has looked in between. */
enum sums { SUMS_NO, SUMS_ONE, SUMS_ALL, SUMS_NEVER };

/* Clocks of threads are not in step: either may be the earlier. */
static bool apart(uint16_t a, uint16_t b, int by)
{
    int distance = (int16_t)(uint16_t)(a - b);
    return distance > by || distance < -by;
}

/* Data that is handed on from phase to phase moves too, but long after it was used: whoever ran on then has
 * passed, and it is no sign that threads talk by it. */
static bool moves(struct line *l, uint16_t who, bool writes, uint16_t stamp)
{
    bool old = apart(stamp, l->moved, LONG), close = !apart(stamp, l->used, CLOSE);
    l->used = stamp;
    if (l->owner == who) {
        l->written |= writes;
        if (old && l->written) /* who only reads may wait for another to write */
            l->moves = 0;
        return false;
    }
    if (!writes && !l->written) {
        l->owner = MANY;
        return false;
    }
    l->owner = who;
    l->written = writes;
    if (old || !l->moves)
        l->moves = 1;
    else if (close)
        l->moves = MOVES;
    l->moved = stamp;
    return true;
}

/* The longer one thread has written it alone, the less often others come, and the less it matters that what
 * it writes is there a little early. An atomic says that others may come: it has to be long. */
static uint64_t spare_of(const struct line *l, uint16_t stamp, bool atomic)
{
    int alone = (int16_t)(uint16_t)(stamp - l->moved) - 1; /* whole stamps: the first may have just ended */
    return l->moves < MOVES                            ? UINT64_MAX
           : l->written && alone > (atomic ? LONG : 0) ? ((uint64_t)alone << STAMP_SHIFT) / PART
                                                       : 0;
}

static struct line *lines;

static unsigned line_shift(void)
{
    return (unsigned)__builtin_ctz(world.shared->config.dcache.line);
}

/* Additions to the line that the thread itself owes. */
static unsigned owed_by(const struct thread *t, uint64_t line)
{
    unsigned n = 0;
    for (unsigned i = 0; i < t->ndeeds; i++) {
        const struct deed *x = &t->deeds[(t->first_deed + i) % DEEDS];
        n += x->adds && x->addr >> line_shift() == line;
    }
    return n;
}

static void look_at_sum(struct line *l, const struct thread *t, uint64_t line)
{
    if (l->sums == SUMS_ALL) {
        l->sums = l->adding > owed_by(t, line) ? SUMS_NEVER : SUMS_NO;
        l->owner = MANY; /* whoever looks meets the others */
        l->written = true;
    } else if (l->sums == SUMS_ONE)
        l->sums = SUMS_NO;
}

static uint64_t use(const struct thread *t, uint64_t line, struct line *l, const struct deed *x,
                    uint16_t stamp)
{
    bool writes = x->kind >= CC_SIM_STORE, adds = x->adds;
    bool atomic = x->kind > CC_SIM_STORE && !adds; /* who uses these expects others */
    uint32_t tag = (uint32_t)(line / LINES) + 1;
    uint16_t who = (uint16_t)t->number;
    if (l->tag != tag && l->tag && l->moves >= MOVES)
        return 0; /* it must not be forgotten */
    if (l->tag != tag) {
        *l = (struct line){
            .tag = tag, .owner = who, .written = writes, .moved = stamp, .used = stamp, .sums = adds};
        l->moves = atomic ? MOVES : 0;
        return atomic ? 0 : UINT64_MAX;
    }
    if (!adds)
        look_at_sum(l, t, line);
    bool others = l->owner != who, moved = l->sums != SUMS_ALL && moves(l, who, writes, stamp);
    if (atomic)
        l->moves = MOVES;
    if (adds && l->sums == SUMS_ONE && others) {
        l->sums = SUMS_ALL;
        l->moves = MOVES;
    } else if (adds && l->sums == SUMS_NO)
        l->sums = SUMS_ONE;
    return l->sums == SUMS_ALL ? UINT64_MAX : moved ? 0 : spare_of(l, stamp, atomic);
}

static uint16_t stamp_of(const struct thread *t)
{
    return (uint16_t)(now_of(t) >> STAMP_SHIFT);
}

uint64_t lines_would_spare(const struct thread *t, const struct deed *x)
{
    uint64_t line = x->addr >> line_shift();
    struct line l = lines ? lines[line % LINES] : (struct line){0};
    return use(t, line, &l, x, stamp_of(t));
}

uint64_t lines_spare(const struct thread *t, const struct deed *x)
{
    if (!lines && !(lines = calloc(LINES, sizeof *lines)))
        return 0;
    uint16_t stamp = stamp_of(t);
    uint64_t spare = UINT64_MAX, last = (x->addr + (x->size ? x->size - 1 : 0)) >> line_shift();
    for (uint64_t i = x->addr >> line_shift(); i <= last; i++) {
        uint64_t here = use(t, i, &lines[i % LINES], x, stamp);
        spare = here < spare ? here : spare;
    }
    return spare;
}

void lines_owe(const struct deed *x, bool more)
{
    uint64_t line = x->addr >> line_shift();
    struct line *l = &lines[line % LINES];
    if (l->tag == (uint32_t)(line / LINES) + 1 && (more || l->adding))
        l->adding = (uint16_t)(more ? l->adding + 1 : l->adding - 1);
}
