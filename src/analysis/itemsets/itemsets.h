/* Closed frequent itemsets: every set of items that at least `min_support` transactions contain and to which
 * no further item can be added without losing a transaction. Exact; the order of the results does not depend
 * on the number of threads. */
#ifndef CC_ANALYSIS_ITEMSETS_ITEMSETS_H
#define CC_ANALYSIS_ITEMSETS_ITEMSETS_H

#include "../../base/count.h"
#include "../../base/err.h"

/* Transactions, held as a few bytes an item. */
struct cc_itemsets_db;

struct cc_itemsets_db *cc_itemsets_db_new(void);
void cc_itemsets_db_free(struct cc_itemsets_db *db);
/* Adds a transaction that counts `weight` times; items in any order, repeated ones count once. `items` is
 * sorted in place. */
void cc_itemsets_db_add(struct cc_itemsets_db *db, uint32_t *items, size_t n, uint32_t weight);
uint64_t cc_itemsets_db_transactions(const struct cc_itemsets_db *db); /* with weights */
uint64_t cc_itemsets_db_entries(const struct cc_itemsets_db *db);      /* items over all transactions */
size_t cc_itemsets_db_items(const struct cc_itemsets_db *db);          /* distinct ones */

/* A transaction a line, items as integers between blanks or commas; empty lines are skipped. "-" is standard
 * input. `threads` as below. */
int cc_itemsets_db_load(const char *path, unsigned threads, struct cc_itemsets_db **ret, struct cc_err *err);

/* items ascending; called from one thread at a time. */
typedef void cc_itemsets_found(void *arg, const uint32_t *items, size_t n, uint64_t support);

struct cc_itemsets_options {
    uint64_t min_support; /* transactions; 0 is taken as 1 */
    unsigned threads;     /* 0: as many as the machine has */
    uint64_t limit;       /* stop after about this many sets, 0: no limit */
    unsigned part, parts; /* only every parts-th first-level item, from part (0-based): the parts' results add
                             up; 0, 0: all */
    struct cc_count *count; /* of the branches of the search, one a frequent item; may be NULL */
};

struct cc_itemsets_result {
    uint64_t closed;      /* sets found; the empty set counts only if it is closed and frequent */
    uint64_t min_support; /* used */
    size_t frequent;      /* items that are frequent by themselves */
    size_t longest;       /* items of the longest set */
    unsigned missing;     /* threads that the system did not make; the others did their work */
    bool stopped;         /* at the limit: more sets exist, and which ones were found is chance */
};

/* `found` may be NULL to count only. */
int cc_itemsets_mine(const struct cc_itemsets_db *db, const struct cc_itemsets_options *options,
                     cc_itemsets_found *found, void *arg, struct cc_itemsets_result *ret, struct cc_err *err);

#endif
