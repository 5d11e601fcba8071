/* Accesses in a hurry: aligned, all in one state, and as before.
 *
 * Each node keeps what its loads *find*: a small table, by state and kind of load, of what reading such a
 * state does. Found again, a compare and a count there do; the counts reach streams and the node's tally when
 * somebody wants them. So it makes no difference which of a function's loads comes by, and neither values of
 * other writers nor calls from elsewhere drive anything out.
 *
 * A store needs no table: what it makes of a state depends on that alone if the node wrote it, else only on
 * the node (cc_rewritten), and the node counts it.
 *
 * For engines that run one thread at a time, and not while channels are watched. */
#ifndef CC_COLLECT_QUICK_H
#define CC_COLLECT_QUICK_H

#include "collect.h"

/* Two accesses side by side may be one here: `class` is then that of both together. Each is still counted,
 * and where they find different things, they are two. */
enum cc_how {
    CC_ONE,
    CC_TWICE, /* of one instruction, which is counted too (as cc_again does) */
    CC_APART, /* of two */
};

/* Where the access is in the shadow memory (cell.h). */
struct cc_spot {
    cc_cell *cell;  /* of its first word, with those behind it that it reaches */
    cc_cell *bytes; /* of its first byte; only used where the word is split, or to split it */
};

/* Where there is no other way to find it. False: there is no shadow memory yet, or it is not all there. */
static inline bool cc_quick_spot(const struct cc_thread *t, uint64_t a, uint32_t class, struct cc_spot *ret)
{
    uint64_t chunk = cc_chunk_of(a);
    cc_cell *words = t->directory[chunk], *bytes = class < 2 ? t->bytes[chunk] : words;
    if (!words || !bytes || cc_awkward(a, class))
        return false;
    *ret = (struct cc_spot){words + cc_cell_of(a), bytes + cc_byte_of(a)};
    return true;
}

static inline uint64_t cc_two_same(cc_cell s)
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
struct cc_seen {
    uint32_t state;
    uint64_t differ;
};

static inline __attribute__((always_inline)) struct cc_seen cc_quick_look(struct cc_spot at, uint32_t class)
{
    if (class >= 3) {
        uint64_t two = cc_two_cells(at.cell);
        return (struct cc_seen){(cc_cell)two, ((two >> 32) ^ (cc_cell)two) |
                                                  (class == 4 ? cc_two_cells(at.cell + 2) ^ two : 0)};
    }
    cc_cell s = *at.cell;
    if (class == 2 || __builtin_expect(s != CC_SPLIT, 1))
        return (struct cc_seen){s, 0};
    return (struct cc_seen){at.bytes[0], class == 1 ? at.bytes[0] ^ at.bytes[1] : 0};
}

/* A part of a word changes. */
static inline void cc_quick_put_part(struct cc_spot at, uint32_t offset, uint32_t size, cc_cell s)
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

static inline __attribute__((always_inline)) void cc_quick_put(struct cc_spot at, uint64_t a, uint32_t class,
                                                               cc_cell s)
{
    if (class < 2)
        cc_quick_put_part(at, a & 3, 1u << class, s);
    else if (class == 2)
        *at.cell = s;
    else
        cc_put_two(at.cell, cc_two_same(s));
    if (class == 4)
        cc_put_two(at.cell + 2, cc_two_same(s));
}

/* The state changes, or stays: which of the two is hard to foresee, and a store that is not needed cheap. Of
 * parts of words it is not, and 16 bytes at once are mostly read by loops where nothing changes. */
static inline __attribute__((always_inline)) void cc_quick_move(struct cc_spot at, uint64_t a, uint32_t class,
                                                                uint32_t old, uint32_t next)
{
    if (class == 2 || class == 3 || next != old)
        cc_quick_put(at, a, class, next);
}

/* Not 0: it is not aligned. */
static inline uint64_t cc_quick_awry(uint64_t a, uint32_t class)
{
    return a & (class <= 2 ? (1u << class) - 1 : 3);
}

/* Below, `class` is as in cc_read, and a constant, as `how` is. */

/* --- loads --- */

/* Of a state and a kind of load; never 0. States have less than 24 bits, and kinds of load that find the same
 * state are not to want the same place. */
#define CC_FIND_STATES 0xfff000u /* those of this number and beyond are in no find */
static inline uint32_t cc_find_key(uint32_t state, uint32_t class, enum cc_how how)
{
    return state + ((uint32_t)how * 8 + class + 1) * 0x0100009du;
}

/* Where it is looked for first, then in the one beside it. */
static inline struct cc_find *cc_find_place(const struct cc_thread *t, uint32_t key)
{
    return (struct cc_find *)((char *)t->finds + ((uint64_t)key * sizeof(struct cc_find) & t->finds_mask));
}

/* quick.c: the longer ways of what follows. */
/* The address takes part in the stream of the find. */
void cc_find_mark(struct cc_thread *t, uint64_t a, uint32_t class, const struct cc_find *f);
/* It was not where it is looked for first. False: it is in several states, or in none yet, or not aligned,
 * and nothing was done. */
bool cc_quick_load_other(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_how how, struct cc_spot at);
/* All counts of finds go to streams and nodes, and nothing is found any more: streams are about to end, or
 * states to change. */
void cc_finds_forget(struct cc_collect *c);

static inline __attribute__((always_inline)) void cc_quick_found(struct cc_thread *t, uint64_t a,
                                                                 uint32_t class, struct cc_find *f,
                                                                 uint32_t state, struct cc_spot at)
{
    uint32_t next = f->next;
    f->count++;
    cc_quick_move(at, a, class, state, next & CC_FIND_NEXT);
    if (__builtin_expect(next & CC_FIND_MARK, 0))
        cc_find_mark(t, a, class, f);
}

/* Whether it was as before. */
static inline __attribute__((always_inline)) bool
cc_quick_load(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_how how, struct cc_spot at)
{
    struct cc_seen s = cc_quick_look(at, class);
    uint32_t key = cc_find_key(s.state, class, how);
    struct cc_find *f = cc_find_place(t, key);
    if (__builtin_expect((f->key ^ key) | s.differ | cc_quick_awry(a, class), 0))
        return false;
    cc_quick_found(t, a, class, f, s.state, at);
    return true;
}

/* --- stores --- */

/* Of two: one is on the stack, the other beside it. */
static inline bool cc_quick_astride(const struct cc_thread *t, uint64_t a, uint32_t class)
{
    return cc_on_stack(t, a) != cc_on_stack(t, a + (1u << class) / 2);
}

static inline __attribute__((always_inline)) void cc_quick_stored(struct cc_thread *t, uint32_t class,
                                                                  enum cc_how how, uint32_t stack)
{
    t->tally->writes[stack].n[class - (how != CC_ONE)] += how == CC_ONE ? 1 : 2;
    if (how == CC_TWICE)
        t->tally->again[stack]++;
}

/* False: it is not aligned, or astride the end of the stack, and nothing was done. */
static inline __attribute__((always_inline)) bool
cc_quick_store_other(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_how how, struct cc_spot at)
{
    if (cc_quick_awry(a, class) || (how != CC_ONE && cc_quick_astride(t, a, class)))
        return false;
    struct cc_seen s = cc_quick_look(at, class);
    uint32_t stack = cc_on_stack(t, a);
    bool several = s.differ != 0 || s.state == CC_SPLIT;
    if (several || !s.state)
        cc_shadow_touch(t->owner, a, 1u << class);
    if (!s.state && cc_may_be_fresh(a, 1u << class))
        cc_shadow_fresh(t, a);
    cc_quick_put(at, a, class, several ? t->writer_state[stack] : cc_overwrite(t, s.state, stack));
    cc_quick_stored(t, class, how, stack);
    return true;
}

/* Whether it found one state whose next is known: some 25 instructions, and beside the cells two lines that
 * all stores of the function share. */
static inline __attribute__((always_inline)) bool
cc_quick_store(struct cc_thread *t, uint64_t a, uint32_t class, enum cc_how how, struct cc_spot at)
{
    struct cc_seen s = cc_quick_look(at, class);
    if (__builtin_expect((s.differ | cc_quick_awry(a, class)) || s.state - 1 >= CC_SPLIT - 1, 0) ||
        (how != CC_ONE && cc_quick_astride(t, a, class)))
        return false;
    uint32_t stack = cc_on_stack(t, a), next = cc_rewritten(t, s.state, stack);
    if (__builtin_expect(!next, 0))
        return false;
    cc_quick_move(at, a, class, s.state, next);
    cc_quick_stored(t, class, how, stack);
    return true;
}

#endif
