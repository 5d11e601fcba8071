/* Memory for cells: as much as what is followed needs. */
#include "depend_internal.h"

static bool is_dense(const struct cc_depend *d, uint64_t number)
{
    return number < CC_DIRECTORY && d->directory[number] && d->directory[number]->dense;
}

/* Huge pages are faster, and cost many times what a program needs that touches a few bytes of each: so it has
 * them where it was seen to use much of what lies there, or beside that. */
struct chunk *cc_depend_chunk_new(struct cc_depend *d, uint64_t number)
{
    struct chunk *k = d->host.map(d->host.self, sizeof *k);
    d->chunks = cc_depend_extend(d, d->chunks, &d->chunks_cap, d->nchunks + 1, sizeof *d->chunks);
    d->chunks[d->nchunks++] = number;
    d->directory[number] = k;
    k->dense = is_dense(d, number - 1) || is_dense(d, number + 1);
    if (!k->dense && d->host.sparse)
        d->host.sparse(d->host.self, k, sizeof *k);
    return k;
}

/* What is backed counts, which is whole pages. */
void cc_depend_page_new(struct cc_depend *d, struct chunk *k, uint32_t page)
{
    enum { MUCH = CELLS_PAGES / 4 };
    k->used[page / 64] |= UINT64_C(1) << page % 64;
    d->touched += CELLS_PAGE;
    d->memory += CELLS_PAGE / 8 * sizeof(struct cell);
    if (++k->pages == MUCH && !k->dense) {
        k->dense = true;
        if (d->host.dense)
            d->host.dense(d->host.self, k, sizeof *k);
    }
}

void cc_depend_drop_cells(struct cc_depend *d)
{
    const struct cc_host *h = &d->host;
    for (size_t i = 0; i < d->nchunks; i++) {
        h->unmap(h->self, d->directory[d->chunks[i]], sizeof(struct chunk));
        d->directory[d->chunks[i]] = NULL;
    }
    for (size_t i = 0; i < d->nslabs; i++)
        h->unmap(h->self, d->slabs[i], SPLITS_SLAB * sizeof(union split));
    d->nchunks = d->nslabs = 0;
    d->nlinks = 1;
    d->nsplits = d->free_link = 0;
    __builtin_memset(d->free_splits, 0, sizeof d->free_splits);
    d->touched = d->memory = 0;
}
