/* Which threads use which lines of memory, by what the program did, whatever the caches hold. What only one
 * thread uses, or all only read, means the same whenever others' deeds come: only its time has to be found. A
 * line that moved twice between threads is one they talk by (a lock, a flag, a queue's index) until nobody
 * has taken it from another for so long that all who may have run on must have passed. */
#include "deeds.h"

#include <stdlib.h>

enum { LINES = 1 << 20, MOVES = 2, MANY = UINT16_MAX };
enum { STAMP_SHIFT = 12, LONG = 32 }; /* stamps of 4096 cycles; longer than anybody runs on */

struct line {
    uint32_t tag;   /* 0: nobody's */
    uint16_t owner; /* number of the thread, MANY: they only read it */
    uint16_t moved; /* stamp of when it last went from one to another */
    uint8_t moves;
    bool written;
};

static bool moves(struct line *l, uint16_t who, bool writes, uint16_t stamp)
{
    bool old = (uint16_t)(stamp - l->moved) > LONG;
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
    l->moves = old ? 1 : (uint8_t)(l->moves + (l->moves < MOVES));
    l->moved = stamp;
    return true;
}

static bool use(struct line *l, uint32_t tag, uint16_t who, bool writes, uint16_t stamp)
{
    if (l->tag == tag) {
        bool moved = moves(l, who, writes, stamp);
        return !moved && l->moves < MOVES;
    }
    if (l->tag && l->moves >= MOVES)
        return false; /* it must not be forgotten */
    *l = (struct line){.tag = tag, .owner = who, .written = writes, .moved = stamp};
    return true;
}

bool lines_alone(const struct thread *t, uint64_t addr, uint64_t size, bool writes)
{
    static struct line *lines;
    if (!lines && !(lines = calloc(LINES, sizeof *lines)))
        return false;
    unsigned shift = (unsigned)__builtin_ctz(world.shared->config.dcache.line);
    uint16_t stamp = (uint16_t)(now_of(t) >> STAMP_SHIFT);
    bool alone = true;
    for (uint64_t i = addr >> shift; i <= (addr + (size ? size - 1 : 0)) >> shift; i++)
        alone &= use(&lines[i % LINES], (uint32_t)(i / LINES) + 1, (uint16_t)t->number, writes, stamp);
    return alone;
}
