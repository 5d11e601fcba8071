#include "rows.h"
#include "../../base/parallel.h"

#include <xxhash.h>

struct rows_job {
    const struct cc_itemsets_db *db;
    const struct item_table *number;
    uint32_t nitems;
    struct lcm_rows *all;
};

static size_t slot_of(const struct lcm_rows *r, const uint32_t *v, uint32_t n)
{
    for (size_t at = XXH3_64bits(v, n * sizeof *v);; at++) {
        size_t slot = at & (r->nslots - 1);
        if (!r->slots[slot])
            return slot;
        const uint32_t *start = r->start.v + r->slots[slot] - 1;
        if (start[1] - start[0] == n && memcmp(r->items.v + start[0], v, n * sizeof *v) == 0)
            return slot;
    }
}

static void make_room(struct lcm_rows *r)
{
    free(r->slots);
    do
        r->nslots = r->nslots ? r->nslots * 4 : 64;
    while (r->nslots <= 2 * r->weights.n);
    r->slots = cc_alloc_array(r->nslots, sizeof *r->slots);
    for (uint32_t k = 0; k < r->weights.n; k++)
        r->slots[slot_of(r, r->items.v + r->start.v[k], r->start.v[k + 1] - r->start.v[k])] = k + 1;
}

static void append_row(struct lcm_rows *r, const uint32_t *v, uint32_t n, uint32_t weight)
{
    if (!r->start.n)
        CC_VEC_PUSH(&r->start, 0);
    CC_VEC_RESERVE(&r->items, r->items.n + n);
    memcpy(r->items.v + r->items.n, v, n * sizeof *v);
    r->items.n += n;
    CC_VEC_PUSH(&r->start, (uint32_t)r->items.n);
    CC_VEC_PUSH(&r->weights, weight);
}

/* All weights together fit: checked before. */
static void add_row(struct lcm_rows *r, const uint32_t *v, uint32_t n, uint32_t weight)
{
    if (2 * r->weights.n >= r->nslots)
        make_room(r);
    size_t slot = slot_of(r, v, n);
    if (r->slots[slot]) {
        r->weights.v[r->slots[slot] - 1] += weight;
        return;
    }
    append_row(r, v, n, weight);
    r->slots[slot] = (uint32_t)r->weights.n;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_few(uint32_t *v, uint32_t n)
{
    if (n > 32) {
        qsort(v, n, sizeof *v, by_number);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        uint32_t x = v[i], k = i;
        for (; k > 0 && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

/* Different numbers below nitems; `bits` has one for each, all 0 before and after. */
static void sort_row(uint32_t *v, uint32_t n, uint32_t nitems, uint64_t *bits)
{
    if (nitems > 64 * (uint64_t)n) {
        sort_few(v, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        bits[v[i] / 64] |= UINT64_C(1) << v[i] % 64;
    for (uint32_t w = 0, at = 0; at < n; w++)
        for (; bits[w]; bits[w] &= bits[w] - 1)
            v[at++] = 64 * w + (uint32_t)__builtin_ctzll(bits[w]);
}

/* Rows alike may stay apart, which costs time only: where hardly any were met, none are looked for. */
static void add_all(struct lcm_rows *to, const struct lcm_rows *from, bool look)
{
    for (size_t k = 0; k < from->weights.n; k++)
        (look ? add_row : append_row)(to, from->items.v + from->start.v[k],
                                      from->start.v[k + 1] - from->start.v[k], from->weights.v[k]);
}

static void work(struct cc_parallel *p, void *arg)
{
    struct rows_job *job = arg;
    struct lcm_rows rows = {0};
    uint32_t *row = cc_alloc_array(job->db->longest + 1, sizeof *row);
    uint64_t *bits = cc_alloc_array(job->nitems / 64 + 1, sizeof *bits);
    size_t met = 0;
    for (size_t i; cc_parallel_next(p, &i);) {
        const struct db_piece *piece = &job->db->pieces.v[i];
        for (size_t at = 0; at < piece->n;) {
            uint32_t weight, kept = 0;
            size_t n = lcm_piece_row(piece, &at, row, &weight);
            for (size_t k = 0; weight && k < n; k++) {
                uint32_t number = lcm_item_get(job->number, row[k]);
                row[kept] = number - 1; /* overwritten if the item has none */
                kept += number != 0;
            }
            if (!kept)
                continue;
            sort_row(row, kept, job->nitems, bits);
            add_row(&rows, row, kept, weight);
            met++;
        }
    }
    free(bits);
    free(row);
    bool look = rows.weights.n < met / 2;
    cc_parallel_lock(p);
    if (job->all->weights.n < rows.weights.n) { /* the larger table stays */
        struct lcm_rows swap = *job->all;
        *job->all = rows;
        rows = swap;
    }
    add_all(job->all, &rows, look);
    cc_parallel_unlock(p);
    lcm_rows_fini(&rows);
}

void lcm_rows_new(const struct cc_itemsets_db *db, const struct item_table *number, uint32_t nitems,
                  unsigned threads, struct lcm_rows *ret)
{
    *ret = (struct lcm_rows){0};
    struct rows_job job = {db, number, nitems, ret};
    cc_parallel_run(db->pieces.n, threads, work, &job);
    if (!ret->start.n)
        CC_VEC_PUSH(&ret->start, 0);
    free(ret->slots);
    ret->slots = NULL;
}

void lcm_rows_fini(struct lcm_rows *r)
{
    CC_VEC_FINI(&r->items);
    CC_VEC_FINI(&r->start);
    CC_VEC_FINI(&r->weights);
    free(r->slots);
}
