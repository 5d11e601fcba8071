/* The rows of the root of the search; private to this room. */
#ifndef CC_ANALYSIS_ITEMSETS_ROWS_H
#define CC_ANALYSIS_ITEMSETS_ROWS_H

#include "db.h"

/* Different rows, each with the sum of the weights of those alike. Row k is items[start[k] .. start[k+1]). */
struct lcm_rows {
    CC_VEC(uint32_t) items, start, weights;
    uint32_t *slots; /* 1 + number of a row, by what it holds */
    size_t nslots;
};

/* The transactions of `db` in the items that have a number (from 1; rows have it less 1), all below
 * `nitems`, ascending in each. Without its infrequent items a dense file has far fewer different rows. */
void lcm_rows_new(const struct cc_itemsets_db *db, const struct item_table *number, uint32_t nitems,
                  unsigned threads, struct lcm_rows *ret);
void lcm_rows_fini(struct lcm_rows *r);

#endif
