/* The transactions as the miner reads them; private to this room. */
#ifndef CC_ANALYSIS_ITEMSETS_DB_H
#define CC_ANALYSIS_ITEMSETS_DB_H

#include "itemsets.h"
#include "../../base/map.h"

/* Item -> 32-bit number: an array for the small items that files mostly have, a map for the others. */
struct item_table {
    uint32_t *small;
    size_t nsmall;
    struct cc_map large;
};
void lcm_item_set(struct item_table *t, uint32_t item, uint32_t value);
uint32_t lcm_item_get(const struct item_table *t, uint32_t item); /* 0 if never set */
void lcm_item_table_fini(struct item_table *t);

/* Transactions one after the other, none of them cut: weight, number of items, then the items as differences,
 * all as varints. Threads take pieces in turn, so a piece is small. */
struct db_piece {
    uint8_t *bytes;
    size_t n, cap;
};

struct cc_itemsets_db {
    CC_VEC(struct db_piece) pieces;
    size_t rows, longest;
    uint64_t transactions, entries;
    struct item_table support; /* of single items, with weights, at most UINT32_MAX */
    size_t distinct;
};

/* Reads the transaction at *at, moves *at behind it, returns its items in `items` (room for the longest one).
 */
size_t lcm_piece_row(const struct db_piece *piece, size_t *at, uint32_t *items, uint32_t *weight);
/* Calls each(arg, item, support) for every distinct item, in ascending order of item for the small ones. */
void lcm_db_each_item(const struct cc_itemsets_db *db,
                      void (*each)(void *arg, uint32_t item, uint32_t support), void *arg);
/* Moves all transactions of `from` to `db` and leaves it empty. */
void lcm_db_absorb(struct cc_itemsets_db *db, struct cc_itemsets_db *from);

#endif
