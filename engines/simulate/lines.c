/* Which threads use which lines of memory, by what the program did, whatever the caches hold. What only one
 * thread uses, or all only read, means the same whenever others' deeds come: only its time has to be found. A
 * line that moved twice between threads, soon after it was used, is one they talk by (a lock, a flag, a
 * queue's index) until nobody has taken it from another for so long that all who may have run on must have
 * passed. Meanwhile who has it may run on for a part of the time that it has had it alone. */
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
};

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
 * it writes is there a little early. */
static uint64_t spare_of(const struct line *l, uint16_t stamp)
{
    int alone = (int16_t)(uint16_t)(stamp - l->moved);
    return l->moves < MOVES          ? UINT64_MAX
           : l->written && alone > 0 ? ((uint64_t)alone << STAMP_SHIFT) / PART
                                     : 0;
}

static uint64_t use(struct line *l, uint32_t tag, uint16_t who, bool writes, uint16_t stamp)
{
    if (l->tag == tag)
        return moves(l, who, writes, stamp) ? 0 : spare_of(l, stamp);
    if (l->tag && l->moves >= MOVES)
        return 0; /* it must not be forgotten */
    *l = (struct line){.tag = tag, .owner = who, .written = writes, .moved = stamp, .used = stamp};
    return UINT64_MAX;
}

uint64_t lines_spare(const struct thread *t, uint64_t addr, uint64_t size, bool writes)
{
    static struct line *lines;
    if (!lines && !(lines = calloc(LINES, sizeof *lines)))
        return 0;
    unsigned shift = (unsigned)__builtin_ctz(world.shared->config.dcache.line);
    uint16_t stamp = (uint16_t)(now_of(t) >> STAMP_SHIFT);
    uint64_t spare = UINT64_MAX;
    for (uint64_t i = addr >> shift; i <= (addr + (size ? size - 1 : 0)) >> shift; i++) {
        uint64_t here = use(&lines[i % LINES], (uint32_t)(i / LINES) + 1, (uint16_t)t->number, writes, stamp);
        spare = here < spare ? here : spare;
    }
    return spare;
}
