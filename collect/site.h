/* Access sites: what one load or store of translated code found last time. Code mostly finds the same again:
 * words in a state that its node has read already, or has not read yet, or has written. Then a compare and a
 * count in the site's own record do, and the counts reach streams and nodes when somebody wants them
 * (cc_sites_flush).
 *
 * A record may also be about two accesses of one instruction at once, side by side (`twice`): `class` is then
 * that of both together. Each is still counted, and where they find different things, they are two.
 *
 * For engines that run one thread at a time, and not while channels are watched: records are shared by all
 * threads, told apart by the node. An engine keeps a record for each access of its translated code, zeroed
 * but for `class` and `twice`. */
#ifndef CC_COLLECT_SITE_H
#define CC_COLLECT_SITE_H

#include "collect.h"

#define CC_NO_CELLS (~UINT64_C(0))

struct cc_load_site {
    uint64_t node;  /* cc_thread.reader_key of the node it is about; 0: none */
    uint64_t cells; /* two words in a state that holds the node; CC_NO_CELLS: none */
    uint64_t count; /* reads that found them so, not yet on the stream */
    uint64_t pre;   /* two words in a state that does not hold the node */
    uint64_t post;  /* what they become */
    uint64_t first; /* reads that found them so */
    uint64_t page;  /* cc_page_of the last address that was marked; 0: none */
    uint64_t *bits; /* its bitmap */
    struct cc_stream *stream, *first_stream;
    uint64_t *edge, *first_edge; /* see cc_lookup */
    struct cc_counts *reads;     /* the node's two */
    uint64_t held;               /* `node` before the counts were flushed; what is above still holds for it */
    uint8_t class, twice, fresh, misses, stack, first_stack;
    bool known;  /* first reads need not mark their addresses */
    bool active; /* among those to be flushed */
};

struct cc_store_site {
    uint64_t node;
    uint64_t pre, post; /* two words that the node writes over, and what they become */
    uint64_t count;
    uint64_t held;
    struct cc_counts *writes; /* the node's, on that side of the stack */
    uint32_t stack;           /* what it is about lies on the stack */
    uint8_t class, twice, misses;
    bool active;
};

/* Where the access is in the shadow memory (cell.h). */
struct cc_spot {
    cc_cell *cell;  /* of its first word, with those behind it that it reaches */
    cc_cell *bytes; /* of its first byte; only used where the word is split, or to split it */
};

enum {
    CC_PATIENCE = 4
}; /* misses after which a record is about what it finds now: two that take turns would drive each
     other out at every access */

/* All counts go to streams and nodes. `forget`: these are about to end. */
void cc_sites_flush(struct cc_collect *c, bool forget);

/* site.c: the longer ways of what follows. */
const struct cc_transition *cc_site_transition(struct cc_thread *t, uint32_t state);
void cc_site_mark(struct cc_thread *t, uint64_t a,
                  struct cc_load_site *l); /* the address takes part in l->first_stream */
void cc_site_adopt_held(struct cc_thread *t, struct cc_load_site *l, uint64_t cells,
                        const struct cc_transition *m);
void cc_site_adopt_first(struct cc_thread *t, struct cc_load_site *l, uint64_t cells,
                         const struct cc_transition *m);
void cc_site_adopt_store(struct cc_thread *t, struct cc_store_site *l, uint64_t cells, uint32_t stack);
void cc_site_first(struct cc_thread *t, uint64_t a, uint32_t class,
                   const struct cc_transition *m); /* without a record; it is counted */

static inline uint64_t cc_twice(cc_cell s)
{
    return (uint64_t)s << 32 | s;
}

static inline uint64_t cc_two_cells(const cc_cell *cell)
{
    uint64_t two;
    __builtin_memcpy(&two, cell, sizeof two);
    return two;
}

static inline void cc_put_two(cc_cell *cell, uint64_t two)
{
    __builtin_memcpy(cell, &two, sizeof two);
}

/* The state that all of an aligned access is in, twice; anything else where it is in several. */
static inline __attribute__((always_inline)) uint64_t cc_site_cells(struct cc_spot at, uint32_t class)
{
    if (class >= 3) {
        uint64_t two = cc_two_cells(at.cell);
        return class == 4 && cc_two_cells(at.cell + 2) != two ? 0 : two;
    }
    cc_cell s = *at.cell;
    if (class < 2 && __builtin_expect(s == CC_SPLIT, 0))
        s = class == 0 || at.bytes[0] == at.bytes[1] ? at.bytes[0] : 0;
    return cc_twice(s);
}

/* A part of a word changes. */
static inline void cc_site_put_part(struct cc_spot at, uint32_t offset, uint32_t size, cc_cell s)
{
    cc_cell *four = at.bytes - offset;
    if (*at.cell != CC_SPLIT) {
        four[0] = four[1] = four[2] = four[3] = *at.cell;
        *at.cell = CC_SPLIT;
    }
    for (uint32_t i = 0; i < size; i++)
        at.bytes[i] = s;
    if (four[0] == four[1] && four[1] == four[2] && four[2] == four[3])
        *at.cell = s;
}

static inline __attribute__((always_inline)) void cc_site_put(struct cc_spot at, uint64_t a, uint32_t class,
                                                              uint64_t cells)
{
    if (class < 2)
        cc_site_put_part(at, a & 3, 1u << class, (cc_cell)cells);
    else if (class == 2)
        *at.cell = (cc_cell)cells;
    else
        cc_put_two(at.cell, cells);
    if (class == 4)
        cc_put_two(at.cell + 2, cells);
}

static inline bool cc_site_aligned(uint64_t a, uint32_t class)
{
    return (a & (class <= 2 ? (1u << class) - 1 : 3)) == 0;
}

/* One state, of something that was written. */
static inline bool cc_site_plain(uint64_t cells)
{
    return cells == cc_twice((cc_cell)cells) && cells && !(cells & CC_SPLIT);
}

/* Below, `class` is as in cc_read, a constant, and the record's. A record that is about something else leaves
 * it to the cache of transitions that all share. False: it is in several states, or in none yet, or not
 * aligned, and nothing was done. */

static inline __attribute__((always_inline)) bool
cc_site_read_other(struct cc_thread *t, uint64_t a, struct cc_load_site *l, uint32_t class, struct cc_spot at)
{
    uint64_t cells = cc_site_aligned(a, class) ? cc_site_cells(at, class) : 0;
    if (__builtin_expect(!cc_site_plain(cells), 0))
        return false;
    uint32_t s = (cc_cell)cells;
    const struct cc_transition *m = &t->moves[(s ^ t->salt) & (CC_LOOKUPS - 1)];
    if (__builtin_expect(m->key != (t->reader_key | s), 0))
        m = cc_site_transition(t, s);
    if (!m->holds)
        cc_site_put(at, a, class, cc_twice(m->next));
    if (l->node && ++l->misses < CC_PATIENCE) {
        cc_count_read(m->stream, m->edge, class - l->twice, UINT64_C(1) << l->twice);
        t->tally->reads[m->stack].n[class - l->twice] += UINT64_C(1) << l->twice;
        if (!m->holds)
            cc_site_first(t, a, class, m);
    } else if (m->holds) {
        cc_site_adopt_held(t, l, cells, m);
        l->count++;
    } else {
        cc_site_adopt_first(t, l, cells, m);
        l->first++;
        if (!l->known)
            cc_site_mark(t, a, l);
    }
    return true;
}

/* Whether it was as last time. */
static inline __attribute__((always_inline)) bool
cc_site_read(struct cc_thread *t, uint64_t a, struct cc_load_site *l, uint32_t class, struct cc_spot at)
{
    uint64_t cells = cc_site_cells(at, class);
    if (__builtin_expect(l->node != t->reader_key || !cc_site_aligned(a, class), 0))
        return false;
    if (__builtin_expect(cells == l->cells, 1)) {
        l->count++;
        return true;
    }
    if (cells != l->pre)
        return false;
    cc_site_put(at, a, class, l->post);
    l->first++;
    if (!l->known)
        cc_site_mark(t, a, l);
    return true;
}

static inline __attribute__((always_inline)) bool cc_site_write_other(struct cc_thread *t, uint64_t a,
                                                                      struct cc_store_site *l, uint32_t class,
                                                                      struct cc_spot at)
{
    uint64_t cells = cc_site_aligned(a, class) ? cc_site_cells(at, class) : 0;
    if (__builtin_expect(!cc_site_plain(cells), 0))
        return false;
    uint32_t stack = cc_on_stack(t, a);
    if (l->node && ++l->misses < CC_PATIENCE) {
        cc_site_put(at, a, class, cc_twice(cc_overwrite(t, (cc_cell)cells, stack)));
        t->tally->writes[stack].n[class - l->twice] += UINT64_C(1) << l->twice;
        return true;
    }
    cc_site_adopt_store(t, l, cells, stack);
    cc_site_put(at, a, class, l->post);
    l->count++;
    return true;
}

static inline __attribute__((always_inline)) bool
cc_site_write(struct cc_thread *t, uint64_t a, struct cc_store_site *l, uint32_t class, struct cc_spot at)
{
    uint64_t cells = cc_site_cells(at, class);
    if (__builtin_expect(
            l->node != t->reader_key || !cc_site_aligned(a, class) || cc_on_stack(t, a) != l->stack, 0))
        return false;
    if (cells != l->post) {
        if (cells != l->pre)
            return false;
        cc_site_put(at, a, class, l->post);
    }
    l->count++;
    return true;
}

#endif
