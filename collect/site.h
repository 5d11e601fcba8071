/* Access sites: what one load of translated code found lately. Code mostly finds the same few things
 * again: words in a state that its node has read already, or has not read yet. Each is a *way*: found again,
 * a compare and a count in the site's own record do, and the counts reach streams and nodes when somebody
 * wants them (cc_sites_flush). A way is found by the state and the node, so that values written by several,
 * and functions called from several places, do not drive each other out.
 *
 * A record may also be about two loads at once, side by side (`twice`): `class` is then that of both
 * together. Each is still counted, and unless they are `apart`, that they are of one instruction (as cc_again
 * does); where they find different things, they are two.
 *
 * A store needs no record: what it makes of a state depends on that alone if the node wrote it, else only on
 * the node (cc_rewritten), and the node counts it.
 *
 * For engines that run one thread at a time, and not while channels are watched: records are shared by all
 * threads, told apart by the node. An engine keeps a record for each load of its translated code, zeroed
 * but for `class` and `twice`, and aligned so that a load that finds what it found before touches one line
 * of the cache. */
#ifndef CC_COLLECT_SITE_H
#define CC_COLLECT_SITE_H

#include "collect.h"

enum { CC_WAYS = 4 };
/* In `next`: */
#define CC_NEXT 0xffffffu     /* the state afterwards; what leads to one with a larger number is in no way */
#define CC_ATTEND 0x80000000u /* there is more to do at this access than to count it */
enum { CC_SHIFT_AT = 24 };    /* of the first way: how the site spreads what it finds, see cc_site_way */
#define CC_SHIFT (31u << CC_SHIFT_AT)

struct cc_way {
    uint64_t key; /* cc_thread.reader_key | state; 0: none */
    uint32_t next;
    uint32_t count; /* accesses that found it so, not yet told; cc_tick comes before there can be 2^32 */
};

struct cc_load_more { /* of a way */
    struct cc_stream *stream;
    uint64_t *edge;         /* see cc_lookup */
    struct cc_tally *tally; /* the node's */
    uint64_t *bits;         /* addresses of the page that took part in the stream */
    uint64_t fresh : 8;     /* bit per level, of first reads */
    uint64_t stack : 1;
    uint64_t page : 40; /* cc_page_of the last address that was marked there; CC_NO_PAGE: none */
};
#define CC_NO_PAGE ((UINT64_C(1) << 40) - 1)

struct cc_load_site {
    _Alignas(CC_LINE) struct cc_way ways[CC_WAYS];
    uint8_t class, twice, misses, seconds; /* seconds: found in the other of two ways */
    uint8_t rare;                          /* not found lately by anyone */
    bool active;                           /* among those to be flushed */
    bool apart;                            /* of two instructions */
    struct cc_load_more more[CC_WAYS];
};

/* Where the access is in the shadow memory (cell.h). */
struct cc_spot {
    cc_cell *cell;  /* of its first word, with those behind it that it reaches */
    cc_cell *bytes; /* of its first byte; only used where the word is split, or to split it */
};

/* Where there is no other way to find it. False: there is no shadow memory yet, or it is not all there. */
static inline bool cc_site_spot(const struct cc_thread *t, uint64_t a, uint32_t class, struct cc_spot *ret)
{
    uint64_t chunk = cc_chunk_of(a);
    cc_cell *words = t->directory[chunk], *bytes = class < 2 ? t->bytes[chunk] : words;
    if (!words || !bytes || cc_awkward(a, class))
        return false;
    *ret = (struct cc_spot){words + cc_cell_of(a), bytes + cc_byte_of(a)};
    return true;
}

enum {
    CC_PATIENCE = 4, /* misses after which a way is about what is found now: two that take turns would drive
                        each other out at every access */
    CC_RARE = 4,    /* of what nobody in the thread found lately, every so many get a way: most of it is never
                       met again, and a way that is given up has to be counted where it belongs */
    CC_SECONDS = 64 /* finds in the second place after which the ways are spread anew */
};

/* All counts go to streams and nodes. `forget`: these are about to end. */
void cc_sites_flush(struct cc_collect *c, bool forget);

/* site.c: the longer ways of what follows. */
/* Of the access; &t->alone: it will not be met again. */
const struct cc_transition *cc_site_transition(struct cc_thread *t, uint32_t state, uint64_t a,
                                               uint32_t class);
/* The address takes part in the way's stream. */
void cc_site_mark(struct cc_thread *t, uint64_t a, struct cc_load_site *l, const struct cc_way *w);
/* The way is about that transition from now on; returns it. */
struct cc_way *cc_site_adopt_load(struct cc_thread *t, struct cc_load_site *l, struct cc_way *w,
                                  const struct cc_transition *m);
/* Ways that want the same place, told apart by other bits from now on if some will do. */
void cc_site_spread_load(struct cc_load_site *l);
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

/* The state of an aligned access, and whether some of it is in another (not 0). */
struct cc_found {
    uint32_t state;
    uint64_t differ;
};

static inline __attribute__((always_inline)) struct cc_found cc_site_find(struct cc_spot at, uint32_t class)
{
    if (class >= 3) {
        uint64_t two = cc_two_cells(at.cell);
        return (struct cc_found){(cc_cell)two, ((two >> 32) ^ (cc_cell)two) |
                                                   (class == 4 ? cc_two_cells(at.cell + 2) ^ two : 0)};
    }
    cc_cell s = *at.cell;
    if (class == 2 || __builtin_expect(s != CC_SPLIT, 1))
        return (struct cc_found){s, 0};
    return (struct cc_found){at.bytes[0], class == 1 ? at.bytes[0] ^ at.bytes[1] : 0};
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

/* Not 0: it is not aligned. */
static inline uint64_t cc_site_awry(uint64_t a, uint32_t class)
{
    return a & (class <= 2 ? (1u << class) - 1 : 3);
}

/* Of a pair: one of the two is on the stack, the other beside it. */
static inline bool cc_site_astride(const struct cc_thread *t, uint64_t a, uint32_t class)
{
    return cc_on_stack(t, a) != cc_on_stack(t, a + (1u << class) / 2);
}

/* Where it is looked for first, then in the one beside it. Which of the two it is in nobody foresees where a
 * site finds several things in turn, so each site takes bits that tell its own apart. */
static inline struct cc_way *cc_site_way(const struct cc_thread *t, struct cc_way *ways, uint32_t state)
{
    return &ways[(state ^ t->salt) >> (ways->next >> CC_SHIFT_AT & 31) & (CC_WAYS - 1)];
}

/* Where something that is in none of its two ways may go: an empty one, or after some misses that of another.
 * NULL: nowhere. */
static inline struct cc_way *cc_site_room(struct cc_way *ways, struct cc_way *w, uint8_t *misses)
{
    struct cc_way *second = &ways[(w - ways) ^ 1];
    if (!w->key || !second->key)
        return w->key ? second : w;
    if (++*misses < CC_PATIENCE)
        return NULL;
    *misses = 0;
    return w->count <= second->count ? w : second;
}

/* The same of what is in the cache of transitions now, and was there already or not. */
static inline struct cc_way *cc_site_wanted(struct cc_load_site *l, struct cc_way *w, uint32_t next,
                                            bool lately)
{
    if (next > CC_NEXT || (!lately && ++l->rare % CC_RARE))
        return NULL;
    return cc_site_room(l->ways, w, &l->misses);
}

/* The state changes, or stays: which of the two is hard to foresee, and a store that is not needed cheap. Of
 * parts of words it is not, and 16 bytes at once are mostly read by loops where nothing changes. */
static inline __attribute__((always_inline)) void cc_site_move(struct cc_spot at, uint64_t a, uint32_t class,
                                                               uint32_t old, uint32_t next)
{
    if (class == 2 || class == 3 || next != old)
        cc_site_put(at, a, class, cc_twice(next));
}

/* Below, `class` is as in cc_read, a constant, and the record's. A record that is about something else leaves
 * it to the cache of transitions that all share. False: it is in several states, or for loads in none yet, or
 * not aligned, and nothing was done. */

static inline __attribute__((always_inline)) void cc_site_found_load(struct cc_thread *t, uint64_t a,
                                                                     struct cc_load_site *l, struct cc_way *w,
                                                                     uint32_t class, struct cc_spot at)
{
    uint32_t next = w->next;
    w->count++;
    cc_site_move(at, a, class, (uint32_t)w->key, next & CC_NEXT);
    if (__builtin_expect(next & CC_ATTEND, 0))
        cc_site_mark(t, a, l, w);
}

static inline __attribute__((always_inline)) bool
cc_site_read_other(struct cc_thread *t, uint64_t a, struct cc_load_site *l, uint32_t class, struct cc_spot at)
{
    struct cc_found f = cc_site_find(at, class);
    uint32_t s = f.state;
    if (__builtin_expect((f.differ | cc_site_awry(a, class)) || !s || s == CC_SPLIT, 0))
        return false;
    struct cc_way *w = cc_site_way(t, l->ways, s), *second = &l->ways[(w - l->ways) ^ 1];
    if (second->key == (t->reader_key | s)) {
        cc_site_found_load(t, a, l, second, class, at);
        if (__builtin_expect(++l->seconds >= CC_SECONDS, 0))
            cc_site_spread_load(l);
        return true;
    }
    const struct cc_transition *m = &t->moves[(s ^ t->salt) & (CC_LOOKUPS - 1)];
    bool lately = m->key == (t->reader_key | s);
    if (__builtin_expect(!lately, 0))
        m = cc_site_transition(t, s, a, class);
    w = m == &t->alone ? NULL : cc_site_wanted(l, w, m->next, lately);
    if (w) {
        cc_site_found_load(t, a, l, cc_site_adopt_load(t, l, w, m), class, at);
        return true;
    }
    cc_count_read(t, m->stream, m->edge, class - l->twice, UINT64_C(1) << l->twice);
    t->tally->reads[m->stack].n[class - l->twice] += UINT64_C(1) << l->twice;
    t->tally->again[m->stack] += l->twice && !l->apart;
    if (!m->holds) {
        cc_site_put(at, a, class, cc_twice(m->next));
        cc_site_first(t, a, class, m);
    }
    return true;
}

/* Whether it was as one of the last times. */
static inline __attribute__((always_inline)) bool
cc_site_read(struct cc_thread *t, uint64_t a, struct cc_load_site *l, uint32_t class, struct cc_spot at)
{
    struct cc_found f = cc_site_find(at, class);
    struct cc_way *w = cc_site_way(t, l->ways, f.state);
    if (__builtin_expect((w->key ^ (t->reader_key | f.state)) | f.differ | cc_site_awry(a, class), 0))
        return false;
    cc_site_found_load(t, a, l, w, class, at);
    return true;
}

/* Stores: `how` is a constant too. */
enum cc_stores {
    CC_STORE,
    CC_STORE_TWICE, /* two side by side, of one instruction */
    CC_STORE_APART, /* the same of two */
};

static inline __attribute__((always_inline)) void cc_site_stored(struct cc_thread *t, uint32_t class,
                                                                 enum cc_stores how, uint32_t stack)
{
    t->tally->writes[stack].n[class - (how != CC_STORE)] += how == CC_STORE ? 1 : 2;
    if (how == CC_STORE_TWICE)
        t->tally->again[stack]++;
}

/* False: it is not aligned, or astride the end of the stack, and nothing was done. */
static inline __attribute__((always_inline)) bool
cc_site_write_other(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_stores how, struct cc_spot at)
{
    if (cc_site_awry(a, class) || (how != CC_STORE && cc_site_astride(t, a, class)))
        return false;
    struct cc_found f = cc_site_find(at, class);
    uint32_t stack = cc_on_stack(t, a);
    bool several = f.differ != 0 || f.state == CC_SPLIT;
    if (several || !f.state)
        cc_shadow_touch(t->owner, a, 1u << class);
    cc_site_put(at, a, class, cc_twice(several ? t->writer_state[stack] : cc_overwrite(t, f.state, stack)));
    cc_site_stored(t, class, how, stack);
    return true;
}

/* Whether it found one state whose next is known: some 25 instructions, and beside the cells two lines that
 * all stores of the function share. */
static inline __attribute__((always_inline)) bool
cc_site_write(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_stores how, struct cc_spot at)
{
    struct cc_found f = cc_site_find(at, class);
    if (__builtin_expect((f.differ | cc_site_awry(a, class)) || f.state - 1 >= CC_SPLIT - 1, 0) ||
        (how != CC_STORE && cc_site_astride(t, a, class)))
        return false;
    uint32_t stack = cc_on_stack(t, a), next = cc_rewritten(t, f.state, stack);
    if (__builtin_expect(!next, 0))
        return false;
    cc_site_move(at, a, class, f.state, next);
    cc_site_stored(t, class, how, stack);
    return true;
}

#endif
