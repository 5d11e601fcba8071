#include "db.h"
#include "../../base/file.h"

#include <errno.h>

enum { SMALL_ITEMS = 1 << 22 };

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

void cc_itemsets_db_free(struct cc_itemsets_db *db)
{
    if (!db)
        return;
    lcm_item_table_fini(&db->support);
    free(db->bytes);
    free(db);
}

static void put_varint(struct cc_itemsets_db *db, uint32_t v)
{
    while (v >= 0x80) {
        db->bytes[db->n++] = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    db->bytes[db->n++] = (uint8_t)v;
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

void cc_itemsets_db_add(struct cc_itemsets_db *db, uint32_t *items, size_t n, uint32_t weight)
{
    bool sorted = true;
    for (size_t i = 1; i < n && sorted; i++)
        sorted = items[i - 1] < items[i];
    if (!sorted) {
        qsort(items, n, sizeof *items, by_item);
        size_t kept = 0;
        for (size_t i = 0; i < n; i++)
            if (i == 0 || items[i] != items[kept - 1])
                items[kept++] = items[i];
        n = kept;
    }
    if (db->cap - db->n < 10 + 5 * n) {
        db->cap = CC_MAX(db->cap + db->cap / 2, db->n + 10 + 5 * n + 4096);
        db->bytes = cc_realloc_array(db->bytes, db->cap, 1);
    }
    put_varint(db, weight);
    put_varint(db, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        put_varint(db, items[i] - (i ? items[i - 1] : 0));
        uint32_t s = lcm_item_get(&db->support, items[i]);
        db->distinct += s == 0 && weight;
        lcm_item_set(&db->support, items[i], weight > UINT32_MAX - s ? UINT32_MAX : s + weight);
    }
    db->rows++;
    db->transactions += weight;
    db->entries += n;
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

size_t lcm_db_row(const struct cc_itemsets_db *db, size_t *at, uint32_t *items, uint32_t *weight)
{
    *weight = get_varint(db->bytes, at);
    size_t n = get_varint(db->bytes, at);
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++)
        items[i] = last += get_varint(db->bytes, at);
    return n;
}

size_t lcm_db_longest(const struct cc_itemsets_db *db)
{
    size_t longest = 0;
    for (size_t at = 0; at < db->n;) {
        get_varint(db->bytes, &at);
        size_t n = get_varint(db->bytes, &at);
        longest = CC_MAX(longest, n);
        while (n-- > 0)
            get_varint(db->bytes, &at);
    }
    return longest;
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

/* ---- transaction files ---- */

struct row {
    uint32_t *v;
    size_t n, cap;
};

struct input {
    FILE *f;
    size_t at, n;
    unsigned char block[64 << 10];
};

static inline int next_byte(struct input *in)
{
    if (in->at == in->n) {
        in->at = 0;
        in->n = fread(in->block, 1, sizeof in->block, in->f);
        if (!in->n)
            return EOF;
    }
    return in->block[in->at++];
}

/* Reads up to the end of the line; *ret_end tells that the file ends here. */
static int read_line(struct input *in, const char *path, unsigned line, struct row *row, bool *ret_end,
                     struct cc_err *err)
{
    row->n = 0;
    for (int c = next_byte(in);;) {
        while (c == ' ' || c == '\t' || c == ',' || c == '\r')
            c = next_byte(in);
        if (c == '\n' || c == EOF) {
            *ret_end = c == EOF;
            return 0;
        }
        uint64_t v = 0;
        int digits = 0;
        for (; c >= '0' && c <= '9'; c = next_byte(in), digits++)
            v = v > UINT32_MAX ? v : v * 10 + (uint64_t)(c - '0');
        if (!digits || (c != ' ' && c != '\t' && c != ',' && c != '\r' && c != '\n' && c != EOF))
            return cc_err_at(err, CC_EINPUT, path, line, "items are integers between blanks, found '%c'",
                             c >= ' ' && c < 127 ? c : '?');
        if (v >= UINT32_MAX)
            return cc_err_at(err, CC_EINPUT, path, line, "an item is larger than %u", UINT32_MAX - 1);
        if (row->n == row->cap) {
            row->cap = row->cap * 2 + 64;
            row->v = cc_realloc_array(row->v, row->cap, sizeof *row->v);
        }
        row->v[row->n++] = (uint32_t)v;
    }
}

int cc_itemsets_db_load(const char *path, struct cc_itemsets_db **ret, struct cc_err *err)
{
    FILE *f;
    int rc = cc_file_open_stream(path, &f, err);
    if (rc < 0)
        return rc;
    struct cc_itemsets_db *db = cc_itemsets_db_new();
    struct row row = {0};
    struct input *in = cc_alloc(sizeof *in);
    in->f = f;
    bool end = false;
    errno = 0;
    for (unsigned line = 1; rc == 0 && !end; line++) {
        rc = read_line(in, path, line, &row, &end, err);
        if (rc == 0 && row.n)
            cc_itemsets_db_add(db, row.v, row.n, 1);
    }
    if (rc == 0 && ferror(f))
        rc = cc_err_at(err, CC_EINPUT, path, 0, "cannot read: %s", strerror(errno));
    if (rc == 0 && !db->rows)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "holds no transaction");
    fclose(f);
    free(row.v);
    free(in);
    if (rc < 0)
        cc_itemsets_db_free(db);
    else
        *ret = db;
    return rc;
}
