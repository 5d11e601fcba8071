#include "lcm.h"
#include "rows.h"
#include "../../base/parallel.h"

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
    struct lcm_rows rows;
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

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
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
    lcm_rows_new(db, &number, r.nitems, options->threads, &r.rows);
    lcm_item_table_fini(&number);
    r.sparse = (struct sparse){.n = (uint32_t)r.rows.weights.n,
                               .nitems = r.nitems,
                               .start = r.rows.start.v,
                               .items = r.rows.items.v,
                               .weights = r.rows.weights.v,
                               .name = r.name};
    lcm_sparse_index(&r.sparse, &r.stack);
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
    lcm_rows_fini(&r.rows);
    free(r.waiting);
    free(r.done);
    free(r.name);
    free(r.common);
    return 0;
}
