#include "db.h"

enum { SMALL_ITEMS = 1 << 22, PIECE = 128 << 10, FIRST_BYTES = 4 << 10 };

void lcm_item_set(struct item_table *t, uint32_t item, uint32_t value)
{
    if (item >= SMALL_ITEMS) {
        *cc_map_put(&t->large, item, NULL) = value;
        return;
    }
    if (item >= t->nsmall) {
        size_t n = CC_MAX((size_t)item + 1, t->nsmall * 2);
        t->small = cc_realloc_array(t->small, n, sizeof *t->small);
        memset(t->small + t->nsmall, 0, (n - t->nsmall) * sizeof *t->small);
        t->nsmall = n;
    }
    t->small[item] = value;
}

uint32_t lcm_item_get(const struct item_table *t, uint32_t item)
{
    if (item < SMALL_ITEMS)
        return item < t->nsmall ? t->small[item] : 0;
    const uint64_t *v = cc_map_get(&t->large, item);
    return v ? (uint32_t)*v : 0;
}

void lcm_item_table_fini(struct item_table *t)
{
    free(t->small);
    cc_map_fini(&t->large);
    memset(t, 0, sizeof *t);
}

struct cc_itemsets_db *cc_itemsets_db_new(void)
{
    return cc_alloc(sizeof(struct cc_itemsets_db));
}

static void db_fini(struct cc_itemsets_db *db)
{
    lcm_item_table_fini(&db->support);
    for (size_t i = 0; i < db->pieces.n; i++)
        free(db->pieces.v[i].bytes);
    CC_VEC_FINI(&db->pieces);
}

void cc_itemsets_db_free(struct cc_itemsets_db *db)
{
    if (!db)
        return;
    db_fini(db);
    free(db);
}

static uint8_t *put_varint(uint8_t *to, uint32_t v)
{
    while (v >= 0x80) {
        *to++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *to++ = (uint8_t)v;
    return to;
}

static uint32_t get_varint(const uint8_t *bytes, size_t *at)
{
    uint32_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t b = bytes[(*at)++];
        v |= (uint32_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return v;
    }
}

static int by_item(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts and keeps one of each; how many are left. */
static size_t in_order(uint32_t *items, size_t n)
{
    bool sorted = true;
    for (size_t i = 1; i < n && sorted; i++)
        sorted = items[i - 1] < items[i];
    if (sorted)
        return n;
    qsort(items, n, sizeof *items, by_item);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || items[i] != items[kept - 1])
            items[kept++] = items[i];
    return kept;
}

/* The last piece, or a new one, with room for this many bytes more. */
static struct db_piece *piece_with_room(struct cc_itemsets_db *db, size_t more)
{
    struct db_piece *last = db->pieces.n ? &db->pieces.v[db->pieces.n - 1] : NULL;
    if (last && last->cap - last->n >= more)
        return last;
    if (!last || last->n + more > PIECE) {
        CC_VEC_PUSH(&db->pieces, (struct db_piece){0});
        last = &db->pieces.v[db->pieces.n - 1];
    }
    last->cap = CC_MAX(last->n + more, CC_MIN(CC_MAX(last->cap * 2, (size_t)FIRST_BYTES), (size_t)PIECE));
    last->bytes = cc_realloc_array(last->bytes, last->cap, 1);
    return last;
}

static void count_item(struct cc_itemsets_db *db, uint32_t item, uint32_t weight)
{
    uint32_t s = lcm_item_get(&db->support, item);
    db->distinct += s == 0 && weight;
    lcm_item_set(&db->support, item, weight > UINT32_MAX - s ? UINT32_MAX : s + weight);
}

void cc_itemsets_db_add(struct cc_itemsets_db *db, uint32_t *items, size_t n, uint32_t weight)
{
    n = in_order(items, n);
    struct db_piece *piece = piece_with_room(db, 10 + 5 * n);
    uint8_t *to = put_varint(put_varint(piece->bytes + piece->n, weight), (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        to = put_varint(to, items[i] - (i ? items[i - 1] : 0));
        count_item(db, items[i], weight);
    }
    piece->n = (size_t)(to - piece->bytes);
    db->rows++;
    db->longest = CC_MAX(db->longest, n);
    db->transactions += weight;
    db->entries += n;
}

static void absorb_item(void *arg, uint32_t item, uint32_t support)
{
    count_item(arg, item, support);
}

void lcm_db_absorb(struct cc_itemsets_db *db, struct cc_itemsets_db *from)
{
    for (size_t i = 0; i < from->pieces.n; i++)
        CC_VEC_PUSH(&db->pieces, from->pieces.v[i]);
    from->pieces.n = 0;
    lcm_db_each_item(from, absorb_item, db);
    db->rows += from->rows;
    db->longest = CC_MAX(db->longest, from->longest);
    db->transactions += from->transactions;
    db->entries += from->entries;
    db_fini(from);
    *from = (struct cc_itemsets_db){0};
}

uint64_t cc_itemsets_db_transactions(const struct cc_itemsets_db *db)
{
    return db->transactions;
}

uint64_t cc_itemsets_db_entries(const struct cc_itemsets_db *db)
{
    return db->entries;
}

size_t cc_itemsets_db_items(const struct cc_itemsets_db *db)
{
    return db->distinct;
}

size_t lcm_piece_row(const struct db_piece *piece, size_t *at, uint32_t *items, uint32_t *weight)
{
    *weight = get_varint(piece->bytes, at);
    size_t n = get_varint(piece->bytes, at);
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++)
        items[i] = last += get_varint(piece->bytes, at);
    return n;
}

void lcm_db_each_item(const struct cc_itemsets_db *db,
                      void (*each)(void *arg, uint32_t item, uint32_t support), void *arg)
{
    const struct item_table *t = &db->support;
    for (size_t i = 0; i < t->nsmall; i++)
        if (t->small[i])
            each(arg, (uint32_t)i, t->small[i]);
    for (size_t i = 0; i < t->large.cap; i++)
        if (t->large.used[i])
            each(arg, (uint32_t)t->large.keys[i], lcm_item_get(t, (uint32_t)t->large.keys[i]));
}
