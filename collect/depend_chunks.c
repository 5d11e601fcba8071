/* Memory for cells: as much as what is followed needs. */
#include "depend_internal.h"

struct chunk *cc_depend_chunk_new(struct cc_depend *d, uint64_t number)
{
    struct chunk *k = d->host.map(d->host.self, sizeof *k);
    d->chunks = cc_depend_extend(d, d->chunks, &d->chunks_cap, d->nchunks + 1, sizeof *d->chunks);
    d->chunks[d->nchunks++] = number;
    d->directory[number] = k;
    return k;
}

/* What is backed counts, which is whole pages. */
void cc_depend_page_new(struct cc_depend *d, struct chunk *k, uint32_t page)
{
    k->used[page / 64] |= UINT64_C(1) << page % 64;
    d->touched += CELLS_PAGE;
    d->memory += CELLS_PAGE / 8 * sizeof(struct cell);
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
