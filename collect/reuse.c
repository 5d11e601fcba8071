/* The stack is a list. A line knows its class, and for each class the deepest line that belongs to it or to
 * one before it is marked: touching a line of class b moves b marks up by one, and nothing has to be counted.
 */
#include "reuse.h"

enum { NONE = UINT32_MAX };

struct line {
    uint64_t line;
    uint32_t up, down; /* neighbours; NONE: it is the first, the last */
    uint32_t who;      /* touched it last */
    uint32_t class;
};

struct cc_reuse {
    struct cc_host host;
    uint32_t most, n, shift;
    uint32_t first; /* the class of the line on top: those before have no room */
    uint32_t top, bottom;
    uint32_t mark[CC_REUSE_CLASSES]; /* NONE: there are not so many lines */
    uint64_t size[CC_REUSE_CLASSES]; /* lines of the classes up to this one, of those that are looked at */
    struct line *lines;
    uint32_t *index; /* 1 + line, by hash */
    uint64_t *seen;  /* digests of (who, line); 0: empty */
    uint32_t nseen, mask;
};

static uint64_t mix(uint64_t v)
{
    v *= 0x9e3779b97f4a7c15u;
    return v ^ v >> 29;
}

static void set_sizes(struct cc_reuse *r)
{
    for (uint32_t j = 0; j < CC_REUSE_CLASSES; j++)
        r->size[j] = cc_reuse_bound(j) >> r->shift;
    for (r->first = 0; r->size[r->first] == 0;)
        r->first++;
}

struct cc_reuse *cc_reuse_new(const struct cc_host *host, uint32_t most)
{
    struct cc_reuse *r = host->map(host->self, sizeof *r);
    uint32_t slots = 16;
    while (slots < most * 2)
        slots *= 2;
    *r = (struct cc_reuse){.host = *host, .most = most, .top = NONE, .bottom = NONE, .mask = slots - 1};
    __builtin_memset(r->mark, 0xff, sizeof r->mark);
    set_sizes(r);
    r->lines = host->map(host->self, (size_t)most * sizeof *r->lines);
    r->index = host->map(host->self, (size_t)slots * sizeof *r->index);
    r->seen = host->map(host->self, (size_t)slots * sizeof *r->seen);
    return r;
}

void cc_reuse_free(struct cc_reuse *r)
{
    struct cc_host host = r->host;
    host.unmap(host.self, r->lines, (size_t)r->most * sizeof *r->lines);
    host.unmap(host.self, r->index, ((size_t)r->mask + 1) * sizeof *r->index);
    host.unmap(host.self, r->seen, ((size_t)r->mask + 1) * sizeof *r->seen);
    host.unmap(host.self, r, sizeof *r);
}

uint32_t cc_reuse_shift(const struct cc_reuse *r)
{
    return r->shift;
}

static uint32_t *slot_of(struct cc_reuse *r, uint64_t line)
{
    uint32_t i = (uint32_t)mix(line) & r->mask;
    while (r->index[i] && r->lines[r->index[i] - 1].line != line)
        i = (i + 1) & r->mask;
    return &r->index[i];
}

/* --- fewer lines --- */

static bool looked_at(const struct cc_reuse *r, uint64_t line)
{
    return (mix(line ^ 0x5bd1e995u) >> 40 & ((1u << r->shift) - 1)) == 0;
}

/* Classes and marks of all lines, by their depth. */
static void measure(struct cc_reuse *r)
{
    uint32_t class = 0;
    uint64_t depth = 0;
    __builtin_memset(r->mark, 0xff, sizeof r->mark);
    for (uint32_t i = r->top; i != NONE; i = r->lines[i].down, depth++) {
        while (class < CC_REUSE_CLASSES && depth >= r->size[class])
            class ++;
        r->lines[i].class = class;
        for (uint32_t j = class; j < CC_REUSE_CLASSES && r->size[j] == depth + 1; j++)
            r->mark[j] = i;
    }
}

/* Half of the lines are forgotten; the others move to the front of their array, in order. */
static void thin_out(struct cc_reuse *r)
{
    r->shift++;
    set_sizes(r);
    struct line *old = r->lines;
    r->lines = r->host.map(r->host.self, (size_t)r->most * sizeof *r->lines);
    __builtin_memset(r->index, 0, ((size_t)r->mask + 1) * sizeof *r->index);
    uint32_t n = 0;
    for (uint32_t i = r->top; i != NONE; i = old[i].down) {
        if (!looked_at(r, old[i].line))
            continue;
        r->lines[n] = old[i];
        r->lines[n].up = n ? n - 1 : NONE;
        r->lines[n].down = n + 1;
        *slot_of(r, old[i].line) = n + 1;
        n++;
    }
    r->n = n;
    r->top = n ? 0 : NONE;
    r->bottom = n ? n - 1 : NONE;
    if (n)
        r->lines[n - 1].down = NONE;
    r->host.unmap(r->host.self, old, (size_t)r->most * sizeof *old);
    measure(r);
}

/* --- touching --- */

static void unlink_line(struct cc_reuse *r, const struct line *l)
{
    if (l->up != NONE)
        r->lines[l->up].down = l->down;
    else
        r->top = l->down;
    if (l->down != NONE)
        r->lines[l->down].up = l->up;
    else
        r->bottom = l->up;
}

static void put_on_top(struct cc_reuse *r, uint32_t i)
{
    struct line *l = &r->lines[i];
    l->up = NONE;
    l->down = r->top;
    if (r->top != NONE)
        r->lines[r->top].up = i;
    else
        r->bottom = i;
    r->top = i;
}

/* All lines above where the touched one was went down by one: in each class before its own, the last one is
 * now the next class's. */
static void move_marks(struct cc_reuse *r, uint32_t before)
{
    for (uint32_t j = r->first; j < before && r->mark[j] != NONE; j++) {
        struct line *l = &r->lines[r->mark[j]];
        if (l->class == j)
            l->class = j + 1;
        r->mark[j] = l->up;
    }
}

static uint32_t touch_known(struct cc_reuse *r, uint32_t i)
{
    struct line *l = &r->lines[i];
    uint32_t class = l->class, up = l->up;
    if (r->top == i)
        return class;
    bool marked = class < CC_REUSE_CLASSES && r->mark[class] == i;
    unlink_line(r, l);
    put_on_top(r, i);
    move_marks(r, class);
    if (marked)
        for (uint32_t j = class; j < CC_REUSE_CLASSES && r->mark[j] == i; j++)
            r->mark[j] = up;
    l->class = r->first;
    return class;
}

static void touch_new(struct cc_reuse *r, uint64_t line)
{
    uint32_t i = r->n++;
    r->lines[i] = (struct line){.line = line, .who = NONE};
    *slot_of(r, line) = i + 1;
    put_on_top(r, i);
    move_marks(r, CC_REUSE_CLASSES);
    r->lines[i].class = r->first;
    for (uint32_t j = 0; j < CC_REUSE_CLASSES; j++)
        if (r->size[j] == r->n)
            r->mark[j] = r->bottom;
}

/* Whether this pair is new. The set forgets when it is full: then some count again. */
static bool note_pair(struct cc_reuse *r, uint64_t line, uint32_t who)
{
    uint64_t key = mix(line * 0x10001u + who) | 1;
    if (r->nseen > r->mask / 4 * 3) {
        __builtin_memset(r->seen, 0, ((size_t)r->mask + 1) * sizeof *r->seen);
        r->nseen = 0;
    }
    uint32_t i = (uint32_t)(key >> 20) & r->mask;
    while (r->seen[i] && r->seen[i] != key)
        i = (i + 1) & r->mask;
    bool fresh = !r->seen[i];
    r->nseen += fresh;
    r->seen[i] = key;
    return fresh;
}

struct cc_reuse_found cc_reuse_touch(struct cc_reuse *r, uint64_t line, uint32_t who)
{
    if (r->shift && !looked_at(r, line))
        return (struct cc_reuse_found){0, 0, false};
    struct cc_reuse_found found = {CC_REUSE_COLD, 1u << r->shift, false};
    uint32_t known = *slot_of(r, line);
    if (known) {
        found.class = touch_known(r, known - 1);
    } else {
        while (r->n == r->most)
            thin_out(r);
        if (r->shift && !looked_at(r, line))
            return (struct cc_reuse_found){0, 0, false};
        found.weight = 1u << r->shift;
        touch_new(r, line);
    }
    struct line *l = &r->lines[r->top];
    if (l->who != who) {
        found.fresh = note_pair(r, line, who);
        l->who = who;
    }
    return found;
}
