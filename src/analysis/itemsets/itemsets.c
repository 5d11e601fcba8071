#include "lcm.h"
#include "../../base/parallel.h"

#include <xxhash.h>

struct item_count {
    uint32_t item, support;
};

struct item_counts {
    CC_VEC(struct item_count) all;
    uint64_t min;
};

static void take_item(void *arg, uint32_t item, uint32_t support)
{
    struct item_counts *c = arg;
    if (support >= c->min)
        CC_VEC_PUSH(&c->all, (struct item_count){item, support});
}

static int rarest_first(const void *a, const void *b)
{
    const struct item_count *x = a, *y = b;
    if (x->support != y->support)
        return x->support < y->support ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* One run: the root's transactions, and branches (one a frequent item) that threads take in turn. */
struct run {
    struct sparse sparse;
    uint32_t nitems;
    uint32_t *name;
    uint32_t *common; /* items of every transaction: part of every set */
    size_t ncommon;
    struct stack stack;
    const struct cc_itemsets_options *options;
    uint32_t min_support;
    atomic_bool stop;
    uint32_t turn; /* branch whose sets are handed out next */
    struct found_list *waiting;
    bool *done;
    cc_itemsets_found *found;
    void *arg;
    struct cc_itemsets_result *result;
};

/* Items every transaction holds go to run->common, infrequent ones nowhere, the others are numbered from the
 * rarest. */
static void number_items(struct run *r, const struct cc_itemsets_db *db, struct item_table *number)
{
    struct item_counts c = {.min = r->min_support};
    lcm_db_each_item(db, take_item, &c);
    if (c.all.n)
        qsort(c.all.v, c.all.n, sizeof *c.all.v, rarest_first);
    r->result->frequent = c.all.n;
    r->name = cc_alloc_array(c.all.n + 1, sizeof *r->name);
    r->common = cc_alloc_array(c.all.n + 1, sizeof *r->common);
    for (size_t i = 0; i < c.all.n; i++) {
        if (c.all.v[i].support == db->transactions) {
            r->common[r->ncommon++] = c.all.v[i].item;
        } else {
            r->name[r->nitems++] = c.all.v[i].item;
            lcm_item_set(number, c.all.v[i].item, r->nitems);
        }
    }
    CC_VEC_FINI(&c.all);
}

static uint64_t count_entries(const struct cc_itemsets_db *db, const struct run *r)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->nitems; i++)
        n += lcm_item_get(&db->support, r->name[i]); /* with weights: not less than the entries */
    return CC_MIN(n, db->entries);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Finds a row again by what it holds. */
struct row_table {
    uint32_t *slots; /* 1 + number of the row */
    size_t mask;
};

static struct row_table row_table_new(size_t rows)
{
    size_t n = 64;
    while (n < 2 * rows)
        n *= 2;
    return (struct row_table){cc_alloc_array(n, sizeof(uint32_t)), n - 1};
}

/* The row that is like the newest one, which begins where the last whole one ends; the newest itself if there
 * is none. */
static uint32_t row_like(struct row_table *t, const struct sparse *s, uint32_t length)
{
    const uint32_t *v = s->items + s->start[s->n];
    for (size_t at = XXH3_64bits(v, length * sizeof *v);; at++) {
        uint32_t *slot = &t->slots[at & t->mask], k = *slot - 1;
        if (!*slot)
            return (*slot = s->n + 1) - 1;
        if (s->start[k + 1] - s->start[k] == length &&
            memcmp(s->items + s->start[k], v, length * sizeof *v) == 0)
            return k;
    }
}

/* Without its infrequent items a dense file has far fewer different rows: those alike become one. */
static void fill_lists(struct run *r, const struct cc_itemsets_db *db, const struct item_table *number,
                       uint32_t *row)
{
    struct sparse *s = &r->sparse;
    s->nitems = r->nitems;
    s->name = r->name;
    s->start = lcm_stack_alloc(&r->stack, (db->rows + 1) * sizeof *s->start);
    s->weights = lcm_stack_alloc(&r->stack, (db->rows + 1) * sizeof *s->weights);
    s->items = lcm_stack_alloc(&r->stack, (count_entries(db, r) + 1) * sizeof *s->items);
    uint32_t to = 0;
    struct row_table table = row_table_new(db->rows);
    s->start[0] = 0;
    for (size_t at = 0; at < db->n;) {
        uint32_t weight, from = to;
        size_t n = lcm_db_row(db, &at, row, &weight);
        for (size_t i = 0; weight && i < n; i++) {
            uint32_t p = lcm_item_get(number, row[i]);
            if (p)
                s->items[to++] = p - 1;
        }
        if (to == from)
            continue;
        lcm_sort_small(s->items + from, to - from);
        uint32_t like = row_like(&table, s, to - from);
        if (like < s->n) {
            s->weights[like] += weight; /* all together fit: checked before */
            to = from;
            continue;
        }
        s->weights[s->n++] = weight;
        s->start[s->n] = to;
    }
    free(table.slots);
    lcm_sparse_index(s, &r->stack);
}

/* Hands sets out in the order of the branches, whoever finished them. Lock held. */
static void hand_out(struct run *r)
{
    for (; r->turn < r->nitems && r->done[r->turn]; r->turn++) {
        struct found_list *f = &r->waiting[r->turn];
        for (size_t i = 0; i < f->n; i += 2 + f->v[i + 1])
            r->found(r->arg, f->v + i + 2, f->v[i + 1], f->v[i]);
        CC_VEC_FINI(f);
    }
}

static void work(struct cc_parallel *p, void *arg)
{
    struct run *r = arg;
    struct miner m = {.min_support = r->min_support,
                      .list = r->found != NULL,
                      .limit = r->options->limit,
                      .stop = &r->stop};
    uint32_t parts = r->options->parts ? r->options->parts : 1;
    m.set = cc_alloc_array(r->ncommon + r->nitems + 1, sizeof *m.set);
    memcpy(m.set, r->common, r->ncommon * sizeof *m.set);
    m.counts = cc_alloc_array(r->nitems + 1, sizeof *m.counts);
    for (size_t i; cc_parallel_next(p, &i);) {
        m.nset = r->ncommon;
        if (!atomic_load(&r->stop) && i % parts == r->options->part)
            lcm_sparse_branch(&m, &r->sparse, (uint32_t)i, m.counts);
        cc_count_add(r->options->count, i % parts == r->options->part);
        if (!m.list)
            continue;
        cc_parallel_lock(p);
        r->waiting[i] = m.found;
        memset(&m.found, 0, sizeof m.found);
        r->done[i] = true;
        hand_out(r);
        cc_parallel_unlock(p);
    }
    cc_parallel_lock(p);
    r->result->closed += m.closed;
    r->result->longest = CC_MAX(r->result->longest, m.longest);
    cc_parallel_unlock(p);
    lcm_stack_fini(&m.stack);
    free(m.counts);
    free(m.set);
}

/* The closure of the empty set: what every transaction holds, and that is nothing only if the empty set is
 * closed. */
static void root_set(struct run *r, const struct cc_itemsets_db *db)
{
    if (r->options->part != 0 || db->transactions < r->min_support)
        return;
    r->result->closed++;
    r->result->longest = r->ncommon;
    if (r->ncommon)
        qsort(r->common, r->ncommon, sizeof *r->common, by_number);
    if (r->found)
        r->found(r->arg, r->common, r->ncommon, db->transactions);
}

int cc_itemsets_mine(const struct cc_itemsets_db *db, const struct cc_itemsets_options *options,
                     cc_itemsets_found *found, void *arg, struct cc_itemsets_result *ret, struct cc_err *err)
{
    *ret = (struct cc_itemsets_result){.min_support = CC_MAX(options->min_support, 1)};
    if (options->parts && options->part >= options->parts)
        return cc_err_set(err, CC_EUSAGE, "part %u of %u", options->part + 1, options->parts);
    if (db->transactions > UINT32_MAX || db->entries > UINT32_MAX)
        return cc_err_set(err, CC_EINPUT, "more than %u transactions or items", UINT32_MAX);
    if (ret->min_support > db->transactions)
        return 0;
    struct run r = {.options = options,
                    .min_support = (uint32_t)ret->min_support,
                    .found = found,
                    .arg = arg,
                    .result = ret};
    struct item_table number = {0};
    number_items(&r, db, &number);
    uint32_t *row = cc_alloc_array(lcm_db_longest(db) + 1, sizeof *row);
    fill_lists(&r, db, &number, row);
    free(row);
    lcm_item_table_fini(&number);
    if (found) {
        r.waiting = cc_alloc_array(r.nitems + 1, sizeof *r.waiting);
        r.done = cc_alloc_array(r.nitems + 1, sizeof *r.done);
    }
    root_set(&r, db);
    for (uint32_t i = 0; i < r.nitems; i++)
        cc_count_expect(options->count, !options->parts || i % options->parts == options->part);
    ret->missing = cc_parallel_run(r.nitems, options->threads, work, &r);
    ret->stopped = atomic_load(&r.stop) || (options->limit && ret->closed > options->limit);
    lcm_stack_fini(&r.stack);
    free(r.waiting);
    free(r.done);
    free(r.name);
    free(r.common);
    return 0;
}
