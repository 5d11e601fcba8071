/* Fills a created store. The first failure sticks: all that follows does nothing, and cc_writer_finish tells
 * it; so callers write one thing after the other without looking. */
#ifndef CC_PROFILE_WRITER_H
#define CC_PROFILE_WRITER_H

#include "store.h"
#include "tables.h"

struct cc_writer {
    struct cc_store *store;
    int rc; /* 0, or the first failure */
    struct cc_err *err;
    struct cc_writer_table {
        struct sqlite3_stmt *one, *several; /* statements that insert so many; NULL: not needed yet */
        uint8_t *waiting;                   /* rows without texts, until there are several */
        size_t at, nwaiting;                /* the first one's number, how many there are */
    } tables[CC_PTABLES];
    struct cc_writer_stream {
        CC_VEC(uint8_t) data; /* since the last chunk */
        uint64_t chunks;
    } streams[CC_PTABLES];
};

void cc_writer_init(struct cc_writer *w, struct cc_store *store, struct cc_err *err); /* both borrowed */
/* Row number `at` of a table. */
void cc_writer_row(struct cc_writer *w, enum cc_ptable_id id, const void *row, size_t at);
/* Whole items of a stream. */
void cc_writer_items(struct cc_writer *w, enum cc_ptable_id id, const void *items, size_t size);
void cc_writer_facts(struct cc_writer *w, const struct cc_profile *p); /* those of columns.def */
void cc_writer_fact(struct cc_writer *w, const char *key, const char *value);
/* What is left of tables and streams. The store stays open. Returns the first failure. */
int cc_writer_finish(struct cc_writer *w);

#endif
