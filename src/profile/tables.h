/* What columns.def says, as data: for the store (which tables there are), the import and the reader (what a
 * row may hold, how it is written and read). */
#ifndef CC_PROFILE_TABLES_H
#define CC_PROFILE_TABLES_H

#include "profile.h"
#include "../base/text.h"

/* Tables first, then streams; each refers to those before it. */
enum cc_ptable_id {
#define CC_TABLE(table, rows, order) CC_P_##table,
#define CC_STREAM(stream, record, row, tag, meaning) CC_P_##stream,
#include "columns.def"
    CC_PTABLES
};

enum cc_pkind {
    CC_KIND_KEY,
    CC_KIND_ID,
    CC_KIND_MAYBE_ID,
    CC_KIND_EARLIER,
    CC_KIND_ANY_ID,
    CC_KIND_COUNT,
    CC_KIND_MAYBE_COUNT,
    CC_KIND_NUMBER,
    CC_KIND_FLAG,
    CC_KIND_LINE,
    CC_KIND_ADDRESS,
    CC_KIND_TEXT,
    CC_KIND_MAYBE_TEXT,
    CC_KIND_WORD,
    /* of items only */
    CC_KIND_INDEX,
    CC_KIND_PAD,
    /* of facts only */
    CC_KIND_STATUS
};

struct cc_pcolumn {
    const char *name;
    enum cc_pkind kind;
    size_t at, size; /* of the field in the row's struct; KEY has none */
    size_t has;      /* MAYBE_COUNT: of the bool that says whether it is known */
    int of;          /* enum cc_ptable_id of an id; the least STATUS that is written */
    const char *const *words;
    size_t nwords;
};

struct cc_ptable {
    const char *name;
    const char *order;   /* SQL; NULL: a stream */
    enum cc_rec_tag tag; /* of a stream */
    const struct cc_pcolumn *columns;
    size_t ncolumns;
    size_t size;        /* of a row; of a block: without its code, which follows, padded to 8 bytes */
    size_t rows, count; /* where struct cc_profile has them */
};

extern const struct cc_ptable cc_ptables[CC_PTABLES];
extern const struct cc_pcolumn cc_facts[]; /* fields of struct cc_profile */
extern const size_t cc_nfacts;

bool cc_kind_may_be_null(enum cc_pkind kind);
bool cc_kind_is_text(enum cc_pkind kind); /* in SQL */
size_t *cc_ptable_count(struct cc_profile *p, enum cc_ptable_id id);
/* The stream that records of this tag are kept in; CC_PTABLES: none. */
enum cc_ptable_id cc_stream_of(enum cc_rec_tag tag);
void cc_ptable_create(const struct cc_ptable *t, struct cc_buf *ret); /* the CREATE TABLE statement */

/* Whether row number `at` is sound: each column by itself; and with others. p has how many rows there are of
 * what it may refer to, and the contexts before it. */
bool cc_columns_fit(enum cc_ptable_id id, const struct cc_profile *p, const void *row, size_t at);
bool cc_row_fits(enum cc_ptable_id id, const struct cc_profile *p, const void *row, size_t at);
/* By level, producer and consumer: the order of struct cc_pedge in a profile. */
int cc_edge_order(const void *a, const void *b);
/* The bytes that an item of `left` bytes takes in its stream; 0: it is not sound. */
size_t cc_item_size(enum cc_ptable_id id, const struct cc_profile *p, const void *item, size_t at,
                    size_t left);

#endif
