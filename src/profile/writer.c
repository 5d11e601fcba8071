#include "writer.h"
#include "rows.h"

#include <sqlite3.h>
#include <stdlib.h>

enum {
    CHUNK = 1 << 20, /* bytes from which on a chunk is full */
    SEVERAL = 32     /* rows by one statement: half of what one by one cost was that they were statements */
};

void cc_writer_init(struct cc_writer *w, struct cc_store *store, struct cc_err *err)
{
    *w = (struct cc_writer){.store = store, .err = err};
}

/* Rows `at` and following; texts in them live until this returns. */
static void insert_rows(struct cc_writer *w, enum cc_ptable_id id, const uint8_t *rows, size_t at, size_t n)
{
    const struct cc_ptable *t = &cc_ptables[id];
    struct sqlite3_stmt **st = n > 1 ? &w->tables[id].several : &w->tables[id].one;
    if (w->rc == 0 && !*st) {
        struct cc_buf sql = {0};
        cc_row_insert(t, n, &sql);
        w->rc = cc_store_prepare(w->store, sql.s, st, w->err);
        cc_buf_fini(&sql);
    }
    if (w->rc < 0)
        return;
    for (size_t i = 0; i < n; i++)
        cc_row_bind(*st, (int)(i * t->ncolumns), t, rows + i * t->size, at + i);
    w->rc = cc_store_step(w->store, *st, w->err);
    sqlite3_reset(*st);
}

static bool has_texts(const struct cc_ptable *t)
{
    for (size_t i = 0; i < t->ncolumns; i++)
        if (t->columns[i].kind == CC_KIND_TEXT || t->columns[i].kind == CC_KIND_MAYBE_TEXT)
            return true;
    return false;
}

void cc_writer_row(struct cc_writer *w, enum cc_ptable_id id, const void *row, size_t at)
{
    const struct cc_ptable *t = &cc_ptables[id];
    struct cc_writer_table *x = &w->tables[id];
    if (has_texts(t)) {
        insert_rows(w, id, row, at, 1);
        return;
    }
    if (!x->waiting)
        x->waiting = cc_alloc(SEVERAL * t->size);
    if (x->nwaiting == 0)
        x->at = at;
    memcpy(x->waiting + x->nwaiting++ * t->size, row, t->size);
    if (x->nwaiting == SEVERAL) {
        insert_rows(w, id, x->waiting, x->at, SEVERAL);
        x->nwaiting = 0;
    }
}

static void finish_table(struct cc_writer *w, enum cc_ptable_id id)
{
    struct cc_writer_table *x = &w->tables[id];
    for (size_t i = 0; i < x->nwaiting; i++)
        insert_rows(w, id, x->waiting + i * cc_ptables[id].size, x->at + i, 1);
    sqlite3_finalize(x->one);
    sqlite3_finalize(x->several);
    free(x->waiting);
}

static void put_chunk(struct cc_writer *w, enum cc_ptable_id id)
{
    struct cc_writer_stream *s = &w->streams[id];
    if (w->rc == 0 && s->data.n)
        w->rc = cc_store_put_chunk(w->store, cc_ptables[id].name, s->chunks++, s->data.v, s->data.n, w->err);
    s->data.n = 0;
}

void cc_writer_items(struct cc_writer *w, enum cc_ptable_id id, const void *items, size_t size)
{
    struct cc_writer_stream *s = &w->streams[id];
    if (w->rc < 0 || size == 0)
        return;
    CC_VEC_RESERVE(&s->data, s->data.n + size);
    memcpy(s->data.v + s->data.n, items, size);
    s->data.n += size;
    if (s->data.n >= CHUNK)
        put_chunk(w, id);
}

void cc_writer_facts(struct cc_writer *w, const struct cc_profile *p)
{
    for (size_t i = 0; w->rc == 0 && i < cc_nfacts; i++)
        w->rc = cc_fact_put(w->store, &cc_facts[i], p, w->err);
}

void cc_writer_fact(struct cc_writer *w, const char *key, const char *value)
{
    if (w->rc == 0)
        w->rc = cc_store_set(w->store, key, value, w->err);
}

int cc_writer_finish(struct cc_writer *w)
{
    for (enum cc_ptable_id id = 0; id < CC_PTABLES; id++) {
        put_chunk(w, id);
        CC_VEC_FINI(&w->streams[id].data);
        finish_table(w, id);
    }
    return w->rc;
}
