/* LCM: depth-first over closed sets by prefix-preserving closure extension. A branch is given by the set P so
 * far, the transactions that hold P, and the items that may not come in any more. Extending P by item e, the
 * closure is what all transactions with P and e share; if it holds a forbidden item, the set belongs to
 * another branch and is left to it, so each closed set is met exactly once and none has to be remembered.
 * Items below minimum support within a branch are dropped from its transactions, and transactions that then
 * look alike are merged; of the forbidden items a merged row keeps those that all its parts hold. */
#include "lcm.h"
#include "../../base/ending.h"

enum { FIRST_BLOCK = 64 << 10, AHEAD = 12 };

void *lcm_stack_alloc(struct stack *s, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!s->top || s->top->size - s->top->used < bytes) {
        size_t size = CC_MAX(s->top ? s->top->size * 2 : (size_t)FIRST_BLOCK, bytes);
        struct stack_block *b = malloc(sizeof *b + 16 + size);
        if (!b)
            cc_ending_no_memory();
        *b = (struct stack_block){.prev = s->top, .size = size};
        s->top = b;
    }
    char *p = (char *)(s->top + 1) + s->top->used;
    s->top->used += bytes;
    return p;
}

struct stack_mark lcm_stack_mark(const struct stack *s)
{
    return (struct stack_mark){s->top, s->top ? s->top->used : 0};
}

void lcm_stack_release(struct stack *s, struct stack_mark mark)
{
    while (s->top != mark.block) {
        struct stack_block *prev = s->top->prev;
        if (!prev) { /* the first block stays: the next branch wants it again */
            s->top->used = 0;
            return;
        }
        free(s->top);
        s->top = prev;
    }
    if (s->top)
        s->top->used = mark.used;
}

void lcm_stack_fini(struct stack *s)
{
    while (s->top) {
        struct stack_block *prev = s->top->prev;
        free(s->top);
        s->top = prev;
    }
}

static int by_item(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* m->set is a closed set with this support. */
void lcm_miner_emit(struct miner *m, uint32_t support)
{
    m->closed++;
    m->longest = CC_MAX(m->longest, m->nset);
    if (m->limit && m->closed > m->limit)
        atomic_store(m->stop, true);
    if (!m->list)
        return;
    struct found_list *f = &m->found;
    CC_VEC_RESERVE(f, f->n + 2 + m->nset);
    f->v[f->n++] = support;
    f->v[f->n++] = (uint32_t)m->nset;
    if (m->nset)
        memcpy(f->v + f->n, m->set, m->nset * sizeof *m->set);
    qsort(f->v + f->n, m->nset, sizeof *m->set, by_item);
    f->n += m->nset;
}

/* ---- rows as lists ---- */

void lcm_sparse_index(struct sparse *db, struct stack *s)
{
    db->occ_start = lcm_stack_alloc(s, (db->nitems + 2) * sizeof *db->occ_start);
    memset(db->occ_start, 0, (db->nitems + 2) * sizeof *db->occ_start);
    uint32_t entries = db->start[db->n], *at = db->occ_start + 1;
    for (uint32_t i = 0; i < entries; i++)
        if (db->items[i] >= db->nlow)
            db->occ_start[db->items[i] + 2]++;
    for (uint32_t i = 0; i < db->nitems; i++)
        db->occ_start[i + 2] += db->occ_start[i + 1];
    db->occ = lcm_stack_alloc(s, (at[db->nitems] + 1) * sizeof *db->occ);
    for (uint32_t t = 0; t < db->n; t++)
        for (uint32_t i = db->start[t]; i < db->start[t + 1]; i++)
            if (db->items[i] >= db->nlow)
                db->occ[at[db->items[i]]++] = t;
}

static int by_support(const void *a, const void *b, void *supports)
{
    const uint32_t *order_by = supports;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (order_by[x] != order_by[y])
        return order_by[x] < order_by[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* Counts the items of the rows with `item` that stand on one side of it. `touched` gets those that occur. */
static uint32_t count_rows(const struct sparse *db, uint32_t item, bool high, uint32_t *counts,
                           uint32_t *touched)
{
    uint32_t n = 0;
    for (uint32_t o = db->occ_start[item]; o < db->occ_start[item + 1]; o++) {
        /* rows of a large database are far apart: waiting for each in turn took most of the time */
        if (o + AHEAD < db->occ_start[item + 1])
            __builtin_prefetch(&db->items[db->start[db->occ[o + AHEAD]]]);
        uint32_t t = db->occ[o], weight = db->weights[t];
        /* the row holds `item` itself, where either walk ends */
        const uint32_t *p = high ? db->items + db->start[t + 1] - 1 : db->items + db->start[t];
        for (int step = high ? -1 : 1; *p != item; p += step) {
            touched[n] = *p;
            n += counts[*p] == 0;
            counts[*p] += weight;
        }
    }
    return n;
}

/* Whether some lower item is in every row that holds `item`. The candidates are the lower items of the first
 * row; few survive the second. */
static bool lower_in_all(struct miner *m, const struct sparse *db, uint32_t item)
{
    uint32_t o = db->occ_start[item], n = 0;
    const uint32_t *row = db->items + db->start[db->occ[o]];
    while (row[n] != item)
        n++;
    if (!n)
        return false;
    uint32_t *left = lcm_stack_alloc(&m->stack, n * sizeof *left);
    memcpy(left, row, n * sizeof *left);
    for (o++; n && o < db->occ_start[item + 1]; o++) {
        const uint32_t *p = db->items + db->start[db->occ[o]];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < n; i++) {
            while (*p < left[i])
                p++;
            left[kept] = left[i];
            kept += *p == left[i];
        }
        n = kept;
    }
    return n > 0;
}

/* Parts what may be added to the set from what belongs to it anyway, which is pushed on m->set. */
static void sift_high(struct miner *m, const struct sparse *db, uint32_t support, uint32_t *counts,
                      const uint32_t *touched, uint32_t ntouched, struct shared *ret)
{
    for (uint32_t i = 0; i < ntouched; i++) {
        if (counts[touched[i]] == support)
            m->set[m->nset++] = db->name[touched[i]];
        else if (counts[touched[i]] >= m->min_support)
            ret->items[ret->n++] = touched[i];
    }
    qsort_r(ret->items, ret->n, sizeof *ret->items, by_support, counts);
}

/* Puts the lower items that are frequent here in front: sets that all hold one of them belong to other
 * branches. */
static void add_low(struct miner *m, const struct sparse *db, uint32_t item, uint32_t *counts,
                    uint32_t *touched, struct shared *s)
{
    uint32_t n = count_rows(db, item, false, counts, touched),
             *items = lcm_stack_alloc(&m->stack, (n + s->n + 1) * sizeof *items);
    for (uint32_t i = 0; i < n; i++) {
        if (counts[touched[i]] >= m->min_support)
            items[s->nlow++] = touched[i];
        counts[touched[i]] = 0;
    }
    memcpy(items + s->nlow, s->items, s->n * sizeof *items);
    s->items = items;
    s->n += s->nlow;
    if (s->n > 128) { /* rows stay lists: in the old order they need no sorting */
        qsort(items, s->nlow, sizeof *items, by_item);
        qsort(items + s->nlow, s->n - s->nlow, sizeof *items, by_item);
    }
}

static void descend_sparse(struct miner *m, const struct sparse *db, uint32_t item, const struct shared *s,
                           const uint32_t *place, const uint32_t *name)
{
    uint32_t rows = db->occ_start[item + 1] - db->occ_start[item], entries = 0;
    for (uint32_t o = db->occ_start[item]; o < db->occ_start[item + 1]; o++)
        entries += db->start[db->occ[o] + 1] - db->start[db->occ[o]];
    struct sparse child = {.nitems = s->n, .nlow = s->nlow, .name = name};
    child.start = lcm_stack_alloc(&m->stack, (rows + 1) * sizeof *child.start);
    child.weights = lcm_stack_alloc(&m->stack, (rows + 1) * sizeof *child.weights);
    child.items = lcm_stack_alloc(&m->stack, (entries + 1) * sizeof *child.items);
    uint32_t at = 0;
    child.start[0] = 0;
    for (uint32_t o = db->occ_start[item]; o < db->occ_start[item + 1]; o++) {
        uint32_t t = db->occ[o], from = at;
        bool high = false;
        for (uint32_t i = db->start[t]; i < db->start[t + 1]; i++) {
            uint32_t p = place[db->items[i]];
            child.items[at] = p - 1; /* overwritten if the item has no place */
            at += p != 0;
            high |= p > s->nlow;
        }
        if (!high) { /* no item to add: the row says nothing about deeper sets */
            at = from;
            continue;
        }
        child.weights[child.n++] = db->weights[t];
        child.start[child.n] = at;
    }
    lcm_sparse_index(&child, &m->stack);
    uint32_t *counts = lcm_stack_alloc(&m->stack, (child.nitems + 1) * sizeof *counts);
    memset(counts, 0, (child.nitems + 1) * sizeof *counts);
    for (uint32_t f = child.nlow; f < child.nitems && !atomic_load_explicit(m->stop, memory_order_relaxed);
         f++)
        lcm_sparse_branch(m, &child, f, counts);
}

void lcm_sparse_branch(struct miner *m, const struct sparse *db, uint32_t item, uint32_t *counts)
{
    struct stack_mark mark = lcm_stack_mark(&m->stack);
    size_t nset = m->nset;
    if (lower_in_all(m, db, item)) {
        lcm_stack_release(&m->stack, mark);
        return;
    }
    uint32_t *touched = lcm_stack_alloc(&m->stack, (db->nitems + 1) * sizeof *touched), support = 0;
    for (uint32_t o = db->occ_start[item]; o < db->occ_start[item + 1]; o++)
        support += db->weights[db->occ[o]];
    uint32_t ntouched = count_rows(db, item, true, counts, touched);
    struct shared s = {.items = lcm_stack_alloc(&m->stack, (ntouched + 1) * sizeof *s.items)};
    m->set[m->nset++] = db->name[item];
    sift_high(m, db, support, counts, touched, ntouched, &s);
    for (uint32_t i = 0; i < ntouched; i++)
        counts[touched[i]] = 0;
    lcm_miner_emit(m, support);
    if (s.n) {
        add_low(m, db, item, counts, touched, &s);
        uint32_t *name = lcm_stack_alloc(&m->stack, s.n * sizeof *name);
        for (uint32_t i = 0; i < s.n; i++) {
            name[i] = db->name[s.items[i]];
            counts[s.items[i]] = i + 1; /* now the item's place in the branch below, from 1 */
        }
        (s.n <= 64    ? lcm_words64_descend
         : s.n <= 128 ? lcm_words128_descend
                      : descend_sparse)(m, db, item, &s, counts, name);
        for (uint32_t i = 0; i < s.n; i++)
            counts[s.items[i]] = 0;
    }
    m->nset = nset;
    lcm_stack_release(&m->stack, mark);
}
