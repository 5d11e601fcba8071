/* Between SQLite's columns and the rows of profile.h, and between facts and the fields of a profile. */
#ifndef CC_PROFILE_ROWS_H
#define CC_PROFILE_ROWS_H

#include "store.h"
#include "tables.h"

void cc_row_select(const struct cc_ptable *t, const char *where,
                   struct cc_buf *ret); /* SELECT … where ORDER BY … */
void cc_row_insert(const struct cc_ptable *t, size_t rows,
                   struct cc_buf *ret); /* INSERT INTO … VALUES (?, …), (?, …), … */
/* `before`: how many parameters are those of other rows. */
void cc_row_bind(struct sqlite3_stmt *st, int before, const struct cc_ptable *t, const void *row, size_t at);
/* False: something is not of its column's kind. Ids are yet to be compared with how many there are. */
bool cc_row_read(struct sqlite3_stmt *st, const struct cc_ptable *t, void *row, size_t at,
                 struct cc_arena *arena);

int cc_fact_put(struct cc_store *s, const struct cc_pcolumn *fact, const struct cc_profile *p,
                struct cc_err *err);
/* A fact that is absent leaves its field alone. False: it is not of its kind. */
bool cc_fact_read(struct cc_store *s, const struct cc_pcolumn *fact, struct cc_profile *p);

#endif
