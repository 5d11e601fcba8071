/* Access sites: what one load or store of translated code found last time. Code mostly finds the same again:
 * words in a state that its node has read already, or has not read yet, or has written. Then a compare and a
 * count in the site's own record do, and the counts reach edges and nodes when somebody wants them
 * (cc_sites_flush).
 *
 * For engines that run one thread at a time, and not while channels are watched: records are shared by all
 * threads, told apart by the node. An engine keeps a record for each access of its translated code, zeroed
 * but for `class`. */
#ifndef CC_COLLECT_SITE_H
#define CC_COLLECT_SITE_H

#include "collect.h"

#define CC_NO_CELLS (~UINT64_C(0))

struct cc_load_site {
    uint64_t node;  /* cc_thread.reader_key of the node it is about; 0: none */
    uint64_t cells; /* two words in a state that holds the node; CC_NO_CELLS: none */
    uint64_t count; /* reads that found them so, not yet on the edge */
    uint64_t pre;   /* two words in a state that does not hold the node */
    uint64_t post;  /* what they become */
    uint64_t first; /* reads that found them so */
    uint64_t page;  /* address >> 9 of, */
    uint64_t *bits; /* the bitmap of that stream's addresses there */
    struct cc_edge *edge, *first_edge;
    struct cc_stream *stream; /* of first reads */
    uint64_t held;            /* `node` before the counts were flushed */
    uint8_t class, fresh, misses;
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
    uint8_t class;
    bool active;
};

/* What is not as last time. */
void cc_site_read_first(struct cc_thread *t, uint64_t a, struct cc_load_site *l);
void cc_site_read_other(struct cc_thread *t, uint64_t a, struct cc_load_site *l);
void cc_site_write_other(struct cc_thread *t, uint64_t a, struct cc_store_site *l);

/* All counts go to edges and nodes. `forget`: these are about to end. */
void cc_sites_flush(struct cc_collect *c, bool forget);

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

static inline bool cc_site_aligned(uint64_t a, uint32_t class)
{
    return (a & (class <= 2 ? (1u << class) - 1 : 3)) == 0;
}

/* The words at `cell` as one value; 0 where they differ among sixteen bytes. */
static inline __attribute__((always_inline)) uint64_t cc_site_cells(const cc_cell *cell, uint32_t class)
{
    if (class <= 2)
        return cc_twice(*cell);
    uint64_t two = cc_two_cells(cell);
    return class == 4 && cc_two_cells(cell + 2) != two ? 0 : two;
}

static inline __attribute__((always_inline)) void cc_site_put(cc_cell *cell, uint32_t class, uint64_t cells)
{
    if (class <= 2)
        *cell = (cc_cell)cells;
    else
        cc_put_two(cell, cells);
    if (class == 4)
        cc_put_two(cell + 2, cells);
}

/* `cell`: of the word at a, with those behind it that the access reaches (cell.h: within one chunk, unless
 * the shadow is one piece); `class` as in cc_read, and as in the record. */
static inline __attribute__((always_inline)) void
cc_site_read(struct cc_thread *t, uint64_t a, struct cc_load_site *l, uint32_t class, cc_cell *cell)
{
    uint64_t cells = cc_site_cells(cell, class);
    if (__builtin_expect(l->node == t->reader_key && cc_site_aligned(a, class), 1)) {
        if (__builtin_expect(cells == l->cells, 1)) {
            l->count++;
            return;
        }
        if (class >= 2 && cells == l->pre) {
            cc_site_put(cell, class, l->post);
            l->first++;
            if (!l->known)
                cc_site_read_first(t, a, l);
            return;
        }
    }
    cc_site_read_other(t, a, l);
}

static inline __attribute__((always_inline)) void
cc_site_write(struct cc_thread *t, uint64_t a, struct cc_store_site *l, uint32_t class, cc_cell *cell)
{
    uint64_t cells = cc_site_cells(cell, class);
    if (__builtin_expect(
            l->node == t->reader_key && cc_site_aligned(a, class) && cc_on_stack(t, a) == l->stack, 1)) {
        if (cells == l->post) {
            l->count++;
            return;
        }
        if (class >= 2 && cells == l->pre) {
            cc_site_put(cell, class, l->post);
            l->count++;
            return;
        }
    }
    cc_site_write_other(t, a, l);
}

#endif
