#include "writer.h"
#include "rows.h"

#include <sqlite3.h>

enum { CHUNK = 1 << 20 }; /* bytes from which on a chunk is full */

void cc_writer_init(struct cc_writer *w, struct cc_store *store, struct cc_err *err)
{
    *w = (struct cc_writer){.store = store, .err = err};
}

void cc_writer_row(struct cc_writer *w, enum cc_ptable_id id, const void *row, size_t at)
{
    const struct cc_ptable *t = &cc_ptables[id];
    if (w->rc == 0 && !w->insert[id]) {
        struct cc_buf sql = {0};
        cc_row_insert(t, &sql);
        w->rc = cc_store_prepare(w->store, sql.s, &w->insert[id], w->err);
        cc_buf_fini(&sql);
    }
    if (w->rc < 0)
        return;
    cc_row_bind(w->insert[id], t, row, at);
    w->rc = cc_store_step(w->store, w->insert[id], w->err);
    sqlite3_reset(w->insert[id]);
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
        sqlite3_finalize(w->insert[id]);
    }
    return w->rc;
}
