/* The enumeration; private to this room. */
#ifndef CC_ANALYSIS_ITEMSETS_LCM_H
#define CC_ANALYSIS_ITEMSETS_LCM_H

#include "db.h"

#include <stdatomic.h>

/* Transactions over items 0..nitems-1, sorted within each. The first `nlow` items may not be added: a set
 * whose closure holds one of them belongs to another branch. The others are in ascending order of support,
 * rarest first: branches of rare items have many items to add but few transactions, and the other way round.
 */
struct sparse {
    uint32_t n, nitems, nlow;
    uint32_t *start, *items, *weights; /* row t is items[start[t] .. start[t+1]) */
    uint32_t *occ_start, *occ;         /* rows that hold item i: occ[occ_start[i] .. occ_start[i+1]) */
    const uint32_t *name;              /* item -> number in the file */
};

/* What the rows with an item hold besides it. */
struct shared {
    uint32_t *items; /* low ones first, then high ones, each in its final order */
    uint32_t n, nlow;
};

/* Sets found by one branch, waiting for their turn: support, n, items … */
struct found_list {
    uint32_t *v;
    size_t n, cap;
};

/* A stack of memory: everything a branch takes is given back when it is left. */
struct stack_block {
    _Alignas(16) struct stack_block *prev; /* what follows the header is aligned for any type */
    size_t used, size;
};
struct stack {
    struct stack_block *top;
};
struct stack_mark {
    struct stack_block *block;
    size_t used;
};

struct miner {
    uint32_t min_support;
    struct stack stack;
    uint32_t *counts; /* of the root's items; all 0 between uses */
    uint32_t *set;    /* the set being extended */
    size_t nset;
    bool list; /* keep the sets, not only their number */
    struct found_list found;
    uint64_t closed, limit;
    size_t longest;
    atomic_bool *stop;
};

void *lcm_stack_alloc(struct stack *s, size_t bytes); /* not cleared */
void lcm_stack_fini(struct stack *s);
struct stack_mark lcm_stack_mark(const struct stack *s);
void lcm_stack_release(struct stack *s, struct stack_mark mark);

/* All closed sets that hold `item`, none of the lower items, and what m->set holds already. */
void lcm_sparse_branch(struct miner *m, const struct sparse *db, uint32_t item, uint32_t *counts);
void lcm_sparse_index(struct sparse *db, struct stack *s);
void lcm_miner_emit(struct miner *m, uint32_t support);

/* The same in few items: a row is a word, low items in its low bits. Sorted by the bits of `may`, so that
 * rows alike there are neighbours. count: support and closure of every item that may be added. branch: as
 * lcm_sparse_branch, for an item that count found frequent. sort: also merges rows that are alike. descend:
 * the branch of `item` of a database of lists; place[i] is 1 + the bit of item i. */
#define CC_WORDS(WORD, BITS, NAME)                                                                         \
    struct NAME##_words {                                                                                  \
        uint32_t n;                                                                                        \
        WORD *rows;                                                                                        \
        uint32_t *weights;                                                                                 \
        WORD may, never; /* items that may be added, and those that may not */                             \
        const uint32_t *name;                                                                              \
    };                                                                                                     \
    struct NAME##_counts {                                                                                 \
        WORD frequent;                                                                                     \
        uint32_t support[BITS];                                                                            \
        WORD closure[BITS];                                                                                \
    };                                                                                                     \
    void NAME##_sort(struct miner *m, struct NAME##_words *db, unsigned nlow, unsigned nitems);            \
    void NAME##_count(const struct miner *m, const struct NAME##_words *db, struct NAME##_counts *ret);    \
    void NAME##_branch(struct miner *m, const struct NAME##_words *db, const struct NAME##_counts *counts, \
                       unsigned item);                                                                     \
    void NAME##_descend(struct miner *m, const struct sparse *db, uint32_t item, const struct shared *s,   \
                        const uint32_t *place, const uint32_t *name);

CC_WORDS(uint64_t, 64, lcm_words64)
CC_WORDS(unsigned __int128, 128, lcm_words128)

#endif
